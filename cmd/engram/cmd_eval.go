package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram"
	"engram/eval"
	"engram/eval/beam"
	"engram/eval/bitemporal"
	"engram/eval/locomo"
	"engram/eval/longmemeval"
	"engram/memory"
)

// benchmarks are what eval can measure from files.
var benchmarks = []struct {
	name string
	load func(path string) (*eval.Benchmark, error)
}{
	{"locomo", locomo.Load},
	{"beam", beam.Load},
	{"longmemeval", longmemeval.Load},
}

// madeUp is the benchmark that needs no data.
const madeUp = "bitemporal"

// loadBenchmark reads a benchmark from its files.
func loadBenchmark(name, path string) (*eval.Benchmark, error) {
	names := []string{madeUp}
	for _, b := range benchmarks {
		if b.name == name {
			return b.load(path)
		}
		names = append(names, b.name)
	}
	return nil, fmt.Errorf("benchmark %q is none of %s: %w", name, strings.Join(names, ", "), memory.ErrInvalid)
}

// benchmark reads the benchmark of a run; seed is that of made-up worlds.
func benchmark(name, path string, seed uint64) (*eval.Benchmark, error) {
	switch {
	case name == madeUp && path != "":
		return nil, fmt.Errorf("bitemporal is made up and takes no --data: %w", memory.ErrInvalid)
	case name == madeUp:
		return bitemporal.Questions{Seed: seed}.Benchmark(), nil
	case path == "":
		return nil, fmt.Errorf("%s needs --data PATH: %w", name, memory.ErrInvalid)
	}
	return loadBenchmark(name, path)
}

func newEvalCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure recall, on public benchmarks and on made-up worlds",
		Long: `Measure recall: "run" asks the questions of a benchmark of engram and of other systems and
keeps a row of each answer, "report" and "compare" read the rows, "tune" fits the ranker.
"locomo" and "beam" are the short form of a run: engram alone, without a language model, and a table.`,
		Example: `  engram eval run locomo --data locomo10.json --system engram,bm25,full --out runs/locomo
  engram eval report runs/locomo --html locomo.html
  engram eval locomo --data locomo10.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvalRunCommand(a), newEvalReportCommand(a), newEvalCompareCommand(a), newEvalTuneCommand(a), newBitemporalCommand(a), newEvalStoriesCommand(a))
	for _, name := range []string{"locomo", "beam"} {
		cmd.AddCommand(newEvalShortCommand(a, name))
	}
	return cmd
}

// openEngine opens an engine over a store in a file, for measuring.
func (a *app) openEngine(ctx context.Context, path string, o engram.Options) (*engram.Engine, error) {
	s, err := a.openStore(ctx, path, o.Now, false)
	if err != nil {
		return nil, err
	}
	if a.extractor != nil {
		if o.Extractor, err = a.extractor(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if o.Embedder, err = a.chosenModel(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	engine, err := engram.Open(ctx, s, o)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return engine, nil
}

// counting moves a bar by one at each call.
func counting(bar *progress) func() {
	n := int64(0)
	return func() {
		n++
		bar.set(n)
	}
}
