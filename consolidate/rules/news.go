package rules

import (
	"slices"
	"strings"

	"engram/memory"
)

// markEnds finds "no longer", "not … any more" and "used to". Their words are
// passed over, so that the rules see the statement that has ended, and the
// clause is marked.
func (l *language) markEnds(s *sentence) {
	ended := map[int]bool{}
	s.ended = ended
	for i := range s.toks {
		t := &s.toks[i]
		if n := l.wordAt("no_longer", s, i); n > 0 {
			for j := i; j < i+n; j++ {
				s.pass(j)
			}
			ended[t.clause] = true
			continue
		}
		if n := l.wordAt("any_more", s, i); n > 0 {
			for j := s.clauseStart(i); j < i; j++ {
				if k := l.wordAt("not", s, j); k > 0 && (!l.inside("no_not", s, j) || l.inside("but_not", s, j)) {
					for x := j; x < j+k; x++ {
						s.pass(x)
					}
					ended[t.clause] = true
				}
			}
			if ended[t.clause] {
				for j := i; j < i+n; j++ {
					s.pass(j)
				}
			}
		}
	}
}

// markRetracted finds "not … after all", and "not" behind a word such as
// "undo": the rules see the statement without it, and what they find is taken
// back. "stopped" before a gerund marks an end.
func (l *language) markRetracted(s *sentence, cue bool) bool {
	s.retracted = map[int]bool{}
	for i := range s.toks {
		cue = cue || l.wordAt("undoing", s, i) > 0
	}
	for i := range s.toks {
		clause := s.toks[i].clause
		if n := l.wordAt("stops", s, i); n > 0 && i+n < len(s.toks) && strings.HasSuffix(s.toks[i+n].word, "ing") {
			for j := i; j < i+n; j++ {
				s.pass(j)
			}
			s.ended[clause] = true
		}
		n := l.wordAt("negation", s, i)
		if n == 0 || !cue && !s.hasAfterAll(l, i) {
			continue
		}
		for j := i; j < i+n; j++ {
			s.pass(j)
		}
		s.retracted[clause] = true
	}
	return cue
}

// hasAfterAll reports whether "after all" follows in the clause of token i.
func (s *sentence) hasAfterAll(l *language, i int) bool {
	for j := i; j < len(s.toks) && s.toks[j].clause == s.toks[i].clause; j++ {
		if n := l.wordAt("after_all", s, j); n > 0 {
			for k := j; k < j+n; k++ {
				s.pass(k)
			}
			return true
		}
	}
	return false
}

// pass takes token i out of the sight of patterns.
func (s *sentence) pass(i int) { s.toks[i].skip, s.toks[i].word = true, "\x00end" }

// says reports whether the sentence has a word of the class.
func (l *language) says(class string, s *sentence) bool { return l.saysIn(class, s, 0, len(s.toks)) }

// saysIn is says for the tokens [from, to).
func (l *language) saysIn(class string, s *sentence, from, to int) bool {
	for i := from; i < to; i++ {
		if !s.toks[i].off && l.wordAt(class, s, i) > 0 {
			return true
		}
	}
	return false
}

// belief is what was found earlier: the assertions of before and of this turn.
type belief []memory.Assertion

// slot gives the value that the slot holds by the latest assertion, if any.
func (b belief) slot(subject, predicate string) (memory.Assertion, bool) {
	for _, a := range slices.Backward(b) {
		if strings.EqualFold(a.Subject, subject) && a.Predicate == predicate {
			if a.News == memory.End {
				return memory.Assertion{}, false
			}
			if a.News == memory.TakingBack {
				continue
			}
			return a, true
		}
	}
	return memory.Assertion{}, false
}

// values gives the values that the slot holds, the latest first, each once.
func (b belief) values(subject, predicate string) []memory.Assertion {
	var out []memory.Assertion
	seen := map[string]bool{}
	for _, a := range slices.Backward(b) {
		if !strings.EqualFold(a.Subject, subject) || a.Predicate != predicate {
			continue
		}
		key := strings.ToLower(a.Object)
		if !seen[key] && a.News != memory.End && a.News != memory.TakingBack {
			out = append(out, a)
		}
		seen[key] = true
	}
	return out
}

// personal are predicates of persons: what one says of these ends nobody else's.
var personal = map[string]bool{
	"lives_in": true, "works_at": true, "job_title": true, "studies_at": true, "member_of": true, "owns": true, "has_pet": true, "partner": true,
	"age": true, "birthday": true, "likes": true, "dislikes": true, "allergic_to": true, "speaks": true, "plays": true, "diet": true, "drives": true,
}

// about gives the latest assertion whose value is meant by the words: of the
// subject or, if that is empty, of anything but a person.
func (b belief) about(subject, words string) (memory.Assertion, bool) {
	w := strings.ToLower(words)
	ended := map[string]bool{}
	for _, a := range slices.Backward(b) {
		key := a.Subject + "\x00" + a.Predicate + "\x00" + strings.ToLower(a.Object)
		if a.News == memory.End || a.News == memory.TakingBack {
			ended[key] = true
			continue
		}
		if ended[key] || subject != "" && !strings.EqualFold(a.Subject, subject) || subject == "" && personal[a.Predicate] || events[a.Predicate] {
			continue
		}
		if sameValue(strings.ToLower(a.Object), w) || subject != "" && sharesName(a.Object, words) {
			return a, true
		}
	}
	return memory.Assertion{}, false
}

// sharesName reports whether a word with an upper-case letter is in both: "the
// Marienkirche people" are the Marienkirche choir.
func sharesName(a, b string) bool {
	for x := range strings.FieldsSeq(a) {
		if len(x) < 4 || !startsUpper(x) {
			continue
		}
		for y := range strings.FieldsSeq(b) {
			if x == y {
				return true
			}
		}
	}
	return false
}

// sameValue reports whether one value contains the other, as words.
func sameValue(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	if len([]rune(b)) < 2 || len(b) < 3 {
		return false
	}
	i := strings.Index(a, b)
	if i < 0 {
		return false
	}
	if b[0] >= 0x80 {
		return true
	}
	before := i == 0 || a[i-1] == ' '
	after := i+len(b) == len(a) || a[i+len(b)] == ' ' || a[i+len(b)] == 's'
	return before && after
}

// events are the predicates of what happened: nothing ends them.
var events = map[string]bool{
	"visited": true, "bought": true, "sold": true, "attended": true, "met": true, "finished": true, "started": true,
	"graduated": true, "married": true, "born": true, "died": true, "moved": true, "promoted": true, "quit": true, "read": true,
	"watched": true, "won": true, "lost": true, "received": true, "gave": true, "joined": true, "adopted": true, "decided": true,
	"ate": true, "cooked": true, "ran": true, "launched": true, "released": true, "completed": true, "ordered": true, "divorced": true,
	"hired": true, "fired": true, "said": true, "traveled_to": true, "went_to": true,
}
