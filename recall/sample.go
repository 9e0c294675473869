package recall

import "engram/memory"

// Sample is a candidate as the ranker sees it, for fitting weights.
type Sample struct {
	Seq      memory.Seq
	Part     int
	Features []float64 // in the order of FittedNames
}

// FittedNames lists the features whose weights are fitted: for spaces with
// vectors, or for those without.
func FittedNames(vectors bool) []string { return FeatureNames[:fittedCount(vectors)] }

func fittedCount(vectors bool) int {
	if vectors {
		return fittedVectors
	}
	return fitted
}

// Signals gives what the verdict on a question is made from, in the order of
// SignalNames.
func (r *Recaller) Signals(s Space, q memory.Query, now memory.Time) []float64 {
	se := r.begin(s, q, now)
	e := se.grounds(se.facts(), se.ranked())
	return e.signals[:len(SignalNames(se.judge.UsesVectors()))]
}

// Samples gives the candidates for a question, unranked, with the features for
// vectors if it would be ranked by them.
func (r *Recaller) Samples(s Space, q memory.Query, now memory.Time) []Sample {
	se := r.begin(s, q, now)
	pool := se.candidates()
	out := make([]Sample, len(pool))
	for i, c := range pool {
		out[i] = Sample{Seq: se.entry(c.doc).Seq, Part: int(se.space.Index.Doc(c.doc).Part), Features: c.features[:fittedCount(se.meaning != nil)]}
	}
	return out
}
