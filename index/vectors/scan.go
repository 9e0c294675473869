package vectors

import (
	"slices"

	"engram/internal/dot"
)

// Query is a vector that is looked for in one Set. It may be used by many at
// once.
type Query struct {
	values []int8 // padded to the rows of the set
	scale  float64
}

// Query prepares v for searches of s; the same v gives the same answers. A
// vector of another dimension gives memory.ErrInvalid.
func (s *Set) Query(v Vector) (*Query, error) {
	if err := s.check(v); err != nil {
		return nil, err
	}
	q := &Query{values: make([]int8, s.stride), scale: float64(v.Scale)}
	copy(q.values, v.Values)
	return q, nil
}

// Hit is a document that a search found.
type Hit struct {
	Doc    int
	Cosine float64 // to the query, -1 to 1 up to rounding
}

// Scan gives the k documents nearest to q among the first n that ok lets
// through, nearest first, and those equally near in the order of documents. It
// looks at every vector, so nothing is missed. A nil ok lets everything through.
// Holes and vectors of zeros are not found; with a query of zeros nothing is.
func (s *Set) Scan(q *Query, n, k int, ok func(doc int) bool) []Hit {
	n = min(n, s.docs)
	if n <= 0 || k <= 0 || q.scale == 0 {
		return nil
	}
	best := nearest{k: k, ok: ok}
	var dots [batch]int32
	for first := 0; first < n; first += blockRows {
		b := &s.blocks[first/blockRows]
		rows := min(n-first, len(b.scales))
		for from := 0; from < rows; from += batch {
			to := min(from+batch, rows)
			out := dots[:to-from]
			dot.Rows(out, q.values, b.rows[from*s.stride:to*s.stride])
			best.take(first+from, out, b.scales[from:to])
		}
	}
	slices.SortFunc(best.hits, func(a, b Hit) int {
		if worse(a, b) {
			return 1
		}
		return -1
	})
	for i := range best.hits {
		best.hits[i].Cosine = float64(q.scale * best.hits[i].Cosine)
	}
	return best.hits
}

// batch is how many rows are multiplied before their products are looked at.
const batch = 256

// nearness is the cosine but for the scale of the query. The product of a dot
// product of up to 2¹⁴ dimensions (28 bits) and a scale (24) is exact in 53, so
// ties are ties.
func nearness(dot int32, scale float32) float64 { return float64(float64(dot) * float64(scale)) }

// nearest keeps the best k hits, as a heap whose first is the worst of them.
// Their Cosine is the nearness.
type nearest struct {
	hits []Hit
	k    int
	ok   func(doc int) bool
}

// take looks at documents that follow each other, from the first on. Only those
// that would be kept are asked whether they may be: which of both is asked first
// does not change what is kept, and most are not near.
func (b *nearest) take(first int, dots []int32, scales []float32) {
	scales = scales[:len(dots)]
	for i, d := range dots {
		near := nearness(d, scales[i])
		if full := len(b.hits) == b.k; full && near <= b.hits[0].Cosine || scales[i] <= 0 {
			continue // a later document that is equally near stands behind
		}
		if doc := first + i; b.ok == nil || b.ok(doc) {
			b.add(Hit{doc, near})
		}
	}
}

func worse(a, b Hit) bool {
	return a.Cosine < b.Cosine || a.Cosine == b.Cosine && a.Doc > b.Doc
}

func (b *nearest) add(h Hit) {
	if len(b.hits) < b.k {
		b.hits = append(b.hits, h)
		for i := len(b.hits) - 1; i > 0 && worse(b.hits[i], b.hits[(i-1)/2]); i = (i - 1) / 2 {
			b.hits[i], b.hits[(i-1)/2] = b.hits[(i-1)/2], b.hits[i]
		}
		return
	}
	b.hits[0] = h
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(b.hits) {
			return
		}
		if child+1 < len(b.hits) && worse(b.hits[child+1], b.hits[child]) {
			child++
		}
		if !worse(b.hits[child], b.hits[i]) {
			return
		}
		b.hits[i], b.hits[child] = b.hits[child], b.hits[i]
		i = child
	}
}
