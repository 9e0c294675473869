package ingest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/embedding"
	"engram/embedding/embeddingtest"
	"engram/index/vectors"
	"engram/memory"
	"engram/store"
	"engram/store/sqlite"
)

// vectorWorld is a store with a worker and its model.
type vectorWorld struct {
	*testing.T
	store *sqlite.Store
	fake  *embeddingtest.Fake
	*VectorWorker
}

func vectorSetup(t *testing.T) *vectorWorld {
	t.Helper()
	now := time.Date(2026, 3, 8, 9, 0, 0, 0, time.UTC).UnixMicro()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{Now: func() int64 { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	fake := &embeddingtest.Fake{}
	w, err := NewVectorWorker(s, fake)
	if err != nil {
		t.Fatal(err)
	}
	return &vectorWorld{t, s, fake, w}
}

func scopeOf(name string) memory.Scope { return memory.Scope{Tenant: "t", Space: name} }

// add appends bodies to a space.
func (w *vectorWorld) add(name string, bodies ...memory.Body) {
	w.Helper()
	b := store.Batch{Scope: scopeOf(name)}
	for i, body := range bodies {
		b.Records = append(b.Records, memory.Record{ID: memory.ID{byte(len(name)), name[0], byte(i), byte(i >> 8), 1}, Body: body})
	}
	if _, err := w.store.Append(w.Context(), b); err != nil {
		w.Fatal(err)
	}
}

func texts(n int) (out []memory.Body) {
	for i := range n {
		out = append(out, &memory.Episode{Text: fmt.Sprintf("Text %d.", i), Kind: memory.Message, Source: memory.User})
	}
	return out
}

// vectorsOf gives the vectors of a space as "seq.part", zeros marked.
func (w *vectorWorld) vectorsOf(name string) (out []string) {
	w.Helper()
	_, list, err := w.store.Vectors(w.Context(), scopeOf(name), "fake", 0, 1<<20)
	if err != nil {
		w.Fatal(err)
	}
	for _, v := range list {
		d, err := vectors.Decode(v.Data)
		if err != nil {
			w.Fatal(err)
		}
		zeros := ""
		if d.Scale == 0 {
			zeros = " zeros"
		}
		out = append(out, fmt.Sprintf("%d.%d%s", v.Seq, v.Part, zeros))
	}
	return out
}

func TestBatchesAreCounted(t *testing.T) {
	t.Parallel()
	w := vectorSetup(t)
	w.add("a", texts(5)...)
	w.add("b", texts(5)...)
	between := 0
	o := VectorOptions{Texts: 2, Batches: 2, Between: func() { between++ }}
	for i, want := range []VectorReport{
		{Spaces: 1, Vectors: 4, More: true},
		{Spaces: 2, Vectors: 3, More: true}, // the last of a, the first two of b
		{Spaces: 1, Vectors: 3},
		{},
	} {
		if got, err := w.All(t.Context(), o, nil); err != nil || got != want {
			t.Errorf("call %d: %+v %v, want %+v", i, got, err, want)
		}
	}
	if between != 6 || len(w.vectorsOf("a")) != 5 || len(w.vectorsOf("b")) != 5 {
		t.Errorf("%d batches, vectors %v %v", between, w.vectorsOf("a"), w.vectorsOf("b"))
	}
	if n, err := w.Lag(t.Context(), scopeOf("b")); err != nil || n != 0 {
		t.Errorf("lag %d %v", n, err)
	}
}

func TestRecordsWithoutWordsAreNoLag(t *testing.T) {
	t.Parallel()
	w := vectorSetup(t)
	w.add("a", &memory.Feedback{Pin: []memory.ID{{1}}})
	if n, err := w.Lag(t.Context(), scopeOf("a")); err != nil || n != 1 {
		t.Errorf("lag %d %v", n, err)
	}
	for range 2 {
		if r, err := w.All(t.Context(), VectorOptions{}, nil); err != nil || r.Vectors != 0 {
			t.Errorf("made %+v %v", r, err)
		}
	}
	if calls, _ := w.fake.Calls(); calls != 1 { // for the dimension
		t.Errorf("%d calls", calls)
	}
	if n, err := w.Lag(t.Context(), scopeOf("a")); err != nil || n != 0 {
		t.Errorf("then %d %v", n, err)
	}
	if r, err := w.Space(t.Context(), scopeOf("nobody"), VectorOptions{}, nil); err != nil || r != (VectorReport{}) {
		t.Errorf("of no space: %+v %v", r, err)
	}
}

var errRefused = errors.New("too long for me")

func TestARefusedTextKeepsNothingWaiting(t *testing.T) {
	t.Parallel()
	w := vectorSetup(t)
	w.fake.Refuses = func(text string) error {
		if strings.Contains(text, "3") {
			return errRefused
		}
		return nil
	}
	w.add("a", texts(7)...)
	r, err := w.All(t.Context(), VectorOptions{}, nil)
	if err != nil || r != (VectorReport{Spaces: 1, Vectors: 7, Refused: 1}) {
		t.Errorf("made %+v %v", r, err)
	}
	if got, want := w.vectorsOf("a"), []string{"1.0", "2.0", "3.0", "4.0 zeros", "5.0", "6.0", "7.0"}; !slices.Equal(got, want) {
		t.Errorf("vectors %q, want %q", got, want)
	}
}

// A server that was away when a text came, and is back, takes the text; one that
// says that it lies in the text is not asked again.
func TestATextIsTriedAgainBeforeItIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		times   int // that the text is refused
		err     error
		refused int
		calls   int
	}{
		"away for a moment": {1, errRefused, 0, 3},
		"for good":          {9, errRefused, 1, 3},
		"the text itself":   {9, fmt.Errorf("status 400: %w", embedding.ErrText), 1, 2},
	} {
		w, failed := vectorSetup(t), 0
		w.fake.Refuses = func(text string) error {
			if text != probe && failed < tt.times {
				failed++
				return tt.err
			}
			return nil
		}
		w.add("a", texts(1)...)
		r, err := w.All(t.Context(), VectorOptions{}, nil)
		if calls, _ := w.fake.Calls(); err != nil || r != (VectorReport{Spaces: 1, Vectors: 1, Refused: tt.refused}) || calls != tt.calls {
			t.Errorf("%s: %+v %v after %d calls", name, r, err, calls)
		}
	}
}

