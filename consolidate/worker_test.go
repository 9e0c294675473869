package consolidate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/memory"
	"engram/store"
	"engram/store/sqlite"
)

// fake reads lines: "S p O" is an assertion, "X is Y" an alias. Beside, it says
// of each turn what came with it, so that a window that differs shows in the log,
// and in all windows after it.
type fake struct{ version string }

func (fake) Name() string      { return "fake" }
func (f fake) Version() string { return f.version }

func (f fake) Extract(_ context.Context, w Window) (Findings, error) {
	switch w.Turn.Text {
	case "panic":
		panic("over this text")
	case "fail":
		return Findings{}, errors.New("cannot be read")
	case "busy":
		return Findings{}, fmt.Errorf("no answer: %w", memory.ErrBusy)
	case "invalid":
		return Findings{Assertions: []memory.Assertion{{Subject: "a", Predicate: "b", Object: "c"}, {Subject: "a"}}}, nil
	case "elsewhere":
		return Findings{Assertions: []memory.Assertion{{Subject: "a", Predicate: "b", Object: "c", Provenance: []memory.Span{{Episode: memory.ID{1}}}}}}, nil
	}
	sum := fnv.New64()
	for _, t := range w.Before {
		fmt.Fprintln(sum, t.Seq, t.Text)
	}
	for _, a := range w.Recent {
		fmt.Fprintln(sum, a.Subject, a.Object, a.Said)
	}
	out := Findings{Assertions: []memory.Assertion{{
		Subject: strings.Join(strings.Fields(w.Turn.Text), " "), Predicate: "came_with",
		Object: fmt.Sprintf("%s %d %d %x", f.version, len(w.Before), len(w.Recent), sum.Sum64()),
	}}}
	at := 0
	for line := range strings.Lines(w.Turn.Text) {
		word := strings.Fields(line)
		switch {
		case len(word) == 3 && word[1] == "is":
			out.Aliases = append(out.Aliases, memory.Association{Rel: memory.SameAs, Name: word[0], Entity: word[2]})
		case len(word) == 3:
			out.Assertions = append(out.Assertions, memory.Assertion{
				Subject: word[0], Predicate: word[1], Object: word[2],
				Provenance: []memory.Span{{Episode: w.Turn.ID, Start: at, End: at + len(line)}},
			})
		}
		at += len(line)
	}
	return out, nil
}

var scope = memory.Scope{Tenant: "default", Space: "ann"}

// ids makes ids that depend on the seed alone.
func ids(seed byte) func() (memory.ID, error) {
	var mu sync.Mutex
	random := rand.NewChaCha8([32]byte{seed})
	return func() (memory.ID, error) {
		mu.Lock()
		defer mu.Unlock()
		return memory.NewID(1, random)
	}
}

type failer interface {
	Helper()
	Fatal(args ...any)
}

func must(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openStore(t testing.TB) *sqlite.Store {
	t.Helper()
	return openFile(t, filepath.Join(t.TempDir(), "memory.db"))
}

func openFile(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	var now atomic.Int64
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Now: func() int64 { return now.Add(1) }})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// workers counts those that were made, so that no two make the same ids.
var workers atomic.Int64

func worker(t failer, s store.Store, x Extractor, turns int) *Worker {
	t.Helper()
	n := workers.Add(1)
	random := rand.NewChaCha8([32]byte{255, byte(n), byte(n >> 8), byte(n >> 16)})
	var mu sync.Mutex
	w, err := New(s, x, func() (memory.ID, error) {
		mu.Lock()
		defer mu.Unlock()
		return memory.NewID(2, random)
	}, Options{Turns: turns})
	must(t, err)
	return w
}

// consolidated runs a worker over the space.
func consolidated(t failer, w *Worker) Report {
	t.Helper()
	r, err := w.Space(context.Background(), scope, nil)
	must(t, err)
	return r
}

func write(t failer, s store.Store, bodies ...memory.Body) []memory.Ref {
	t.Helper()
	newID := ids(byte(100 + len(bodies)))
	return writeWith(t, s, newID, bodies...)
}

func writeWith(t failer, s store.Store, newID func() (memory.ID, error), bodies ...memory.Body) []memory.Ref {
	t.Helper()
	records := make([]memory.Record, len(bodies))
	for i, b := range bodies {
		id, err := newID()
		must(t, err)
		records[i] = memory.Record{ID: id, Body: b}
	}
	ack, err := s.Append(context.Background(), store.Batch{Scope: scope, Records: records})
	must(t, err)
	return ack.Refs
}

func say(session, text string) *memory.Episode {
	return &memory.Episode{Text: text, Session: session, Occurred: memory.Micros(1e15)}
}

