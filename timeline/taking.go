package timeline

import (
	"cmp"
	"slices"

	"engram/memory"
)

// taking decides which claims of a slot count: all but those that a correction
// or a taking back took away. Claims are added in the order of news, and what a
// claim means is settled by those before it, so that more can be added later.
type taking struct {
	cardinality Cardinality
	claims      []*claim      // all of them, corrections placed over what they replace
	gone        []bool        // taken away, as decided by the claims so far
	takes       map[int][]int // what a claim takes away if it is not taken away itself
	contests    map[int][]int // what a claim would take away if it were trusted enough
}

// idle reports whether nothing takes anything away.
func (t *taking) idle() bool { return len(t.takes)+len(t.contests) == 0 }

// living gives what counts, in the order of news.
func (t *taking) living() []*claim {
	if t.idle() {
		return t.claims
	}
	contested := map[int]bool{}
	for by, list := range t.contests {
		for _, i := range list {
			contested[i] = contested[i] || !t.gone[by]
		}
	}
	out := make([]*claim, 0, len(t.claims))
	for i, c := range t.claims {
		if t.gone[i] {
			continue
		}
		if contested[i] {
			marked := *c
			marked.contested = true
			c = &marked
		}
		out = append(out, c)
	}
	return out
}

// add adds the next claim in the order of news.
func (t *taking) add(c *claim) {
	i := len(t.claims)
	if target := t.target(c); target >= 0 {
		group := t.group(target)
		if c.body.News == memory.Correction {
			c = t.inherit(c, group)
		}
		t.take(i, c, group)
	}
	t.claims, t.gone = append(t.claims, c), append(t.gone, false)
	if len(t.takes[i]) > 0 {
		t.decide()
	}
}

// take notes what claim i takes away. With a correction goes what that had taken
// away: a value that was wrong stays wrong when what was said instead of it
// turns out to be wrong too. A taking back restores it.
func (t *taking) take(i int, c *claim, group []int) {
	if t.takes == nil {
		t.takes, t.contests = map[int][]int{}, map[int][]int{}
	}
	for _, g := range group {
		if t.claims[g].rank < c.rank {
			t.contests[i] = append(t.contests[i], g)
			continue
		}
		t.takes[i] = append(t.takes[i], g)
		if c.body.News == memory.Correction && t.claims[g].body.News == memory.Correction {
			t.takes[i] = append(t.takes[i], t.takes[g]...)
		}
	}
}

// decide says what is taken away: what something takes away that is not taken
// away itself. A claim comes before what takes it away, so one pass from the
// last to the first decides, and undo of undo comes out by itself.
func (t *taking) decide() {
	clear(t.gone)
	for i := len(t.claims) - 1; i >= 0; i-- {
		if !t.gone[i] {
			for _, k := range t.takes[i] {
				t.gone[k] = true
			}
		}
	}
}

// target gives the earlier claim that c means, -1 if there is none.
func (t *taking) target(c *claim) int {
	if !c.takesAway() {
		return -1
	}
	if !c.body.Corrects.IsZero() {
		return t.named(c)
	}
	back := c.body.News == memory.TakingBack
	value := c.replaces
	if back {
		value = cmp.Or(value, c.value)
	}
	for i, d := range slices.Backward(t.claims) {
		switch {
		case t.gone[i]:
		case value != "":
			if d.value == value && (d.isValue() || back && d.body.News == memory.End) {
				return i
			}
		case d.body.News == memory.TakingBack:
			if back {
				return -1 // the same, said again
			}
		case back || d.isValue():
			return i
		}
	}
	return -1
}

// named gives the claim that c names by its id. If that was corrected already,
// a correction means what now stands for it.
func (t *taking) named(c *claim) int {
	correction := c.body.News == memory.Correction
	i := slices.IndexFunc(t.claims, func(d *claim) bool { return d.id == c.body.Corrects })
	if i < 0 || correction && t.claims[i].body.News == memory.TakingBack {
		return -1
	}
	for t.gone[i] {
		by := t.takenBy(i)
		if !correction || t.claims[by].body.News != memory.Correction {
			return -1
		}
		i = by
	}
	return i
}

// takenBy gives the last claim that takes away claim i.
func (t *taking) takenBy(i int) int {
	by := -1
	for k, takes := range t.takes {
		if k > by && !t.gone[k] && slices.Contains(takes, i) {
			by = k
		}
	}
	return by
}

// group gives the claims that say the same as claim i. To take away what was
// heard twice is to take away both.
func (t *taking) group(i int) []int {
	d := t.claims[i]
	same := func(*claim) bool { return false }
	switch {
	case d.body.News == memory.End:
		same = func(e *claim) bool { return e.body.News == memory.End && e.value == d.value && !t.beginsBetween(d, e) }
	case d.isValue() && t.cardinality != Event && d.open():
		from, to := t.around(d)
		same = func(m *claim) bool {
			return m.isValue() && m.value == d.value && m.open() && from <= m.from && m.from < to
		}
	case d.isValue():
		same = func(m *claim) bool { return m.isValue() && m.value == d.value && t.overlap(m, d) }
	}
	var out []int
	for k, m := range t.claims {
		if k == i || !t.gone[k] && same(m) {
			out = append(out, k)
		}
	}
	return out
}

// overlap reports whether two bounded claims share a moment; events are bounded
// by their days.
func (t *taking) overlap(m, d *claim) bool {
	if t.cardinality == Event {
		return m.from < d.eventEnd() && d.from < m.eventEnd()
	}
	return !m.open() && m.from < d.to && d.from < m.to
}

// around gives where an open claim's value ends, and where it ended last before.
func (t *taking) around(d *claim) (from, to int64) {
	from, to = -forever, forever
	for k, e := range t.claims {
		if t.gone[k] || e.rank > d.rank || !t.ends(e, d.value) {
			continue
		}
		if e.from > d.from {
			to = min(to, e.from)
		} else {
			from = max(from, e.from)
		}
	}
	return from, to
}

// ends reports whether where e begins an open claim of the value ends.
func (t *taking) ends(e *claim, value string) bool {
	if e.body.News == memory.End {
		return e.means(value)
	}
	return t.cardinality == One && e.isValue() && e.open() && e.value != value
}

// beginsBetween reports whether what two Ends mean begins between them.
func (t *taking) beginsBetween(d, e *claim) bool {
	from, to := min(e.from, d.from), max(e.from, d.from)
	for k, c := range t.claims {
		if !t.gone[k] && c.isValue() && d.means(c.value) && from <= c.from && c.from < to {
			return true
		}
	}
	return false
}

// inherit gives the correction with the ends that it does not state: those of
// what it replaces. An end before its own beginning is not taken over.
func (t *taking) inherit(c *claim, group []int) *claim {
	first, last := t.claims[group[0]], t.claims[group[0]]
	for _, g := range group {
		d := t.claims[g]
		if d.from < first.from || d.from == first.from && first.assumed && !d.assumed {
			first = d
		}
		if d.to > last.to {
			last = d
		}
	}
	out := *c
	if c.assumed {
		out.from, out.fromGran, out.fromOffset, out.assumed = first.from, first.fromGran, first.fromOffset, first.assumed
	}
	if c.open() && last.to > out.from {
		out.to, out.toGran, out.toOffset = last.to, last.toGran, last.toOffset
	}
	return &out
}
