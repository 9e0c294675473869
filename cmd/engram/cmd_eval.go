package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/eval"
	"engram/memory"
	"engram/recall"
)

// benchmarks are what eval can measure.
var benchmarks = []struct {
	name string
	load func(path string) (*eval.Benchmark, error)
}{
	{"locomo", eval.LoadLoCoMo},
	{"beam", eval.LoadBEAM},
}

func loadBenchmark(name, path string) (*eval.Benchmark, error) {
	var names []string
	for _, b := range benchmarks {
		if b.name == name {
			if _, err := os.Stat(path); err != nil { // what is not there is no invalid input
				return nil, fmt.Errorf("load %s: %w", name, err)
			}
			return b.load(path)
		}
		names = append(names, b.name)
	}
	return nil, fmt.Errorf("benchmark %q is none of %s: %w", name, strings.Join(names, ", "), memory.ErrInvalid)
}

// evalFlags are the flags of eval.
type evalFlags struct {
	data, with, without []string
	fit, weights        string
	ranker              string
	cross, leaveDataSet bool
	asJSON              bool
}

func newEvalCommand(a *app) *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval {locomo|beam} --data PATH",
		Short: "Measure recall on a public benchmark, or fit the ranker on some",
		Long: `Measure recall on a public benchmark. Every conversation is told into a store of its
own, with the dates of the data; then every question is asked by its text alone.

  recall@K           share of a question's evidence among the first K episodes
  ndcg@10            the same, earlier places counting more
  session_recall@10  share of the evidence's sessions among the first 10 sessions
  covered@Nk         share of the evidence whose decisive part is whole in a context
                     of N thousand tokens
  any_part@Nk        the same for any part of it

LoCoMo is the file locomo10.json, BEAM a directory with one directory a chat.

--cross-validate leaves one conversation out at a time, fits the weights on all others,
of --with too, and asks the questions of the one left out; with --leave-data-set-out one
whole benchmark is left out. --fit-weights fits on everything and writes a weights file.

With --json {"benchmark", "questions", "metrics", "by_category", "latency_ms",
"engine_commit", "model", "weights", "fit"}, a line for each benchmark measured.`,
		Example: `  engram eval locomo --data locomo10.json
  engram eval locomo --data locomo10.json --with beam=chats/100K --cross-validate
  engram eval locomo --data locomo10.json --with beam=chats/100K --cross-validate --without speaker
  engram eval locomo --data locomo10.json --with beam=chats/100K --fit-weights weights.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eval(cmd.Context(), args[0], &f)
		},
	}
	cmd.Flags().StringArrayVar(&f.data, "data", nil, "`PATH` of the benchmark (required)")
	cmd.Flags().StringArrayVar(&f.with, "with", nil, "`NAME=PATH` of another benchmark to fit on and measure too (may be repeated)")
	cmd.Flags().BoolVar(&f.cross, "cross-validate", false, "fit on the other conversations, leaving one out at a time")
	cmd.Flags().BoolVar(&f.leaveDataSet, "leave-data-set-out", false, "with --cross-validate: leave out a whole benchmark at a time")
	cmd.Flags().StringArrayVar(&f.without, "without", nil, "fit without this `FEATURE` of the ranker (may be repeated)")
	cmd.Flags().StringVar(&f.fit, "fit-weights", "", "fit on all conversations and write the weights to this `FILE`")
	cmd.Flags().StringVar(&f.weights, "weights", "", "rank by the weights in this `FILE` (default those of the program)")
	cmd.Flags().StringVar(&f.ranker, "ranker", string(memory.Linear), "`RANKER`: linear, fixed or rrf")
	jsonFlag(cmd, &f.asJSON)
	cmd.AddCommand(newBitemporalCommand(a))
	return cmd
}

func (f *evalFlags) validate() error {
	switch {
	case len(f.data) != 1:
		return fmt.Errorf("eval needs --data PATH, just once: %w", memory.ErrInvalid)
	case f.leaveDataSet && !f.cross:
		return fmt.Errorf("--leave-data-set-out goes with --cross-validate: %w", memory.ErrInvalid)
	case len(f.without) > 0 && !f.cross && f.fit == "":
		return fmt.Errorf("--without goes with --cross-validate or --fit-weights: %w", memory.ErrInvalid)
	case f.leaveDataSet && len(f.with) == 0:
		return fmt.Errorf("--leave-data-set-out needs a second benchmark (--with NAME=PATH): %w", memory.ErrInvalid)
	case f.weights != "" && (f.cross || f.fit != ""):
		return fmt.Errorf("--weights does not go with --cross-validate or --fit-weights, which make their own: %w", memory.ErrInvalid)
	}
	q := memory.Query{Question: "?", Ranker: memory.Ranker(f.ranker)}
	return q.Resolve()
}

func (a *app) eval(ctx context.Context, name string, f *evalFlags) error {
	if err := f.validate(); err != nil {
		return err
	}
	sets, err := f.load(name)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "engram-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory that cannot be removed harms nobody
	benches, err := a.tellCases(ctx, dir, sets)
	if err != nil {
		return err
	}
	if f.cross || f.fit != "" {
		return a.evalFitted(ctx, f, benches)
	}
	weights, err := f.readWeights()
	if err != nil {
		return err
	}
	for _, b := range benches {
		bar := a.progress("asking "+b.Name, int64(len(b.Cases)), false)
		rows, err := b.Evaluate(ctx, weights, memory.Ranker(f.ranker), counting(bar))
		bar.done()
		if err != nil {
			return err
		}
		id, how := recallWeights(weights, f), "weights as they come with the program"
		if weights != nil {
			how = "weights of " + filepath.Base(f.weights)
		}
		if err := a.summary(b, rows, id, how, f.asJSON); err != nil {
			return err
		}
	}
	return nil
}

// load reads the benchmark and those named by --with.
func (f *evalFlags) load(name string) ([]*eval.Benchmark, error) {
	first, err := loadBenchmark(name, f.data[0])
	if err != nil {
		return nil, err
	}
	sets := []*eval.Benchmark{first}
	for _, w := range f.with {
		other, path, ok := strings.Cut(w, "=")
		if !ok {
			return nil, fmt.Errorf("--with %q is no NAME=PATH: %w", w, memory.ErrInvalid)
		}
		set, err := loadBenchmark(other, path)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// tellCases remembers every conversation in a store of its own below dir.
func (a *app) tellCases(ctx context.Context, dir string, sets []*eval.Benchmark) ([]*eval.Bench, error) {
	open := func(ctx context.Context, c *eval.Case, weights *recall.Weights, now time.Time) (*engram.Engine, error) {
		clock := func() time.Time { return now }
		s, err := a.openStore(ctx, filepath.Join(dir, strings.ReplaceAll(c.Name, "/", "_")+".db"), clock, false)
		if err != nil {
			return nil, err
		}
		engine, err := engram.Open(ctx, s, engram.Options{Now: clock, Random: a.random, Weights: weights})
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		return engine, nil
	}
	var benches []*eval.Bench
	for _, set := range sets {
		turns := 0
		for _, c := range set.Cases {
			turns += len(c.Records)
		}
		bar := a.progress("telling "+set.Name, int64(turns), false)
		bench, err := eval.Tell(ctx, set, open, counting(bar))
		bar.done()
		if err != nil {
			return nil, err
		}
		benches = append(benches, bench)
	}
	return benches, nil
}

// counting moves a bar by one at each call.
func counting(bar *progress) func() {
	n := int64(0)
	return func() {
		n++
		bar.set(n)
	}
}

// evalFitted fits weights on all benchmarks, or cross-validates them.
func (a *app) evalFitted(ctx context.Context, f *evalFlags, benches []*eval.Bench) error {
	var groups []eval.Group
	var sets []*eval.Benchmark
	var names []string
	for _, b := range benches {
		more, err := b.Groups(ctx)
		if err != nil {
			return err
		}
		groups, sets = append(groups, more...), append(sets, b.Benchmark)
		names = append(names, b.Name)
	}
	if err := eval.Without(groups, f.without...); err != nil {
		return err
	}
	if f.fit != "" {
		file, err := eval.Weights(groups, eval.FitOptions{}, "fitted on "+strings.Join(names, " and "))
		if err != nil {
			return err
		}
		if err := os.WriteFile(f.fit, file, 0o644); err != nil { //nolint:gosec // weights are no secret
			return fmt.Errorf("write the weights: %w", err)
		}
		a.note("Weights fitted on %d questions of %s: %s", len(groups), strings.Join(names, " and "), f.fit)
	}
	if !f.cross {
		return nil
	}
	folds, how := eval.LeaveOneCaseOut(sets...), "fitted without the conversation asked"
	if f.leaveDataSet {
		folds, how = eval.LeaveOneBenchmarkOut(sets...), "fitted without the data set asked"
	}
	bar := a.progress("fitting and asking", int64(len(folds)), false)
	rows, err := eval.CrossValidate(ctx, benches, groups, folds, eval.FitOptions{}, counting(bar))
	bar.done()
	if err != nil {
		return err
	}
	for _, b := range benches {
		if err := a.summary(b, rows[b.Name], "cross-validated", how, f.asJSON); err != nil {
			return err
		}
	}
	return nil
}

func (f *evalFlags) readWeights() (*recall.Weights, error) {
	if f.weights == "" {
		return nil, nil //nolint:nilnil // nil weights are the built-in ones
	}
	b, err := os.ReadFile(f.weights)
	if err != nil {
		return nil, fmt.Errorf("read the weights: %w", err)
	}
	w, err := recall.ParseWeights(b)
	return &w, err
}

// recallWeights names what ranks.
func recallWeights(w *recall.Weights, f *evalFlags) string {
	if memory.Ranker(f.ranker) != memory.Linear {
		return f.ranker
	}
	if w != nil {
		return w.ID
	}
	builtin, err := recall.Builtin()
	if err != nil {
		return ""
	}
	return builtin.ID
}

func (a *app) summary(b *eval.Bench, rows []eval.Row, weights, fit string, asJSON bool) error {
	s := eval.Summarise(b, rows)
	s.Weights, s.Fit, s.Commit = weights, fit, version()
	if asJSON {
		return a.printJSON(s)
	}
	return s.Table(a.stdout)
}

// evalLoCoMo measures LoCoMo for the demo.
func (a *app) evalLoCoMo(ctx context.Context, path string) error {
	return a.eval(ctx, "locomo", &evalFlags{data: []string{path}, ranker: string(memory.Linear)})
}
