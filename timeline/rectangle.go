package timeline

import (
	"cmp"
	"slices"

	"engram/memory"
)

// Rectangle is a value of a slot that holds during an interval of valid time,
// as it was known during an interval of the log: [From, To) × [Known, Until).
type Rectangle struct {
	Subject, Predicate string // folded
	Value              string // folded
	Disputed           bool
	From, To           int64      // µs; an open To is the greatest int64
	Known, Until       memory.Seq // Until is 0 if it is still known so
}

// knownAt reports whether a rectangle is known at a cut.
func (r *Rectangle) knownAt(cut memory.Seq) bool {
	return r.Known <= cut && (r.Until == 0 || cut < r.Until)
}

func (r *Rectangle) holdsAt(at int64) bool { return r.From <= at && at < r.To }

// Rectangles gives a slot's history on both axes, as far as the view knows it,
// by when it became known, then by valid time.
func (v View) Rectangles(subject, predicate string) []Rectangle {
	var out []Rectangle
	for _, r := range v.rectangles(slotName{v.entity(Key(subject)), PredicateKey(predicate)}) {
		if r.Known > v.seq {
			break
		}
		if r.Until > v.seq {
			r.Until = 0
		}
		out = append(out, r)
	}
	return out
}

// rectangles gives an entity's slot on both axes, up to the head of the view's
// log; from the cache if that is the head of the fold. It must not be changed.
func (v View) rectangles(name slotName) []Rectangle {
	b := v.f.beliefs
	if v.head != v.f.Head() {
		return v.draw(name)
	}
	b.mu.Lock()
	rects, ok := b.cache[name]
	b.mu.Unlock()
	if ok {
		return rects
	}
	rects = v.draw(name)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cache[name] = rects
	return rects
}

// draw lays a slot out on both axes: at every place of the log where a claim
// begins or ceases to count it is laid out anew where that matters, and what
// stays the same goes on.
func (v View) draw(name slotName) []Rectangle {
	claims := v.claimsOf(name)
	d := &drawing{name: name}
	s := newSlot(v.f.beliefs.schema.Cardinality(name.predicate), d)
	counted := make([]bool, len(claims))
	for moments := v.moments(claims); len(moments) > 0; {
		d.cut = moments[0].at
		var added []*claim
		onlyAdded := true
		for ; len(moments) > 0 && moments[0].at == d.cut; moments = moments[1:] {
			i := moments[0].claim
			counts := v.at(d.cut).counts(claims[i])
			switch {
			case counts && !counted[i]:
				added = append(added, claims[i])
				onlyAdded = onlyAdded && claims[i].known == d.cut
			case !counts && counted[i]:
				onlyAdded = false
			}
			counted[i] = counts
		}
		if onlyAdded {
			s.add(added)
			continue
		}
		var now []*claim
		for i, c := range claims {
			if counted[i] {
				now = append(now, c)
			}
		}
		s.reset(now)
	}
	slices.SortFunc(d.rects, func(a, b Rectangle) int {
		return cmp.Or(cmp.Compare(a.Known, b.Known), cmp.Compare(a.From, b.From), cmp.Compare(a.Value, b.Value))
	})
	return d.rects
}

// drawing collects the rectangles of a slot as its stretches come and go.
type drawing struct {
	name  slotName
	cut   memory.Seq
	rects []Rectangle
}

// replace ends the rectangles of the old stretches at the cut and begins those
// of the new ones; what is in both goes on.
func (d *drawing) replace(old, now []stretch) {
	for i := range now {
		now[i].drawn = -1
	}
	for _, o := range old {
		i := slices.IndexFunc(now, func(n stretch) bool { return n.same(&o) && n.from == o.from && n.to == o.to })
		if i >= 0 {
			now[i].drawn = o.drawn
			continue
		}
		d.rects[o.drawn].Until = d.cut
	}
	for i := range now {
		if n := &now[i]; n.drawn < 0 {
			n.drawn = len(d.rects)
			d.rects = append(d.rects, Rectangle{
				Subject: d.name.subject, Predicate: d.name.predicate, Value: n.value, Disputed: n.disputed,
				From: n.from, To: n.to, Known: d.cut,
			})
		}
	}
}
