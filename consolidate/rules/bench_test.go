package rules_test

import (
	"testing"

	"engram/consolidate"
	"engram/consolidate/rules"
	"engram/memory"
)

// BenchmarkExtract reads the labelled turns, in both languages.
func BenchmarkExtract(b *testing.B) {
	r, err := rules.New()
	if err != nil {
		b.Fatal(err)
	}
	var turns []*memory.Episode
	for _, l := range loadSentences(b) {
		turns = append(turns, episode(l.Role, l.Speaker, l.Text, l.Occurred))
	}
	for i := 0; b.Loop(); i++ {
		turn := consolidate.Turn{ID: memory.ID{1}, Seq: 1, Episode: turns[i%len(turns)]}
		if _, err := r.Extract(b.Context(), consolidate.Window{Turn: turn}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}
