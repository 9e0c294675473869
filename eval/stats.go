package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Interval95 is a 95 % confidence interval.
type Interval95 struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

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
	out := Interval95{Low: max(0, centre-half), High: min(1, centre+half)}
	if hits == 0 {
		out.Low = 0 // exactly, where the difference above rounds
	}
	if hits == n {
		out.High = 1
	}
	return out
}

// bootstrapSamples is how often Bootstrap draws.
const bootstrapSamples = 2000

// Bootstrap gives the interval of the mean of values by the percentiles of
// resampled means. The same values in the same order and the same seed give the
// same interval; of none it is NaN. (Efron and Tibshirani, An Introduction to
// the Bootstrap, 1993, chapter 13.)
func Bootstrap(values []float64, seed uint64) Interval95 {
	if len(values) == 0 {
		return Interval95{Low: math.NaN(), High: math.NaN()}
	}
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // statistics, not secrets
	means := make([]float64, bootstrapSamples)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[random.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	return Interval95{Low: Percentile(means, 0.025), High: Percentile(means, 0.975)}
}

// PairedBootstrap gives the mean of a[i]-b[i], two measurements of the same
// questions, and its interval by Bootstrap. It panics if the lengths differ, and
// gives NaN of none.
func PairedBootstrap(a, b []float64, seed uint64) (difference float64, interval Interval95) {
	if len(a) != len(b) {
		panic("eval: PairedBootstrap of measurements of different questions")
	}
	differences := make([]float64, len(a))
	for i := range a {
		differences[i] = a[i] - b[i]
	}
	return Mean(differences), Bootstrap(differences, seed)
}

// SignTest gives the two-sided p of the exact sign test: how often plus and
// minus, numbers of differences of each sign, are at least so unequal if both
// signs are equally likely. Differences of 0 are left out before. Without any
// difference it is 1. (Dixon and Mood, JASA 41(236), 1946.)
func SignTest(plus, minus int) float64 {
	n, least := plus+minus, min(plus, minus)
	if n == 0 || 2*least == n {
		return 1
	}
	if least == 0 {
		return math.Ldexp(1, 1-n) // exact, where the sum below rounds
	}
	return min(1, 2*distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(least)))
}

// McNemar gives the two-sided p of the exact McNemar test: gained questions are
// right now and were wrong, lost ones the other way round; those that are right
// or wrong in both say nothing. (McNemar, Psychometrika 12(2), 1947; the
// binomial form in Agresti, Categorical Data Analysis, 2002, section 10.1.)
func McNemar(gained, lost int) float64 { return SignTest(gained, lost) }

// AUROC gives the area under the curve of the receiver operating
// characteristic: how likely a positive has a higher score than a negative, ties
// counting half. Without either it is NaN. (Hanley and McNeil, Radiology 143(1),
// 1982: the statistic of Mann and Whitney over the number of pairs.)
func AUROC(positive, negative []float64) float64 {
	sorted := slices.Clone(negative)
	slices.Sort(sorted)
	above := 0.0
	for _, score := range positive {
		below, _ := slices.BinarySearch(sorted, score)
		upTo, _ := slices.BinarySearch(sorted, math.Nextafter(score, math.Inf(1)))
		if math.IsInf(score, 1) {
			upTo = len(sorted)
		}
		above += float64(below) + float64(upTo-below)/2
	}
	return above / (float64(len(positive)) * float64(len(negative)))
}
