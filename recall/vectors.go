package recall

import (
	"math"

	"engram/index"
	"engram/index/vectors"
)

// vectorsTaken is how many of the documents nearest in meaning enter the pool,
// beside those that the other channels bring (docs/evaluation.md).
const vectorsTaken = 200

// covered is the share of the visible documents that need a vector for the
// question's vector to be used: below it, the nearest would be a matter of who
// has one. It is not tuned.
const covered = 0.9

// meaning searches the documents by the vector of the question.
type meaning struct {
	set   *vectors.Set
	query *vectors.Query
}

// findMeaning says by which weights the question is ranked: those for vectors if
// it has one and nearly all documents have, else those for words.
func (se *search) findMeaning() {
	se.weights = &se.r.words
	s, v := se.space.Vectors, se.space.Meaning
	if s == nil || v == nil || v.Scale == 0 || se.without(stepVectors) || !se.vectorsCover(s) {
		return
	}
	q, err := s.Query(*v)
	if err != nil {
		return // of another dimension: the caller mixed models, and words still find
	}
	se.meaning, se.weights = &meaning{s, q}, &se.r.vectors
}

// vectorsCover reports whether nearly all visible documents have a vector.
func (se *search) vectorsCover(s *vectors.Set) bool {
	// There are at least as many visible documents as visible episodes, and no
	// more holes among them than among all.
	if holes := se.space.Index.Len(se.space.Fold.Len()) - s.Len(); float64(holes) <= (1-covered)*float64(se.view.Count()) {
		return true
	}
	visible, held := 0, 0
	for doc := range se.docs {
		if se.view.Visible(int(se.space.Index.Doc(doc).Episode)) {
			visible++
			if s.Has(doc) {
				held++
			}
		}
	}
	return float64(held) >= covered*float64(visible)
}

// nearest gives the documents nearest in meaning that may be seen.
func (m *meaning) nearest(se *search, gate func(int) bool) []vectors.Hit {
	if m == nil {
		return nil
	}
	return m.set.Scan(m.query, se.docs, vectorsTaken, gate)
}

// cosine gives that of the question and a document; not ok if the document has
// no vector or may not be seen.
func (m *meaning) cosine(se *search, doc int, gate func(int) bool) (cosine float64, ok bool) {
	if doc == index.None || doc >= se.docs || gate != nil && !gate(doc) {
		return 0, false
	}
	return m.set.Cosine(m.query, doc)
}

// features fills in what the vectors say: the cosine to the question as
// deviations from the mean of the pool (z), and that of the turns beside. What
// has no vector is as near as the mean.
func (m *meaning) features(se *search, pool []*candidate, gate func(int) bool) {
	if m == nil {
		return
	}
	sum, n := 0.0, 0.0
	for _, c := range pool {
		if cos, ok := m.cosine(se, c.doc, nil); ok {
			c.cosine, c.near = cos, true
			sum += cos
			n++
		}
	}
	mean, squares := ratio(sum, n), 0.0
	for _, c := range pool {
		if c.near {
			squares += float64((c.cosine - mean) * (c.cosine - mean))
		}
	}
	deviation := math.Sqrt(ratio(squares, n))
	if deviation < 1e-6 { // all are equally near
		return
	}
	for _, c := range pool {
		if c.near {
			c.features[fCosine] = (c.cosine - mean) / deviation
		}
		d, z, beside := se.space.Index.Doc(c.doc), 0.0, 0.0
		for _, doc := range [2]int32{d.Prev, d.Next} {
			if cos, ok := m.cosine(se, int(doc), gate); ok {
				z += (cos - mean) / deviation
				beside++
			}
		}
		c.features[fNeighboursCosine] = ratio(z, beside)
	}
}