// logOf reads the space.
func logOf(t failer, s store.Store) []memory.Record {
	t.Helper()
	head, _, err := s.Read(context.Background(), scope, memory.Position{}, 0)
	must(t, err)
	_, records, err := s.Read(context.Background(), scope, memory.Position{Epoch: head.Epoch}, 1<<20)
	must(t, err)
	return records
}

// learned lists what extractors have written, without the ids that they made.
func learned(t failer, s store.Store) []string {
	t.Helper()
	var out []string
	for _, r := range logOf(t, s) {
		switch b := r.Body.(type) {
		case *memory.Assertion:
			raw, err := json.Marshal(b)
			must(t, err)
			out = append(out, r.IDKey+" "+string(raw))
		case *memory.Association:
			out = append(out, r.IDKey+" "+b.Name+"="+b.Entity)
		}
	}
	return out
}

// randomLife makes records: turns of some sessions, turns taken back and
// brought back again, turns that cannot be read, and records of other kinds.
func randomLife(rng *rand.Rand, n int) []memory.Body {
	var out []memory.Body
	var made []memory.ID
	newID := ids(7)
	for range n {
		id, _ := newID() // those that writeWith will give
		var b memory.Body
		switch k := rng.IntN(20); {
		case k < 2 && len(made) > 0:
			b = &memory.Retract{Targets: []memory.ID{made[rng.IntN(len(made))], made[len(made)-1]}}
		case k == 2 && len(made) > 0:
			b = &memory.Feedback{Used: []memory.ID{made[rng.IntN(len(made))]}}
		case k == 3:
			b = say("", []string{"fail", "invalid", "panic"}[rng.IntN(3)])
		case k == 4:
			b = say("s1", "<memory>\nAnn likes rain\n</memory>")
		default:
			b = say(fmt.Sprint("s", rng.IntN(3)), fmt.Sprintf("Ann saw thing%d\nAnna is Ann", rng.IntN(9)))
		}
		out, made = append(out, b), append(made, id)
	}
	return out
}

// undisturbed gives what one worker learns from a life in one go.
func undisturbed(t failer, life []memory.Body) []string {
	t.Helper()
	s := newRAM()
	writeWith(t, s, ids(7), life...)
	consolidated(t, worker(t, s, fake{"1"}, 100_000))
	return learned(t, s)
}

// What is learned does not depend on how the log is cut into batches.
func TestBatchesDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		life := randomLife(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1)), rapid.IntRange(1, 60).Draw(rt, "records"))
		want := undisturbed(rt, life)
		for _, turns := range []int{1, 7, 1000} {
			s := newRAM()
			writeWith(rt, s, ids(7), life...)
			consolidated(rt, worker(rt, s, fake{"1"}, turns))
			if diff := cmp.Diff(want, learned(rt, s)); diff != "" {
				rt.Fatalf("batches of %d: %s", turns, diff)
			}
		}
	})
}

// Nor does it depend on where a worker begins, with more turns than it looks back.
func TestLongLogs(t *testing.T) {
	t.Parallel()
	life := randomLife(rand.New(rand.NewPCG(3, 1)), 3*lookBack)
	want := undisturbed(t, life)
	if len(want) < 3*lookBack {
		t.Fatalf("only %d were learned", len(want))
	}
	for _, turns := range []int{100, 999} {
		s := newRAM()
		writeWith(t, s, ids(7), life...)
		for cut := 0; ; cut++ { // each batch by a worker of its own
			w := worker(t, &dying{Store: s, left: 1}, fake{"1"}, turns)
			if _, err := w.Space(t.Context(), scope, nil); err == nil {
				break
			}
			if cut > len(life) {
				t.Fatal("it does not get ahead")
			}
		}
		if diff := cmp.Diff(want, learned(t, s)); diff != "" {
			t.Errorf("batches of %d: %s", turns, diff)
		}
	}
}

// dying is the store of a worker that is killed at an append, before or after
// that was written.
type dying struct {
	store.Store
	left  int
	after bool
}

var errKilled = errors.New("killed")

func (d *dying) Append(ctx context.Context, b store.Batch) (store.Ack, error) {
	if d.left--; d.left >= 0 {
		return d.Store.Append(ctx, b)
	}
	if d.after {
		if _, err := d.Store.Append(ctx, b); err != nil {
			return store.Ack{}, err
		}
	}
	return store.Ack{}, errKilled
}

