package timeline

import "slices"

// cursor goes along an axis, from break to break, and says what holds there.
type cursor struct{ sides []side }

// side is a rank of trust that says something.
type side struct {
	opens   []*claim // those that are still to come
	bounded []*claim // those that meet the window
	hears   ending   // the Ends of its rank and of more trusted ones
	less    ending   // those of less trusted ranks, which only contest
	open    []holding
}

// cursor gives one that stands just before a window.
func (a *axis) cursor(lo, hi int64) *cursor {
	c := &cursor{}
	var ends [ranks]ending
	for i := range a.layers {
		ends[i] = a.layers[i].ends
	}
	for i := range a.layers {
		l := &a.layers[i]
		if len(l.opens)+len(l.bounded) == 0 {
			continue
		}
		s := side{hears: mergeEnds(ends[:i+1]), less: mergeEnds(ends[i+1:])}
		n := after(l.opens, lo-1)
		s.opens = l.opens[n:]
		s.open = s.before(l.opens[:n], lo)
		for _, b := range l.bounded {
			if b.from < hi && lo < b.to {
				s.bounded = append(s.bounded, b)
			}
		}
		c.sides = append(c.sides, s)
	}
	return c
}

func mergeEnds(lists []ending) ending {
	var out ending
	for _, list := range lists {
		switch {
		case len(list) == 0:
		case len(out) == 0:
			out = list
		default:
			out = slices.Concat(out, list)
			slices.SortFunc(out, byFrom)
		}
	}
	return out
}

// before gives what the open claims that began before a moment say at it: the
// last ones, and as far back as they say the same.
func (s *side) before(opens []*claim, at int64) []holding {
	if len(opens) == 0 {
		return nil
	}
	first := startOf(opens, len(opens))
	out := atOnce(opens[first:])
	for i := range out {
		h := &out[i]
		if alike(opens[first:]) {
			h.claims = append(h.claims, sameBefore(opens[:first], h.value)...)
		}
		ended := s.lastEnd(h.value, at)
		h.claims = slices.DeleteFunc(h.claims, func(c *claim) bool { return c.from < ended })
		h.last = nil
		for _, c := range h.claims {
			if h.last == nil || later(c, h.last) {
				h.last = c
			}
		}
	}
	return slices.DeleteFunc(out, func(h holding) bool { return h.last == nil })
}

// sameBefore gives the claims at the end of a list that say the value, as far
// back as no other was said.
func sameBefore(opens []*claim, value string) []*claim {
	for n := len(opens); n > 0; {
		first := startOf(opens, n)
		group := opens[first:n]
		if !alike(group) { // the earliest: the value may have won where it began
			for _, h := range atOnce(group) {
				if h.value == value {
					return append(h.claims, opens[n:]...)
				}
			}
		}
		if !alike(group) || group[0].value != value {
			return opens[n:]
		}
		n = first
	}
	return opens
}

// startOf gives where the claims begin that share their beginning with the last
// of the first n.
func startOf(opens []*claim, n int) int {
	first := n - 1
	for first > 0 && opens[first-1].from == opens[n-1].from {
		first--
	}
	return first
}

// alike reports whether all claims say the same value.
func alike(group []*claim) bool {
	for _, c := range group[1:] {
		if c.value != group[0].value {
			return false
		}
	}
	return true
}

// lastEnd gives when the value ended last, as of a moment.
func (s *side) lastEnd(value string, at int64) int64 {
	for i := after(s.hears, at) - 1; i >= 0; i-- {
		if s.hears[i].means(value) {
			return s.hears[i].from
		}
	}
	return -forever
}

// at gives the values that hold at a break, each with its mark. Breaks come in order.
func (c *cursor) at(at int64) []stretch {
	var out []stretch
	var trusted *claim
	for i := range c.sides {
		held := c.sides[i].at(at)
		if len(held) == 0 {
			continue
		}
		if trusted == nil {
			trusted = latest(held)
			for _, h := range held {
				out = append(out, stretch{value: h.value, disputed: h.disputed})
			}
			continue
		}
		out = against(out, trusted, held)
	}
	return out
}

// against adds what a less trusted rank says. Against a more trusted one it is in
// dispute if it came later, and was replaced if it came before.
func against(out []stretch, trusted *claim, held []holding) []stretch {
	for _, h := range held {
		if slices.ContainsFunc(out, func(s stretch) bool { return s.value == h.value }) || !later(h.last, trusted) {
			continue
		}
		out = append(out, stretch{value: h.value})
		for i := range out {
			out[i].disputed = true
		}
	}
	return out
}

// at gives what one rank says.
func (s *side) at(at int64) []holding {
	s.advance(at)
	held := s.together(at)
	for i := range held {
		h := &held[i]
		h.disputed = len(held) > 1 || h.last.contested || s.less.first(h.last, true) <= at
	}
	return held
}

// advance lets the open claims and the Ends of a break come into effect.
func (s *side) advance(at int64) {
	for _, e := range s.hears[after(s.hears, at-1):after(s.hears, at)] {
		s.open = slices.DeleteFunc(s.open, func(h holding) bool { return e.means(h.value) })
	}
	n := after(s.opens, at)
	if n == 0 {
		return
	}
	group := s.opens[:n]
	s.opens = s.opens[n:]
	s.open = slices.DeleteFunc(s.open, func(h holding) bool {
		return slices.ContainsFunc(group, func(c *claim) bool { return c.value != h.value })
	})
	for _, h := range atOnce(group) {
		for _, c := range h.claims {
			s.open = support(s.open, c, true)
		}
	}
}

// together sets the open claims against the bounded ones.
func (s *side) together(at int64) []holding {
	var inside []*claim
	for _, b := range s.bounded {
		if b.from <= at && at < b.to && at < s.hears.first(b, true) {
			inside = append(inside, b)
		}
	}
	over, under := []holding(nil), slices.Clone(s.open)
	if len(inside) > 0 {
		over = atOnce(inside)
	}
	if len(over) == 0 || len(under) > 0 && overrides(under, latest(over)) {
		over, under = under, over
	}
	for _, h := range under {
		for _, c := range h.claims {
			over = support(over, c, false)
		}
	}
	return over
}

// overrides reports whether an open claim of another value both begins and was
// told later than a bounded one.
func overrides(open []holding, b *claim) bool {
	return slices.ContainsFunc(open, func(h holding) bool {
		return h.value != b.value && slices.ContainsFunc(h.claims, func(o *claim) bool { return later(o, b) && o.from > b.from })
	})
}
