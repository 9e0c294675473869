package tune

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
	"engram/recall"
)

// drawn makes questions whose memory holds the answer with a known probability.
func drawn(set string, n int, bias float64, weights []float64) []Judged {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]Judged, n)
	for i := range out {
		signals, z := make([]float64, len(weights)), bias
		for k := range signals {
			signals[k] = random.NormFloat64()
			z += weights[k] * signals[k]
		}
		out[i] = Judged{Set: set, Case: "1", From: "1", Signals: signals, Holds: random.Float64() < 1/(1+math.Exp(-z))}
	}
	return out
}

func TestCalibrateRecoversWeights(t *testing.T) {
	t.Parallel()
	want := []float64{1, -1.5, 0.5}
	judged := drawn("l", 20_000, 0, want)
	cal, err := Calibrate(recall.SignalNames(false), judged, FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range recall.SignalNames(false) {
		if math.Abs(cal.Features[name]-want[i]) > 0.2 {
			t.Errorf("%s weighs %v, want %v", name, cal.Features[name], want[i])
		}
	}
	lost, n := 0.0, 0.0
	for i := range judged {
		if judged[i].Holds {
			n++
			if probability(recall.SignalNames(false), &cal, judged[i].Signals) < cal.Threshold {
				lost++
			}
		}
	}
	if share := lost / n; share > lostAtMost || share < lostAtMost-0.005 {
		t.Errorf("the threshold %v loses %.3f of what has an answer", cal.Threshold, share)
	}
	again, err := Calibrate(recall.SignalNames(false), judged, FitOptions{})
	if err != nil || cmp.Diff(cal, again) != "" {
		t.Errorf("not the same again: %v", err)
	}
}

// A set pulls as hard as another, whatever its size; so do the two kinds of
// questions without an answer.
func TestCalibrateWeighsEqually(t *testing.T) {
	t.Parallel()
	yes := Judged{Set: "up", Case: "1", From: "1", Signals: []float64{1, 0, 0}, Holds: true}
	no := Judged{Set: "up", Case: "1", From: "1", Signals: []float64{0, 0, 0}}
	foreign := Judged{Set: "up", Case: "1", From: "2", Signals: []float64{0, 0, 0}}
	judged := []Judged{yes, no, foreign, foreign, foreign}
	_, weights := weighJudged(judged, FitOptions{})
	if diff := cmp.Diff([]float64{250, 125, 125 / 3.0, 125 / 3.0, 125 / 3.0}, weights); diff != "" {
		t.Error(diff)
	}
	for _, j := range judged[:2] { // the other way round in another set, and many of one kind
		j.Set, j.Holds = "down", !j.Holds
		for range 7 {
			judged = append(judged, j)
		}
	}
	cal, err := Calibrate(recall.SignalNames(false), judged, FitOptions{})
	if err != nil || math.Abs(cal.Features["held"]) > 0.01 {
		t.Errorf("two sets that say the opposite: %v, %v", cal.Features, err)
	}
	if cal, err = Calibrate(recall.SignalNames(false), judged, FitOptions{SetWeight: map[string]float64{"down": 0}}); err != nil || cal.Features["held"] <= 0 {
		t.Errorf("one alone: %v, %v", cal.Features, err)
	}
}

func TestCalibrateOnOneKind(t *testing.T) {
	t.Parallel()
	for _, holds := range []bool{true, false} {
		cal, err := Calibrate(recall.SignalNames(false), []Judged{{Set: "l", Case: "1", From: "1", Signals: []float64{1, 0, 0}, Holds: holds}}, FitOptions{})
		if err != nil || cal.Threshold != 0 || cal.Bias != 0 || len(cal.Features) != len(recall.SignalNames(false)) {
			t.Errorf("all of one kind: %+v, %v", cal, err)
		}
	}
	bad := []Judged{{Set: "l", Case: "1", From: "1", Signals: []float64{math.NaN(), 0, 0}}, {Set: "l", Case: "1", From: "1", Signals: []float64{0, 0, 0}, Holds: true}}
	if _, err := Calibrate(recall.SignalNames(false), bad, FitOptions{}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("not a number: %v", err)
	}
}
