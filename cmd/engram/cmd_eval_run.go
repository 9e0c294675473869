package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram/embedding"
	"engram/eval"
	"engram/eval/judge"
	"engram/eval/system"
	"engram/eval/tune"
	"engram/memory"
	"engram/recall"
)

// runFlags are the flags of eval run.
type runFlags struct {
	data, out, cache string
	systems, without []string
	readers, judges  []string
	prompts, weights string
	embedder         string
	http, prices     []string
	limit, budget    count
	parallel, window count
	answerTokens     count
	seed             uint64
	resume, asJSON   bool
	quiet            bool // the model is said elsewhere
}

func (f *runFlags) setDefaults() {
	if f.budget == 0 {
		f.budget = memory.Budget
	}
	if f.answerTokens == 0 {
		f.answerTokens = judge.DefaultTokens
	}
	if f.parallel == 0 {
		f.parallel = 4
	}
	if f.seed == 0 {
		f.seed = 1
	}
}

// systemNames are what --system knows beside those of --http.
var systemNames = []string{"engram", "engram-facts", "engram-full", "engram-chunks", "engram-rrf", "engram-fixed", "full", "recent", "bm25", "dense", "oracle"}

// systemName is what a system may be called: names become files.
var systemName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

func newEvalRunCommand(a *app) *cobra.Command {
	var f runFlags
	f.setDefaults()
	cmd := &cobra.Command{
		Use:   "run BENCHMARK --data PATH --system NAME,… --out DIRECTORY",
		Short: "Ask the questions of a benchmark of several systems",
		Long: `Ask the questions of a benchmark of several systems and keep a row of each answer in a
directory: manifest.json, rows.jsonl, ingest.jsonl. Two runs of the same command give the same
rows but for the times. An interrupted run keeps what was finished; --resume goes on with it.

Benchmarks: locomo (locomo10.json), beam (a directory with one directory a chat), longmemeval
(longmemeval_s.json and the like), bitemporal (made up, needs no data).

Systems:
  engram         as it comes
  engram-facts   its facts alone
  engram-full    its facts in front of the whole history
  engram-chunks  its index over chunks of 400 tokens
  engram-rrf     its candidates by reciprocal rank fusion
  engram-fixed   its candidates by weights that nobody fitted
  full           the whole history; --window says what a reader can hold of it
  recent         the last turns that fit into the budget
  bm25           plain BM25 over turns
  dense          plain vectors over turns, of --embedder
  oracle         the evidence alone, which no system can know
Others are measured over two endpoints: --http NAME=URL (eval/adapters/README.md).
--without STEP adds engram without a channel, step or feature of recall, as engram-no-STEP.
Weights that were fitted on a history are never measured on it: those of the program give
way to ones fitted on everything else.

` + modelHelp + `

A system gets the history, then the questions by their text alone. Without a reader the
contexts are measured; with --reader models answer from them, and with --judge others
compare the answers with the reference. These are openai:NAME or anthropic:NAME, with
@URL for another server of this protocol; keys come from OPENAI_API_KEY and
ANTHROPIC_API_KEY. Answers are kept by content in --cache. For each reader and system the
answers are written in the official form to hypotheses/SYSTEM.READER.jsonl.`,
		Example: `  engram eval run bitemporal --system engram,bm25 --out runs/bitemporal
  engram eval run locomo --data locomo10.json --system engram,bm25,recent,full --out runs/locomo
  engram eval run longmemeval --data longmemeval_s.json --system engram,full --out runs/lme \
    --reader openai:gpt-4o-mini --judge openai:gpt-4o --judge-prompts evaluate_qa.py
  engram eval run locomo --data locomo10.json --system engram --out runs/local \
    --reader openai:qwen2.5@http://localhost:11434/v1 --limit 50`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.evalRun(cmd.Context(), args[0], &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.data, "data", "", "`PATH` of the benchmark")
	flags.StringSliceVar(&f.systems, "system", []string{"engram"}, "`NAMES` of the systems, with commas")
	flags.StringVar(&f.out, "out", "", "`DIRECTORY` of the run (required)")
	flags.BoolVar(&f.resume, "resume", false, "go on with the run that is there")
	flags.Var(&f.limit, "limit", "ask only `N` questions, drawn by the seed")
	flags.Uint64Var(&f.seed, "seed", f.seed, "`SEED` of everything drawn")
	flags.Var(&f.budget, "budget", "`TOKENS` of the context that is read")
	flags.Var(&f.window, "window", "`TOKENS` that a reader can hold; the oldest of a whole history are cut, and the rows say so")
	flags.StringArrayVar(&f.without, "without", nil, "measure engram without this `STEP` too (may be repeated)")
	flags.StringVar(&f.weights, "weights", "", "rank by the weights in this `FILE` (default those of the program)")
	flags.StringArrayVar(&f.http, "http", nil, "`NAME=URL` of another system (may be repeated)")
	modelFlag(cmd, a)
	flags.StringVar(&f.embedder, "embedder", "", "`MODEL` of dense, as --model takes it (default that of --model)")
	flags.StringArrayVar(&f.readers, "reader", nil, "`MODEL` that answers (may be repeated)")
	flags.StringArrayVar(&f.judges, "judge", nil, "`MODEL` that compares answers with the reference (may be repeated)")
	flags.StringVar(&f.prompts, "judge-prompts", "", "`FILE` of the judge's prompts: JSON by category, or a benchmark's evaluation script (default engram's own)")
	flags.StringVar(&f.cache, "cache", "", "`DIRECTORY` in which answers of models are kept (default cache in that of the run)")
	flags.Var(&f.answerTokens, "answer-tokens", "most `TOKENS` of an answer of a model, its thinking included")
	flags.Var(&f.parallel, "parallel", "`N` calls of models at once")
	flags.StringArrayVar(&f.prices, "price", nil, "`MODEL=IN/OUT` in dollars for a million tokens, to show the cost (may be repeated)")
	complete(cmd, "system", systemNames...)
	return cmd
}

func (a *app) evalRun(ctx context.Context, name string, f *runFlags) error {
	if f.out == "" {
		return fmt.Errorf("eval run needs --out DIRECTORY: %w", memory.ErrInvalid)
	}
	prices, err := parsePrices(f.prices)
	if err != nil {
		return err
	}
	b, err := benchmark(name, f.data, f.seed)
	if err != nil {
		return err
	}
	model, err := a.chosenModel()
	if err != nil {
		return err
	}
	systems, err := a.systems(f, model)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "engram-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // a temporary directory that cannot be removed harms nobody
	run := eval.Run{
		Benchmark: b, Systems: systems, Budget: int(f.budget), Limit: int(f.limit), Seed: f.seed,
		Dir: f.out, Scratch: scratch, Resume: f.resume, Parallel: int(f.parallel),
		Manifest: eval.Manifest{
			Commit: version(), Started: a.now().UTC().Format(time.RFC3339), Go: runtime.Version(), Processors: runtime.NumCPU(),
			Command: f.command(name, a.spec(model)),
		},
	}
	panel, err := a.panel(f)
	if err != nil {
		return err
	}
	if panel != nil {
		if err := panel.covers(b); err != nil {
			return err
		}
		panel.describe(&run.Manifest)
		run.Answer = panel.Answer
	}
	if !f.quiet {
		a.note("Model of engram: %s", modelName(model))
	}
	show := a.score(&run)
	err = run.Do(ctx)
	show.done()
	if panel != nil {
		a.spent(panel, prices)
	}
	if err != nil {
		return err
	}
	return a.finished(f.out)
}

// secret is what stands before the host of an address.
var secret = regexp.MustCompile(`//[^/@\s]*@`)

// redact leaves out of an address who asks.
func redact(s string) string { return secret.ReplaceAllString(s, "//") }

// command gives the command line of a run without directories and passwords, so
// that it reads the same on every machine.
func (f *runFlags) command(name, model string) string {
	words := []string{"engram eval run", name}
	if f.data != "" {
		words = append(words, "--data", filepath.Base(f.data))
	}
	if len(f.systems) > 0 {
		words = append(words, "--system", strings.Join(f.systems, ","))
	}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, "--"+flag, redact(value))
		}
	}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"without", f.without}, {"http", f.http}, {"reader", f.readers}, {"judge", f.judges}} {
		for _, v := range list.values {
			add(list.flag, v)
		}
	}
	add("model", model)
	add("embedder", f.embedder)
	for _, file := range []struct{ flag, path string }{{"judge-prompts", f.prompts}, {"weights", f.weights}} {
		if file.path != "" {
			add(file.flag, filepath.Base(file.path))
		}
	}
	add("limit", f.limit.String())
	add("window", f.window.String())
	if f.budget != memory.Budget {
		add("budget", f.budget.String())
	}
	if len(f.readers) > 0 && f.answerTokens != judge.DefaultTokens {
		add("answer-tokens", f.answerTokens.String())
	}
	return strings.Join(append(words, "--seed", fmt.Sprint(f.seed)), " ")
}

