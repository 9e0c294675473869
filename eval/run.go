package eval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"engram/internal/tokens"
	"engram/memory"
)

// Run asks the questions of a benchmark of several systems and keeps a row of
// each answer in a directory. What is there already is not done again.
type Run struct {
	Benchmark *Benchmark
	Systems   []System
	Budget    int    // of the context that is read, in tokens. Defaults to memory.Budget
	Limit     int    // ask only so many questions, drawn by Seed. Defaults to all
	Seed      uint64 // of everything drawn
	Dir       string // of the rows
	Scratch   string // where systems keep their memories
	Resume    bool   // go on with a run that is there
	// Answer reads a context with every reader and judges what they say; nil
	// for measuring without a model. Parallel calls are made at once, in any
	// order. The Ask is the question's with its time set.
	Answer   func(context.Context, *Question, Ask, *Context) []Answer
	Parallel int // Defaults to 1
	// Manifest says what the caller knows of the run; Run adds the rest.
	Manifest Manifest
	// Progress, if not nil, is called after each row by one goroutine.
	Progress func(done, total int, row *Row)

	rows, ingested *lines
	done           map[rowKey]bool
	heard          map[rowKey]bool // cases with a row of their own
	picked         map[int]bool    // the places of the questions; nil for all
	count          tokens.Counter
	queue          *queue
}

type rowKey struct{ question, system string }

// retrievedKept is how many turns a row names.
const retrievedKept = 20

