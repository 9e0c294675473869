package eval

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// RecallAt gives the share of the evidence among the first k of ranked. A unit
// that is there twice (two parts of one record) takes two places and counts
// once; pass Distinct(ranked) where it should take one. Without evidence it is 0.
func RecallAt(ranked, evidence []string, k int) float64 {
	if len(evidence) == 0 {
		return 0
	}
	first := ranked[:min(k, len(ranked))]
	found := 0
	for _, e := range evidence {
		if slices.Contains(first, e) {
			found++
		}
	}
	return float64(found) / float64(len(evidence))
}

// NDCGAt gives the normalised discounted cumulative gain of the first k of
// ranked. Each unit of evidence gains 1 where it is first met; the ideal has
// min(k, len(evidence)) of them in front. Without evidence it is 0.
// (Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.)
func NDCGAt(ranked, evidence []string, k int) float64 {
	gain, ideal := 0.0, 0.0
	first := ranked[:min(k, len(ranked))]
	for i, unit := range first {
		if slices.Contains(evidence, unit) && !slices.Contains(first[:i], unit) {
			gain += discount(i)
		}
	}
	for i := range min(k, len(evidence)) {
		ideal += discount(i)
	}
	if ideal == 0 {
		return 0
	}
	return gain / ideal
}

// ReciprocalRank gives one over the place of the first unit of evidence in
// ranked, 0 without one.
func ReciprocalRank(ranked, evidence []string) float64 {
	for i, unit := range ranked {
		if slices.Contains(evidence, unit) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

func discount(place int) float64 { return 1 / math.Log2(float64(place)+2) }

// SessionRecallAt gives the share of the sessions of the evidence among the
// first k sessions of ranked. session gives that of a unit.
func SessionRecallAt(ranked, evidence []string, session func(string) string, k int) float64 {
	return RecallAt(Distinct(ranked, session), Distinct(evidence, session), k)
}

// Distinct maps units to what they are part of and gives each of these once, in
// the order in which they first appear.
func Distinct[T any](units []T, of func(T) string) []string {
	var list []string
	seen := map[string]bool{}
	for _, u := range units {
		if id := of(u); !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	return list
}

// Mean gives the mean of values, NaN of none.
func Mean(values []float64) float64 { return stat.Mean(values, nil) }

// Percentile gives the smallest of values that at least the share p of them,
// in [0, 1], does not exceed; NaN of none.
func Percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return stat.Quantile(p, stat.Empirical, sorted, nil)
}
