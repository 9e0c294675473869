// Package when reads expressions of time in English and Chinese text and gives
// the intervals that they mean, seen from the moment at which they were said.
//
// What it knows is a table of forms, in one file by subject (dates.go, week.go,
// season.go, …); pattern.go reads them, lex.go cuts the text. It may import
// memory and the standard library only.
package when

import (
	"cmp"
	"slices"
	"time"

	"engram/memory"
)

// Match is one expression of time in a text.
//
// An expression that means one moment of a coarser unit gives the whole unit:
// "in May" is that May, "three weeks ago" the week (from Monday) that lies three
// back, "at 3 pm" the hour from 15:00. The ends are as exact as the words:
//
//	years        a year, a decade, "in 2019"
//	months       a month, season, quarter, half of a year, "late 2023"
//	days         a day, week, weekend, part of a month, the holidays, "the past three years"
//	hours        a part of a day, "at 3 pm", "two hours ago"
//	minutes      "at 3:30 pm", "ten minutes ago", "earlier today"
//
// testdata/english.tsv and chinese.tsv show what each kind of expression means;
// the readings that are matters of taste are told beside the forms.
type Match struct {
	Interval memory.Interval
	Start    int // of the byte span [Start, End) in the text
	End      int
	Explicit bool // an absolute date: does not depend on the anchor

	// Approximate marks what its own words leave vague ("about two weeks
	// ago", "a few days ago", 左右); the interval is the nearest exact one.
	Approximate bool

	// Relation says how something lies to the interval.
	Relation Relation
}

// Relation says how something lies to the time that an expression names. All
// but During leave an end of the interval open.
type Relation uint8

// The relations.
const (
	During Relation = iota // within the interval
	Since                  // from the beginning of the time named: "since 2019"
	After                  // from its end: "after 2019"
	Before                 // ends at its beginning: "before Friday"
	Until                  // lasts to its end: "until Friday"
	By                     // happens at its end at the latest: "by Friday", 截至周五
)

// Find gives the expressions in text, in text order and without overlap: where
// two readings overlap, the longer one wins. Relative ones are read from the
// beginning of anchor; days, weeks (from Monday) and clock times are those of
// its offset. Without an anchor (the zero Time) only explicit ones are given, in UTC.
//
// A time that comes again ("on Friday", "in June", "at Christmas") is the
// latest one, unless the words of its sentence speak of the future (tense.go).
// Expressions that would leave the years 1 to 9999 are passed over. It may be
// called by many goroutines.
func Find(text string, anchor memory.Time) []Match {
	s := scan{text: text, tokens: lex(text), now: anchor.Std(), unanchored: anchor.IsZero(), hints: hints, dirty: true}
	s.days = make([]int, len(s.tokens))
	for at := len(s.tokens) - 1; at >= 0; at-- { // from the end, because forms build on the date behind them
		s.readAt(at)
	}
	return s.longest()
}

// forms are all that is read. A form sees the dates that forms above it have
// read at the same token.
var forms = newTable(dates, weeks, seasons, holidays, counted, phases, hours, ranges, sides, never)

// scan is the state of one Find.
type scan struct {
	text       string
	tokens     []token
	now        time.Time
	unanchored bool
	hints      table // a field, because forms and hints would be initialized by each other
	reading    reading
	dirty      bool    // a class has written to reading
	probe      reading // for what is read only to see whether it is there
	tenses     []tense // by token, what its hint says, once asked
	found      []candidate
	days       []int // by token: 1 + the last of found that is a date and begins there, 0 if none
}

// candidate is one reading of tokens [first, last) by a form that began at the
// token at.
type candidate struct {
	at, first, last int
	span            span
	other           int // 1 + the date before in found that begins at the same token, 0 if none
}

// readAt tries the forms that can begin at the token and notes what they find.
func (s *scan) readAt(at int) {
	tok := s.tokens[at]
	if tok.inner {
		return
	}
	if tok.id != 0 {
		s.try(forms[tok.id], at)
	}
	if tok.digits > 0 {
		s.try(forms[openNumber], at)
	}
	if s.days[at] != 0 {
		s.try(forms[openDate], at)
	}
}

func (s *scan) try(list []*pattern, at int) {
	r := &s.reading // one for all, because it would be allocated anew for each pattern
	for _, p := range list {
		if s.dirty {
			*r, s.dirty = reading{scan: s, now: s.now}, false
		}
		r.at, r.first = at, at
		last, ok := s.read(p.elements, at, r)
		if !ok || r.first >= last || !s.endsAt(last) {
			continue
		}
		if s.known(at, r.first, last) {
			continue // an upper form reads the same words
		}
		sp, ok := p.mean(r)
		if !ok || !sp.never && (!sp.sayable() || s.unanchored && !sp.explicit) {
			continue
		}
		c := candidate{at: at, first: r.first, last: last, span: sp}
		if r.first == at && sp.closed() {
			c.span.whole = sp.unit()
			c.other, s.days[at] = s.days[at], len(s.found)+1
		}
		s.found = append(s.found, c)
	}
}

// known reports whether a form that began at the token has read these tokens.
func (s *scan) known(at, first, last int) bool {
	for i := len(s.found) - 1; i >= 0 && s.found[i].at == at; i-- {
		if c := &s.found[i]; c.first == first && c.last == last {
			return true
		}
	}
	return false
}

// dateAt gives the longest date that begins at the token and is wanted, of two
// equals that of the upper form.
func (s *scan) dateAt(at int, wanted func(*span) bool) (sp span, last int) {
	last = at
	if at >= len(s.tokens) {
		return sp, last
	}
	for i := s.days[at]; i != 0; i = s.found[i-1].other {
		if c := &s.found[i-1]; c.last >= last && wanted(&c.span) {
			sp, last = c.span, c.last
		}
	}
	return sp, last
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
		return cmp.Or(cmp.Compare(s.width(b), s.width(a)), cmp.Compare(a.first, b.first), cmp.Compare(a.at, b.at))
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
		if c.span.never {
			continue
		}
		out = append(out, Match{
			Interval: c.span.interval(), Start: s.tokens[c.first].start, End: s.tokens[c.last-1].end,
			Explicit: c.span.explicit, Approximate: c.span.vague, Relation: c.span.relation,
		})
	}
	slices.SortFunc(out, func(a, b Match) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

func (s *scan) width(c candidate) int { return s.tokens[c.last-1].end - s.tokens[c.first].start }
