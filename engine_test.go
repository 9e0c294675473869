package engram_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"engram"
	"engram/memory"
	"engram/store/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock is a clock that goes on by a second whenever it is read.
type clock struct{ seconds atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.seconds.Store(time.Date(2026, 3, 8, 9, 0, 0, 0, time.UTC).Unix())
	return c
}

func (c *clock) now() time.Time { return time.Unix(c.seconds.Add(1), 0).UTC() }

// open gives an engine over the file at path. The ids it makes depend on seed.
// It keeps two spaces in memory: with more, each is dropped and folded again.
func open(t testing.TB, path string, c *clock, seed byte) *engram.Engine {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Now: func() int64 { return c.now().UnixMicro() }})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := engram.Open(t.Context(), db, engram.Options{Now: c.now, Random: rand.NewChaCha8([32]byte{seed}), Spaces: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine
}

// setup gives an engine of the test's own.
func setup(t testing.TB) *engram.Engine {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "memory.db"), newClock(), 1)
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
}

func space(t failer, e *engram.Engine, name string) *engram.Space {
	t.Helper()
	s, err := e.Space(engram.Scope{Space: name})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func remember(t failer, s *engram.Space, episodes ...engram.Episode) []engram.Ref {
	t.Helper()
	refs, err := s.Remember(context.Background(), episodes...)
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

// say remembers one message.
func say(t failer, s *engram.Space, text string) engram.Ref {
	t.Helper()
	return remember(t, s, engram.Episode{Text: text})[0]
}

func recall(t failer, s *engram.Space, q engram.Query) engram.Answer {
	t.Helper()
	a, err := s.Recall(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ask recalls with nothing but a question.
func ask(t failer, s *engram.Space, question string) engram.Answer {
	t.Helper()
	return recall(t, s, engram.Query{Question: question})
}

// has reports whether an item of the answer contains the words.
func has(a *engram.Answer, words string) bool {
	for _, it := range a.Items {
		if strings.Contains(it.Text, words) {
			return true
		}
	}
	return false
}

func TestRememberIsIdempotent(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "alice")
	first := remember(t, s, engram.Episode{Text: "I live in Paris.", IDKey: "turn-1"})[0]
	again := remember(t, s, engram.Episode{Text: "I live in Paris.", IDKey: "turn-1"})[0]
	if !again.Duplicate || again.ID != first.ID || again.Seq != first.Seq {
		t.Fatalf("the second acknowledgement is %+v, want the first one, %+v, marked Duplicate", again, first)
	}
	if _, err := s.Forget(t.Context(), engram.Selection{IDs: []engram.ID{first.ID}}); err != nil {
		t.Fatal(err)
	}
	if late := remember(t, s, engram.Episode{Text: "I live in Paris.", IDKey: "turn-1"})[0]; !late.Duplicate {
		t.Error("a late retry brought back what was erased")
	}
	if a := ask(t, s, "Where do I live? Paris?"); len(a.Items) != 0 {
		t.Errorf("the answer holds %q", a.Items[0].Text)
	}
}

func TestTheNewestVersionOfAKeyIsSeen(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "project")
	old := remember(t, s, engram.Episode{Text: "The deadline is in March.", Key: "deadline"})[0]
	newer := remember(t, s, engram.Episode{Text: "The deadline is in May.", Key: "deadline"})[0]
	seen := func(known engram.Known) string {
		a := recall(t, s, engram.Query{Question: "When is the deadline?", AsOf: engram.AsOf{Known: known}})
		if len(a.Items) != 1 {
			t.Fatalf("the answer has %d items, want the one version that holds", len(a.Items))
		}
		return a.Items[0].Text
	}
	if got := seen(engram.Known{}); !strings.Contains(got, "May") {
		t.Errorf("now: %q", got)
	}
	if got := seen(engram.Known{Seq: old.Seq}); !strings.Contains(got, "March") {
		t.Errorf("as known before the change: %q", got)
	}
	undo, err := s.Retract(t.Context(), memory.Retract{Targets: []engram.ID{newer.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if got := seen(engram.Known{}); !strings.Contains(got, "March") {
		t.Errorf("after the change was taken back: %q", got)
	}
	if _, err := s.Retract(t.Context(), memory.Retract{Targets: []engram.ID{undo.ID}}); err != nil {
		t.Fatal(err)
	}
	if got := seen(engram.Known{}); !strings.Contains(got, "May") {
		t.Errorf("after the retraction was taken back: %q", got)
	}
}

func TestTenantsAreApart(t *testing.T) {
	t.Parallel()
	engine := setup(t)
	open := func(tenant string) *engram.Space {
		s, err := engine.Space(engram.Scope{Tenant: tenant, Space: "alice"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ours, theirs := open("ours"), open("theirs")
	ref := say(t, theirs, "The password of the safe is 4711.")
	say(t, ours, "The safe is in the cellar.")

	if a := ask(t, ours, "What is the password of the safe?"); has(&a, "4711") || strings.Contains(a.Context, "4711") {
		t.Error("a recall shows another tenant's words")
	}
	ctx := t.Context()
	for name, err := range map[string]error{
		"get":      second(ours.Get(ctx, ref.ID)),
		"retract":  second(ours.Retract(ctx, memory.Retract{Targets: []engram.ID{ref.ID}})),
		"feedback": second(ours.Feedback(ctx, engram.Feedback{Pin: []engram.ID{ref.ID}})),
		"link":     second(ours.Link(ctx, ref.ID, memory.About, ref.ID)),
		"forget":   second(ours.Forget(ctx, engram.Selection{IDs: []engram.ID{ref.ID}})),
	} {
		if !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s of another tenant's record gives %v, want ErrNotFound", name, err)
		}
	}
	if _, err := ours.Forget(ctx, engram.Selection{All: true}); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, theirs, "What is the password of the safe?"); !has(&a, "4711") {
		t.Error("an erasure reached another tenant")
	}
	spaces, err := engine.Spaces(ctx, "theirs", "", 10)
	if err != nil || len(spaces) != 1 || spaces[0].Scope.Tenant != "theirs" {
		t.Errorf("the spaces of a tenant are %v, %v", spaces, err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestCallsAfterCloseGiveErrClosed(t *testing.T) {
	t.Parallel()
	engine := setup(t)
	s := space(t, engine, "alice")
	say(t, s, "I live in Paris.")
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Remember(t.Context(), engram.Episode{Text: "too late"}); !errors.Is(err, memory.ErrClosed) {
		t.Errorf("remember: %v", err)
	}
	if _, err := s.Recall(t.Context(), engram.Query{Question: "Paris?"}); !errors.Is(err, memory.ErrClosed) {
		t.Errorf("recall: %v", err)
	}
}

// Many goroutines on several spaces: each sees its own words at once, and in
// the end all are there just once.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	const spaces, writers, turns = 3, 4, 12
	engine := setup(t)
	failed := make(chan error, spaces*writers)
	for sp := range spaces {
		for w := range writers {
			go func() { failed <- talk(engine, fmt.Sprint("space", sp), fmt.Sprint("writer", w), turns) }()
		}
	}
	for range spaces * writers {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	for sp := range spaces {
		list, err := space(t, engine, fmt.Sprint("space", sp)).List(t.Context(), engram.Filter{}, engram.AsOf{}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]bool{}
		for _, e := range list {
			said[e.Text] = true
		}
		if len(list) != writers*turns || len(said) != writers*turns {
			t.Errorf("space %d holds %d episodes, %d of them different, want %d", sp, len(list), len(said), writers*turns)
		}
	}
}

// talk remembers and recalls in turns.
func talk(engine *engram.Engine, name, who string, turns int) error {
	ctx := context.Background()
	s, err := engine.Space(engram.Scope{Space: name})
	if err != nil {
		return err
	}
	for i := range turns {
		text := fmt.Sprintf("%s saw the heron number%d.", who, i)
		refs, err := s.Remember(ctx, engram.Episode{Text: text, Session: who})
		if err != nil {
			return err
		}
		a, err := s.Recall(ctx, engram.Query{Question: fmt.Sprintf("number%d", i), Filter: engram.Filter{Sessions: []string{who}}})
		if err != nil {
			return err
		}
		if !has(&a, text) {
			return fmt.Errorf("a recall at %s does not see %q, acknowledged at %d", a.Position, text, refs[0].Seq)
		}
		if again, err := s.Replay(ctx, a); err != nil || again.Context != a.Context {
			return fmt.Errorf("replay while others write: %w\n%s\n%s", err, a.Context, again.Context)
		}
		if i%4 == 3 {
			if _, err := s.Feedback(ctx, engram.Feedback{Used: []engram.ID{refs[0].ID}}); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestTwoEnginesOnOneFile(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	one, other := space(t, open(t, path, c, 1), "alice"), space(t, open(t, path, c, 2), "alice")

	secret := say(t, one, "The code word is heron.")
	before := ask(t, other, "What is the code word?")
	if !has(&before, "heron") {
		t.Fatal("the other engine does not see what was acknowledged")
	}
	say(t, other, "The code word has four vowels? No, two.")
	if a := ask(t, one, "How many vowels has the code word?"); !has(&a, "vowels") {
		t.Error("the first engine does not see what the other wrote")
	}
	receipt, err := one.Forget(t.Context(), engram.Selection{IDs: []engram.ID{secret.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if !receipt.Verified || receipt.Counts[memory.TypeEpisode] != 1 {
		t.Errorf("the receipt is %+v", receipt)
	}
	if a := ask(t, other, "What is the code word? heron"); strings.Contains(a.Context, "heron") || has(&a, "heron") {
		t.Error("the other engine shows what was erased")
	}
	if _, err := other.Replay(t.Context(), before); !errors.Is(err, memory.ErrErased) {
		t.Errorf("replay of an answer from before the erasure gives %v, want ErrErased", err)
	}
	if _, err := one.Forget(t.Context(), engram.Selection{All: true}); err != nil {
		t.Fatal(err)
	}
	say(t, other, "A new beginning.")
	list, err := one.List(t.Context(), engram.Filter{}, engram.AsOf{}, 0, 0)
	if err != nil || len(list) != 1 {
		t.Errorf("after everything was erased and one thing said, the list is %v, %v", list, err)
	}
}