// Do carries the run out. What goes wrong in a system once it is open is a row
// that counts as wrong; an error of Do means that the run is not complete, and
// that what was finished is kept: with Resume it goes on to the same end, and
// rows with an error are made again.
func (r *Run) Do(ctx context.Context) error {
	if r.Benchmark.Questions == 0 {
		return fmt.Errorf("%s holds no question: %w", r.Benchmark.Name, memory.ErrInvalid)
	}
	r.setDefaults()
	if err := r.open(); err != nil {
		return err
	}
	defer r.close()
	r.queue = newQueue(ctx, r)
	err := r.cases(ctx)
	if e := r.queue.finish(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	r.Manifest.Questions, r.Manifest.Complete = r.asked(), true
	return writeManifest(r.Dir, r.Manifest)
}

func (r *Run) setDefaults() {
	if r.Budget == 0 {
		r.Budget = memory.Budget
	}
	if r.Parallel < 1 {
		r.Parallel = 1
	}
	m := &r.Manifest
	m.Format, m.Benchmark, m.Data = ManifestFormat, r.Benchmark.Name, r.Benchmark.Data
	m.Budget, m.Limit, m.Seed = r.Budget, r.Limit, r.Seed
	m.Systems, m.Options = nil, map[string]map[string]string{}
	for _, s := range r.Systems {
		m.Systems = append(m.Systems, s.Name)
		o := map[string]string{}
		for k, v := range s.Options {
			o[k] = v
		}
		if s.Whole {
			o["whole"] = "true"
		}
		if s.Gold {
			o["gold"] = "true"
		}
		if len(o) > 0 {
			m.Options[s.Name] = o
		}
	}
}

// open reads what is there of the run and makes its files ready.
func (r *Run) open() (err error) {
	if r.count, err = tokens.New(); err != nil {
		return err
	}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil { //nolint:gosec // a scoreboard is no secret
		return fmt.Errorf("make the directory of the run: %w", err)
	}
	rows, heard, err := r.before()
	if err != nil {
		return err
	}
	before, err := ReadManifest(r.Dir)
	switch {
	case errors.Is(err, os.ErrNotExist) || err == nil && len(rows) == 0: // nothing that could be lost
		if err := writeManifest(r.Dir, r.Manifest); err != nil {
			return err
		}
		heard = nil
	case err != nil:
		return err
	case !r.Resume:
		return fmt.Errorf("%s holds a run already; go on with it (--resume) or name another directory: %w", r.Dir, memory.ErrInvalid)
	case !before.sameInputs(r.Manifest):
		return fmt.Errorf("the run in %s was made with other data, systems, models or options, or by another version: %w", r.Dir, memory.ErrInvalid)
	default:
		r.Manifest.Started = before.Started
	}
	r.pick()
	return r.goOn(rows, heard)
}

// before reads the rows that are there. A run that was archived is finished.
func (r *Run) before() (rows []Row, heard []CaseRow, err error) {
	for _, name := range []string{RowsFile, IngestFile} {
		if _, err := os.Stat(filepath.Join(r.Dir, name+".gz")); err == nil {
			return nil, nil, fmt.Errorf("%s holds an archived run: %w", r.Dir, memory.ErrInvalid)
		}
	}
	if rows, err = ReadLines[Row](filepath.Join(r.Dir, RowsFile)); err != nil {
		return nil, nil, err
	}
	heard, err = ReadLines[CaseRow](filepath.Join(r.Dir, IngestFile))
	return rows, heard, err
}

// goOn keeps the rows without an error and opens the files behind them.
func (r *Run) goOn(rows []Row, heard []CaseRow) (err error) {
	r.done, r.heard = map[rowKey]bool{}, map[rowKey]bool{}
	rows = slices.DeleteFunc(rows, func(row Row) bool { return row.Failed() })
	for i := range rows {
		r.done[rowKey{rows[i].Question, rows[i].System}] = true
	}
	heard = slices.DeleteFunc(heard, func(row CaseRow) bool { return row.Error != "" })
	for i := range heard {
		r.heard[rowKey{heard[i].Case, heard[i].System}] = true
	}
	if r.rows, err = rewrite(filepath.Join(r.Dir, RowsFile), rows); err != nil {
		return err
	}
	r.ingested, err = rewrite(filepath.Join(r.Dir, IngestFile), heard)
	return err
}

func (r *Run) close() {
	_ = r.rows.Close() // every line was written by itself
	_ = r.ingested.Close()
}

// pick draws the questions that are asked.
func (r *Run) pick() {
	if r.Limit <= 0 {
		return
	}
	r.picked = map[int]bool{}
	n := r.Benchmark.Questions
	random := rand.New(rand.NewPCG(r.Seed, uint64(n))) //nolint:gosec // a sample, not a secret
	for _, at := range random.Perm(n)[:min(r.Limit, n)] {
		r.picked[at] = true
	}
}

// asked is how many questions each system is asked.
func (r *Run) asked() int {
	if r.picked != nil {
		return len(r.picked)
	}
	return r.Benchmark.Questions
}

// cases asks one case after the other.
func (r *Run) cases(ctx context.Context) error {
	place, number, asked := 0, 0, 0
	seen := map[string]bool{}
	for c, err := range r.Benchmark.Cases {
		if err != nil {
			return err
		}
		number++
		var questions []*Question
		for i := range c.Questions {
			q := &c.Questions[i]
			if seen[q.ID] {
				return fmt.Errorf("%s has two questions %q: %w", r.Benchmark.Name, q.ID, memory.ErrInvalid)
			}
			seen[q.ID] = true
			if r.picked == nil || r.picked[place] {
				questions = append(questions, q)
			}
			place++
		}
		if len(questions) == 0 {
			continue
		}
		if err := r.ask(ctx, c, questions, number); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if asked += len(questions); asked == r.asked() {
			break
		}
	}
	return nil
}

// ask asks the questions of a case of every system.
func (r *Run) ask(ctx context.Context, c *Case, questions []*Question, number int) error {
	var m *measures
	for i := range r.Systems {
		s := &r.Systems[i]
		open := slices.DeleteFunc(slices.Clone(questions), func(q *Question) bool { return r.done[rowKey{q.ID, s.Name}] })
		if len(open) == 0 {
			continue
		}
		if m == nil {
			m = newMeasures(c, r.count)
		}
		trial := trial{Run: r, system: s, c: c, measures: m, names: nameByNumber(c)}
		dir := filepath.Join(r.Scratch, fmt.Sprintf("%d-%d", number, i))
		if err := trial.run(ctx, dir, open); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// names are the numbers under which systems know sessions and turns: those of
// the data may say which of them is evidence ("answer_…").
type names struct {
	sessions []Session
	key      map[string]string // IDKey by the turn's number
	number   map[string]string // and back
}

func nameByNumber(c *Case) *names {
	n := &names{key: map[string]string{}, number: map[string]string{}}
	sessions, turns := map[string]int{}, map[string]int{}
	for _, s := range c.Sessions() {
		if sessions[s.Name] == 0 {
			sessions[s.Name] = len(sessions) + 1
		}
		name := "s" + strconv.Itoa(sessions[s.Name])
		told := Session{Name: name, Turns: make([]Turn, len(s.Turns))}
		for i := range s.Turns {
			t := &s.Turns[i]
			turns[name]++
			number := name + ":" + strconv.Itoa(turns[name])
			n.key[number], n.number[t.IDKey] = t.IDKey, number
			told.Turns[i] = Turn{Recorded: t.Recorded, Episode: memory.Episode{
				Text: t.Text, Occurred: t.Occurred, Session: name, Speaker: t.Speaker, Kind: t.Kind, Source: t.Source, IDKey: number,
			}}
		}
		n.sessions = append(n.sessions, told)
	}
	return n
}

// trial is one system on one case.
type trial struct {
	*Run
	*measures
	*names
	system *System
	c      *Case
	last   shown // the context of the question before, which may be the same
}

func (t *trial) run(ctx context.Context, dir string, questions []*Question) error {
	defer os.RemoveAll(dir) //nolint:errcheck // a scratch directory that cannot be removed harms nobody
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	mem, err := t.system.Open(ctx, dir)
	if err != nil {
		return err
	}
	failed := t.hear(ctx, mem)
	for _, q := range questions {
		if err := ctx.Err(); err != nil {
			return errors.Join(err, mem.Close())
		}
		row, ask := t.row(q), q.Ask
		if ask.At.IsZero() {
			ask.At = t.dayAfter()
		}
		var c *Context
		if failed != nil {
			row.Error = failed.Error()
			t.wrong(row, q)
		} else if c, err = t.question(ctx, mem, q, ask, row); err != nil {
			return errors.Join(err, mem.Close())
		}
		if err := t.queue.add(row, q, ask, c); err != nil {
			return errors.Join(err, mem.Close())
		}
	}
	return mem.Close()
}

// hear tells the system the case and keeps what it took. What goes wrong counts
// against every question of the case.
func (t *trial) hear(ctx context.Context, mem Memory) error {
	row := CaseRow{Case: t.c.Name, System: t.system.Name, Turns: len(t.c.Turns)}
	var failed error
	for i := range t.sessions {
		start := time.Now()
		if failed = mem.Ingest(ctx, t.sessions[i]); failed != nil {
			failed = fmt.Errorf("ingest: %w", failed)
			row.Error = failed.Error()
			break
		}
		row.IngestMS = append(row.IngestMS, milliseconds(time.Since(start))/float64(len(t.sessions[i].Turns)))
	}
	if size, err := mem.Size(); err == nil {
		row.Bytes = size
	}
	if key := (rowKey{t.c.Name, t.system.Name}); ctx.Err() == nil && !t.heard[key] {
		t.heard[key] = true
		if err := t.ingested.write(row); err != nil {
			return err
		}
	}
	return failed
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (t *trial) row(q *Question) *Row {
	return &Row{
		Benchmark: t.Benchmark.Name, Case: t.c.Name, Question: q.ID, Category: q.Category, System: t.system.Name,
		Options: t.Manifest.Options[t.system.Name], Unanswerable: q.Unanswerable, History: t.history, Seed: t.Seed, Commit: t.Manifest.Commit, Metrics: map[string]float64{},
	}
}

// question asks for the context of each budget and measures it. The one that a
// reader gets is that of the run's budget.
func (t *trial) question(ctx context.Context, mem Memory, q *Question, ask Ask, row *Row) (*Context, error) {
	for _, budget := range append(slices.DeleteFunc(slices.Clone(Budgets), func(b int) bool { return b == t.Budget }), t.Budget) {
		if gold, ok := mem.(GoldMemory); ok && t.system.Gold {
			gold.Gold(t.numbers(q.Evidence))
		}
		start := time.Now()
		c, err := mem.Context(ctx, ask, budget)
		took := time.Since(start)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			row.Error = err.Error()
			t.wrong(row, q)
			return nil, nil //nolint:nilnil,nilerr // the row says what went wrong
		}
		if c.Ranked != nil {
			c.Ranked = t.keys(c.Ranked)
		}
		c.Stated = t.keys(c.Stated)
		if c.Fit == InFold {
			return nil, fmt.Errorf("the weights %s were fitted on this history too: in-fold numbers are no result: %w", c.Weights, memory.ErrInvalid)
		}
		s := t.look(&c)
		if budget == t.Budget {
			t.proven(s)
		}
		t.within(row, s, q, budget)
		if budget == t.Budget {
			row.RecallMS = milliseconds(took)
			t.keep(row, s)
			t.whatIsRead(row, s, q)
			return &c, nil
		}
	}
	return nil, errors.New("no budget") // cannot be: the run's own comes last
}

// look measures a context once, however many questions get it.
func (t *trial) look(c *Context) *shown {
	if t.last.Context == nil || t.last.Text != c.Text {
		t.last = t.shown(c)
	}
	t.last.Context = c
	return &t.last
}

// keep notes the context in the row.
func (t *trial) keep(row *Row, s *shown) {
	sum := sha256.Sum256([]byte(s.Text))
	row.Context, row.Tokens, row.Cut = hex.EncodeToString(sum[:]), s.tokens, s.Cut
	row.Retrieved = s.Ranked[:min(len(s.Ranked), retrievedKept)]
	row.Weights, row.Fit, row.Verdict = s.Weights, s.Fit, s.Verdict
}

// wrong gives a row that has no context the measures of nothing.
func (t *trial) wrong(row *Row, q *Question) {
	nothing := t.shown(&Context{Ranked: []string{}, Holding: []string{}})
	for _, budget := range Budgets {
		t.within(row, &nothing, q, budget)
	}
	t.whatIsRead(row, &nothing, q)
}

// dayAfter is when questions without a time of their own are asked.
func (t *trial) dayAfter() memory.Time {
	var last int64
	for i := range t.turns {
		last = max(last, t.turns[i].Occurred.Micros, t.turns[i].Recorded)
	}
	return memory.At(time.UnixMicro(last).UTC().AddDate(0, 0, 1))
}

// keys gives the names of turns in the data; what the system made up stays
// as it is and is no evidence.
func (t *trial) keys(numbers []string) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = n
		if key, ok := t.key[n]; ok {
			out[i] = key
		}
	}
	return out
}

func (t *trial) numbers(keys []string) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = t.number[key]
	}
	return out
}
