package recall

import (
	"fmt"
	"maps"
	"math"

	"engram/memory"
)

// explain says why a candidate is where it is.
func (se *search) explain(c *candidate) *memory.Explanation {
	e := &memory.Explanation{Channels: c.channels}
	if r := se.space.Reranked; r != nil && r.places[c.doc] > 0 {
		e.Channels = maps.Clone(c.channels)
		if e.Channels == nil {
			e.Channels = map[string]int{}
		}
		e.Channels[stepRerank] = r.places[c.doc]
	}
	for i, w := range se.weights.values {
		if v := c.features[i]; v != 0 {
			e.Features = append(e.Features, memory.Contribution{Feature: FeatureNames[i], Value: round(v), Weight: w})
		}
	}
	e.Why = se.why(c)
	d := se.space.Index.Doc(c.doc)
	e.Replaces = se.replaced(int(d.Episode))
	return e
}

func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// why puts the strongest reasons into sentences.
func (se *search) why(c *candidate) []string {
	f, d := &c.features, se.space.Index.Doc(c.doc)
	var out []string
	if n := math.Round(math.Expm1(f[fMatched])); n > 0 {
		out = append(out, fmt.Sprintf("has %.0f of the question's words", n))
	} else if f[fWindow] > 0 {
		out = append(out, "stands beside turns that have the question's words")
	}
	if f[fCosine] >= 2 {
		out = append(out, "is near the question in meaning")
	}
	if f[fAnswers] > 0 {
		out = append(out, "follows a question that matches")
	}
	if f[fSpeaker] > 0 {
		out = append(out, "was said by "+se.space.Index.SpeakerName(d.Speaker))
	}
	if f[fDate] > 0 {
		out = append(out, "fits the date asked for")
	}
	if f[fStanding] > 0 {
		out = append(out, "holds a standing instruction")
	}
	if r := se.space.Reranked; r != nil && r.places[c.doc] > 0 {
		out = append(out, fmt.Sprintf("was put at place %d by %s", r.places[c.doc], r.by))
	}
	if !se.query.Filter.IsZero() {
		out = append(out, "passes the filter")
	}
	if len(out) == 0 {
		out = append(out, "is among the newest")
	}
	return out
}

// replaced lists the earlier versions that an episode stands in for.
func (se *search) replaced(episode int) []memory.Seq {
	if se.space.Fold.Entry(episode).Episode.Key == "" {
		return nil
	}
	var out []memory.Seq
	for i := range episode {
		if by, ok := se.view.Replaced(i); ok && by == episode {
			out = append(out, se.space.Fold.Entry(i).Seq)
		}
	}
	return out
}
