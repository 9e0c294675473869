package timeline

import (
	"cmp"
	"slices"

	"engram/memory"
)

// reading is a slot as a view knows it.
type reading struct {
	v           View
	name        slotName
	cardinality Cardinality
	rects       []*Rectangle // known at the view, by valid time
	claims      []*claim     // living, in the order of news
	extents     []extent     // of the claims
}

// extent is where on the valid axis a claim says something: until its own end,
// or what ends it. It is empty where it never did.
type extent struct{ from, to int64 }

func (v View) read(name slotName) *reading {
	r := &reading{v: v, name: name, cardinality: v.f.beliefs.schema.Cardinality(name.predicate)}
	rects := v.rectangles(name)
	for i := range rects {
		if rects[i].knownAt(v.seq) {
			r.rects = append(r.rects, &rects[i])
		}
	}
	slices.SortFunc(r.rects, func(a, b *Rectangle) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Value, b.Value)) })
	if len(r.rects) > 0 {
		r.claims = living(v.counting(v.claimsOf(name)), r.cardinality)
		r.measure()
	}
	return r
}

// measure finds the extents of the claims.
func (r *reading) measure() {
	r.extents = make([]extent, len(r.claims))
	var layers [ranks]layer
	for _, c := range r.claims {
		if c.body.News != memory.TakingBack && c.from < c.to {
			l := &layers[c.rank]
			list, _ := l.list(c)
			*list = append(*list, c)
		}
	}
	var ends []ending
	for i := range layers {
		slices.SortFunc(layers[i].opens, byFrom)
		slices.SortFunc(layers[i].ends, byFrom)
		ends = append(ends, layers[i].ends)
	}
	var hears [ranks]ending
	var until [ranks]map[*claim]int64
	for i := range layers {
		hears[i] = mergeEnds(ends[:i+1])
		if r.cardinality == One {
			until[i] = untilOther(layers[i].opens)
		}
	}
	for i, c := range r.claims {
		to := c.to
		switch {
		case !c.isValue() || c.from >= c.to:
			continue
		case r.cardinality == Event:
			r.extents[i] = extent{c.from, c.eventEnd()}
			continue
		case c.open() && r.cardinality == One:
			to = until[c.rank][c]
		}
		r.extents[i] = extent{c.from, min(to, hears[c.rank].first(c, !c.open()))}
	}
}

// untilOther gives, for the open claims of a rank by from, where the next of
// another value begins. One that was beaten where it begins never holds.
func untilOther(opens []*claim) map[*claim]int64 {
	out := make(map[*claim]int64, len(opens))
	next, value := int64(forever), "" // what begins next, and the next of another value than that
	other := int64(forever)
	for n := len(opens); n > 0; {
		first := startOf(opens, n)
		group := opens[first:n]
		n = first
		held := atOnce(group)
		for _, h := range held {
			for _, c := range h.claims {
				if out[c] = next; c.value == value {
					out[c] = other
				}
			}
		}
		for _, c := range group {
			if _, ok := out[c]; !ok {
				out[c] = c.from
			}
		}
		switch {
		case !alike(group):
			other = group[0].from
		case group[0].value != value:
			other = next
		}
		next, value = group[0].from, group[0].value
	}
	return out
}

// support gives the claims that say so somewhere in a rectangle, in the order of news.
func (r *reading) support(rect *Rectangle) []*claim {
	var out []*claim
	for i, c := range r.claims {
		if e := r.extents[i]; c.value == rect.Value && e.from < e.to && e.from < rect.To && rect.From < e.to {
			out = append(out, c)
		}
	}
	return out
}

// resumes reports whether the value of a rectangle held just before it too.
func (r *reading) resumes(rect *Rectangle) bool {
	return slices.ContainsFunc(r.rects, func(o *Rectangle) bool { return o.Value == rect.Value && o.To == rect.From })
}

// holds reports whether a value holds at a moment.
func (r *reading) holds(value string, at int64) bool {
	return slices.ContainsFunc(r.rects, func(o *Rectangle) bool { return o.Value == value && o.holdsAt(at) })
}
