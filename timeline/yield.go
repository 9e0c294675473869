package timeline

import (
	"slices"

	"engram/memory"
)

// An assumed beginning says that something held by then at the latest. Where what
// is told later says that it changed within a coarse period, and the beginning was
// assumed inside of that, it gives way: it lies just before the period. Else "I
// moved to Berlin today" would lie before the "I live in Paris" of this morning.

// yield moves the assumed beginnings of living claims, which come in the order of
// news, out of the way of what was told later.
func yield(living []*claim, c Cardinality) []*claim {
	out, own := living, false
	for i, p := range living {
		if !p.coarseChange(c) {
			continue
		}
		for j, o := range out[:i] {
			if !o.yieldsTo(p) {
				continue
			}
			if !own {
				out, own = slices.Clone(living), true
			}
			moved := *o
			moved.from = p.from - 1
			out[j] = &moved
		}
	}
	return out
}

// yields reports whether any of the living claims, or of those before it, yields to
// one that is told now.
func yields(living, added []*claim, c Cardinality) bool {
	for i, p := range added {
		given := func(o *claim) bool { return o.yieldsTo(p) }
		if p.coarseChange(c) && (slices.ContainsFunc(living, given) || slices.ContainsFunc(added[:i], given)) {
			return true
		}
	}
	return false
}

// coarseChange reports whether a claim says, by a coarse date, that what held
// until then holds no longer.
func (c *claim) coarseChange(kind Cardinality) bool {
	switch {
	case kind == Event || c.assumed || c.fromGran == memory.Instant:
		return false
	case c.body.News == memory.End:
		return true
	default:
		return kind == One && c.open() && (c.body.News == memory.Change || c.body.News == "")
	}
}

// yieldsTo reports whether the beginning of c was assumed within the period of a
// coarse change that was told later.
func (c *claim) yieldsTo(p *claim) bool {
	if !c.assumed || !c.open() || !c.isValue() || c.known >= p.known || !within(p.fromTime(), c.from) {
		return false
	}
	if p.body.News == memory.End {
		return p.rank <= c.rank && p.means(c.value)
	}
	return p.rank == c.rank && p.value != c.value
}
