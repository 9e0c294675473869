package local

import (
	"cmp"
	"slices"
)

// trie finds the pieces that begin at a place. Nodes stand in the order of
// their depth, so that the children of node n are those from first[n] up to
// first[n+1], in the order of their labels. Node 0 is the root.
type trie struct {
	first []int32
	label []byte
	piece []int32 // its id, or noPiece
}

const noPiece = -1

type trieKey struct {
	text  string
	piece int32
}

// newTrie puts keys, which differ and are not empty, into a trie.
func newTrie(keys []trieKey) trie {
	slices.SortFunc(keys, func(a, b trieKey) int { return cmp.Compare(a.text, b.text) })
	t := trie{label: []byte{0}, piece: []int32{noPiece}}
	queue := [][]trieKey{keys} // below each node, in the order of the nodes
	depth, levelEnd := 0, 1
	for n := 0; n < len(queue); n++ {
		if n == levelEnd {
			depth, levelEnd = depth+1, len(queue)
		}
		t.first = append(t.first, int32(len(queue)))
		below := queue[n]
		queue[n] = nil
		for len(below) > 0 {
			c, piece := below[0].text[depth], int32(noPiece)
			same := 1
			for same < len(below) && below[same].text[depth] == c {
				same++
			}
			inside := below[:same]
			if len(inside[0].text) == depth+1 {
				piece, inside = inside[0].piece, inside[1:]
			}
			t.label, t.piece, queue = append(t.label, c), append(t.piece, piece), append(queue, inside)
			below = below[same:]
		}
	}
	t.first = append(t.first, int32(len(queue)))
	return t
}

// step goes from a node along a label.
func (t *trie) step(node int32, c byte) (int32, bool) {
	low, high := t.first[node], t.first[node+1]
	for low < high {
		middle := (low + high) / 2
		if t.label[middle] < c {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < t.first[node+1] && t.label[low] == c
}