// systems makes those that the flags name, in their order.
func (a *app) systems(f *runFlags, model embedding.Embedder) ([]eval.System, error) {
	options, err := a.engramOptions(f, model)
	if err != nil {
		return nil, err
	}
	var out []eval.System
	for _, name := range f.systems {
		s, err := a.system(name, f, options)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	for _, step := range f.without {
		if err := recall.CheckSteps([]string{step}); err != nil {
			return nil, err
		}
		o := options
		if step == withoutVectors {
			if o, err = a.engramOptions(f, nil); err != nil {
				return nil, err
			}
		}
		o.Without = []string{step}
		out = append(out, system.Engram(o))
	}
	for _, h := range f.http {
		name, url, ok := strings.Cut(h, "=")
		if !ok || !systemName.MatchString(name) || slices.Contains(systemNames, name) {
			return nil, fmt.Errorf("--http %q is no NAME=URL, the name of small letters, digits and hyphens and not one of engram's: %w", redact(h), memory.ErrInvalid)
		}
		s, err := system.HTTP(system.HTTPOptions{Base: url, Name: name})
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	names := map[string]bool{}
	for _, s := range out {
		if names[s.Name] {
			return nil, fmt.Errorf("the system %q is named twice: %w", s.Name, memory.ErrInvalid)
		}
		names[s.Name] = true
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no system is named (--system): %w", memory.ErrInvalid)
	}
	return out, nil
}

// withoutVectors is the step of recall whose absence leaves words alone.
const withoutVectors = "vectors"

// engramOptions say how engram is measured with a model, or with none.
func (a *app) engramOptions(f *runFlags, model embedding.Embedder) (system.EngramOptions, error) {
	o := system.EngramOptions{Open: a.openEngine, Seed: f.seed}
	var err error
	if o.Base, err = f.readWeights(); err != nil {
		return o, err
	}
	if model != nil {
		o.Model = model.Name()
		if o.Base == nil {
			w, err := recall.BuiltinVectors()
			if err != nil {
				return o, err
			}
			o.Base = &w
		}
	}
	if o.Base != nil && o.Base.UsesVectors() != (model != nil) {
		return o, fmt.Errorf("the weights of --weights are for memories %s vectors, and this is measured %s: %w", with(o.Base.UsesVectors()), with(model != nil), memory.ErrInvalid)
	}
	o.Weights, err = tune.HeldOut(o.Base)
	return o, err
}

func with(vectors bool) string {
	if vectors {
		return "with"
	}
	return "without"
}

// chunkTokens is the size of the chunks of engram-chunks.
const chunkTokens = 400

func (a *app) system(name string, f *runFlags, o system.EngramOptions) (eval.System, error) {
	switch name {
	case "engram":
		return system.Engram(o), nil
	case "engram-facts":
		return system.EngramFacts(o), nil
	case "engram-full":
		return system.EngramFull(o, int(f.window)), nil
	case "engram-rrf", "engram-fixed":
		o.Ranker = memory.Ranker(strings.TrimPrefix(name, "engram-"))
		return system.Engram(o), nil
	case "engram-chunks":
		return system.EngramChunks(o, chunkTokens), nil
	case "full":
		return system.Full(int(f.window)), nil
	case "recent":
		return system.Recent(), nil
	case "bm25":
		return system.BM25(), nil
	case "oracle":
		return system.Oracle(), nil
	case "dense":
		return a.dense(f)
	}
	return eval.System{}, fmt.Errorf("system %q is none of %s: %w", name, strings.Join(systemNames, ", "), memory.ErrInvalid)
}

// dense is plain vectors of --embedder, else of --model.
func (a *app) dense(f *runFlags) (eval.System, error) {
	embedder := a.chosenModel
	if f.embedder != "" {
		embedder = func() (embedding.Embedder, error) { return a.newEmbedder(f.embedder) }
	}
	e, err := embedder()
	if err != nil {
		return eval.System{}, err
	}
	if e == nil {
		return eval.System{}, fmt.Errorf("dense needs --embedder MODEL: %w", memory.ErrInvalid)
	}
	return system.Dense(e), nil
}

// readWeights reads the weights of --weights; nil are the built-in ones.
func (f *runFlags) readWeights() (*recall.Weights, error) {
	if f.weights == "" {
		return nil, nil //nolint:nilnil // see above
	}
	b, err := os.ReadFile(f.weights)
	if err != nil {
		return nil, fmt.Errorf("read the weights: %w", err)
	}
	w, err := recall.ParseWeights(b)
	return &w, err
}

// score shows how far a run is and how the first system does in it.
type score struct {
	*progress
	sum float64
	n   int
}

// score makes a bar that the run moves.
func (a *app) score(run *eval.Run) *score {
	total := int64(run.Benchmark.Questions * len(run.Systems))
	if run.Limit > 0 && (total == 0 || int64(run.Limit*len(run.Systems)) < total) {
		total = int64(run.Limit * len(run.Systems))
	}
	if total == 0 {
		total = -1
	}
	s := &score{progress: a.progress("asking "+run.Benchmark.Name, total, false)}
	first := run.Systems[0].Name
	run.Progress = func(done, _ int, row *eval.Row) {
		s.set(int64(done))
		if row.System == first {
			s.add(row)
			s.describe(fmt.Sprintf("asking %s, %s %.3f", run.Benchmark.Name, first, s.sum/float64(max(s.n, 1))))
		}
	}
	return s
}

// add takes the figure that says most: whether the answer was right, else how
// much of the evidence is there, else whether the right value is.
func (s *score) add(row *eval.Row) {
	if len(row.Answers) > 0 {
		if correct, ok := row.Correct(row.Answers[0].Reader); ok {
			s.n++
			if correct {
				s.sum++
			}
			return
		}
	}
	for _, name := range []string{"as_of", "covered"} {
		if v, ok := row.Metrics[name]; ok {
			s.n++
			s.sum += v
			return
		}
	}
}
