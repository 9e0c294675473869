package timeline

import (
	"maps"
	"slices"

	"engram/memory"
)

// slot lays what lives of a slot out on the valid axis, and keeps the layout as
// claims come and go.
type slot struct {
	cardinality Cardinality
	drawing     *drawing
	taking      taking
	living      []*claim
	axes        map[string]*axis // by value; a single-valued slot has one, ""
	events      map[string]*events
	general     []*claim // of Many: the Ends of whatever holds
}

// events are the claims of one value that happened.
type events struct {
	claims    []*claim // by from
	stretches []stretch
}

func newSlot(c Cardinality, d *drawing) *slot {
	return &slot{
		cardinality: c, drawing: d, taking: taking{cardinality: c},
		axes: map[string]*axis{}, events: map[string]*events{},
	}
}

// resolve lays a slot out at one cut: claims that are known and active there, in
// the order of news, to the stretches that they amount to.
func resolve(claims []*claim, c Cardinality) []stretch {
	s := newSlot(c, &drawing{})
	s.add(claims)
	var out []stretch
	for _, a := range s.axes {
		out = append(out, a.stretches...)
	}
	for _, e := range s.events {
		out = append(out, e.stretches...)
	}
	slices.SortFunc(out, byPlace)
	return out
}

// living gives what counts of the claims of a slot, which come in the order of news.
func living(claims []*claim, c Cardinality) []*claim {
	t := taking{cardinality: c}
	for _, c := range claims {
		t.add(c)
	}
	return yield(t.living(), c)
}

// add adds claims that are the next in the order of news.
func (s *slot) add(claims []*claim) {
	for _, c := range claims {
		s.taking.add(c)
	}
	if s.taking.idle() && !yields(s.living, claims, s.cardinality) {
		s.change(nil, claims)
		s.living = append(s.living, claims...)
		return
	}
	s.become(s.taking.living())
}

// reset makes the slot one of these claims.
func (s *slot) reset(claims []*claim) {
	s.taking = taking{cardinality: s.cardinality}
	for _, c := range claims {
		s.taking.add(c)
	}
	s.become(s.taking.living())
}

func (s *slot) become(living []*claim) {
	living = slices.Clone(yield(living, s.cardinality))
	removed, added := difference(s.living, living)
	s.change(removed, added)
	s.living = living
}

// difference compares two lists in the order of news.
func difference(old, now []*claim) (removed, added []*claim) {
	for len(old) > 0 && len(now) > 0 {
		switch order := inOrder(old[0], now[0]); {
		case order == 0:
			if old[0] != now[0] && *old[0] != *now[0] { // placed anew
				removed, added = append(removed, old[0]), append(added, now[0])
			}
			old, now = old[1:], now[1:]
		case order < 0:
			removed, old = append(removed, old[0]), old[1:]
		default:
			added, now = append(added, now[0]), now[1:]
		}
	}
	return append(removed, old...), append(added, now...)
}

// change takes claims out and puts others in.
func (s *slot) change(removed, added []*claim) {
	removed, added = statements(removed), statements(added)
	switch s.cardinality {
	case One:
		s.axis("").change(removed, added, s.drawing)
	case Event:
		for _, value := range valuesOf(removed, added) {
			s.changeEvents(value, of(value, removed), of(value, added))
		}
	default:
		for _, value := range s.touched(removed, added) {
			s.axis(value).change(of(value, removed), of(value, added), s.drawing)
		}
	}
}

// statements picks the claims that say something by themselves.
func statements(claims []*claim) []*claim {
	return pick(claims, func(c *claim) bool { return c.body.News != memory.TakingBack })
}

func pick(claims []*claim, wanted func(*claim) bool) []*claim {
	var out []*claim
	for _, c := range claims {
		if wanted(c) {
			out = append(out, c)
		}
	}
	return out
}

// without gives the claims of list that are not in the other one.
func without(list, other []*claim) []*claim {
	return pick(list, func(c *claim) bool {
		return !slices.ContainsFunc(other, func(o *claim) bool { return o.seq == c.seq })
	})
}

// of picks the claims that concern a value of a slot of many.
func of(value string, claims []*claim) []*claim {
	return pick(claims, func(c *claim) bool { return c.value == value || c.value == "" })
}

func valuesOf(removed, added []*claim) []string {
	var out []string
	for _, c := range slices.Concat(removed, added) {
		out = append(out, c.value)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// touched gives the values of a slot of many that a change of claims concerns,
// and keeps the Ends of whatever holds for values that come later.
func (s *slot) touched(removed, added []*claim) []string {
	out := valuesOf(removed, added)
	if len(out) == 0 || out[0] != "" {
		return out
	}
	for _, value := range out[1:] {
		s.axis(value) // with the old Ends: it is told of the change like all others
	}
	s.general = append(without(s.general, removed), pick(added, func(c *claim) bool { return c.value == "" })...)
	return slices.Sorted(maps.Keys(s.axes))
}

func (s *slot) axis(value string) *axis {
	a := s.axes[value]
	if a == nil {
		a = &axis{}
		s.axes[value] = a
		a.change(nil, s.general, s.drawing)
	}
	return a
}

// changeEvents lays the events of one value out. Nothing contradicts them; what
// overlaps is the same one, told twice.
func (s *slot) changeEvents(value string, removed, added []*claim) {
	e := s.events[value]
	if e == nil {
		e = &events{}
		s.events[value] = e
	}
	e.claims = append(without(e.claims, removed), pick(added, func(c *claim) bool { return c.isValue() && c.from < c.eventEnd() })...)
	slices.SortFunc(e.claims, byFrom)
	var now []stretch
	for _, c := range e.claims {
		if n := len(now); n > 0 && c.from < now[n-1].to {
			now[n-1].to = max(now[n-1].to, c.eventEnd())
			continue
		}
		now = append(now, stretch{value: c.value, from: c.from, to: c.eventEnd()})
	}
	s.drawing.replace(e.stretches, now)
	e.stretches = now
}
