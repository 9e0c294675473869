package timeline

import (
	"cmp"
	"math"
	"time"

	"engram/memory"
)

// claim is an assertion placed on both axes.
type claim struct {
	body       *memory.Assertion
	id         memory.ID
	known, seq memory.Seq // places of the record that is enough for it, and its own
	row        int32      // in the fold's log
	value      string     // key of its object
	replaces   string     // key of the value that it names as wrong

	from, to             int64 // µs; to is forever if nobody stated it
	fromOffset, toOffset int16 // minutes, as in memory.Time
	fromGran, toGran     memory.Granularity
	assumed              bool  // nobody stated from
	contested            bool  // a less trusted one says that it never was so
	rank                 uint8 // of trust, 0 the most
}

const forever = math.MaxInt64

// inOrder is the order of news: by the place from which a claim is known, then
// by its own.
func inOrder(a, b *claim) int {
	return cmp.Or(cmp.Compare(a.known, b.known), cmp.Compare(a.seq, b.seq))
}

func later(a, b *claim) bool { return inOrder(a, b) > 0 }

// isValue reports whether the claim says that something holds.
func (c *claim) isValue() bool {
	return c.body.News != memory.End && c.body.News != memory.TakingBack
}

func (c *claim) takesAway() bool {
	return c.body.News == memory.Correction || c.body.News == memory.TakingBack
}

// open reports whether the claim says of no end.
func (c *claim) open() bool { return c.to == forever }

// means reports whether the claim, an End, ends the value.
func (c *claim) means(value string) bool { return c.value == "" || c.value == value }

// place puts a claim on the valid axis; said is when it was said.
func (c *claim) place(said memory.Time) {
	from, to := c.body.Valid.From, c.body.Valid.To
	if c.body.News == memory.End {
		from, to = cmp.Or(to, from), memory.Time{}
	}
	if c.assumed = from.IsZero(); c.assumed {
		from = said
	}
	c.from, c.fromGran, c.fromOffset = from.Micros, from.Gran, from.Offset
	c.to = forever
	if !to.IsZero() {
		c.to, c.toGran, c.toOffset = to.Micros, to.Gran, to.Offset
	}
}

// fromTime and toTime give the ends as they were said.
func (c *claim) fromTime() memory.Time {
	return memory.Time{Micros: c.from, Offset: c.fromOffset, Gran: c.fromGran}
}

func (c *claim) toTime() memory.Time {
	return memory.Time{Micros: c.to, Offset: c.toOffset, Gran: c.toGran}
}

func (c *claim) basis() memory.Basis {
	if c.assumed {
		return memory.Assumed
	}
	return memory.Stated
}

// eventEnd is when an event ends: as stated, or with the period by which it is
// dated, or with its day.
func (c *claim) eventEnd() int64 {
	switch {
	case !c.open():
		return c.to
	case c.assumed || c.fromGran > memory.Day:
		at := c.fromTime().Std()
		y, m, d := at.Date()
		return time.Date(y, m, d+1, 0, 0, 0, 0, at.Location()).UnixMicro()
	default:
		return c.fromTime().End()
	}
}
