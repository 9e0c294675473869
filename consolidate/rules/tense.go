package rules

import (
	"slices"
	"strings"

	"engram/when"
)

// aspect says how a statement was put: what will be, what was.
type aspect uint8

const (
	future aspect = 1 << iota // "will", "is going to"
	past                      // "was", "lived", where the sentence says until when
)

// tense lets the rules, which are written in the present tense, read a verb in
// other forms: helping words ("will", "started to") are passed over, and a
// token gets further words that patterns may match.
func (l *language) tense(s *sentence) {
	if s.zh {
		return
	}
	bounded := slices.ContainsFunc(s.times, func(t when.Match) bool {
		return t.Relation == when.Until || t.Explicit && isRange(t)
	})
	since := slices.ContainsFunc(s.times, func(t when.Match) bool { return t.Relation == when.Since })
	for i := range s.toks {
		t := &s.toks[i]
		if t.kind != word || t.word == "\x00end" {
			continue
		}
		if n, a := l.helping(s, i); n > 0 {
			s.help(i, n, a)
		}
		if (t.word == "have" || t.word == "has") && since {
			s.perfect(i)
		}
		switch {
		case t.word == "became" || t.word == "become" || t.word == "be":
			t.also = append(t.also, "is", "am", "are")
		case bounded && !t.upper:
			if t.also = presentOf(t.word); len(t.also) > 0 {
				t.alsoMeans = past
			}
		}
	}
}

// helping gives the number of tokens at i that only say when a verb holds
// ("am going to", "have started to"), and what they say.
func (l *language) helping(s *sentence, i int) (int, aspect) {
	if n := l.wordAt("will_verb", s, i); n > 0 && s.verbAt(l, i+n) {
		return n, future
	}
	if n := l.wordAt("begin_verb", s, i); n > 0 && i+n < len(s.toks) && (s.verbAt(l, i+n) || l.isGerund(s.toks[i+n].word)) {
		return n, 0
	}
	return 0, 0
}

// verbAt reports whether token i may be the base form of a verb.
func (s *sentence) verbAt(l *language, i int) bool {
	for i < len(s.toks) && s.toks[i].skip {
		i++
	}
	return i < len(s.toks) && s.toks[i].kind == word && !s.toks[i].upper && !l.words["determiner"][s.toks[i].word] &&
		(s.toks[i].word == "be" || s.toks[i].word == "have" || s.toks[i].word == "do" || !l.words["stop"][s.toks[i].word])
}

func (l *language) isGerund(w string) bool {
	return len(w) > 4 && strings.HasSuffix(w, "ing") && !l.words["no_gerund"][w]
}

// help marks the n helping tokens at i, and gives the verb behind them its forms.
func (s *sentence) help(i, n int, a aspect) {
	for j := i; j < i+n; j++ {
		s.toks[j].skip = true
		s.toks[j].means |= a
	}
	for i += n; i < len(s.toks) && s.toks[i].skip; {
		i++
	}
	if i == len(s.toks) {
		return
	}
	t := &s.toks[i]
	switch {
	case t.word == "be":
		t.also = append(t.also, "is", "am", "are")
	case strings.HasSuffix(t.word, "ing"):
		t.also = append(t.also, fromGerund(t.word)...)
	case a == future:
		t.also = append(t.also, pastOf(t.word)...)
	}
}

// perfect reads "have driven … since" as the present: what began and still is.
func (s *sentence) perfect(i int) {
	next := i + 1
	for next < len(s.toks) && s.toks[next].skip {
		next++
	}
	if next == len(s.toks) {
		return
	}
	t := &s.toks[next]
	base := participles[t.word]
	if base == "" {
		if regular, ok := strings.CutSuffix(t.word, "ed"); ok && !moments[t.word] {
			t.also = append(t.also, regular, regular+"e", regular+"s", regular+"es")
			s.toks[i].skip = true
		}
		return
	}
	t.also = append(t.also, base, base+"s")
	s.toks[i].skip = true
}

// participles are those that are not formed with "ed".
var participles = map[string]string{
	"driven": "drive", "taught": "teach", "written": "write", "sung": "sing", "swum": "swim", "run": "run", "led": "lead", "had": "have", "owned": "own",
	"kept": "keep", "played": "play", "flown": "fly", "ridden": "ride", "worn": "wear", "studied": "study", "spoken": "speak", "held": "hold", "grown": "grow",
	"paid": "pay", "known": "know", "sat": "sit", "made": "make",
}

// irregular are the past forms of verbs that rules know.
var irregular = map[string]string{
	"was": "is", "were": "are", "had": "have", "spoke": "speak", "led": "lead", "ran": "run", "taught": "teach", "drove": "drive", "wrote": "write",
	"kept": "keep", "went": "go", "sang": "sing", "swam": "swim", "grew": "grow", "wore": "wear", "paid": "pay", "held": "hold", "sat": "sit",
	"ate": "eat", "drank": "drink", "played": "play", "rode": "ride", "did": "do", "bought": "buy", "met": "meet", "won": "win", "gave": "give",
	"got": "get", "took": "take", "made": "make", "sold": "sell", "left": "leave", "began": "begin", "flew": "fly", "saw": "see", "studied": "study",
}

// presentOf gives the present forms of a verb in the past; none for what begins
// or happens at a moment, whose past form rules know.
func presentOf(w string) []string {
	switch w {
	case "was":
		return []string{"is", "am"}
	case "were":
		return []string{"are"}
	case "had":
		return []string{"have", "has"}
	case "met", "won", "gave", "got", "took", "made", "sold", "left", "began", "flew", "saw", "bought":
		return nil
	}
	if base, ok := irregular[w]; ok {
		return []string{base, base + "s", base + "es"}
	}
	base, ok := strings.CutSuffix(w, "ed")
	if !ok || len(base) < 2 || moments[w] {
		return nil
	}
	return []string{base, base + "s", base + "e", base + "es"}
}

// moments are verbs of what happens at one moment.
var moments = map[string]bool{
	"moved": true, "started": true, "switched": true, "joined": true, "changed": true, "quit": true, "finished": true, "visited": true,
	"attended": true, "ended": true, "stopped": true, "decided": true, "married": true, "graduated": true, "turned": true, "need": true, "used": false,
}

// pastOf gives the past forms of a verb: what will happen is told by the rules
// of what happened.
func pastOf(w string) []string {
	for p, base := range irregular {
		if base == w {
			return []string{p}
		}
	}
	if strings.HasSuffix(w, "e") {
		return []string{w + "d"}
	}
	return []string{w + "ed"}
}

// fromGerund gives what may be the verb of "collecting", "writing", "running".
func fromGerund(w string) []string {
	base := strings.TrimSuffix(w, "ing")
	out := []string{base, base + "e", base + "s", base + "es"}
	if n := len(base); n > 2 && base[n-1] == base[n-2] {
		out = append(out, base[:n-1], base[:n-1]+"s")
	}
	return out
}
