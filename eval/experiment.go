package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"engram/memory"
	"engram/recall"
)

// Weights fits one set of weights on the groups of every benchmark. The result
// is a weights file as recall.ParseWeights reads it.
func Weights(groups []Group, o FitOptions, note string) ([]byte, error) {
	names := recall.FittedNames()
	values, err := Fit(names, groups, o)
	if err != nil {
		return nil, err
	}
	w := recall.Weights{Version: recall.WeightsVersion, Note: note, Features: map[string]float64{}}
	for i, name := range names {
		w.Features[name] = math.Round(values[i]*1e4) / 1e4
	}
	b, err := json.MarshalIndent(w, "", "  ")
	return append(b, '\n'), err
}

// Without blanks features, so that a fit gives them no weight: what is lost
// says what they are worth. An unknown name gives memory.ErrInvalid.
func Without(groups []Group, features ...string) error {
	names := recall.FittedNames()
	for _, f := range features {
		at := slices.Index(names, f)
		if at < 0 {
			return fmt.Errorf("feature %q is none of %s: %w", f, strings.Join(names, ", "), memory.ErrInvalid)
		}
		for _, g := range groups {
			for i := at; i < len(g.Features); i += len(names) {
				g.Features[i] = 0
			}
		}
	}
	return nil
}

// Evaluate asks every question of a benchmark with the same weights, nil for
// the built-in ones.
func (b *Bench) Evaluate(ctx context.Context, weights *recall.Weights, ranker memory.Ranker, progress func()) ([]Row, error) {
	var rows []Row
	for i := range b.Cases {
		more, err := b.Run(ctx, i, weights, ranker)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
		if progress != nil {
			progress()
		}
	}
	return rows, nil
}

// CrossValidate asks the questions of each fold with weights that were fitted
// on the other folds of all benchmarks together. It gives the rows of each
// benchmark, in its order.
func CrossValidate(ctx context.Context, benches []*Bench, groups []Group, folds []Fold, o FitOptions, progress func()) (map[string][]Row, error) {
	rows := map[string][]Row{}
	for _, fold := range folds {
		file, err := Weights(fold.Train(groups), o, "without "+fold.String())
		if err != nil {
			return nil, fmt.Errorf("without %s: %w", fold, err)
		}
		weights, err := recall.ParseWeights(file)
		if err != nil {
			return nil, err
		}
		for _, b := range benches {
			for i := range b.Cases {
				if !fold.Tests(b.Name, b.Cases[i].Name) {
					continue
				}
				more, err := b.Run(ctx, i, &weights, memory.Linear)
				if err != nil {
					return nil, err
				}
				rows[b.Name] = append(rows[b.Name], more...)
			}
		}
		if progress != nil {
			progress()
		}
	}
	return rows, nil
}
