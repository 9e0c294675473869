package timeline

import (
	"cmp"
	"slices"
)

// stretch is a value that holds without a break, and in one state.
type stretch struct {
	value    string
	disputed bool
	from, to int64
	drawn    int // the rectangle that it is a part of
}

func (s *stretch) same(o *stretch) bool { return s.value == o.value && s.disputed == o.disputed }

func byPlace(a, b stretch) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.value, b.value), cmp.Compare(a.to, b.to))
}

// axis lays the living claims of a single-valued slot, or of one value of a slot
// of many, out on the valid axis. When claims come or go, only the window that
// they can matter in is laid anew.
type axis struct {
	layers    [ranks]layer
	stretches []stretch // by place
	several   bool      // more than one value held at a point once
}

// change takes claims out and puts others in.
func (a *axis) change(removed, added []*claim, d *drawing) {
	lo, hi := int64(forever), int64(-forever)
	widen := func(c *claim) {
		from, to := a.window(c)
		lo, hi = min(lo, from), max(hi, to)
	}
	for _, c := range removed {
		if c.from < c.to {
			a.layers[c.rank].remove(c)
			widen(c)
		}
	}
	for _, c := range added {
		if c.from < c.to {
			widen(c)
			a.layers[c.rank].insert(c)
		}
	}
	if lo < hi {
		a.splice(lo, hi, a.lay(lo, hi), d)
	}
}

// window gives where it can matter whether a claim is there. The axis is
// without it.
func (a *axis) window(c *claim) (from, to int64) {
	switch {
	case !c.isValue(): // an End reaches into every layer
		to = c.from
		for i := range a.layers {
			l := &a.layers[i]
			if after(l.opens, c.from-1) > 0 { // there is something to end
				to = max(to, l.reach(c.from, c.value))
			}
			for _, b := range l.bounded {
				if b.from < c.from && c.from < b.to {
					to = max(to, b.to)
				}
			}
		}
		return c.from, to
	case c.open():
		return c.from, a.layers[c.rank].reach(c.from, c.value)
	default:
		return c.from, c.to
	}
}

// lay gives the stretches of a window.
func (a *axis) lay(lo, hi int64) []stretch {
	var out, going []stretch
	cursor := a.cursor(lo, hi)
	for _, at := range a.breaks(lo, hi) {
		held := cursor.at(at)
		a.several = a.several || len(held) > 1
		still := going[:0:0]
		for _, s := range going {
			if !slices.ContainsFunc(held, func(h stretch) bool { return h.same(&s) }) {
				s.to = at
				out = append(out, s)
				continue
			}
			still = append(still, s)
		}
		for _, h := range held {
			if !slices.ContainsFunc(still, func(s stretch) bool { return h.same(&s) }) {
				still = append(still, stretch{value: h.value, disputed: h.disputed, from: at, to: hi})
			}
		}
		going = still
	}
	return append(out, going...)
}

// breaks lists where, in a window, anything may change.
func (a *axis) breaks(lo, hi int64) []int64 {
	out := []int64{lo}
	add := func(at int64) {
		if lo < at && at < hi {
			out = append(out, at)
		}
	}
	for i := range a.layers {
		l := &a.layers[i]
		for _, list := range [][]*claim{l.opens, l.ends} {
			for _, c := range list[after(list, lo):] {
				if c.from >= hi {
					break
				}
				add(c.from)
			}
		}
		for _, b := range l.bounded {
			add(b.from)
			add(b.to)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// splice puts the stretches of a window into their place, joined with what
// goes on at its edges.
func (a *axis) splice(lo, hi int64, now []stretch, d *drawing) {
	first, last := a.touching(lo, hi)
	var keep, old []stretch
	for _, s := range a.stretches[first:last] {
		if s.to < lo {
			keep = append(keep, s)
			continue
		}
		old = append(old, s)
		if s.from < lo {
			now = join(now, stretch{value: s.value, disputed: s.disputed, from: s.from, to: lo})
		}
		if s.to > hi {
			now = join(now, stretch{value: s.value, disputed: s.disputed, from: hi, to: s.to})
		}
	}
	d.replace(old, now)
	keep = append(keep, now...)
	slices.SortFunc(keep, byPlace)
	a.stretches = slices.Replace(a.stretches, first, last, keep...)
}

// touching gives a range that has all stretches which meet [lo, hi], edges included.
func (a *axis) touching(lo, hi int64) (first, last int) {
	at := func(t int64) int {
		i, _ := slices.BinarySearchFunc(a.stretches, t, func(s stretch, t int64) int { return cmp.Or(cmp.Compare(s.from, t), -1) })
		return i
	}
	last = at(hi)
	if a.several {
		return 0, last
	}
	for first = at(lo); first > 0 && a.stretches[first-1].to >= lo; {
		first--
	}
	return first, last
}

// join adds a stretch, as part of one that it touches if there is one.
func join(list []stretch, s stretch) []stretch {
	for i := range list {
		l := &list[i]
		switch {
		case !l.same(&s):
		case l.to == s.from:
			l.to = s.to
			return list
		case s.to == l.from:
			l.from = s.from
			return list
		}
	}
	return append(list, s)
}
