package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"engram/embedding"
	"engram/importer"
	"engram/memory"
)

// benchTexts is how many texts are encoded over and over.
const benchTexts = 64

func newModelBenchCommand(a *app) *cobra.Command {
	var least time.Duration
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench [MODEL]",
		Short: "Measure how fast a model is here",
		Long: `Encode 64 texts of the demo's conversations, half of them Chinese, one by one and all at
once: the built-in model on one thread and on all, for --time each; a server once each.
GFLOP/s counts the matrix products of the built-in model. MODEL is as --model takes it.

With --json one object a line: {"model", "kernel", "threads", "batch", "texts_per_second",
"tokens_per_second", "gflops"}; of a server only model, batch and texts_per_second.`,
		Example: `  engram model bench`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := a.namedModel(args)
			if err != nil {
				return err
			}
			rows, err := a.benchModel(cmd.Context(), e, least)
			if err != nil {
				return err
			}
			return a.printBenched(rows, asJSON)
		},
	}
	cmd.Flags().DurationVar(&least, "time", time.Second, "`DURATION` of each measurement")
	jsonFlag(cmd, &asJSON)
	return cmd
}

type benchedJSON struct {
	Model   string  `json:"model"`
	Kernel  string  `json:"kernel,omitempty"`
	Threads int     `json:"threads,omitempty"`
	Batch   int     `json:"batch"`
	Texts   float64 `json:"texts_per_second"`
	Tokens  float64 `json:"tokens_per_second,omitempty"`
	GFLOPS  float64 `json:"gflops,omitempty"`
}

func (a *app) benchModel(ctx context.Context, e embedding.Embedder, least time.Duration) ([]benchedJSON, error) {
	texts, err := demoTexts(benchTexts)
	if err != nil {
		return nil, err
	}
	if _, ok := e.(*lazyModel); !ok {
		return bench(ctx, e, texts, 0)
	}
	dir, err := a.modelsDir()
	if err != nil {
		return nil, err
	}
	var rows []benchedJSON
	for _, threads := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		began := time.Now()
		e, err := loadModel(dir, threads)
		if err != nil {
			return nil, err
		}
		if threads == 1 {
			a.note("Loaded in %d ms.", time.Since(began).Milliseconds())
		}
		some, err := bench(ctx, e, texts, least)
		if err != nil {
			return nil, err
		}
		work := e.Work(texts)
		for _, r := range some {
			r.Kernel, r.Threads = e.Kernel(), threads
			r.Tokens = r.Texts * float64(work.Tokens) / benchTexts
			r.GFLOPS = r.Texts * work.Flop / benchTexts / 1e9
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// bench encodes texts one by one and all at once, again and again for so long.
func bench(ctx context.Context, e embedding.Embedder, texts []string, least time.Duration) ([]benchedJSON, error) {
	var rows []benchedJSON
	for _, batch := range []int{1, len(texts)} {
		rounds, took := 0, time.Duration(0)
		for began := time.Now(); rounds == 0 || took < least; rounds++ {
			for part := range slices.Chunk(texts, batch) {
				if _, err := e.Embed(ctx, part); err != nil {
					return nil, fmt.Errorf("the model %s cannot be used: %w: %w", e.Name(), err, errWrongModel)
				}
			}
			took = time.Since(began)
		}
		rows = append(rows, benchedJSON{Model: e.Name(), Batch: batch, Texts: float64(rounds*len(texts)) / took.Seconds()})
	}
	return rows, nil
}

// demoTexts gives the first n texts of the demo, by turns of each story.
func demoTexts(n int) ([]string, error) {
	var all [][]string
	for i := range stories {
		raw, err := storyFiles.ReadFile(stories[i].file)
		if err != nil {
			return nil, err
		}
		var texts []string
		for r, err := range importer.JSONL(bytes.NewReader(raw), nil) {
			if err != nil {
				return nil, err
			}
			if e, ok := r.Body.(*memory.Episode); ok {
				texts = append(texts, e.Text)
			}
		}
		all = append(all, texts)
	}
	var out []string
	for i := range n {
		texts := all[i%len(all)]
		out = append(out, texts[i/len(all)%len(texts)])
	}
	return out, nil
}

func (a *app) printBenched(list []benchedJSON, asJSON bool) error {
	var rows [][]string
	for _, r := range list {
		if asJSON {
			if err := a.printJSON(r); err != nil {
				return err
			}
			continue
		}
		row := []string{r.Model, r.Kernel, fmt.Sprint(r.Threads), fmt.Sprint(r.Batch), fmt.Sprintf("%.0f", r.Texts), fmt.Sprintf("%.0f", r.Tokens), fmt.Sprintf("%.1f", r.GFLOPS)}
		if r.Threads == 0 {
			row[1], row[2], row[5], row[6] = "-", "-", "-", "-"
		}
		rows = append(rows, row)
	}
	if asJSON {
		return nil
	}
	return a.table([]string{"MODEL", "KERNEL", "THREADS", "BATCH", "TEXTS/S", "TOKENS/S", "GFLOP/S"}, rows)
}
