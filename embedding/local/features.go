package local

import (
	"slices"

	"engram/internal/matmul"
)

// gap is how many rows of zeros stand between two spans where the windows of
// convolutions overlap them: no window looks further.
const gap = 2

// workspace is the memory for one block. Rows of token t stand at t, or, where
// convolutions read windows of them, at place[t], with gaps of zeros between
// the spans.
type workspace struct {
	feature   []float32    // the embedding and the three convolutions
	projected []float32    // the input of the convolutions
	input     [3][]float32 // the same for each, at their places
	hidden    []float32    // after the first layer, at their places
	place     []int        // of each token
	from, to  []int        // offsets of rows to read and to write
}

// features computes the features of all tokens of a block, and their sum for
// each span.
func (w *workspace) features(n *network, block []*span) {
	w.lay(block)
	t := 0
	for _, s := range block {
		for _, id := range s.ids {
			n.embed(w.feature[t*featureDim:t*featureDim+Dim], id)
			t++
		}
	}
	w.project(n)
	for i := range branches {
		w.convolve(n, i)
	}
	t = 0
	for _, s := range block {
		for own := s.from; own < s.to; own++ {
			row := w.feature[(t+own)*featureDim : (t+own+1)*featureDim]
			n.featureNorm.apply(row)
			add(s.sum, row)
		}
		t += len(s.ids)
	}
}

// lay gives each token its place, and clears the gaps.
func (w *workspace) lay(block []*span) {
	w.place = w.place[:0]
	at := gap
	for _, s := range block {
		for range s.ids {
			w.place = append(w.place, at)
			at++
		}
		at += gap
	}
	tokens := len(w.place)
	w.feature = resize(w.feature, tokens*featureDim)
	w.projected = resize(w.projected, tokens*3*convDim)
	w.hidden = resize(w.hidden, at*convDim)
	for i := range w.input {
		w.input[i] = resize(w.input[i], at*convDim)
	}
	w.from, w.to = slices.Grow(w.from[:0], tokens)[:tokens], slices.Grow(w.to[:0], tokens)[:tokens]
	w.clearGap(0)
	for t, place := range w.place {
		if t+1 == tokens || w.place[t+1] != place+1 {
			w.clearGap(place + 1)
		}
	}
}

func (w *workspace) clearGap(at int) {
	clear(w.hidden[at*convDim : (at+gap)*convDim])
	for _, in := range w.input {
		clear(in[at*convDim : (at+gap)*convDim])
	}
}

// resize gives a slice of the length whose elements are of any value.
func resize(s []float32, n int) []float32 { return slices.Grow(s[:0], n)[:n] }

// project makes the inputs of the convolutions of the embeddings.
func (w *workspace) project(n *network) {
	for t := range w.place {
		w.from[t], w.to[t] = t*featureDim, t*3*convDim
	}
	n.project.Mul(matmul.Rows{Of: w.projected, At: w.to}, matmul.Rows{Of: w.feature, At: w.from}, false)
	for t, place := range w.place {
		row := w.projected[t*3*convDim : (t+1)*3*convDim]
		n.projectNorm.apply(row)
		for i := range branches {
			copy(w.input[i][place*convDim:(place+1)*convDim], row[i*convDim:])
		}
	}
}

// convolve runs one branch: two layers, each added to its input. A window of
// tokens is one row for the matrix, as their rows follow each other.
func (w *workspace) convolve(n *network, i int) {
	for t, place := range w.place {
		w.from[t], w.to[t] = (place-branches[i].left)*convDim, place*convDim
	}
	n.first[i].Mul(matmul.Rows{Of: w.hidden, At: w.to}, matmul.Rows{Of: w.input[i], At: w.from}, true)
	for _, at := range w.to {
		add(w.hidden[at:at+convDim], w.input[i][at:at+convDim])
	}
	for t := range w.to {
		w.to[t] = t*featureDim + Dim + i*convDim
	}
	n.after[i].Mul(matmul.Rows{Of: w.feature, At: w.to}, matmul.Rows{Of: w.hidden, At: w.from}, true)
	for t, place := range w.place {
		add(w.feature[w.to[t]:w.to[t]+convDim], w.hidden[place*convDim:(place+1)*convDim])
	}
}
