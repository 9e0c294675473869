package tune

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"engram/memory"
)

// Group are the candidates of one question.
type Group struct {
	Set      string    // the benchmark; sets weigh as much as SetWeight says, however many questions they have
	Case     string    // of the benchmark; for folds
	Features []float64 // one row for each candidate, one after the other
	Positive []bool    // of each candidate: whether it is evidence
}

// defaultLambda is the penalty that was measured best (docs/evaluation.md).
const defaultLambda = 30

// FitOptions say how to fit.
type FitOptions struct {
	Lambda     float64            // penalty on squared weights of standardised features. Defaults to 30 (docs/evaluation.md)
	SetWeight  map[string]float64 // Defaults to 1 for sets not named
	Iterations int                // at most. Defaults to 300
}

// setScale is the total weight of the questions of a set of weight 1. It gives
// Lambda the scale at which it was measured (docs/evaluation.md).
const setScale = 500

// Fit gives the weights of a linear ranker, one for each name, that put the
// evidence of each question above its other candidates: for each positive the
// cross-entropy of its softmax against the negatives of its question, averaged
// over the question's positives. Groups without a positive or without a
// negative say nothing and are passed over. The features are standardised for
// the fit, the weights are those of the raw features; a feature that never
// varies gets 0. The same groups give the same weights. Groups that do not fit
// the names, or that say nothing at all, give memory.ErrInvalid.
func Fit(names []string, groups []Group, o FitOptions) ([]float64, error) {
	if o.Lambda == 0 {
		o.Lambda = defaultLambda
	}
	if o.Iterations == 0 {
		o.Iterations = 300
	}
	p, err := newProblem(names, groups, o)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	scale := p.standardise()
	result, err := optimize.Minimize(
		optimize.Problem{Func: p.loss, Grad: p.gradient},
		make([]float64, p.width),
		&optimize.Settings{
			MajorIterations: o.Iterations,
			Converger:       &optimize.FunctionConverge{Relative: 1e-10, Iterations: 5},
		},
		&optimize.LBFGS{},
	)
	if err != nil && (result == nil || !p.isFlat(result.X)) {
		return nil, fmt.Errorf("fit: %w", err)
	}
	return floats.DivTo(make([]float64, p.width), result.X, scale), nil
}

// problem is the loss as a function of the weights, laid out so that a question
// stays in the processor's cache while its slopes are taken.
type problem struct {
	width     int       // features of a candidate
	x         []float64 // candidates × width; of each question the positives, then the negatives
	questions []fitQuestion
	lambda    float64

	slopes []float64 // of the loss by the candidates' scores; room for the largest question
	at     []float64 // the weights for which value and grad were computed
	value  float64
	grad   []float64
}

type fitQuestion struct {
	start                int // of its rows in x
	positives, negatives int
	weight               float64 // of each positive
	rowWeight            float64 // of each candidate in the statistics of the features
}

func newProblem(names []string, groups []Group, o FitOptions) (*problem, error) {
	size := 0
	for _, g := range groups {
		size += len(g.Features)
	}
	p := &problem{width: len(names), x: make([]float64, 0, size), lambda: o.Lambda, grad: make([]float64, len(names))}
	questions, candidates := map[string]float64{}, map[string]float64{} // of a set
	var sets []string                                                   // of the questions
	for i, g := range groups {
		if err := g.validate(names); err != nil {
			return nil, fmt.Errorf("group %d: %w", i, err)
		}
		q := fitQuestion{start: len(p.x)}
		for _, positive := range g.Positive {
			if positive {
				q.positives++
			} else {
				q.negatives++
			}
		}
		if q.positives == 0 || q.negatives == 0 || o.setWeight(g.Set) == 0 {
			continue
		}
		p.x = g.appendRows(p.x, p.width, true)
		p.x = g.appendRows(p.x, p.width, false)
		p.questions = append(p.questions, q)
		sets = append(sets, g.Set)
		questions[g.Set]++
		candidates[g.Set] += float64(len(g.Positive))
		if n := len(g.Positive); n > len(p.slopes) {
			p.slopes = make([]float64, n)
		}
	}
	if len(p.questions) == 0 || p.width == 0 {
		return nil, fmt.Errorf("no feature, or no question with a positive and a negative candidate: %w", memory.ErrInvalid)
	}
	for i := range p.questions {
		q, set := &p.questions[i], sets[i]
		q.weight = setScale * o.setWeight(set) / questions[set] / float64(q.positives)
		q.rowWeight = o.setWeight(set) / candidates[set]
	}
	return p, nil
}

