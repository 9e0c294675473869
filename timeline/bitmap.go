package timeline

import "math/bits"

// bitmap is a set of small numbers; it grows as they are set.
type bitmap []uint64

func (b *bitmap) set(i int32) {
	for int(i>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

func (b bitmap) has(i int) bool {
	w := i >> 6
	return w < len(b) && b[w]&(1<<(i&63)) != 0
}

// below calls yield for each number of the set that is less than n, in order.
func (b bitmap) below(n int) func(yield func(i int) bool) {
	return func(yield func(i int) bool) {
		for w, word := range b {
			for ; word != 0; word &= word - 1 {
				if i := w<<6 + bits.TrailingZeros64(word); i >= n || !yield(i) {
					return
				}
			}
		}
	}
}
