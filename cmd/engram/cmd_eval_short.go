package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/eval/report"
	"engram/memory"
)

// shortFlags are the flags of eval locomo and eval beam.
type shortFlags struct {
	run       runFlags
	with      []string
	cross     bool
	fit       string
	benchmark string
}

// newEvalShortCommand measures engram alone on one benchmark and keeps nothing.
func newEvalShortCommand(a *app, name string) *cobra.Command {
	f := shortFlags{benchmark: name}
	cmd := &cobra.Command{
		Use:   name + " --data PATH",
		Short: "Measure engram alone on " + name + ", without a language model",
		Long: `Measure engram alone, without a language model, and keep nothing. It is short for

  engram eval run ` + name + ` --data PATH --system engram --out DIR; engram eval report DIR

and with --cross-validate or --fit-weights for

  engram eval tune --set ` + name + `=PATH --out FILE

With --json {"benchmark", "questions", "metrics", "by_category", "latency_ms",
"engine_commit", "model", "weights", "fit"}, or what eval tune gives.`,
		Example: "  engram eval " + name + " --data PATH\n  engram eval " + name + " --data PATH --cross-validate --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.evalShort(cmd.Context(), &f)
		},
	}
	cmd.Flags().StringVar(&f.run.data, "data", "", "`PATH` of the benchmark (required)")
	cmd.Flags().StringVar(&f.run.weights, "weights", "", "rank by the weights in this `FILE` (default those of the program)")
	cmd.Flags().BoolVar(&f.cross, "cross-validate", false, "fit on the other conversations, leaving one out at a time")
	cmd.Flags().StringVar(&f.fit, "fit-weights", "", "fit on all conversations and write the weights to this `FILE`")
	cmd.Flags().StringArrayVar(&f.with, "with", nil, "`NAME=PATH` of another benchmark to fit on and measure too (may be repeated)")
	modelFlag(cmd, a)
	jsonFlag(cmd, &f.run.asJSON)
	return cmd
}

func (a *app) evalShort(ctx context.Context, f *shortFlags) error {
	switch {
	case f.run.data == "":
		return fmt.Errorf("eval %s needs --data PATH: %w", f.benchmark, memory.ErrInvalid)
	case f.cross || f.fit != "":
		return a.evalTune(ctx, &tuneFlags{
			sets: append([]string{f.benchmark + "=" + f.run.data}, f.with...), out: f.fit, lambda: defaultLambda, asJSON: f.run.asJSON,
		})
	case len(f.with) > 0:
		return fmt.Errorf("--with goes with --cross-validate or --fit-weights: %w", memory.ErrInvalid)
	}
	dir, err := os.MkdirTemp("", "engram-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory that cannot be removed harms nobody
	model, err := a.chosenModel()
	if err != nil {
		return err
	}
	f.run.setDefaults()
	f.run.quiet = true
	f.run.systems, f.run.out = []string{"engram"}, filepath.Join(dir, "run")
	if err := a.evalRun(ctx, f.benchmark, &f.run); err != nil {
		return err
	}
	run, err := report.Load(f.run.out)
	if err != nil {
		return err
	}
	reports, err := report.New(run)
	if err != nil {
		return err
	}
	if f.run.asJSON {
		return a.printJSON(summarise(reports[0], modelName(model)))
	}
	return a.printShort(reports[0], modelName(model))
}

// summary is what a short run gives, in the shape of --json.
type summary struct {
	Benchmark  string                        `json:"benchmark"`
	Questions  int                           `json:"questions"` // that have an answer
	Metrics    map[string]float64            `json:"metrics"`
	ByCategory map[string]map[string]float64 `json:"by_category"`
	LatencyMS  map[string]float64            `json:"latency_ms"`
	Commit     string                        `json:"engine_commit"`
	Model      string                        `json:"model"`
	Weights    string                        `json:"weights"`
	Fit        string                        `json:"fit"` // how the weights are related to the data
}

func summarise(r *report.Report, model string) summary {
	s := r.Systems["engram"]
	out := summary{
		Benchmark: r.Benchmark, Questions: s.Measured["covered"], Metrics: s.Metrics, ByCategory: s.ByCategory,
		LatencyMS: map[string]float64{}, Commit: version(), Model: model, Weights: strings.Join(s.Weights, ", "),
	}
	for name, ms := range s.LatencyMS {
		out.LatencyMS[strings.Replace(name, "ingest", "remember", 1)] = ms
	}
	for i, fit := range s.Fit {
		if i > 0 {
			out.Fit += ", "
		}
		out.Fit += string(fit)
	}
	return out
}

// printShort writes a table by category.
func (a *app) printShort(r *report.Report, model string) error {
	s := summarise(r, model)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: weights %s\n%-26s %5s ", s.Benchmark, s.Fit, "", "n")
	for _, c := range tuneColumns {
		fmt.Fprintf(&b, " %6s", c.head)
	}
	row := func(name string, n int, metrics map[string]float64) {
		fmt.Fprintf(&b, "\n%-26s %5d ", name, n)
		for _, c := range tuneColumns {
			fmt.Fprintf(&b, " %6.1f", 100*metrics[c.metric])
		}
	}
	for _, c := range slices.Sorted(maps.Keys(s.ByCategory)) {
		if _, ok := s.ByCategory[c]["covered"]; ok { // else it has no answers
			row(c, int(s.ByCategory[c]["questions"]), s.ByCategory[c])
		}
	}
	row("all", s.Questions, s.Metrics)
	fmt.Fprintf(&b, "\nremember p50 %.2f ms, p95 %.2f ms · recall p50 %.2f ms, p95 %.2f ms (budget %d) · %s · model %s · commit %s\n",
		s.LatencyMS["remember_p50"], s.LatencyMS["remember_p95"], s.LatencyMS["recall_p50"], s.LatencyMS["recall_p95"], memory.Budget, s.Weights, s.Model, s.Commit)
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

// evalLoCoMo measures LoCoMo for the demo.
func (a *app) evalLoCoMo(ctx context.Context, path string) error {
	return a.evalShort(ctx, &shortFlags{benchmark: "locomo", run: runFlags{data: path}})
}
