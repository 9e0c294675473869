package engram_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram"
	"engram/embedding"
	"engram/embedding/embeddingtest"
	"engram/memory"
	"engram/store"
	"engram/store/sqlite"
)

// openModel gives an engine with a model, and its store.
func openModel(t testing.TB, path string, c *clock, e embedding.Embedder, wrap func(store.Store) store.Store) (*engram.Engine, store.Store) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Now: func() int64 { return c.now().UnixMicro() }})
	if err != nil {
		t.Fatal(err)
	}
	var s store.Store = db
	if wrap != nil {
		s = wrap(db)
	}
	// Recalls in these tests ask a model that is held on purpose, or one that
	// answers at once; a minute is for neither.
	engine, err := engram.Open(t.Context(), s, engram.Options{
		Now: c.now, Random: rand.NewChaCha8([32]byte{1}), Spaces: 2, Embedder: e, EmbedWait: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine, s
}

// dogs is a model for which a hound is a dog.
func dogs() *embeddingtest.Fake {
	return &embeddingtest.Fake{Same: [][]string{{"dog", "hound"}, {"house", "dwelling"}}}
}

func modelled(t testing.TB, f *embeddingtest.Fake) (*engram.Space, store.Store) {
	t.Helper()
	e, s := openModel(t, filepath.Join(t.TempDir(), "memory.db"), newClock(), f, nil)
	return space(t, e, "ann"), s
}

// optioned gives a space of an engine with options, but for its clock.
func optioned(t *testing.T, o engram.Options) *engram.Space {
	t.Helper()
	c := newClock()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{Now: func() int64 { return c.now().UnixMicro() }})
	if err != nil {
		t.Fatal(err)
	}
	o.Now, o.Random = c.now, rand.NewChaCha8([32]byte{1})
	e, err := engram.Open(t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { check(e.Close()) })
	return space(t, e, "ann")
}

