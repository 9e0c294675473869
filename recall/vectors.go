package recall

import (
	"math"

	"engram/index"
	"engram/index/vectors"
)

// vectorsTaken is how many of the documents nearest in meaning enter the pool,
// beside those that the other channels bring (docs/evaluation.md).
const vectorsTaken = 200

// Covered reports whether enough of the visible documents have a vector for the
// question's vector to be used: if fewer had, the nearest would be a matter of
// who has one. Nine in ten are enough, or all but two, so that what was told just
// now does not turn a small memory back to words. Neither is tuned.
func Covered(held, visible int) bool {
	return held > 0 && (10*held >= 9*visible || visible-held <= 2)
}

// meaning searches the documents by the vector of the question.
type meaning struct {
	set   *vectors.Set
	query *vectors.Query
}

// findMeaning says by which weights the question is ranked: those for vectors if
// it has one and nearly all documents have, else those for words. The verdict
// goes by the same, but each model has cosines of its own size: of another one
// than the weights were fitted with, it does not look at them.
func (se *search) findMeaning() {
	se.weights, se.judge = &se.r.words, &se.r.words
	s, v := se.space.Vectors, se.space.Meaning
	if s == nil || v == nil || v.Scale == 0 || se.without(stepVectors) || !se.vectorsCover(s) {
		return
	}
	q, err := s.Query(*v)
	if err != nil {
		return // of another dimension: the caller mixed models, and words still find
	}
	se.meaning, se.weights = &meaning{s, q}, &se.r.vectors
	if p := se.weights.Provenance; p == nil || p.Model == se.space.Model {
		se.judge = se.weights
	}
}

// vectorsCover reports whether nearly all visible documents have a vector.
func (se *search) vectorsCover(s *vectors.Set) bool {
	// There are at least as many visible documents as visible episodes, and no
	// more holes among them than among all.
	episodes, holes := se.view.Count(), se.space.Index.Len(se.space.Fold.Len())-s.Len()
	if Covered(episodes-holes, episodes) {
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
	return Covered(held, visible)
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

// spread of the cosines of a pool: mean and deviation. A cosine counts in
// deviations from the mean (z), so that questions and models can be compared.
type spread struct{ mean, deviation float64 }

func (s spread) z(cosine float64) float64 { return (cosine - s.mean) / s.deviation }

// spreadOf takes the cosines of a pool; not ok if all are the same.
func (m *meaning) spreadOf(se *search, pool []*candidate) (s spread, ok bool) {
	sum, n := 0.0, 0.0
	for _, c := range pool {
		if c.cosine, c.near = m.cosine(se, c.doc, nil); c.near {
			sum += c.cosine
			n++
		}
	}
	s.mean = ratio(sum, n)
	squares := 0.0
	for _, c := range pool {
		if c.near {
			squares += float64((c.cosine - s.mean) * (c.cosine - s.mean))
		}
	}
	s.deviation = math.Sqrt(ratio(squares, n))
	return s, s.deviation >= 1e-6
}

// trustedShare is the share of a question's words, by rarity, that one candidate
// must hold for the words to count in full beside the vectors. Where none holds
// as much, as when the question says it all in other words, features relative to
// the best match only make noise large. A question about everything has general
// words and is left alone (docs/evaluation.md).
const trustedShare = 0.2

// ofWords are the features of the question's words.
var ofWords = [...]int{fWindow, fWords, fMatched, fPairs, fAnswers, fPrevious, fSibling, fBlock, fSession}

// trustWords takes from the features of the words what few words are not worth.
func (se *search) trustWords(pool []*candidate) {
	if se.overall() || len(se.words.Words) > overlapWords {
		return
	}
	held := 0.0
	for _, c := range pool {
		held = max(held, c.held)
	}
	share := ratio(held, se.words.All)
	if share >= trustedShare {
		return
	}
	trust := share / trustedShare
	trust *= trust
	for _, c := range pool {
		for _, i := range ofWords {
			c.features[i] *= trust
		}
	}
}

// features fills in what the vectors say: how near a candidate is to the
// question, and the turns beside and around it. What has no vector is as near as
// the mean.
func (m *meaning) features(se *search, pool []*candidate, gate func(int) bool) {
	if m == nil {
		return
	}
	s, ok := m.spreadOf(se, pool)
	if !ok {
		return
	}
	se.trustWords(pool)
	for _, c := range pool {
		d, f := se.space.Index.Doc(c.doc), &c.features
		if c.near {
			f[fCosine] = s.z(c.cosine)
		}
		sum, n := 0.0, 0.0
		for _, doc := range [2]int32{d.Prev, d.Next} {
			if cosine, ok := m.cosine(se, int(doc), gate); ok {
				sum += s.z(cosine)
				n++
			}
		}
		f[fNeighboursCosine] = ratio(sum, n)
		var top [3]float64
		members := se.space.Index.Session(d.Session)
		for i := max(0, int(d.Place)-3); i <= min(len(members)-1, int(d.Place)+3); i++ {
			if i == int(d.Place) {
				continue
			}
			if cosine, ok := m.cosine(se, int(members[i]), gate); ok {
				push(&top, s.z(cosine))
			}
		}
		f[fBlockCosine] = (top[0] + top[1] + top[2]) / 3
	}
}
