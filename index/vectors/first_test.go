package vectors

import (
	"slices"
	"testing"
)

func TestFirst(t *testing.T) {
	t.Parallel()
	s := setOf(t, 2, map[int]Vector{0: quantise(t, 1, 0), 1: quantise(t, 0, 1), 3: quantise(t, 5, 5), blockRows + 1: quantise(t, 1, 1)})
	q := query(t, s, quantise(t, 1, 1))
	for _, c := range []struct {
		n, held int
		want    []int
	}{
		{-1, 0, []int{}}, {0, 0, []int{}}, {1, 1, []int{0}}, {3, 2, []int{0, 1}}, {4, 3, []int{3, 0, 1}},
		{blockRows + 1, 3, []int{3, 0, 1}}, {blockRows + 2, 4, []int{3, blockRows + 1, 0, 1}}, {1 << 20, 4, []int{3, blockRows + 1, 0, 1}},
	} {
		first := s.First(c.n)
		if got := docs(first.Scan(q, 1<<20, 10, nil)); !slices.Equal(got, c.want) || first.Len() != c.held {
			t.Errorf("of the first %d: got %v of %d, want %v of %d", c.n, got, first.Len(), c.want, c.held)
		}
		if first.Has(3) != (c.n > 3) {
			t.Errorf("of the first %d: document 3: %v", c.n, first.Has(3))
		}
	}
	if s.Len() != 4 {
		t.Errorf("the set has %d vectors now", s.Len())
	}
}