func embed(t failer, s *engram.Space) engram.Embedded {
	t.Helper()
	r, err := s.Embed(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// stored gives the vectors of a model in the store, by record and part.
func stored(t failer, s store.Store, scope engram.Scope, model string) map[string][]byte {
	t.Helper()
	_, list, err := s.Vectors(context.Background(), scope, model, 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, v := range list {
		out[fmt.Sprintf("%d.%d", v.Seq, v.Part)] = v.Data
	}
	return out
}

func status(t failer, s *engram.Space) engram.Status {
	t.Helper()
	st, err := s.Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// wantNote expects an answer by words alone that says why.
func wantNote(t testing.TB, a engram.Answer, words string) {
	t.Helper()
	if a.Model != "" || len(a.Notes) == 0 || !strings.Contains(a.Notes[0], words) || !strings.HasSuffix(a.Notes[0], "searched by words alone.") {
		t.Errorf("by %q with the notes %q, want words alone because it %s", a.Model, a.Notes, words)
	}
}

func wantModel(t testing.TB, a engram.Answer, model string) {
	t.Helper()
	if a.Model != model || len(a.Notes) > 0 {
		t.Errorf("by %q with the notes %q, want %q", a.Model, a.Notes, model)
	}
}

func TestVectorsFindWhatWordsMiss(t *testing.T) {
	t.Parallel()
	f := dogs()
	s, db := modelled(t, f)
	if a := ask(t, s, "Where is the hound?"); a.Model != "" || len(a.Notes) != 1 {
		t.Errorf("of nothing: by %q, notes %q", a.Model, a.Notes)
	}
	for i := range 20 {
		remember(t, s, engram.Episode{Text: fmt.Sprintf("Bill %d came.", i), Session: fmt.Sprint(i)})
	}
	remember(t, s, engram.Episode{Text: "My dog sleeps a lot.", Speaker: "Ann", Session: "dog"})
	before := ask(t, s, "hound")
	wantNote(t, before, "has not read enough")
	if calls, _ := f.Calls(); calls != 0 {
		t.Errorf("the model was asked %d times before it had read anything", calls)
	}
	if st := status(t, s); st.Model != "fake" || st.Waiting != 21 {
		t.Errorf("status %+v", st)
	}
	if r := embed(t, s); r.Vectors != 21 || r.Spaces != 1 {
		t.Errorf("made %+v", r)
	}
	if r := embed(t, s); r != (engram.Embedded{}) {
		t.Errorf("made again %+v", r)
	}
	after := recall(t, s, engram.Query{Question: "hound", Limit: 3})
	wantModel(t, after, "fake")
	if has(&before, "dog") || !has(&after, "dog") || after.Embedded != 21 {
		t.Errorf("before %v, after %v, up to %d", has(&before, "dog"), has(&after, "dog"), after.Embedded)
	}
	if v := stored(t, db, s.Scope(), "fake"); len(v) != 21 || status(t, s).Waiting != 0 {
		t.Errorf("%d vectors, status %+v", len(v), status(t, s))
	}
	if _, texts := f.Calls(); texts != 22 {
		t.Errorf("%d texts were embedded, want 21 and one question", texts)
	}
	if a := ask(t, s, "?"); a.Model != "" || len(a.Notes) > 0 {
		t.Errorf("without words: by %q, notes %q", a.Model, a.Notes)
	}
	ask(t, s, "hound")
	if _, texts := f.Calls(); texts != 23 {
		t.Error("the question was embedded again")
	}
	if a := recall(t, s, engram.Query{Question: "hound", Without: []string{"vectors"}}); a.Model != "" || len(a.Notes) > 0 {
		t.Errorf("without vectors: by %q, notes %q", a.Model, a.Notes)
	}
}

func TestSpeakersAndPartsAreEmbedded(t *testing.T) {
	t.Parallel()
	var got []string
	f := &embeddingtest.Fake{Asked: func(texts []string) { got = append(got, texts...) }}
	s, db := modelled(t, f)
	long := strings.Repeat("A sentence of just six words. ", 40)
	remember(t, s, engram.Episode{Text: long, Speaker: "Bo"}, engram.Episode{Text: "Short."}, engram.Episode{Text: "Middling words.", Speaker: "Ann"})
	assert(t, s, engram.Assertion{Subject: "Ann", Predicate: "likes", Object: "tea"})
	embed(t, s)
	if got[0] != "Short." || got[1] != "Ann: Middling words." || !strings.HasPrefix(got[2], "Bo: A sentence") {
		t.Errorf("embedded %q", got)
	}
	for i := 1; i < len(got); i++ {
		if len(got[i]) < len(got[i-1]) {
			t.Errorf("text %d is shorter than the one before it", i)
		}
	}
	v := stored(t, db, s.Scope(), "fake")
	if len(v) != len(got) || v["1.1"] == nil || v["2.0"] == nil || v["4.0"] != nil {
		t.Errorf("%d vectors of %d texts", len(v), len(got))
	}
}

func TestPartsAreFoundByMeaning(t *testing.T) {
	t.Parallel()
	s, _ := modelled(t, dogs())
	for i := range 20 {
		say(t, s, fmt.Sprintf("Bill %d came.", i))
	}
	say(t, s, strings.Repeat("A sentence of just six words. ", 40)+strings.Repeat("My dog is old. ", 60))
	embed(t, s)
	a := recall(t, s, engram.Query{Question: "hound", Limit: 1})
	wantModel(t, a, "fake")
	if !has(&a, "dog") || a.Items[0].Part == 0 {
		t.Errorf("found %+v", a.Items)
	}
}

// Vectors that come later, also of records that the answer looked at, change
// nothing of its replay.
func TestReplayLooksByTheVectorsOfThen(t *testing.T) {
	t.Parallel()
	s, _ := modelled(t, dogs())
	for i := range 20 {
		say(t, s, fmt.Sprintf("Bill %d came.", i))
	}
	embed(t, s)
	say(t, s, "My dog sleeps a lot.")
	q := engram.Query{Question: "hound", Limit: 5, Explain: true}
	a := recall(t, s, q)
	wantModel(t, a, "fake")
	embed(t, s)
	now := recall(t, s, q)
	if a.Embedded != 20 || now.Embedded != 21 || cmp.Equal(a.Items, now.Items) {
		t.Fatalf("up to %d, then %d: the vector changes nothing", a.Embedded, now.Embedded)
	}
	if again, err := s.Replay(t.Context(), a); err != nil || !cmp.Equal(a, again) {
		t.Errorf("%v\n%s", err, cmp.Diff(a, again))
	}
}

func TestEnginesSeeEachOthersVectors(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	one, _ := openModel(t, path, c, dogs(), nil)
	two, _ := openModel(t, path, c, dogs(), nil)
	a, b := space(t, one, "ann"), space(t, two, "ann")
	say(t, a, "My dog sleeps a lot.")
	wantNote(t, ask(t, b, "hound"), "has not read enough")
	embed(t, a)
	if got := ask(t, b, "hound"); !has(&got, "dog") || got.Model != "fake" {
		t.Errorf("by %q: %v", got.Model, got.Items)
	}
	say(t, b, "The rent is due.")
	if r := embed(t, b); r.Vectors != 1 {
		t.Errorf("made %+v", r)
	}
	if r := embed(t, a); r != (engram.Embedded{}) {
		t.Errorf("made again %+v", r)
	}
	if got := ask(t, a, "rent"); got.Embedded != 2 || !has(&got, "rent") {
		t.Errorf("up to %d", got.Embedded)
	}
}

func TestRecallsWhileVectorsAreMade(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	one, _ := openModel(t, path, c, dogs(), nil)
	two, db := openModel(t, path, c, dogs(), nil)
	a, b := space(t, one, "ann"), space(t, two, "ann")
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() {
			for j := range 20 {
				say(t, a, fmt.Sprintf("My dog number %d of %d sleeps.", i, j))
				embed(t, []*engram.Space{a, b}[j%2])
			}
		})
		all.Go(func() {
			for range 20 {
				for _, s := range []*engram.Space{a, b} {
					got := ask(t, s, "hound")
					again, err := s.Replay(context.Background(), got)
					if err != nil || !cmp.Equal(got, again) {
						t.Errorf("replay: %v\n%s", err, cmp.Diff(got, again))
					}
				}
			}
		})
	}
	all.Wait()
	if v := stored(t, db, a.Scope(), "fake"); len(v) != 60 || status(t, a).Waiting != 0 || status(t, b).Waiting != 0 {
		t.Errorf("%d vectors, %+v, %+v", len(v), status(t, a), status(t, b))
	}
	if x, y := ask(t, a, "hound"), ask(t, b, "hound"); x.Context != y.Context || x.Embedded != y.Embedded {
		t.Errorf("two engines answer differently: up to %d and %d", x.Embedded, y.Embedded)
	}
}

func TestForgettingTakesTheVectors(t *testing.T) {
	t.Parallel()
	s, db := modelled(t, dogs())
	ref := say(t, s, "My dog sleeps a lot.")
	say(t, s, "The rent is due.")
	embed(t, s)
	if a := ask(t, s, "hound"); !has(&a, "dog") {
		t.Fatal("not found")
	}
	if _, err := s.Forget(t.Context(), engram.Selection{IDs: []engram.ID{ref.ID}}); err != nil {
		t.Fatal(err)
	}
	a := ask(t, s, "hound")
	if has(&a, "dog") {
		t.Error("found after it was forgotten")
	}
	wantModel(t, a, "fake")
	embed(t, s)
	if v := stored(t, db, s.Scope(), "fake"); len(v) != 1 || v["2.0"] == nil {
		t.Errorf("%d vectors are left", len(v))
	}
}

// What is forgotten while the model works on it does not come back.
func TestForgottenMeanwhile(t *testing.T) {
	t.Parallel()
	f := dogs()
	s, db := modelled(t, f)
	ref := say(t, s, "My dog sleeps a lot.")
	say(t, s, "The rent is due.")
	first := true
	f.Asked = func([]string) {
		if first {
			first = false
			_, err := s.Forget(context.Background(), engram.Selection{IDs: []engram.ID{ref.ID}})
			check(err)
		}
	}
	if r := embed(t, s); r.Vectors != 1 {
		t.Errorf("made %+v", r)
	}
	if v := stored(t, db, s.Scope(), "fake"); len(v) != 1 || v["2.0"] == nil {
		t.Errorf("%d vectors", len(v))
	}
}

func TestAnotherModel(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	old, db := openModel(t, path, c, dogs(), nil)
	larger := dogs()
	larger.Model, larger.Dim = "larger", 128
	next, _ := openModel(t, path, c, larger, nil)
	a, b := space(t, old, "ann"), space(t, next, "ann")
	say(t, a, "My dog sleeps a lot.")
	say(t, a, "The rent is due.")
	embed(t, a)
	wantNote(t, ask(t, b, "rent"), "larger has not read enough")
	wantModel(t, ask(t, a, "rent"), "fake") // the old one goes on
	if st := status(t, b); st.Waiting != 2 || !cmp.Equal(st.Others, []string{"fake"}) {
		t.Errorf("status %+v", st)
	}
	var steps []int
	if _, err := next.Embed(t.Context(), engram.EmbedOptions{Progress: func(done, total int) { steps = append(steps, done, total) }}); err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(steps, []int{2, 2}) {
		t.Errorf("progress %v", steps)
	}
	wantModel(t, ask(t, b, "rent"), "larger")
	wantModel(t, ask(t, a, "rent"), "fake")
	if err := b.DropVectors(t.Context(), "larger"); err != nil {
		t.Fatal(err)
	}
	wantNote(t, ask(t, b, "rent"), "larger has not read enough")
	embed(t, b)
	wantModel(t, ask(t, b, "rent"), "larger")
	if err := b.DropVectors(t.Context(), "fake"); err != nil {
		t.Fatal(err)
	}
	if v := stored(t, db, a.Scope(), "fake"); len(v) != 0 {
		t.Errorf("%d vectors are left", len(v))
	}
	wantModel(t, ask(t, b, "rent"), "larger")
	wantNote(t, ask(t, a, "rent"), "fake has not read enough") // it sees that they are gone
	embed(t, a)
	wantModel(t, ask(t, a, "rent"), "fake")
}

func TestADeadModelNeverFailsARecall(t *testing.T) {
	t.Parallel()
	f := dogs()
	s, _ := modelled(t, f)
	for i := range 20 {
		say(t, s, fmt.Sprintf("Bill %d came.", i))
	}
	say(t, s, "My dog sleeps a lot.")
	embed(t, s)
	f.Change(func(f *embeddingtest.Fake) { f.Err = errors.New("nobody is there") })
	a := ask(t, s, "Where does my dog sleep?")
	wantNote(t, a, "could not be asked")
	if !has(&a, "dog") {
		t.Error("words did not find it")
	}
	say(t, s, "The rent is due.") // a write does not mind
	calls, _ := f.Calls()
	wantNote(t, ask(t, s, "What is due?"), "could not be asked")
	if again, _ := f.Calls(); again != calls {
		t.Error("it is not left alone")
	}
	if _, err := s.Embed(t.Context()); err == nil || !strings.Contains(err.Error(), "nobody is there") {
		t.Errorf("embed: %v", err)
	}
	f.Change(func(f *embeddingtest.Fake) { f.Err = nil })
	embed(t, s) // it is there again
	wantModel(t, ask(t, s, "What is due?"), "fake")
}

// A caller without patience, and a question that the model does not take, leave
// it to the next.
func TestOneQuestionDoesNotSilenceTheModel(t *testing.T) {
	t.Parallel()
	f := dogs()
	s, _ := modelled(t, f)
	say(t, s, "My dog sleeps a lot.")
	embed(t, s)
	f.Change(func(f *embeddingtest.Fake) {
		f.Refuses = func(text string) error {
			if strings.Contains(text, "long") {
				return fmt.Errorf("status 413: %w", embedding.ErrText)
			}
			return nil
		}
	})
	wantNote(t, ask(t, s, "A long question about a dog?"), "could not be asked")
	wantModel(t, ask(t, s, "Where does my dog sleep?"), "fake")
	f.Change(func(f *embeddingtest.Fake) { f.Held = make(chan struct{}) })
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(time.Millisecond))
	defer cancel()
	if _, err := s.Recall(ctx, engram.Query{Question: "Which dog?"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's time was up: %v", err)
	}
	f.Change(func(f *embeddingtest.Fake) { f.Held = nil })
	wantModel(t, ask(t, s, "What of my dog?"), "fake")
}

// A dead model is logged once, and not with each recall while it is left alone.
func TestADeadModelIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	f := dogs()
	s := optioned(t, engram.Options{Embedder: f, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	say(t, s, "My dog sleeps a lot.")
	embed(t, s)
	f.Change(func(f *embeddingtest.Fake) { f.Err = errors.New("nobody is there") })
	for i := range 4 {
		wantNote(t, ask(t, s, fmt.Sprintf("Where does dog %d sleep?", i)), "could not be asked")
	}
	if n := strings.Count(log.String(), "searched by words alone"); n != 1 || !strings.Contains(log.String(), "nobody is there") {
		t.Errorf("%d lines:\n%s", n, log.String())
	}
}

func TestASlowModelIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	f := dogs()
	s := optioned(t, engram.Options{Embedder: f, EmbedWait: time.Millisecond})
	say(t, s, "My dog sleeps a lot.")
	embed(t, s)
	f.Change(func(f *embeddingtest.Fake) { f.Held = make(chan struct{}) })
	wantNote(t, ask(t, s, "Where does my dog sleep?"), "could not be asked")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Recall(ctx, engram.Query{Question: "a dog?"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller left: %v", err)
	}
}

func TestOtherDimensions(t *testing.T) {
	t.Parallel()
	f := dogs()
	s, db := modelled(t, f)
	say(t, s, "My dog sleeps a lot.")
	embed(t, s)
	f.Change(func(f *embeddingtest.Fake) { f.Dim = 32 })
	wantNote(t, ask(t, s, "hound"), "gives vectors of 32 dimensions, those of this memory have 64")
	say(t, s, "The rent is due.")
	if _, err := s.Embed(t.Context()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("embed: %v", err)
	}
	if v := stored(t, db, s.Scope(), "fake"); len(v) != 1 {
		t.Errorf("%d vectors", len(v))
	}
	f.Change(func(f *embeddingtest.Fake) { f.Dim, f.Short = 64, true })
	if _, err := s.Embed(t.Context()); err == nil {
		t.Error("a vector too few is no error")
	}
}

// failing is a store whose PutVectors fails from a call on, before or after it
// has written: as after a kill.
type failing struct {
	store.Store
	puts  atomic.Int64
	from  int64
	after bool
}

var errKilled = errors.New("killed")

func (s *failing) PutVectors(ctx context.Context, b store.VectorBatch) (store.Head, error) {
	if s.puts.Add(1) < s.from {
		return s.Store.PutVectors(ctx, b)
	}
	if s.after {
		if _, err := s.Store.PutVectors(ctx, b); err != nil {
			return store.Head{}, err
		}
	}
	return store.Head{}, errKilled
}

func TestInterruptedItResumes(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
		broken, _ := openModel(t, path, c, dogs(), func(s store.Store) store.Store { return &failing{Store: s, from: 2, after: after} })
		s := space(t, broken, "ann")
		var episodes []engram.Episode
		for i := range 1100 {
			episodes = append(episodes, engram.Episode{Text: fmt.Sprintf("Bill %d of %d.", i, i*i)})
		}
		remember(t, s, episodes...)
		if r, err := s.Embed(t.Context()); !errors.Is(err, errKilled) || r.Vectors != 512 {
			t.Errorf("made %+v, %v", r, err)
		}
		whole, db := openModel(t, path, c, dogs(), nil)
		want := 1100 - 512
		if after {
			want -= 512
		}
		if r := embed(t, space(t, whole, "ann")); r.Vectors != want {
			t.Errorf("then made %+v, want %d", r, want)
		}
		wantLikeFresh(t, path, c, db, s.Scope())
	}
}

// wantLikeFresh expects the vectors of a space to be those that are made at once.
func wantLikeFresh(t testing.TB, path string, c *clock, db store.Store, scope engram.Scope) {
	t.Helper()
	f := dogs()
	f.Model = "fresh"
	e, _ := openModel(t, path, c, f, nil)
	embed(t, space(t, e, scope.Space))
	if diff := cmp.Diff(stored(t, db, scope, "fresh"), stored(t, db, scope, "fake")); diff != "" {
		t.Error(diff)
	}
}

// Whatever happens, and however the vectors came about: they are those that a
// fresh model makes at once, answers are those of a fresh engine, and what was
// answered on the way is answered again with the same bytes.
func TestVectorsStepByStepAreThoseAtOnce(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	engine, db := openModel(t, path, c, dogs(), nil)
	other, _ := openModel(t, path, c, dogs(), nil)
	anew := dogs()
	anew.Model = "anew"
	again, _ := openModel(t, path, c, anew, nil)
	name := fresh()
	rapid.Check(t, func(t *rapid.T) {
		scope := name()
		l := &life{space: space(t, engine, scope)}
		live := func() {
			for range rapid.IntRange(1, 15).Draw(t, "steps") {
				switch draw(t, "model", "", "", "here", "there") {
				case "here":
					embed(t, l.space)
				case "there":
					embed(t, space(t, other, scope))
				}
				l.step(t)
			}
		}
		live()
		if len(l.said) > 0 && rapid.Bool().Draw(t, "forget one") {
			i := rapid.IntRange(0, len(l.said)-1).Draw(t, "forgotten")
			if _, err := l.space.Forget(t.Context(), engram.Selection{IDs: l.said[i : i+1]}); err != nil {
				t.Fatal(err)
			}
			l = &life{space: l.space}
			live()
		}
		l.replay(t, "the same engine", l.space)
		l.replay(t, "another engine", space(t, other, scope))
		embed(t, l.space)
		embed(t, space(t, again, scope))
		if diff := cmp.Diff(stored(t, db, l.space.Scope(), "anew"), stored(t, db, l.space.Scope(), "fake")); diff != "" {
			t.Fatal(diff)
		}
		l.replay(t, "with all vectors", l.space)
		before := ask(t, l.space, "When is the heron report due?")
		if _, err := l.space.Rebuild(t.Context()); err != nil {
			t.Fatal(err)
		}
		after := ask(t, l.space, "When is the heron report due?")
		after.Now = before.Now
		if got, want := toJSON(t, after), toJSON(t, before); !bytes.Equal(got, want) {
			t.Fatalf("rebuilt, the answer differs\n%s\n%s", got, want)
		}
	})
}

func TestReplayNeedsTheModel(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	f := dogs()
	engine, _ := openModel(t, path, c, f, nil)
	s := space(t, engine, "ann")
	say(t, s, "My dog sleeps a lot.")
	byWords := ask(t, s, "hound")
	embed(t, s)
	a := ask(t, s, "hound")
	wantModel(t, a, "fake")
	if again, err := s.Replay(t.Context(), byWords); err != nil || !cmp.Equal(again, byWords) {
		t.Errorf("the answer by words: %v\n%s", err, cmp.Diff(byWords, again))
	}
	plain := space(t, open(t, path, c, 2), "ann")
	if again, err := plain.Replay(t.Context(), byWords); err != nil || !cmp.Equal(again, byWords) {
		t.Errorf("the answer by words, without a model: %v\n%s", err, cmp.Diff(byWords, again))
	}
	if _, err := plain.Replay(t.Context(), a); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "no model") {
		t.Errorf("without a model: %v", err)
	}
	next, _ := openModel(t, path, c, &embeddingtest.Fake{Model: "next"}, nil)
	if _, err := space(t, next, "ann").Replay(t.Context(), a); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "those of next") {
		t.Errorf("with another model: %v", err)
	}
	dead := dogs()
	dead.Err = errors.New("nobody is there")
	broken, _ := openModel(t, path, c, dead, nil)
	if _, err := space(t, broken, "ann").Replay(t.Context(), a); !errors.Is(err, dead.Err) {
		t.Errorf("with a dead one: %v", err)
	}
	if err := plain.DropVectors(t.Context(), "fake"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Replay(t.Context(), a); err == nil {
		t.Error("given again without its vectors")
	}
}

func TestWatchMakesVectors(t *testing.T) {
	t.Parallel()
	f := dogs()
	e, db := openModel(t, filepath.Join(t.TempDir(), "memory.db"), newClock(), f, nil)
	s := space(t, e, "ann")
	var episodes []engram.Episode
	for i := range 300 {
		episodes = append(episodes, engram.Episode{Text: fmt.Sprintf("Bill %d.", i)})
	}
	remember(t, s, episodes...)
	ctx, stop := context.WithCancel(t.Context())
	type look struct {
		engram.Embedded
		err error
	}
	ticks, looks, done := make(chan time.Time), make(chan look), make(chan error)
	go func() {
		done <- e.Watch(ctx, engram.WatchOptions{Ticks: ticks, Embedded: func(r engram.Embedded, err error) { looks <- look{r, err} }})
	}()
	if l := <-looks; l.err != nil || l.Vectors != 256 || !l.More {
		t.Errorf("at once: %+v", l)
	}
	if l := <-looks; l.err != nil || l.Vectors != 44 || l.More { // without a tick
		t.Errorf("then: %+v", l)
	}
	f.Change(func(f *embeddingtest.Fake) { f.Err = errors.New("nobody is there") })
	say(t, s, "My dog sleeps a lot.")
	ticks <- time.Time{}
	if l := <-looks; l.err == nil {
		t.Error("a dead model is no error")
	}
	stop()
	if err := <-done; err != nil { // and no end of the watch
		t.Error(err)
	}
	if v := stored(t, db, s.Scope(), "fake"); len(v) != 300 {
		t.Errorf("%d vectors", len(v))
	}
}