func TestADeadModelEndsTheCall(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*embeddingtest.Fake){
		"dead":  func(f *embeddingtest.Fake) { f.Err = errRefused },
		"short": func(f *embeddingtest.Fake) { f.Short = true },
	} {
		w := vectorSetup(t)
		spoil(w.fake)
		w.add("a", texts(3)...)
		w.add("b", texts(3)...)
		r, err := w.All(t.Context(), VectorOptions{}, nil)
		if !errors.Is(err, ErrModel) || r.Vectors != 0 || len(w.vectorsOf("a")) != 0 {
			t.Errorf("%s: %+v %v", name, r, err)
		}
		if calls, _ := w.fake.Calls(); calls != 2 {
			t.Errorf("%s: it was asked %d times", name, calls)
		}
	}
}

func TestASpaceThatFailsKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	w := vectorSetup(t)
	w.add("a", texts(1)...)
	if _, err := w.store.PutVectors(t.Context(), store.VectorBatch{Scope: scopeOf("a"), Model: "fake", Dim: 7, Vectors: []store.Vector{{Seq: 1, Data: []byte("other")}}}); err != nil {
		t.Fatal(err)
	}
	w.add("b", texts(1)...)
	r, err := w.All(t.Context(), VectorOptions{}, nil)
	if !errors.Is(err, memory.ErrInvalid) || r.Vectors != 1 || len(w.vectorsOf("b")) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestACancelledCallIsCancelled(t *testing.T) {
	t.Parallel()
	w := vectorSetup(t)
	w.add("a", texts(4)...)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := w.All(ctx, VectorOptions{Texts: 2, Between: cancel}, nil)
	if !errors.Is(err, context.Canceled) || r.Vectors != 2 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestAModelNeedsAName(t *testing.T) {
	t.Parallel()
	w := vectorSetup(t)
	if _, err := NewVectorWorker(w.store, &embeddingtest.Fake{Model: strings.Repeat("x", memory.MaxName)}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("got %v", err)
	}
}
