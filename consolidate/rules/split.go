package rules

import (
	"slices"
	"strings"

	"engram/memory"
	"engram/text"
	"engram/when"
)

// split cuts a turn into sentences of tokens. Expressions of time become one
// token each, which patterns may pass over.
func (r *Rules) split(turn string, anchor memory.Time) []sentence {
	times := when.Find(turn, anchor)
	var out []sentence
	for _, sp := range text.Sentences(turn) {
		s := sentence{text: turn, start: sp.Start, end: sp.End}
		s.toks = tokenize(make([]token, 0, (sp.End-sp.Start)/4+4), turn[sp.Start:sp.End], sp.Start, r.abbreviations)
		if len(s.toks) == 0 {
			continue
		}
		s.zh = slices.ContainsFunc(s.toks, func(t token) bool { return t.han })
		// "Dr." is no end of a sentence.
		if n := len(out); n > 0 && r.abbreviations[strings.TrimSuffix(out[n-1].last().word, ".")] && strings.HasSuffix(out[n-1].last().word, ".") {
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
		s.foldTimes()
		l.number(s)
		l.markEnds(s)
		undoing = l.markRetracted(s, undoing)
	}
	return out
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
		if n := l.wordAt("filler", s, i); n > 0 && !l.inside("not_stop", s, i) {
			for j := i; j < i+n; j++ {
				s.toks[j].skip = true
			}
			i += n - 1
			continue
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
	c := l.longest[class]
	w := l.words[class]
	if len(w) == 0 {
		return 0
	}
	var b strings.Builder
	best := 0
	for n := 0; n < c && i+n < len(s.toks); n++ {
		if n > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.toks[i+n].word)
		if w[b.String()] {
			best = n + 1
		}
		if n == 0 && !l.firsts[class][s.toks[i].word] {
			return 0
		}
	}
	return best
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
