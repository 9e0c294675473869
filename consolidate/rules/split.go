package rules

import (
	"slices"
	"strings"
	"time"

	"engram/memory"
	"engram/text"
	"engram/when"
)

// split cuts a turn into sentences of tokens. Expressions of time become one
// token each, which patterns may pass over.
func (r *Rules) split(turn string, anchor memory.Time) []sentence {
	times := shortYears(turn, anchor, asOf(turn, anchor, when.Find(turn, anchor)))
	var out []sentence
	for _, sp := range text.Sentences(turn) {
		s := sentence{text: turn, start: sp.Start, end: sp.End}
		s.toks = tokenize(make([]token, 0, (sp.End-sp.Start)/4+4), turn[sp.Start:sp.End], sp.Start, r.abbreviations)
		if len(s.toks) == 0 {
			continue
		}
		s.zh = slices.ContainsFunc(s.toks, func(t token) bool { return t.han })
		if n := len(out); n > 0 && r.continues(&out[n-1], &s) {
			out[n-1].toks = append(out[n-1].toks, s.toks...)
			out[n-1].end = s.end
			continue
		}
		out = append(out, s)
	}
	undoing := false
	for i := range out {
		s := &out[i]
		l := r.language(s)
		for _, m := range times {
			if m.Start >= s.start && m.End <= s.end {
				s.times = append(s.times, m)
			}
		}
		s.yearRanges(anchor)
		s.foldTimes()
		l.number(s)
		l.tense(s)
		l.markEnds(s)
		undoing = l.markRetracted(s, undoing)
	}
	return out
}

// continues reports whether s only goes on with the sentence before: "Dr." is no
// end of one, nor is the sign before the name in 我姐生了个闺女！小名叫糖豆.
func (r *Rules) continues(before, s *sentence) bool {
	if s.zh {
		return before.zh && r.zh.wordAt("continues", s, 0) > 0
	}
	word, dot := strings.CutSuffix(before.last().word, ".")
	return dot && r.abbreviations[word]
}

// asOf reads "as of March" as the beginning of what it says, not as its end.
func asOf(turn string, anchor memory.Time, times []when.Match) []when.Match {
	for i, m := range times {
		words := turn[m.Start:m.End]
		if m.Relation != when.By || len(words) < 7 || !strings.EqualFold(words[:6], "as of ") {
			continue
		}
		if again := when.Find(words[6:], anchor); len(again) == 1 {
			times[i].Interval, times[i].Relation, times[i].Explicit = again[0].Interval, when.Since, again[0].Explicit
			times[i].Interval.To = memory.Time{}
		}
	}
	return times
}

func (r *Rules) language(s *sentence) *language {
	if s.zh {
		return r.zh
	}
	return r.en
}

func (s *sentence) last() token { return s.toks[len(s.toks)-1] }

// words gives the text of the tokens [from, to).
func (s *sentence) words(from, to int) string {
	if from >= to {
		return ""
	}
	return s.text[s.toks[from].start:s.toks[to-1].end]
}

// foldTimes replaces the tokens of each expression of time by one.
func (s *sentence) foldTimes() {
	for i, m := range s.times {
		first := slices.IndexFunc(s.toks, func(t token) bool { return t.end > m.Start })
		if first < 0 || s.toks[first].start >= m.End {
			continue
		}
		after := first
		for after < len(s.toks) && s.toks[after].start < m.End {
			after++
		}
		t := token{word: "\x00time", start: m.Start, end: m.End, kind: timeWord, skip: true, span: i, upper: s.toks[first].upper}
		s.toks = slices.Replace(s.toks, first, after, t)
	}
}

// number numbers the clauses and marks the fillers.
func (l *language) number(s *sentence) {
	clause := 0
	for i := range s.toks {
		t := &s.toks[i]
		before := clause
		switch {
		case t.kind == sign && t.word != "\"" && t.word != "'":
			clause++
			before = clause
		case l.words["conjunction"][t.word] && i+1 < len(s.toks) && l.opensClause(s, i+1):
			clause++
			before = clause
		}
		t.clause = before
	}
	for i := 0; i < len(s.toks); i++ {
		if n := l.wordAt("sure_if", s, i); n > 0 {
			for j := i; j < i+n; j++ {
				s.pass(j)
			}
		}
		if n := l.wordAt("filler", s, i); n > 0 && !l.inside("not_filler", s, i) {
			for j := i; j < i+n; j++ {
				s.toks[j].skip = true
			}
			i += n - 1
			continue
		}
		if n := l.wordAt("after_time", s, i); n > 0 && i > 0 && s.toks[i-1].kind == timeWord {
			for j := i; j < i+n; j++ {
				s.toks[j].skip = true
			}
		}
		// "in" of "in March".
		if n := l.wordAt("before_time", s, i); n > 0 && i+n < len(s.toks) && s.toks[i+n].kind == timeWord {
			for j := i; j < i+n; j++ {
				s.toks[j].skip = true
			}
		}
	}
}

// opensClause reports whether a subject stands at i, or a verb of one that is
// left out ("and moved").
func (l *language) opensClause(s *sentence, i int) bool {
	for i < len(s.toks) && s.toks[i].skip {
		i++
	}
	if i == len(s.toks) {
		return false
	}
	w := s.toks[i].word
	return l.words["pronoun"][w] || l.words["possessive"][w] || l.words["opener"][w]
}

// wordAt gives the number of tokens at i that are a word of the class, 0 if none.
func (l *language) wordAt(class string, s *sentence, i int) int {
	if i < 0 || i >= len(s.toks) || !l.firsts[class][s.toks[i].word] {
		return 0
	}
	words, best := l.words[class], 0
	if words[s.toks[i].word] {
		best = 1
	}
	longest := l.longest[class]
	if longest == 1 {
		return best
	}
	b := append(make([]byte, 0, 64), s.toks[i].word...)
	for n := 1; n < longest && i+n < len(s.toks); n++ {
		b = append(append(b, ' '), s.toks[i+n].word...)
		if words[string(b)] {
			best = n + 1
		}
	}
	return best
}

// hasWord reports whether the words are a word of the class.
func (l *language) hasWord(class, words string) bool {
	var parts []string
	for _, t := range tokenize(nil, words, 0, nil) {
		parts = append(parts, t.word)
	}
	return l.words[class][strings.Join(parts, " ")]
}

// endsAt reports whether a word of the class ends right before i.
func (l *language) endsAt(class string, s *sentence, i int) bool {
	for n := 1; n <= l.longest[class] && i-n >= 0; n++ {
		if l.wordAt(class, s, i-n) == n {
			return true
		}
	}
	return false
}

// yearRanges adds "2015-2017" as an expression of time, which package when
// leaves to the context.
func (s *sentence) yearRanges(anchor memory.Time) {
	for _, t := range s.toks {
		from, to, ok := strings.Cut(t.word, "-")
		if t.kind != number || !ok || len(from) != 4 || len(to) != 4 {
			continue
		}
		a, err := memory.ParseTime(from, time.FixedZone("", int(anchor.Offset)*60))
		b, err2 := memory.ParseTime(to, time.FixedZone("", int(anchor.Offset)*60))
		if err != nil || err2 != nil || a.Micros > b.Micros || a.Std().Year() < 1900 || b.Std().Year() > 2100 {
			continue
		}
		b.Micros = b.End()
		s.times = append(s.times, when.Match{Interval: memory.Interval{From: a, To: b}, Start: t.start, End: t.end, Explicit: true})
	}
}
