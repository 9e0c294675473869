package tune

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"engram/memory"
)

// synthetic makes questions whose positive is drawn by the softmax of the
// candidates' scores under the given weights. Features differ in scale, and the
// last never varies.
func synthetic(questions, candidates int, weights []float64) []Group {
	random := rand.New(rand.NewPCG(1, 2))
	groups := make([]Group, questions)
	for i := range groups {
		g := Group{Set: []string{"l", "b", "b"}[i%3], Case: fmt.Sprint(i % 5), Positive: make([]bool, candidates)}
		best, most := 0, math.Inf(-1)
		for c := range candidates {
			score := -math.Log(-math.Log(random.Float64())) // Gumbel noise: its largest is a draw by softmax
			for k, w := range weights {
				v := random.NormFloat64() / (1 + float64(k))
				if k == len(weights)-1 {
					v = 7
				}
				g.Features = append(g.Features, v)
				score += w * v
			}
			if score > most {
				best, most = c, score
			}
		}
		g.Positive[best] = true
		groups[i] = g
	}
	return groups
}

func featureNames(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("f", i)
	}
	return list
}

func TestFitRecoversWeights(t *testing.T) {
	t.Parallel()
	want := []float64{1.5, -2, 0, 3, 0}
	got, err := Fit(featureNames(5), synthetic(3000, 20, want), FitOptions{Lambda: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	for k := range want {
		if math.Abs(got[k]-want[k]) > 0.2 {
			t.Errorf("weights %.3f, want %.3f", got, want)
			break
		}
	}
	if got[4] != 0 {
		t.Errorf("a feature that never varies weighs %v", got[4])
	}
}

func TestFitGradient(t *testing.T) {
	t.Parallel()
	groups := synthetic(9, 6, []float64{1, -1, 2, 0})
	for i := range groups {
		groups[i].Positive[i%6] = true // some with two positives
	}
	p, err := newProblem(featureNames(4), groups, FitOptions{Lambda: 3, SetWeight: map[string]float64{"l": 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	p.standardise()
	for _, w := range [][]float64{{0, 0, 0, 0}, {0.3, -1, 2, 0.7}, {-5, 4, 3, -2}} {
		got := make([]float64, 4)
		p.gradient(got, w)
		want := fd.Gradient(nil, p.loss, w, &fd.Settings{Formula: fd.Central})
		if !floats.EqualApprox(got, want, 1e-4*(1+floats.Norm(want, 2))) {
			t.Errorf("at %v: gradient %v, by differences %v", w, got, want)
		}
	}
}

// Scores far apart must not become infinite losses.
func TestFitExtremeScores(t *testing.T) {
	t.Parallel()
	p, err := newProblem([]string{"f"}, []Group{
		{Features: []float64{-1e6, 1e6, 0}, Positive: []bool{true, true, false}},
	}, FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, 1)
	p.gradient(grad, []float64{1})
	if value := p.loss([]float64{1}); value != setScale/2*1e6 || grad[0] != -setScale/2*-1e6 {
		t.Errorf("loss %v, gradient %v", value, grad)
	}
}

func TestFitIsDeterministic(t *testing.T) {
	t.Parallel()
	groups := synthetic(200, 10, []float64{1, -1, 2, 0})
	first, err := Fit(featureNames(4), groups, FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(groups[0].Features)
	second, err := Fit(featureNames(4), groups, FitOptions{})
	if err != nil || !slices.Equal(first, second) {
		t.Errorf("%v and %v, %v", first, second, err)
	}
	if !slices.Equal(before, groups[0].Features) {
		t.Error("the features were changed")
	}
}

// Each set pulls as hard as its weight says, whatever its size.
func TestFitSetsWeighEqually(t *testing.T) {
	t.Parallel()
	up := Group{Set: "up", Features: []float64{1, 0}, Positive: []bool{true, false}}
	down := Group{Set: "down", Features: []float64{0, 1}, Positive: []bool{true, false}}
	silent := Group{Set: "down", Features: []float64{9, 9}, Positive: []bool{false, false}}
	groups := []Group{up, up, up, up, up, down, silent}
	fit := func(weights map[string]float64) float64 {
		w, err := Fit([]string{"f"}, groups, FitOptions{SetWeight: weights})
		if err != nil {
			t.Fatal(err)
		}
		return w[0]
	}
	if w := fit(nil); math.Abs(w) > 1e-6 {
		t.Errorf("five against one of equal weight: %v", w)
	}
	if w := fit(map[string]float64{"down": 0}); w <= 0 {
		t.Errorf("without the other: %v", w)
	}
	if w := fit(map[string]float64{"down": 3}); w >= 0 {
		t.Errorf("against three times the weight: %v", w)
	}
}

func TestFitRefuses(t *testing.T) {
	t.Parallel()
	for name, groups := range map[string][]Group{
		"nothing":        nil,
		"no negative":    {{Features: []float64{1}, Positive: []bool{true}}},
		"rows too short": {{Features: []float64{1}, Positive: []bool{true, false}}},
		"not a number":   {{Features: []float64{1, math.NaN()}, Positive: []bool{true, false}}},
	} {
		if _, err := Fit([]string{"f"}, groups, FitOptions{}); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The size of both benchmarks together: 5 s on one core at most.
func BenchmarkFit(b *testing.B) {
	weights := make([]float64, 28)
	for k := range weights {
		weights[k] = float64(k%5) - 2
	}
	groups := synthetic(1100, 150, weights)
	names := featureNames(28)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fit(names, groups, FitOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
