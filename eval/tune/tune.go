// Package tune fits the weights of the ranker and of the verdict on benchmarks:
// folds, the two losses, cross-validation, and the held-out weights by which
// the program is measured on what its own weights were fitted on. It may import
// the engine, eval, memory, recall and gonum; nothing but cmd imports it.
package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"engram/eval"
	"engram/recall"
)

// Tuned is what a fit gives.
type Tuned struct {
	Weights  *recall.Weights // fitted on everything, with provenance and scores
	HeldOut  *Held           // for each case the weights fitted without it
	Results  []Summary       // by the weights fitted without the case asked
	Transfer []Summary       // by those fitted without its benchmark, if that was asked for
}

// Steps gives how many calls of progress Tune makes.
func (d *Data) Steps(leaveDataSetOut bool) int {
	n := len(LeaveOneCaseOut(d.Benches...)) + 1
	if leaveDataSetOut {
		n += len(d.Benches)
	}
	return n
}

// Tune fits weights on everything, measures by cross-validation what they are
// worth, and keeps the weights of each fold. The same data and options give the
// same files byte for byte.
func (d *Data) Tune(ctx context.Context, leaveDataSetOut bool, progress func()) (*Tuned, error) {
	folds := LeaveOneCaseOut(d.Benches...)
	rows, fitted, err := d.CrossValidate(ctx, folds, progress)
	if err != nil {
		return nil, err
	}
	out := &Tuned{HeldOut: &Held{Cases: map[string]recall.Weights{}}}
	if out.Results, err = Summarise(rows, "fitted without the case asked"); err != nil {
		return nil, err
	}
	for i, f := range folds {
		out.HeldOut.Cases[d.print(f)] = *fitted[i]
	}
	if leaveDataSetOut {
		rows, _, err := d.CrossValidate(ctx, LeaveOneBenchmarkOut(d.Benches...), progress)
		if err != nil {
			return nil, err
		}
		if out.Transfer, err = Summarise(rows, "fitted without the data set asked"); err != nil {
			return nil, err
		}
	}
	if out.Weights, err = d.Fit(ctx, Fold{}); err != nil {
		return nil, err
	}
	out.HeldOut.Weights = out.Weights.ID
	if progress != nil {
		progress()
	}
	return out, d.describe(ctx, out)
}

// print gives the fingerprint of the case that a fold holds out.
func (d *Data) print(f Fold) string {
	for _, b := range d.Benches {
		for i := range b.Cases {
			if f.Tests(b.Name, b.Cases[i].Name) {
				return b.Cases[i].Print
			}
		}
	}
	return ""
}

// describe notes how the weights were made and how they did. In-fold scores
// stand in the file under that name, to show how far they are off.
func (d *Data) describe(ctx context.Context, out *Tuned) error {
	var names []string
	for _, b := range d.Benches {
		names = append(names, b.Name)
	}
	out.Weights.Note = "fitted on " + strings.Join(names, " and ")
	if d.o.Model != "" {
		out.Weights.Note += ", with the vectors of " + d.o.Model
	}
	rows, err := d.Ask(ctx, out.Weights, Fold{})
	if err != nil {
		return err
	}
	scores := map[string]recall.Score{}
	for _, s := range out.Results {
		scores[s.Benchmark] = recall.Score{OutOfFold: rounded(s.Metrics)}
	}
	for _, s := range summarise(rows, string(eval.InFold)) {
		both := scores[s.Benchmark]
		both.InFold = rounded(s.Metrics)
		scores[s.Benchmark] = both
	}
	out.Weights.Provenance.Scores = scores
	return nil
}

func rounded(metrics map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for name, v := range metrics {
		out[name] = round4(v)
	}
	return out
}

// File gives a value as the text of a file.
func File(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
