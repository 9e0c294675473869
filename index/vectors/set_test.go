package vectors

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/memory"
)

func setOf(t testing.TB, dim int, vectors map[int]Vector) *Set {
	t.Helper()
	s := New("fake", dim)
	for doc, v := range vectors {
		if err := s.Put(doc, v); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func query(t testing.TB, s *Set, v Vector) *Query {
	t.Helper()
	q, err := s.Query(v)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func docs(hits []Hit) []int {
	list := []int{}
	for _, h := range hits {
		list = append(list, h.Doc)
	}
	return list
}

func TestScan(t *testing.T) {
	t.Parallel()
	s := setOf(t, 2, map[int]Vector{
		0: quantise(t, 1, 0), 1: quantise(t, 0, 1), 3: quantise(t, 5, 5), 4: quantise(t, -1, 0),
		5: quantise(t, 0, 0), 7: quantise(t, 2, 0),
	})
	q := query(t, s, quantise(t, 3, 0))
	even := func(doc int) bool { return doc%2 == 0 }
	for _, c := range []struct {
		n, k int
		ok   func(int) bool
		want []int
	}{
		{8, 10, nil, []int{0, 7, 3, 1, 4}}, // 0 and 7 are equally near, 2 and 6 are holes, 5 is zeros
		{99, 10, nil, []int{0, 7, 3, 1, 4}},
		{8, 2, nil, []int{0, 7}},
		{8, 1, nil, []int{0}},
		{7, 2, nil, []int{0, 3}},
		{8, 10, even, []int{0, 4}},
		{8, 1, func(doc int) bool { return doc == 4 }, []int{4}},
		{0, 10, nil, []int{}}, {8, 0, nil, []int{}}, {-1, 10, nil, []int{}},
	} {
		if got := docs(s.Scan(q, c.n, c.k, c.ok)); !slices.Equal(got, c.want) {
			t.Errorf("%d of the first %d: got %v, want %v", c.k, c.n, got, c.want)
		}
	}
	for _, h := range s.Scan(q, 8, 10, nil) {
		want := map[int]float64{0: 1, 7: 1, 3: math.Sqrt2 / 2, 1: 0, 4: -1}[h.Doc]
		if math.Abs(h.Cosine-want) > 1e-6 || h.Cosine > 1+1e-6 {
			t.Errorf("document %d: cosine %v, want %v", h.Doc, h.Cosine, want)
		}
		if c, ok := s.Cosine(q, h.Doc); !ok || c != h.Cosine {
			t.Errorf("document %d: Cosine gives %v %v, Scan %v", h.Doc, c, ok, h.Cosine)
		}
	}
	for _, doc := range []int{-1, 2, 5, 6, 8, 5000} {
		if c, ok := s.Cosine(q, doc); ok {
			t.Errorf("document %d has the cosine %v", doc, c)
		}
	}
	if hits := s.Scan(query(t, s, quantise(t, 0, 0)), 8, 10, nil); hits != nil {
		t.Errorf("zeros are near %v", hits)
	}
}

func TestPutRefuses(t *testing.T) {
	t.Parallel()
	s := setOf(t, 2, nil)
	for name, err := range map[string]error{
		"dimension": s.Put(0, quantise(t, 1, 2, 3)), "document": s.Put(-1, quantise(t, 1, 2)),
		"scale": s.Put(0, Vector{Scale: hole, Values: []int8{1, 2}}),
		"NaN":   s.Put(0, Vector{Scale: float32(math.NaN()), Values: []int8{1, 2}}),
	} {
		if !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := s.Query(quantise(t, 1)); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("query: got %v", err)
	}
	if s.Len() != 0 || s.Has(0) {
		t.Error("something was put")
	}
}

// TestScanEqualsTheDefinition puts vectors in any order, some twice, and
// searches prefixes under filters.
func TestScanEqualsTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const dim = 3 // few numbers, so that many are equally near
		number := rapid.Custom(func(t *rapid.T) Vector {
			values := rapid.SliceOfN(rapid.Int8Range(-2, 2), dim, dim).Draw(t, "values")
			return Vector{Scale: float32(rapid.IntRange(0, 2).Draw(t, "scale")) / 8, Values: values}
		})
		last := rapid.SampledFrom([]int{8, 40, blockRows + 3, 2*blockRows + 300}).Draw(t, "last")
		list := rapid.SliceOfN(rapid.IntRange(0, last), 0, 60).Draw(t, "documents")
		s, model := New("fake", dim), map[int]Vector{}
		for _, doc := range list {
			model[doc] = number.Draw(t, "vector")
			if err := s.Put(doc, model[doc]); err != nil {
				t.Fatal(err)
			}
		}
		if s.Len() != len(model) {
			t.Fatalf("%d vectors, want %d", s.Len(), len(model))
		}
		v := number.Draw(t, "query")
		q, err := s.Query(v)
		if err != nil {
			t.Fatal(err)
		}
		n, k := rapid.IntRange(0, last+2).Draw(t, "n"), rapid.IntRange(0, 20).Draw(t, "k")
		odd := rapid.IntRange(1, 3).Draw(t, "filter")
		ok := func(doc int) bool { return doc%odd == 0 }
		if diff := cmp.Diff(define(model, v, n, k, ok), s.Scan(q, n, k, ok)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// define is Scan in the plainest way.
func define(model map[int]Vector, q Vector, n, k int, ok func(int) bool) []Hit {
	var hits []Hit
	for doc, v := range model {
		if doc >= n || !ok(doc) || v.Scale == 0 || q.Scale == 0 {
			continue
		}
		sum := 0.0
		for i := range q.Values {
			sum += float64(q.Values[i]) * float64(v.Values[i])
		}
		hits = append(hits, Hit{doc, float64(q.Scale) * (sum * float64(v.Scale))})
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		if a.Cosine != b.Cosine {
			return int(math.Copysign(1, b.Cosine-a.Cosine))
		}
		return a.Doc - b.Doc
	})
	if k == 0 || len(hits) == 0 {
		return nil
	}
	return hits[:min(k, len(hits))]
}

// TestRecallOfInt8 holds the first ten against those of float32. Neither kind
// of vectors is kind: nothing is nearer than chance has it, but that in a
// cluster there are as many as are asked for.
func TestRecallOfInt8(t *testing.T) {
	t.Parallel()
	const docs, queries, dim, k, bar = 2000, 100, 512, 10, 0.98
	for name, centres := range map[string]int{"random": 0, "clustered": docs / k} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			draw := directions(centres, dim)
			s, list := New("fake", dim), make([][]float32, docs)
			for i := range list {
				list[i] = draw()
				if err := s.Put(i, quantise(t, list[i]...)); err != nil {
					t.Fatal(err)
				}
			}
			found := 0
			for range queries {
				v := draw()
				want := exact(list, v)[:k]
				for _, h := range s.Scan(query(t, s, quantise(t, v...)), docs, k, nil) {
					if slices.Contains(want, h.Doc) {
						found++
					}
				}
			}
			recall := float64(found) / (k * queries)
			t.Logf("recall %.3f", recall)
			if recall < bar {
				t.Errorf("recall %.3f, want %v", recall, bar)
			}
		})
	}
}

