package timeline

import (
	"cmp"
	"slices"
	"sort"

	"engram/memory"
)

// layer holds the living claims of one rank of trust, of a single-valued slot or
// of one value of another. Claims that hold nowhere are left out.
type layer struct {
	opens   []*claim // by from, then in the order of news
	bounded []*claim // in the order of news
	ends    []*claim // by from, then in the order of news
}

func byFrom(a, b *claim) int { return cmp.Or(cmp.Compare(a.from, b.from), inOrder(a, b)) }

// list gives the list that a claim belongs to, and its order.
func (l *layer) list(c *claim) (*[]*claim, func(a, b *claim) int) {
	switch {
	case c.body.News == memory.End:
		return &l.ends, byFrom
	case c.open():
		return &l.opens, byFrom
	default:
		return &l.bounded, inOrder
	}
}

func (l *layer) insert(c *claim) {
	list, order := l.list(c)
	i, _ := slices.BinarySearchFunc(*list, c, order)
	*list = slices.Insert(*list, i, c)
}

func (l *layer) remove(c *claim) {
	list, order := l.list(c)
	if i, ok := slices.BinarySearchFunc(*list, c, order); ok {
		*list = slices.Delete(*list, i, i+1)
	}
}

// after gives the first of a list by from that begins later than at.
func after(list []*claim, at int64) int {
	return sort.Search(len(list), func(i int) bool { return list[i].from > at })
}

// reach gives how far along the axis it can matter that a claim of the value
// begins or ends something at a moment: to where the open claims say something
// else than it and than what holds there, whatever that is.
func (l *layer) reach(at int64, value string) int64 {
	n := after(l.opens, at)
	there := n // the first of those that may hold around the moment
	for there > 0 && l.opens[there-1].from == at {
		there--
	}
	if there > 0 {
		for before := l.opens[there-1].from; there > 0 && l.opens[there-1].from == before; {
			there--
		}
	}
	isThere := func(v string) bool {
		return v == value || slices.ContainsFunc(l.opens[there:n], func(o *claim) bool { return o.value == v })
	}
	for i := n; i < len(l.opens); i++ {
		if v := l.opens[i].value; v != l.opens[n].value || !isThere(v) {
			return l.opens[i].from
		}
	}
	return forever
}

// holding is one value that holds at a point of the valid axis by a rank.
type holding struct {
	value    string
	disputed bool
	claims   []*claim
	last     *claim // the latest of them in the order of news
}

// support adds a claim to the holding of its value; without one it makes one,
// if it may.
func support(held []holding, c *claim, may bool) []holding {
	for i := range held {
		if held[i].value == c.value {
			held[i].claims = append(held[i].claims, c)
			if later(c, held[i].last) {
				held[i].last = c
			}
			return held
		}
	}
	if !may {
		return held
	}
	return append(held, holding{value: c.value, claims: []*claim{c}, last: c})
}

func latest(held []holding) *claim {
	out := held[0].last
	for _, h := range held[1:] {
		if later(h.last, out) {
			out = h.last
		}
	}
	return out
}

// atOnce gives what the claims that were told last say, and those that said so
// before; what was told at once is in dispute. They come in the order of news.
func atOnce(group []*claim) []holding {
	var out []holding
	last := group[len(group)-1].known
	for _, c := range group {
		if c.known == last {
			out = support(out, c, true)
		}
	}
	for _, c := range group {
		if c.known != last {
			out = support(out, c, false)
		}
	}
	return out
}

// ending is a list of Ends that a layer hears.
type ending []*claim

// first gives the first moment after a claim's beginning at which an End means
// it; told: one that was told later than the claim.
func (ends ending) first(c *claim, told bool) int64 {
	for _, e := range ends[after(ends, c.from):] {
		if e.means(c.value) && (!told || later(e, c)) {
			return e.from
		}
	}
	return forever
}
