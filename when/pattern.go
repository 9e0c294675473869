package when

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// pattern is one line of a table: a form, and what it means. Its first element
// reads at least one token.
//
// A form is a row of elements with spaces between:
//
//	last|past      one of these words, the first that fits; Chinese words run on: 今天|今日; words of several tokens: day_before
//	MONTH          a class of words (class.go)
//	the?           may be missing
//	(in|on)        must be there, is no part of the match
//	!围|边  !NOUN  must not follow
//	<!过  <!N      must not stand before
type pattern struct {
	elements []element
	mean     func(r *reading) (span, bool)
	tense    tense // of a hint, which has no meaning of its own
}

// row makes a pattern; a form that names no known class is a mistake in the table.
func row(form string, mean func(r *reading) (span, bool)) pattern {
	p := pattern{mean: mean}
	for f := range strings.FieldsSeq(form) {
		p.elements = append(p.elements, compile(f))
	}
	return p
}

// table is a list of patterns by what they may begin with: a word, or one of
// the two below. Each list is in the order of the rows, which decides between
// readings of one length.
type table map[int16][]*pattern

const (
	openNumber int16 = 0
	openDate   int16 = -1 // a date that was read before
)

func newTable(subjects ...[]pattern) table {
	t := table{}
	for _, rows := range subjects {
		for i := range rows {
			for id := range rows[i].opens() {
				t[id] = append(t[id], &rows[i])
			}
		}
	}
	return t
}

// opens gives what the pattern may begin with.
func (p *pattern) opens() map[int16]bool {
	ids := map[int16]bool{}
	for i := range p.elements {
		e := &p.elements[i]
		if e.not {
			continue
		}
		for _, c := range e.choices {
			ids[c.words[0]] = true
		}
		for _, id := range e.first {
			ids[id] = true
		}
		if !e.optional {
			break
		}
	}
	if len(ids) == 0 {
		panic("when: a pattern that nothing can begin")
	}
	return ids
}

// reading is what the classes of a pattern have read.
type reading struct {
	scan  *scan
	now   time.Time
	at    int // token at which the pattern begins
	first int // token at which the match begins

	year, month, day int // 0: not said
	last             int // day, month or year at which a range ends
	n                int
	few              bool // n is "a few"
	half             bool // and a half
	shift            int  // in units
	unit             unit
	weekday          int // from Monday, 1
	nth              int // -1: the last
	phase            phase
	season           int // its first month
	side             Relation
	date, end        span // dates that were read before
	part             part
	hour, minute     int
	exact            bool // the clock time has minutes
	until            int  // minute of the day at which a range of clock times ends
}

// element is one element of a form.
type element struct {
	choices  []choice
	set      func(r *reading, value int)
	class    func(s *scan, at int, r *reading) (next int) // instead of choices; at: does not match
	first    []int16                                      // what a class may begin with
	optional bool
	outside  bool
	not      bool
	behind   bool
}

// choice is one word of an element, as tokens, and what it stands for.
type choice struct {
	words []int16
	value int
}

func compile(form string) element {
	var e element
	form, e.behind = strings.CutPrefix(form, "<")
	form, e.not = strings.CutPrefix(form, "!")
	form, e.optional = strings.CutSuffix(form, "?")
	if strings.HasPrefix(form, "(") {
		form, e.outside = strings.Trim(form, "()"), true
	}
	if unicode.IsUpper(rune(form[0])) {
		class, ok := classes[form]
		if !ok {
			panic("when: unknown class " + form)
		}
		e.choices, e.set, e.class, e.first = class.choices, class.set, class.class, class.first
		return e
	}
	e.choices = choices(0, form)
	return e
}

// choices numbers its rows from first on; a row lists words that mean the same.
func choices(first int, rows ...string) []choice {
	var out []choice
	for i, r := range rows {
		for w := range strings.SplitSeq(r, "|") {
			out = append(out, choice{split(w), first + i})
		}
	}
	return out
}

// split gives the tokens of a word: Latin words joined by "_", Chinese numbers,
// or single runes.
func split(w string) []int16 {
	var ids []int16
	for piece := range strings.SplitSeq(w, "_") {
		if isLatin(runeAt(piece, 0)) {
			ids = append(ids, word(piece))
			continue
		}
		for at := 0; at < len(piece); {
			end := at + utf8.RuneLen(runeAt(piece, at))
			if isNumeral(runeAt(piece, at)) {
				end, _, _ = chineseNumber(piece, at)
			}
			ids = append(ids, word(piece[at:end]))
			at = end
		}
	}
	return ids
}

// read reads the elements from the token at on. An optional element is read if
// it can be, and left out if the rest does not match so.
func (s *scan) read(elements []element, at int, r *reading) (next int, ok bool) {
	for i := range elements {
		e := &elements[i]
		if e.not || e.behind {
			if e.forbids(s, at) {
				return at, false
			}
			continue
		}
		if e.optional {
			saved := *r
			if next := e.read(s, at, r); next > at {
				if e.outside {
					r.first = next
				}
				if last, ok := s.read(elements[i+1:], next, r); ok {
					return last, true
				}
				*r = saved
			}
			continue
		}
		next := e.read(s, at, r)
		if next == at {
			return at, false
		}
		if e.outside {
			r.first = next
		}
		at = next
	}
	return at, true
}

// read reads one element; it gives at if it does not match.
func (e *element) read(s *scan, at int, r *reading) (next int) {
	if e.class != nil {
		s.dirty = true
		return e.class(s, at, r)
	}
	for _, c := range e.choices {
		if s.says(c.words, at) {
			if e.set != nil {
				e.set(r, c.value)
				s.dirty = true
			}
			return at + len(c.words)
		}
	}
	return at
}

// forbids reports whether one of the words that must not be there is there. A
// class is tried at the token before if it must not stand there.
func (e *element) forbids(s *scan, at int) bool {
	if e.class != nil {
		if e.behind {
			at--
		}
		return at >= 0 && e.class(s, at, &s.probe) > at
	}
	for _, c := range e.choices {
		from := at
		if e.behind {
			from -= len(c.words)
		}
		if from >= 0 && s.says(c.words, from) {
			return true
		}
	}
	return false
}

// says reports whether the words stand at the token.
func (s *scan) says(words []int16, at int) bool {
	if at+len(words) > len(s.tokens) {
		return false
	}
	for i, w := range words {
		if s.tokens[at+i].id != w {
			return false
		}
	}
	return true
}