func (o FitOptions) setWeight(set string) float64 {
	if w, ok := o.SetWeight[set]; ok {
		return w
	}
	return 1
}

func (g *Group) validate(names []string) error {
	if want := len(names) * len(g.Positive); len(g.Features) != want {
		return fmt.Errorf("%d values for %d candidates of %d features: %w", len(g.Features), len(g.Positive), len(names), memory.ErrInvalid)
	}
	for i, v := range g.Features {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("feature %s is %v: %w", names[i%len(names)], v, memory.ErrInvalid)
		}
	}
	return nil
}

// appendRows appends the rows of the positives, or those of the negatives.
func (g *Group) appendRows(x []float64, width int, positive bool) []float64 {
	for i, p := range g.Positive {
		if p == positive {
			x = append(x, g.Features[i*width:(i+1)*width]...)
		}
	}
	return x
}

// rows calls f with each candidate's features and its weight in the statistics.
func (p *problem) rows(f func(row []float64, weight float64)) {
	for _, q := range p.questions {
		for i := range q.positives + q.negatives {
			f(p.row(q, i), q.rowWeight)
		}
	}
}

func (p *problem) row(q fitQuestion, i int) []float64 {
	at := q.start + i*p.width
	return p.x[at : at+p.width]
}

// standardise brings each feature to mean 0 and deviation 1, and gives the
// deviations: +Inf for a feature that never varies, so that its weight is 0.
func (p *problem) standardise() (deviations []float64) {
	total := 0.0
	means, deviations := make([]float64, p.width), make([]float64, p.width)
	p.rows(func(row []float64, weight float64) {
		total += weight
		floats.AddScaled(means, weight, row)
	})
	floats.Scale(1/total, means)
	p.rows(func(row []float64, weight float64) {
		floats.Sub(row, means)
		for k, v := range row {
			deviations[k] += weight * v * v
		}
	})
	for k, v := range deviations {
		deviations[k] = math.Sqrt(v / total)
		if deviations[k] <= 1e-9*math.Abs(means[k]) {
			deviations[k] = math.Inf(1)
		}
	}
	p.rows(func(row []float64, _ float64) { floats.Div(row, deviations) })
	return deviations
}

func (p *problem) loss(w []float64) float64 {
	p.compute(w)
	return p.value
}

func (p *problem) gradient(grad, w []float64) {
	p.compute(w)
	copy(grad, p.grad)
}

// compute sets value and grad for the weights w. With s the score of a positive
// and m = log Σ exp of the scores of the negatives of its question, its loss
// log(exp(s) + exp(m)) - s is softplus(m - s), its slope by s is -σ(m - s), and
// that slope is shared out over the negatives by their softmax.
func (p *problem) compute(w []float64) {
	if p.at != nil && floats.Equal(p.at, w) {
		return
	}
	p.at = append(p.at[:0], w...)
	p.value = p.lambda / 2 * floats.Dot(w, w)
	floats.ScaleTo(p.grad, p.lambda, w)
	for _, q := range p.questions {
		scores := p.slopes[:q.positives+q.negatives]
		for i := range scores {
			scores[i] = floats.Dot(p.row(q, i), w)
		}
		positives, negatives := scores[:q.positives], scores[q.positives:]
		m := floats.LogSumExp(negatives)
		pull := 0.0
		for i, s := range positives {
			loss, slope := softplus(m - s)
			p.value += q.weight * loss
			pull += q.weight * slope
			positives[i] = -q.weight * slope
		}
		for i, s := range negatives {
			negatives[i] = pull * math.Exp(s-m)
		}
		for i, slope := range scores {
			floats.AddScaled(p.grad, slope, p.row(q, i))
		}
	}
}

// softplus gives log(1 + exp(x)) and its slope, without overflow.
func softplus(x float64) (value, slope float64) {
	if x > 0 {
		e := math.Exp(-x)
		return x + math.Log1p(e), 1 / (1 + e)
	}
	e := math.Exp(x)
	return math.Log1p(e), e / (1 + e)
}

// isFlat reports whether w is the minimum as far as float64 can tell: there the
// line search finds no further step and gives an error.
func (p *problem) isFlat(w []float64) bool {
	p.compute(w)
	return floats.Norm(p.grad, math.Inf(1)) <= 1e-6*(1+p.value)
}
