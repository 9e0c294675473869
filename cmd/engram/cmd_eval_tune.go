package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/eval"
	"engram/eval/tune"
	"engram/memory"
	"engram/recall"
)

// defaultLambda is that of the ranker (docs/evaluation.md).
const defaultLambda = 30

// tuneFlags are the flags of eval tune.
type tuneFlags struct {
	sets, without []string
	out, heldOut  string
	lambda        float64
	leaveDataSet  bool
	asJSON        bool
}

func newEvalTuneCommand(a *app) *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune --set NAME=PATH",
		Short: "Fit the ranker and the verdict on benchmarks, with cross-validation",
		Long: `Fit the weights of the ranker and of the verdict on benchmarks, and say what they are
worth on data that they have not seen. Every case is told into a store of its own; one
case at a time is left out, the weights are fitted on all others, and the questions of
the one left out are asked; with --leave-data-set-out a whole benchmark is left out, too.
Numbers of weights on what they were fitted on are no result and not shown.

  recall@K, ndcg@10, session_recall@10   of the first K episodes, or sessions
  covered@Nk, any_part@Nk                evidence in a context of N thousand tokens: its
                                         decisive part, or any part of it
  auroc_unanswerable, auroc_foreign      how surely the verdict tells what has an answer
                                         from what has none, and from the questions of
                                         another case
  withheld_…                             share of questions that it calls unanswerable

--out writes weights that were fitted on everything, with their provenance, and --held-out
those fitted without each case, by which a run on the same data is measured. The program
is built with two pairs of such files: recall/weights.json and eval/tune/heldout.json for
memories without vectors (--model none), weights-vectors.json and heldout-vectors.json
beside them for those with.

` + modelHelp + `

With --json {"benchmark", "fit", "questions", "metrics", "by_category", "engine_commit"}, a
line for each benchmark and way to leave out.`,
		Example: `  engram eval tune --set locomo=locomo10.json --set beam=chats/100K
  engram eval tune --set locomo=locomo10.json --set beam=chats/100K --without speaker
  engram eval tune --set locomo=locomo10.json --set beam=chats/100K --model none --out weights.json --held-out heldout.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.evalTune(cmd.Context(), &f)
		},
	}
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "benchmark and its data, `NAME=PATH` (required, may be repeated)")
	cmd.Flags().StringVar(&f.out, "out", "", "write the weights to this `FILE`")
	cmd.Flags().StringVar(&f.heldOut, "held-out", "", "write the weights fitted without each case to this `FILE`")
	cmd.Flags().BoolVar(&f.leaveDataSet, "leave-data-set-out", false, "measure, too, with a whole benchmark left out at a time")
	cmd.Flags().StringArrayVar(&f.without, "without", nil, "fit without this `FEATURE` of the ranker (may be repeated)")
	modelFlag(cmd, a)
	cmd.Flags().Float64Var(&f.lambda, "lambda", defaultLambda, "`PENALTY` on squared weights of the ranker")
	jsonFlag(cmd, &f.asJSON)
	return cmd
}

func (f *tuneFlags) validate() error {
	switch {
	case len(f.sets) == 0:
		return fmt.Errorf("eval tune needs --set NAME=PATH: %w", memory.ErrInvalid)
	case f.leaveDataSet && len(f.sets) < 2:
		return fmt.Errorf("--leave-data-set-out needs a second --set: %w", memory.ErrInvalid)
	case !(f.lambda > 0) || math.IsInf(f.lambda, 1):
		return fmt.Errorf("--lambda %v is no penalty: it must be more than 0: %w", f.lambda, memory.ErrInvalid)
	}
	return nil
}

func (a *app) evalTune(ctx context.Context, f *tuneFlags) error {
	if err := f.validate(); err != nil {
		return err
	}
	sets, err := f.load()
	if err != nil {
		return err
	}
	o, err := a.tuneOptions(f)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "engram-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory that cannot be removed harms nobody
	var benches []*tune.Bench
	for _, set := range sets {
		bar := a.progress("telling "+set.Name, -1, false)
		bench, err := tune.Tell(ctx, set, a.tuneOpener(dir), counting(bar))
		bar.done()
		if err != nil {
			return err
		}
		benches = append(benches, bench)
	}
	data, err := tune.Gather(ctx, benches, o)
	if err != nil {
		return err
	}
	bar := a.progress("fitting and asking", int64(data.Steps(f.leaveDataSet)), false)
	tuned, err := data.Tune(ctx, f.leaveDataSet, counting(bar))
	bar.done()
	if err != nil {
		return err
	}
	for _, s := range slices.Concat(tuned.Results, tuned.Transfer) {
		s.Commit = version()
		if err := a.printTuned(&s, f.asJSON); err != nil {
			return err
		}
	}
	return a.writeTuned(f, tuned)
}

// tuneOptions say how to fit: by the vectors of --model, if it names one.
func (a *app) tuneOptions(f *tuneFlags) (tune.Options, error) {
	o := tune.Options{FitOptions: tune.FitOptions{Lambda: f.lambda}, Without: f.without, Commit: version()}
	model, err := a.chosenModel()
	if err == nil && model != nil {
		o.Model = model.Name()
	}
	return o, err
}

// load reads the benchmarks that --set names.
func (f *tuneFlags) load() ([]*eval.Benchmark, error) {
	var out []*eval.Benchmark
	for _, set := range f.sets {
		name, path, ok := strings.Cut(set, "=")
		if !ok {
			return nil, fmt.Errorf("--set %q is no NAME=PATH: %w", set, memory.ErrInvalid)
		}
		b, err := loadBenchmark(name, path)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o *eval.Benchmark) bool { return o.Name == b.Name }) {
			return nil, fmt.Errorf("--set names %s twice: %w", b.Name, memory.ErrInvalid)
		}
		out = append(out, b)
	}
	return out, nil
}

// tuneOpener keeps each case in a store of its own below dir.
func (a *app) tuneOpener(dir string) tune.Opener {
	return func(ctx context.Context, name string, weights *recall.Weights, now time.Time) (*engram.Engine, error) {
		path := filepath.Join(dir, strings.ReplaceAll(name, "/", "_")+".db")
		o := engram.Options{Now: func() time.Time { return now }}
		tune.Rank(&o, weights)
		return a.openEngine(ctx, path, o)
	}
}

// writeTuned writes the files that were asked for.
func (a *app) writeTuned(f *tuneFlags, t *tune.Tuned) error {
	for _, file := range []struct {
		what, path string
		value      any
	}{{"weights", f.out, t.Weights}, {"held-out weights", f.heldOut, t.HeldOut}} {
		if file.path == "" {
			continue
		}
		b, err := tune.File(file.value)
		if err != nil {
			return fmt.Errorf("write the %s: %w", file.what, err)
		}
		if err := os.WriteFile(file.path, b, 0o644); err != nil { //nolint:gosec // weights are no secret
			return fmt.Errorf("write the %s: %w", file.what, err)
		}
		a.note("The %s (%s) are in %s.", file.what, t.Weights.ID, file.path)
	}
	return nil
}

// tuneColumns of the table, in order.
var tuneColumns = []struct{ head, metric string }{
	{"R@5", "recall@5"},
	{"R@10", "recall@10"},
	{"R@20", "recall@20"},
	{"N@10", "ndcg@10"},
	{"S@10", "session_recall@10"},
	{"cov@1k", "covered@1k"},
	{"cov@2k", "covered@2k"},
	{"cov@4k", "covered@4k"},
	{"cov@8k", "covered@8k"},
	{"any@2k", "any_part@2k"},
	{"any@4k", "any_part@4k"},
}

func (a *app) printTuned(s *tune.Summary, asJSON bool) error {
	if asJSON {
		return a.printJSON(s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%-26s %5s ", s.Benchmark, s.Fit, "", "n")
	for _, c := range tuneColumns {
		fmt.Fprintf(&b, " %6s", c.head)
	}
	row := func(name string, n int, metrics map[string]float64) {
		fmt.Fprintf(&b, "\n%-26s %5d ", name, n)
		for _, c := range tuneColumns {
			fmt.Fprintf(&b, " %6.1f", 100*metrics[c.metric])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.ByCategory)) {
		row(name, int(s.ByCategory[name]["questions"]), s.ByCategory[name])
	}
	row("all", s.Questions, s.Metrics)
	b.WriteString("\nverdict:")
	for i, name := range []string{"unanswerable", "foreign"} {
		if area, ok := s.Metrics["auroc_"+name]; ok {
			fmt.Fprintf(&b, "%s %s AUROC %.3f, withheld %.1f %%", []string{"", " ·"}[min(i, 1)], name, area, 100*s.Metrics["withheld_"+name])
		}
	}
	fmt.Fprintf(&b, " · answerable withheld %.1f %% · commit %s\n", 100*s.Metrics["withheld_answerable"], s.Commit)
	_, err := io.WriteString(a.stdout, b.String())
	return err
}
