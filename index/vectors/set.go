// Package vectors searches the vectors of one space by cosine: int8, one row
// for each document in the order of the log, exact. It imports memory and
// internal/dot only.
package vectors

import (
	"fmt"

	"engram/internal/dot"
	"engram/memory"
)

// Set holds the vectors that one model gave to the documents of a space. A
// document is named by its ordinal in the space's index; those without a vector
// are holes, which no search finds. Put must not run beside any other method;
// all others may be called at once. A Set takes the dimension in bytes, rounded
// up to a multiple of 64, and 4 more for each document.
type Set struct {
	model  string
	dim    int
	stride int // numbers from row to row
	docs   int // documents up to the last one with a vector
	held   int // documents with a vector
	blocks []block
}

// block holds the vectors of blockRows documents, or of the first ones of them
// as long as there are no more: it grows, the others stay where they are.
type block struct {
	rows   []int8
	scales []float32 // hole where there is no vector
}

const (
	blockRows = 1024
	hole      = -1 // no vector has this scale
	// lanes is the multiple of numbers for which all kernels are at their best.
	lanes = 64
)

// New gives an empty set for vectors of dim numbers by the named model.
func New(model string, dim int) *Set {
	return &Set{model: model, dim: dim, stride: (dim + lanes - 1) / lanes * lanes}
}

// Model names what made the vectors.
func (s *Set) Model() string { return s.model }

// Dim is how many numbers each vector has.
func (s *Set) Dim() int { return s.dim }

// Len is the number of documents that have a vector.
func (s *Set) Len() int { return s.held }

// Put sets the vector of a document, in any order of documents; an earlier one
// is replaced. A vector of another dimension, or with numbers that Quantise does
// not give, gives memory.ErrInvalid and changes nothing.
func (s *Set) Put(doc int, v Vector) error {
	if err := s.check(v); err != nil {
		return err
	}
	if doc < 0 {
		return fmt.Errorf("there is no document %d: %w", doc, memory.ErrInvalid)
	}
	for len(s.blocks) <= doc/blockRows {
		s.blocks = append(s.blocks, block{})
	}
	b, at := &s.blocks[doc/blockRows], doc%blockRows
	b.grow(at+1, s.stride)
	if b.scales[at] == hole {
		s.held++
	}
	b.scales[at] = v.Scale
	copy(b.rows[at*s.stride:], v.Values)
	s.docs = max(s.docs, doc+1)
	return nil
}

func (s *Set) check(v Vector) error {
	if len(v.Values) != s.dim {
		return fmt.Errorf("a vector of %d dimensions among those of %s, which have %d: %w", len(v.Values), s.model, s.dim, memory.ErrInvalid)
	}
	if !(v.Scale >= 0 && v.Scale <= 1) { // nor is it NaN
		return fmt.Errorf("a vector with the scale %v: %w", v.Scale, memory.ErrInvalid)
	}
	return nil
}

// grow makes room for n rows, and for as many again as there are.
func (b *block) grow(n, stride int) {
	if n <= len(b.scales) {
		return
	}
	if n > cap(b.scales) {
		room := min(blockRows, max(n, 2*cap(b.scales)))
		b.rows = append(make([]int8, 0, room*stride), b.rows...)
		b.scales = append(make([]float32, 0, room), b.scales...)
	}
	b.rows = b.rows[:n*stride]
	for len(b.scales) < n {
		b.scales = append(b.scales, hole)
	}
}

// Has reports whether a document has a vector.
func (s *Set) Has(doc int) bool {
	_, scale := s.row(doc)
	return scale != hole
}

func (s *Set) row(doc int) (row []int8, scale float32) {
	if doc < 0 || doc >= s.docs {
		return nil, hole
	}
	b, at := &s.blocks[doc/blockRows], doc%blockRows
	if at >= len(b.scales) {
		return nil, hole
	}
	return b.rows[at*s.stride:][:s.stride], b.scales[at]
}

// Cosine gives the cosine of q and a document's vector, as Scan does. It is not
// ok if the document has none, or either is a vector of zeros.
func (s *Set) Cosine(q *Query, doc int) (cosine float64, ok bool) {
	row, scale := s.row(doc)
	if scale <= 0 || q.scale == 0 {
		return 0, false
	}
	var out [1]int32
	dot.Rows(out[:], q.values, row)
	return float64(q.scale * nearness(out[0], scale)), true
}
