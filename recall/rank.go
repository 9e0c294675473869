package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"engram/memory"
)

// rank scores the pool and puts the best first. Scores are rounded before they
// are compared, so that ties are ties on every processor; ties go to the
// earlier document.
func (se *search) rank(pool []*candidate) {
	if se.query.Explain || se.query.Ranker == memory.RRF {
		se.rankChannels(pool)
	}
	for _, c := range pool {
		c.score = math.Round(se.score(c)*1e6) / 1e6
	}
	slices.SortFunc(pool, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
	})
}

func (se *search) score(c *candidate) float64 {
	switch se.query.Ranker {
	case memory.RRF:
		return rrf(c.channels)
	case memory.Fixed:
		return se.fixed(c)
	default:
		total := 0.0
		for i, w := range se.weights.values {
			total += float64(w * c.features[i])
		}
		return total
	}
}

// rrf is reciprocal rank fusion with k = 60, after Cormack, Clarke and Büttcher (2009).
func rrf(ranks map[string]int) float64 {
	total := 0.0
	for _, name := range channelNames {
		if rank, ok := ranks[name]; ok {
			total += 1 / float64(60+rank)
		}
	}
	return total
}

// recencyHalfLife, in days, is that of the fixed ranker's recency; untuned.
const recencyHalfLife = 30

// fixed adds up the query's own weights.
func (se *search) fixed(c *candidate) float64 {
	w := se.query.Weights
	if w == nil {
		w = map[string]float64{"semantic": 1}
	}
	semantic := (c.features[fWords] + c.features[fWindow]) / 2
	recency := math.Exp2(-se.ageDays(c.doc) / recencyHalfLife)
	return float64(w["semantic"]*semantic) + float64(w["recency"]*recency) + float64(w["salience"]*c.features[fSalience])
}

// channelNames are the channels that have a rank of their own.
var channelNames = []string{"words", "window", "session", "time", "vectors"}

// rankChannels notes each candidate's place in the channels that found it.
func (se *search) rankChannels(pool []*candidate) {
	for i, name := range channelNames {
		feature := [...]int{fWords, fWindow, fSession, fDate, fCosine}[i]
		order := slices.Clone(pool)
		slices.SortFunc(order, func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(b.features[feature], a.features[feature]), cmp.Compare(a.doc, b.doc))
		})
		for place, c := range order {
			if c.features[feature] <= 0 {
				break
			}
			if c.channels == nil {
				c.channels = map[string]int{}
			}
			c.channels[name] = place + 1
		}
	}
}

// novel leaves out what an earlier item says already, word for word by the
// same speaker, and notes where it was said again.
func (se *search) novel(pool []*candidate) (kept []*candidate, same map[int][]memory.Seq) {
	same = map[int][]memory.Seq{}
	pool = se.spread(pool)
	if se.without(stepNovelty) {
		return pool, same
	}
	said := map[uint64][]*candidate{}
	for _, c := range pool {
		print := se.space.Index.Doc(c.doc).Print
		twin := slices.IndexFunc(said[print], func(k *candidate) bool { return se.saysTheSame(k.doc, c.doc) })
		if twin >= 0 {
			first := said[print][twin].doc
			same[first] = append(same[first], se.entry(c.doc).Seq)
			continue
		}
		said[print] = append(said[print], c)
		kept = append(kept, c)
	}
	return kept, same
}

// saysTheSame compares two documents word for word. Terms alone do not tell:
// "I can eat nuts" and "I can't eat nuts" have the same.
func (se *search) saysTheSame(a, b int) bool {
	return se.space.Index.SameWords(a, b) && strings.EqualFold(spaced(se.text(a)), spaced(se.text(b)))
}

// spaced gives a text with single blanks between its words.
func spaced(s string) string { return strings.Join(strings.Fields(s), " ") }

// spread puts one part of each episode before the further parts of any: a
// question about everything wants many episodes rather than much of one.
func (se *search) spread(pool []*candidate) []*candidate {
	if !se.overall() || se.without(stepSpread) {
		return pool
	}
	var first, further []*candidate
	seen := map[int32]bool{}
	for _, c := range pool {
		if e := se.space.Index.Doc(c.doc).Episode; !seen[e] {
			seen[e] = true
			first = append(first, c)
		} else {
			further = append(further, c)
		}
	}
	return append(first, further...)
}