// A worker may be killed anywhere; the next one goes on.
func TestKillPoints(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		life := randomLife(rng, 1+rng.IntN(60))
		want := undisturbed(rt, life)
		s := newRAM()
		writeWith(rt, s, ids(7), life...)
		for try := 0; ; try++ {
			w := worker(rt, &dying{Store: s, left: rng.IntN(3), after: rng.IntN(2) == 0}, fake{"1"}, 1+rng.IntN(9))
			_, err := w.Space(context.Background(), scope, nil)
			if err == nil {
				break
			}
			if !errors.Is(err, errKilled) || try > 1000 {
				rt.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, learned(rt, s)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// Many workers at once, beside one who speaks and one who changes beliefs, learn
// each turn once.
func TestManyWorkers(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	var wg sync.WaitGroup
	done := make(chan struct{})
	const turns = 150
	wg.Go(func() {
		defer close(done)
		newID := ids(9)
		for i := range turns {
			writeWith(t, s, newID, say("s", fmt.Sprintf("Ann saw thing%d", i)))
			if i%10 == 0 {
				writeWith(t, s, newID, &memory.Assertion{Subject: "Bo", Predicate: "saw", Object: "it"})
			}
		}
	})
	for i := range 4 {
		wg.Go(func() {
			w := worker(t, s, fake{"1"}, 1+i)
			for {
				select {
				case <-done:
					if _, err := w.All(context.Background(), nil); err != nil {
						t.Error(err)
					}
					return
				default:
					if _, err := w.All(context.Background(), nil); err != nil && !errors.Is(err, memory.ErrConflict) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	seen := map[string]int{}
	for _, r := range logOf(t, s) {
		if a, ok := r.Body.(*memory.Assertion); ok && a.Subject == "Ann" {
			seen[a.Object]++
		}
	}
	for i := range turns {
		if n := seen[fmt.Sprintf("thing%d", i)]; n != 1 {
			t.Errorf("thing%d was learned %d times", i, n)
		}
	}
	if lag, err := worker(t, s, fake{"1"}, 1).Lag(t.Context(), scope); err != nil || lag.Records != 0 {
		t.Errorf("left: %+v, %v", lag, err)
	}
}

// spy keeps the windows that it is asked about.
type spy struct {
	fake
	windows []Window
}

func (s *spy) Extract(ctx context.Context, w Window) (Findings, error) {
	s.windows = append(s.windows, w)
	return s.fake.Extract(ctx, w)
}

func TestWindows(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	refs := write(t, s, say("a", "one"), say("b", "two"), say("a", "three"), say("a", strings.Repeat("x", longText+1)), say("a", "four"))
	write(t, s, &memory.Retract{Targets: []memory.ID{refs[2].ID}})
	for i := range MaxBefore + MaxRecent {
		writeWith(t, s, ids(byte(i)), say("c", fmt.Sprint("n", i)))
	}
	write(t, s, say("a", "five"))
	x := &spy{fake: fake{"1"}}
	consolidated(t, worker(t, s, x, 3))
	texts := func(w Window) (out []string) {
		for _, b := range w.Before {
			out = append(out, b.Text)
		}
		return out
	}
	for i, want := range [][]string{nil, nil, {"one"}, {"one", "three"}, {"one", "three"}} {
		if diff := cmp.Diff(want, texts(x.windows[i])); diff != "" {
			t.Errorf("turn %d: %s", i, diff)
		}
	}
	last := x.windows[len(x.windows)-1]
	if diff := cmp.Diff([]string{"one", "four"}, texts(last)); diff != "" {
		t.Errorf("what was taken back: %s", diff)
	}
	if n := len(last.Recent); n != MaxRecent || last.Recent[n-1].Subject != fmt.Sprint("n", MaxBefore+MaxRecent-1) {
		t.Errorf("%d recent ones, the last is %+v", n, last.Recent[n-1])
	}
	if w := x.windows[len(x.windows)-2]; len(w.Before) != MaxBefore || w.Before[MaxBefore-1].Text != fmt.Sprint("n", MaxBefore+MaxRecent-2) {
		t.Errorf("%v came before %s", texts(w), w.Turn.Text)
	}
}

// What was taken back of the extractor's own does not come with the next turns,
// whether the same worker goes on or another begins.
func TestWindowsWithoutWhatWasTakenBack(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	newID := ids(50)
	writeWith(t, s, newID, say("", "Ann likes tea"), say("", "Ann likes rain"))
	consolidated(t, worker(t, s, fake{"1"}, 1))
	log := logOf(t, s)
	tea := log[slices.IndexFunc(log, func(r memory.Record) bool {
		a, ok := r.Body.(*memory.Assertion)
		return ok && a.Object == "tea"
	})].ID
	recent := func() (out []string) {
		x := &spy{fake: fake{"1"}}
		writeWith(t, s, newID, say("", "one"), say("", "two"))
		consolidated(t, worker(t, s, x, 1))
		for _, w := range x.windows {
			out = append(out, fmt.Sprint(slices.ContainsFunc(w.Recent, func(a memory.Assertion) bool { return a.Object == "tea" })))
		}
		return out
	}
	if got := recent(); got[0] != "true" || got[1] != "true" {
		t.Error(got)
	}
	back := writeWith(t, s, newID, &memory.Retract{Targets: []memory.ID{tea}})[0]
	if got := recent(); got[0] != "false" || got[1] != "false" {
		t.Error(got)
	}
	writeWith(t, s, newID, &memory.Retract{Targets: []memory.ID{back.ID}})
	if got := recent(); got[0] != "true" || got[1] != "true" {
		t.Error(got)
	}
}

func TestAssertionsHaveWhatTheirTurnHas(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	e := say("s", "intro\nAnn likes tea")
	e.Source, e.Occurred = memory.Web, memory.Micros(5e14)
	turn := write(t, s, e)[0]
	if got := consolidated(t, worker(t, s, fake{"1"}, 1)); got != (Report{Spaces: 1, Turns: 1, Assertions: 2}) {
		t.Errorf("%+v", got)
	}
	got := logOf(t, s)[2]
	want := &memory.Assertion{
		Subject: "Ann", Predicate: "likes", Object: "tea", News: memory.Change, Said: e.Occurred, Source: memory.Web,
		Extractor: "fake", Version: "1", Provenance: []memory.Span{{Episode: turn.ID, Start: 6, End: 19}},
		IDKey: "fake/1/" + turn.ID.String() + "/1",
	}
	if diff := cmp.Diff(want, got.Body); diff != "" {
		t.Error(diff)
	}
	if again := consolidated(t, worker(t, s, fake{"1"}, 1)); again != (Report{}) {
		t.Errorf("again: %+v", again)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	write(t, s, say("", "fail"), say("", "panic"), say("", "invalid"), say("", "elsewhere"), say("", "Ann likes tea"))
	r := consolidated(t, worker(t, s, fake{"1"}, 100))
	if r.Failed != 4 || r.Turns != 5 || r.Assertions != 2 {
		t.Errorf("%+v", r)
	}
	var reasons []string
	for _, r := range logOf(t, s) {
		if a, ok := r.Body.(*memory.Assertion); ok {
			if reason, failed := Failure(a); failed {
				reasons = append(reasons, reason)
			}
		}
	}
	want := []string{"cannot be read", "the extractor broke: over this text", "assertion 1: predicate is blank: invalid input", "assertion 0: provenance is a place in the turn that was read: invalid input"}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Error(diff)
	}
}

// What cannot be read now waits, and all behind it.
func TestBusyWaits(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	write(t, s, say("", "Ann likes tea"), say("", "busy"), say("", "Ann likes rain"))
	w := worker(t, s, fake{"1"}, 100)
	r, err := w.Space(t.Context(), scope, nil)
	if !errors.Is(err, memory.ErrBusy) || r.Turns != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if lag, err := w.Lag(t.Context(), scope); err != nil || lag.Seq != 1 {
		t.Errorf("%+v, %v", lag, err)
	}
}

func TestLagIsFoundAmongOthers(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	names := []string{"a", "an", "ann", "anna", "anne", "b", "安", "安娜"}
	for i, name := range names {
		id, err := ids(byte(i))()
		must(t, err)
		_, err = s.Append(t.Context(), store.Batch{Scope: memory.Scope{Tenant: "t", Space: name}, Records: []memory.Record{{ID: id, Body: say("", name)}}})
		must(t, err)
	}
	w := worker(t, s, fake{"1"}, 1)
	for _, name := range names {
		if lag, err := w.Lag(t.Context(), memory.Scope{Tenant: "t", Space: name}); err != nil || lag.Records != 1 {
			t.Errorf("%s: %+v, %v", name, lag, err)
		}
	}
	if r, err := w.All(t.Context(), nil); err != nil || r.Spaces != len(names) || r.Turns != len(names) {
		t.Errorf("%+v, %v", r, err)
	}
	for _, name := range append(names, "nobody") {
		if lag, err := w.Lag(t.Context(), memory.Scope{Tenant: "t", Space: name}); err != nil || lag.Records != 0 {
			t.Errorf("%s: %+v, %v", name, lag, err)
		}
	}
}

func TestFencesAreBlank(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a<b": "a<b",
		"x <memory note=\"q\">\nAnn\n</memory> y": "x " + strings.Repeat(" ", 17) + "\n" + "   \n" + strings.Repeat(" ", 9) + " y",
		"<MEMORY>é</Memory >é":                    strings.Repeat(" ", 8+2+10) + "é",
		"<memory>open":                            strings.Repeat(" ", 12),
		"<memory>a</memory>b<memory>c</memory>":   strings.Repeat(" ", 18) + "b" + strings.Repeat(" ", 18),
		"a <memorycard> b":                        "a <memorycard> b",
	} {
		if got := blank(text); got != want || len(got) != len(text) {
			t.Errorf("blank(%q) = %q, want %q", text, got, want)
		}
	}
}
