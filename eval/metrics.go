package eval

import (
	"math"
	"math/rand/v2"
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

// Interval95 is a 95 % confidence interval.
type Interval95 struct{ Low, High float64 }

// Wilson gives the interval of a share of hits in n trials; [0, 1] of none.
// (Wilson, JASA 22(158), 1927.)
func Wilson(hits, n int) Interval95 {
	if n == 0 {
		return Interval95{Low: 0, High: 1}
	}
	const z = 1.959963984540054 // the 97.5 % quantile of the normal distribution
	trials := float64(n)
	p := float64(hits) / trials
	scale := 1 + z*z/trials
	centre := (p + z*z/(2*trials)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/trials+z*z/(4*trials*trials))
	return Interval95{Low: max(0, centre-half), High: min(1, centre+half)}
}

// bootstrapSamples is how often PairedBootstrap draws.
const bootstrapSamples = 2000

// PairedBootstrap gives the mean of a[i]-b[i], two measurements of the same
// questions, and its interval by the percentiles of resampled means. The same
// seed gives the same interval. It panics if the lengths differ, and gives NaN
// of none.
func PairedBootstrap(a, b []float64, seed uint64) (difference float64, interval Interval95) {
	if len(a) != len(b) {
		panic("eval: PairedBootstrap of measurements of different questions")
	}
	if len(a) == 0 {
		return math.NaN(), Interval95{Low: math.NaN(), High: math.NaN()}
	}
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // statistics, not secrets
	means := make([]float64, bootstrapSamples)
	for i := range means {
		sum := 0.0
		for range differences {
			sum += differences[random.IntN(len(differences))]
		}
		means[i] = sum / float64(len(differences))
	}
	return Mean(differences), Interval95{Low: Percentile(means, 0.025), High: Percentile(means, 0.975)}
}
