// Package when reads expressions of time in English and Chinese text and gives
// the intervals that they mean, seen from the moment at which they were said.
//
// What it knows is a table of patterns (dates.go, clock.go). It may import
// memory and the standard library only.
package when

import (
	"cmp"
	"slices"
	"time"

	"engram/memory"
)

// Match is one expression of time in a text.
type Match struct {
	Interval memory.Interval
	Start    int // of the byte span [Start, End) in the text
	End      int
	Explicit bool // an absolute date: does not depend on the anchor
}

// Find gives the expressions in text, in text order and without overlap: where
// two readings overlap, the longer one wins. Relative ones are read from the
// beginning of anchor; days, weeks (from Monday) and clock times are those of
// its offset. Without an anchor (the zero Time) only explicit ones are given, in UTC.
//
// An expression that means one moment of a coarser unit gives the whole unit:
// "in May" is that May, "at 3 pm" the hour from 15:00. Those that would leave
// the years 1 to 9999 are passed over. It may be called by many goroutines.
func Find(text string, anchor memory.Time) []Match {
	s := scan{text: text, tokens: lex(text), now: anchor.Std(), unanchored: anchor.IsZero()}
	s.days = make([]int, len(s.tokens))
	s.try(dates, func(c candidate) {
		if c.first == c.at && (s.days[c.at] == 0 || c.last > s.found[s.days[c.at]-1].last) {
			s.days[c.at] = len(s.found)
		}
	})
	s.try(phrases, func(candidate) {})
	return s.longest()
}

// scan is the state of one Find.
type scan struct {
	text       string
	tokens     []token
	now        time.Time
	unanchored bool
	reading    reading
	found      []candidate
	days       []int // by token: 1 + the longest of found that dates read from there, 0 if none
}

// candidate is one reading of tokens [first, last); at is where its pattern began.
type candidate struct {
	at, first, last int
	span            span
}

// try reads the patterns of a table at every token and notes what it finds.
func (s *scan) try(t table, note func(candidate)) {
	for at, tok := range s.tokens {
		if tok.inner {
			continue
		}
		if tok.id != 0 || tok.digits > 0 { // a number has no id: openNumber
			for _, p := range t[tok.id] {
				s.match(p, at, note)
			}
		}
		if s.days[at] != 0 {
			for _, p := range t[openDate] {
				s.match(p, at, note)
			}
		}
	}
}

func (s *scan) match(p *pattern, at int, note func(candidate)) {
	r := &s.reading // one for all, because it would be allocated anew for each pattern
	*r = reading{now: s.now, first: at}
	last, ok := s.read(p.elements, at, r)
	if !ok || r.first >= last || !s.endsAt(last) {
		return
	}
	sp, ok := p.mean(r)
	if !ok || !sp.sayable() || s.unanchored && !sp.explicit {
		return
	}
	c := candidate{at: at, first: r.first, last: last, span: sp}
	s.found = append(s.found, c)
	note(c)
}

// endsAt reports whether an expression can end before the token: not inside of
// a longer number or name, such as "8.5" or "8kg".
func (s *scan) endsAt(last int) bool {
	if last == len(s.tokens) || s.tokens[last-1].digits == 0 {
		return true
	}
	next := s.tokens[last]
	if !next.glued {
		return true
	}
	if next.latin {
		return next.id == idT // 2023-05-08T15:04
	}
	return !next.joins || last+1 == len(s.tokens) || !s.tokens[last+1].glued || s.tokens[last+1].digits == 0
}

// longest keeps the longest of what overlaps, the earlier of two equals.
func (s *scan) longest() []Match {
	slices.SortStableFunc(s.found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(s.width(b), s.width(a)), cmp.Compare(a.first, b.first))
	})
	taken := make([]bool, len(s.tokens))
	var out []Match
	for _, c := range s.found {
		if slices.Contains(taken[c.first:c.last], true) {
			continue
		}
		for i := c.first; i < c.last; i++ {
			taken[i] = true
		}
		out = append(out, Match{
			Interval: c.span.interval(), Explicit: c.span.explicit,
			Start: s.tokens[c.first].start, End: s.tokens[c.last-1].end,
		})
	}
	slices.SortFunc(out, func(a, b Match) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

func (s *scan) width(c candidate) int { return s.tokens[c.last-1].end - s.tokens[c.first].start }
