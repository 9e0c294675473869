package timeline

import (
	"slices"

	"engram/memory"
)

// The reasons why a fact may hold no longer.
const (
	staleErased  = "later source erased"
	staleDepends = "depends on what no longer holds"
)

// stale says why a fact, seen from a moment, may hold no longer: an erasure
// opened it again, or everything that says so depends on what is over.
func (r *reading) stale(rect *Rectangle, support []*claim, at int64, seen map[memory.ID]bool) string {
	if r.reopened(support) {
		return staleErased
	}
	at = max(rect.From, min(at, rect.To-1)) // what is past or to come is judged by its own time
	for _, c := range support {
		if !slices.ContainsFunc(c.body.Depends, func(id memory.ID) bool { return r.v.over(id, at, seen) }) {
			return ""
		}
	}
	return staleDepends
}

// reopened reports whether an erasure opened a fact again of which nothing was
// heard since.
func (r *reading) reopened(support []*claim) bool {
	for _, c := range support {
		for _, row := range r.v.f.beliefs.reopened[c.row] {
			seq := r.v.f.log[row].seq
			if seq <= r.v.head && !slices.ContainsFunc(support, func(d *claim) bool { return d.seq > seq }) {
				return true
			}
		}
	}
	return false
}

// over reports whether what an assertion says is no longer so at a moment: it
// does not count, its facts have all ended, or those that have not are stale
// themselves. seen ends a circle.
func (v View) over(id memory.ID, at int64, seen map[memory.ID]bool) bool {
	if seen[id] {
		return false
	}
	seen[id] = true
	defer delete(seen, id)
	c := v.claimNamed(id)
	if c == nil {
		return true
	}
	r := v.read(v.slotOf(c))
	for _, rect := range r.rects {
		if rect.To <= at {
			continue
		}
		support := r.support(rect)
		if slices.ContainsFunc(support, func(d *claim) bool { return d.id == id }) && r.stale(rect, support, at, seen) == "" {
			return false
		}
	}
	return true
}
