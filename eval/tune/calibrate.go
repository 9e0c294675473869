package tune

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"engram/memory"
	"engram/recall"
)

// Judged is a question with the signals of the verdict on it.
type Judged struct {
	Set     string    // the benchmark
	Case    string    // whose memory is asked
	From    string    // whose question it is: another's is foreign, the memory never heard of it
	Signals []float64 // in the order of recall.SignalNames
	Holds   bool      // the memory holds the answer
}

func (j *Judged) foreign() bool { return j.From != j.Case }

// lostAtMost is the share of the questions of a set that have an answer which
// the threshold may withhold in the fit. Nobody forgives a memory that says it
// does not know what it was told.
const lostAtMost = 0.05

// calibrationLambda is the penalty on squared weights of standardised signals, on
// the scale of the ranker's. It is not tuned.
const calibrationLambda = 5

// Calibrate fits the verdict on signals of these names: a logistic regression
// with a penalty on squared weights. All sets weigh the same; in each, half is for
// what has an answer and half for what has none, foreign questions and the others
// in equal parts. The threshold is the highest at which no set loses more than a
// twentieth of what has an answer. Sets with only one of the two say nothing; if
// all are such, nothing is ever withheld.
func Calibrate(names []string, judged []Judged, o FitOptions) (recall.Calibration, error) {
	cal := recall.Calibration{Features: map[string]float64{}}
	for _, n := range names {
		cal.Features[n] = 0
	}
	used, weights := weighJudged(judged, o)
	if len(used) == 0 {
		return cal, nil
	}
	for i := range used {
		if len(used[i].Signals) != len(names) || floats.HasNaN(used[i].Signals) {
			return cal, fmt.Errorf("calibrate: signals %v of %d: %w", used[i].Signals, len(names), memory.ErrInvalid)
		}
	}
	values, err := logistic(used, weights, len(names))
	if err != nil {
		return cal, fmt.Errorf("calibrate: %w", err)
	}
	cal.Bias = round4(values[0])
	for i, n := range names {
		cal.Features[n] = round4(values[i+1])
	}
	cal.Threshold = threshold(used, names, &cal)
	return cal, nil
}

func round4(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// kind tells the three kinds of questions apart.
func (j *Judged) kind() int {
	switch {
	case j.Holds:
		return 0
	case j.foreign():
		return 1
	}
	return 2
}

// weighJudged gives the questions that say something, each with its weight.
func weighJudged(judged []Judged, o FitOptions) (used []Judged, weights []float64) {
	count := map[string]*[3]float64{}
	for i := range judged {
		j := &judged[i]
		if count[j.Set] == nil {
			count[j.Set] = new([3]float64)
		}
		count[j.Set][j.kind()]++
	}
	for i := range judged {
		j := &judged[i]
		n := count[j.Set]
		if n[0] == 0 || n[1]+n[2] == 0 || o.setWeight(j.Set) == 0 {
			continue
		}
		share := 0.5
		if !j.Holds && n[1] > 0 && n[2] > 0 {
			share = 0.25
		}
		used = append(used, *j)
		weights = append(weights, setScale*o.setWeight(j.Set)*share/n[j.kind()])
	}
	return used, weights
}

// logistic gives the bias, then the weights of the raw signals.
func logistic(used []Judged, weights []float64, width int) ([]float64, error) {
	means, deviations := moments(used, weights, width)
	loss := func(grad, w []float64) float64 {
		clear(grad)
		total := 0.0
		for i := range used {
			z := w[0]
			for k, v := range used[i].Signals {
				z += w[k+1] * (v - means[k]) / deviations[k]
			}
			sign := 1.0
			if used[i].Holds {
				sign = -1
			}
			value, slope := softplus(sign * z)
			total += weights[i] * value
			pull := weights[i] * sign * slope
			grad[0] += pull
			for k, v := range used[i].Signals {
				grad[k+1] += pull * (v - means[k]) / deviations[k]
			}
		}
		for k := range width {
			total += calibrationLambda / 2.0 * w[k+1] * w[k+1]
			grad[k+1] += calibrationLambda * w[k+1]
		}
		return total
	}
	scratch := make([]float64, width+1)
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(w []float64) float64 { return loss(scratch, w) },
		Grad: func(grad, w []float64) { loss(grad, w) },
	}, make([]float64, width+1), &optimize.Settings{
		Converger: &optimize.FunctionConverge{Relative: 1e-12, Iterations: 5},
	}, &optimize.LBFGS{})
	if result == nil || err != nil && floats.Norm(result.Gradient, math.Inf(1)) > 1e-3 {
		return nil, err
	}
	out := slices.Clone(result.X)
	for k := range width {
		out[k+1] /= deviations[k]
		out[0] -= out[k+1] * means[k]
	}
	return out, nil
}

// moments gives the mean and the deviation of each signal, +Inf where it never
// varies.
func moments(used []Judged, weights []float64, width int) (means, deviations []float64) {
	means, deviations = make([]float64, width), make([]float64, width)
	total := floats.Sum(weights)
	for i := range used {
		floats.AddScaled(means, weights[i]/total, used[i].Signals)
	}
	for i := range used {
		for k, v := range used[i].Signals {
			deviations[k] += weights[i] / total * (v - means[k]) * (v - means[k])
		}
	}
	for k, v := range deviations {
		if deviations[k] = math.Sqrt(v); deviations[k] <= 1e-9 {
			deviations[k] = math.Inf(1)
		}
	}
	return means, deviations
}

// threshold gives the lowest, over the sets, of the scores below which a
// twentieth of the questions lie that have an answer.
func threshold(used []Judged, names []string, cal *recall.Calibration) float64 {
	scores := map[string][]float64{}
	for i := range used {
		if j := &used[i]; j.Holds {
			scores[j.Set] = append(scores[j.Set], probability(names, cal, j.Signals))
		}
	}
	lowest := 1.0
	for _, list := range scores {
		slices.Sort(list)
		lowest = min(lowest, list[int(lostAtMost*float64(len(list)))])
	}
	return math.Floor(lowest*1e4) / 1e4
}

func probability(names []string, cal *recall.Calibration, signals []float64) float64 {
	z := cal.Bias
	for i, name := range names {
		z += cal.Features[name] * signals[i]
	}
	return 1 / (1 + math.Exp(-z))
}
