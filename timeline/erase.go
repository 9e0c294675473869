package timeline

import (
	"slices"

	"engram/memory"
)

// Reopened lists the facts, by the assertion that begins them, that would hold
// where they do not hold now if the named records were gone.
func (v View) Reopened(gone map[memory.ID]bool) []memory.ID {
	touched := map[slotName]bool{}
	for i := range v.f.beliefs.claims {
		if c := &v.f.beliefs.claims[i]; gone[c.id] && c.seq <= v.head {
			touched[v.slotOf(c)] = true
		}
	}
	var out []memory.ID
	for name := range touched {
		r := v.read(name)
		left := pick(v.counting(v.claimsOf(name)), func(c *claim) bool { return !gone[c.id] })
		living := living(left, r.cardinality)
		for _, s := range resolve(left, r.cardinality) {
			if r.covers(&s) {
				continue
			}
			says := pick(living, func(c *claim) bool { return c.isValue() && c.value == s.value && c.from <= s.from })
			out = append(out, slices.MaxFunc(says, byFrom).id)
		}
	}
	slices.SortFunc(out, func(a, b memory.ID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out)
}

// covers reports whether the value holds all through a stretch.
func (r *reading) covers(s *stretch) bool {
	at := s.from
	for _, rect := range r.rects { // by valid time
		if rect.Value == s.value && rect.holdsAt(at) {
			at = rect.To
		}
	}
	return at >= s.to
}