// directions draws vectors of length 1, around centres if there are any.
func directions(centres, dim int) func() []float32 {
	rng := rand.New(rand.NewPCG(7, uint64(centres)))
	var middle [][]float32
	draw := func() []float32 {
		v, sum := make([]float32, dim), 0.0
		at := []float32(nil)
		if len(middle) > 0 {
			at = middle[rng.IntN(len(middle))]
		}
		for i := range v {
			x := rng.NormFloat64()
			if at != nil {
				x = 0.6*x + float64(at[i])*math.Sqrt(float64(dim))
			}
			v[i] = float32(x)
			sum += x * x
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(sum))
		}
		return v
	}
	for range centres {
		middle = append(middle, draw())
	}
	if centres > 0 { // the first of them were drawn around each other
		middle = middle[:centres]
	}
	return draw
}

func exact(list [][]float32, q []float32) []int {
	near, order := make([]float64, len(list)), make([]int, len(list))
	for i, v := range list {
		order[i] = i
		for j := range v {
			near[i] += float64(v[j]) * float64(q[j])
		}
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, near[b]-near[a])) })
	return order
}

// TestSizeOfASet holds a set of many documents to its dimension and 8 bytes
// more for each, and a small one to little.
func TestSizeOfASet(t *testing.T) {
	t.Parallel()
	size := func(s *Set) (bytes int) {
		for _, b := range s.blocks {
			bytes += cap(b.rows) + 4*cap(b.scales)
		}
		return bytes
	}
	s, v := New("fake", 512), Vector{Values: make([]int8, 512)}
	for doc := range 20 * blockRows {
		if err := s.Put(doc, v); err != nil {
			t.Fatal(err)
		}
		if n := doc + 1; (n == 3 || n == 100) && size(s) > 2*520*n {
			t.Errorf("%d documents take %d bytes", n, size(s))
		}
	}
	if got := size(s); got > 20*blockRows*520 {
		t.Errorf("%d documents take %d bytes", 20*blockRows, got)
	}
}
