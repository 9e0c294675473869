package ingest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
	"engram/store"
)

// fakeStore keeps batches and finds duplicates by key. The embedded Store is
// nil: nothing but Append may be called.
type fakeStore struct {
	store.Store
	batches []store.Batch
	keys    map[string]memory.Ref
	seq     memory.Seq
	fail    func(b store.Batch) error
}

func (f *fakeStore) Append(ctx context.Context, b store.Batch) (store.Ack, error) {
	if err := ctx.Err(); err != nil {
		return store.Ack{}, err
	}
	if f.fail != nil {
		if err := f.fail(b); err != nil {
			return store.Ack{}, err
		}
	}
	b.Records = slices.Clone(b.Records) // the batch is the caller's again
	f.batches = append(f.batches, b)
	var ack store.Ack
	for _, r := range b.Records {
		ref, known := f.keys[r.IDKey]
		if known && r.IDKey != "" {
			ref.Duplicate = true
		} else {
			f.seq++
			ref = memory.Ref{ID: r.ID, Seq: f.seq}
			f.keys[r.IDKey] = ref
		}
		ack.Refs = append(ack.Refs, ref)
	}
	return ack, nil
}

// written lists the texts of the log.
func (f *fakeStore) written() []string {
	var out []string
	for _, b := range f.batches {
		for _, r := range b.Records {
			out = append(out, r.Body.(*memory.Episode).Text)
		}
	}
	return out
}

var now = time.Date(2026, 3, 8, 9, 0, 0, 0, time.FixedZone("", 8*3600))

func setup() (*Writer, *fakeStore) {
	f := &fakeStore{keys: map[string]memory.Ref{}}
	return New(f, func() time.Time { return now }, rand.NewChaCha8([32]byte{1})), f
}

var scope = memory.Scope{Tenant: "default", Space: "s"}

func record(text string) memory.Record { return memory.Record{Body: &memory.Episode{Text: text}} }

// stream yields records and errors in turn.
func stream(items ...any) iter.Seq2[memory.Record, error] {
	return func(yield func(memory.Record, error) bool) {
		for _, it := range items {
			var r memory.Record
			err, broken := it.(error)
			if !broken {
				r = it.(memory.Record)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// numbered yields n records with the same text behind their numbers.
func numbered(n int, text string) iter.Seq2[memory.Record, error] {
	return func(yield func(memory.Record, error) bool) {
		for i := range n {
			if !yield(record(fmt.Sprint(i, text)), nil) {
				return
			}
		}
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	w, f := setup()
	stated := memory.Episode{
		Text: "b", Kind: memory.Document, Source: memory.Web, Session: "s", Speaker: "Ann", IDKey: "k",
		Occurred: memory.Micros(5), Metadata: map[string]string{"a": "b"},
	}
	own, err := w.NewID()
	if err != nil {
		t.Fatal(err)
	}
	ack, err := w.Append(t.Context(), scope, store.Belief(7), record("a"), memory.Record{Body: &stated}, memory.Record{ID: own, IDKey: "header", Body: &memory.Episode{Text: "c", IDKey: "body"}})
	if err != nil || len(ack.Refs) != 3 || len(f.batches) != 1 {
		t.Fatalf("%+v, %v", ack, err)
	}
	b := f.batches[0]
	if b.Scope != scope || b.Expect.Holds(6) || !b.Expect.Holds(7) {
		t.Errorf("the batch goes to %s with %+v", b.Scope, b.Expect)
	}
	want := []*memory.Episode{
		{Text: "a", Kind: memory.Message, Source: memory.User, Occurred: memory.At(now)},
		&stated,
		{Text: "c", Kind: memory.Message, Source: memory.User, Occurred: memory.At(now), IDKey: "header"},
	}
	ids := map[memory.ID]bool{}
	for i, r := range b.Records {
		if diff := cmp.Diff(want[i], r.Body); diff != "" {
			t.Errorf("episode %d: %s", i, diff)
		}
		if r.IDKey != want[i].IDKey || r.Seq != 0 || r.Recorded != 0 || r.ID.IsZero() || ids[r.ID] {
			t.Errorf("episode %d: %+v", i, r)
		}
		ids[r.ID] = true
	}
	if b.Records[2].ID != own {
		t.Error("a stated id was replaced")
	}
}

func TestTheCallersEpisodeIsNotChanged(t *testing.T) {
	t.Parallel()
	w, _ := setup()
	e := memory.Episode{Text: "a", Metadata: map[string]string{"k": "v"}}
	if _, err := w.Append(t.Context(), scope, store.Any, memory.Record{IDKey: "key", Body: &e}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Stream(t.Context(), scope, stream(memory.Record{IDKey: "key2", Body: &e}), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(memory.Episode{Text: "a", Metadata: map[string]string{"k": "v"}}, e); diff != "" {
		t.Error(diff)
	}
}

func TestABatchIsWrittenWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		bad    memory.Record
		reason string
		is     error
	}{
		{record(" \n"), "blank", memory.ErrInvalid},
		{record("\xff"), "UTF-8", memory.ErrInvalid},
		{record(strings.Repeat("a", memory.MaxText+1)), "limit", memory.ErrTooLarge},
		{memory.Record{Body: &memory.Episode{Text: "a", Kind: "poem"}}, "poem", memory.ErrInvalid},
		{memory.Record{Body: &memory.Episode{Text: "a", Source: "oracle"}}, "oracle", memory.ErrInvalid},
		{memory.Record{Body: &memory.Retract{}}, "retraction", memory.ErrInvalid},
		{memory.Record{}, "no body", memory.ErrInvalid},
		{memory.Record{IDKey: "a\x00", Body: &memory.Episode{Text: "a"}}, "id_key", memory.ErrInvalid},
		{memory.Record{Recorded: now.UnixMicro() + 1, Body: &memory.Episode{Text: "a"}}, "future", memory.ErrInvalid},
	} {
		w, f := setup()
		_, err := w.Append(t.Context(), scope, store.Any, record("good"), tt.bad, record("good too"))
		if !errors.Is(err, tt.is) || !strings.HasPrefix(err.Error(), "item 2 of 3: ") || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("got %v, want item 2 of 3 with %q", err, tt.reason)
		}
		if _, err := w.Append(t.Context(), scope, store.Any, tt.bad); !errors.Is(err, tt.is) || strings.HasPrefix(err.Error(), "item") {
			t.Errorf("alone: %v", err)
		}
		if len(f.batches) != 0 {
			t.Errorf("%v, but something was written", err)
		}
	}
}

func TestStoreErrorsComeThrough(t *testing.T) {
	t.Parallel()
	w, f := setup()
	f.fail = func(store.Batch) error { return memory.ErrConflict }
	if _, err := w.Append(t.Context(), scope, store.Belief(1), record("a")); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("got %v", err)
	}
}

// errReader fails, as a source of randomness may.
type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

func TestWithoutRandomnessNothingIsWritten(t *testing.T) {
	t.Parallel()
	f := &fakeStore{keys: map[string]memory.Ref{}}
	w := New(f, func() time.Time { return now }, errReader{})
	if _, err := w.Append(t.Context(), scope, store.Any, record("a")); err == nil || !strings.Contains(err.Error(), "no entropy") || len(f.batches) != 0 {
		t.Errorf("got %v and %d batches", err, len(f.batches))
	}
}

func TestStreamGoesOnAfterBrokenItems(t *testing.T) {
	t.Parallel()
	w, f := setup()
	broken := errors.New("line 2 is no JSON")
	report, err := w.Stream(t.Context(), scope, stream(record("a"), broken, record("b"), record(" "), record("c"), memory.Record{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Added != 3 || report.Failed != 3 || report.Duplicates != 0 || len(report.Errors) != 3 ||
		!errors.Is(report.Errors[0], broken) || !errors.Is(report.Errors[1], memory.ErrInvalid) {
		t.Errorf("report %+v", report)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, f.written()); diff != "" {
		t.Error(diff)
	}
}

func TestStreamKeepsTheFirstErrorsOnly(t *testing.T) {
	t.Parallel()
	w, _ := setup()
	var items []any
	for i := range MaxErrors + 50 {
		items = append(items, fmt.Errorf("line %d", i))
	}
	report, err := w.Stream(t.Context(), scope, stream(items...), nil)
	if err != nil || report.Failed != MaxErrors+50 || len(report.Errors) != MaxErrors || report.Errors[0].Error() != "line 0" {
		t.Errorf("%d failed with %d errors, %v", report.Failed, len(report.Errors), err)
	}
}

func TestStreamOfNothing(t *testing.T) {
	t.Parallel()
	w, f := setup()
	report, err := w.Stream(t.Context(), scope, stream(), func(Report) { t.Error("progress without a batch") })
	if err != nil || report.Added != 0 || len(f.batches) != 0 {
		t.Errorf("%+v, %v, %d batches", report, err, len(f.batches))
	}
}

func TestStreamBatchesByCount(t *testing.T) {
	t.Parallel()
	w, f := setup()
	var steps []int
	report, err := w.Stream(t.Context(), scope, numbered(2*BatchSize+5, ""), func(r Report) { steps = append(steps, r.Added) })
	if err != nil || report.Added != 2*BatchSize+5 {
		t.Fatalf("%+v, %v", report, err)
	}
	if diff := cmp.Diff([]int{BatchSize, 2 * BatchSize, 2*BatchSize + 5}, steps); diff != "" {
		t.Error(diff)
	}
	for i, s := range f.written() {
		if s != fmt.Sprint(i) {
			t.Fatalf("place %d holds %s", i, s)
		}
	}
}

func TestStreamBatchesByBytes(t *testing.T) {
	t.Parallel()
	w, f := setup()
	const texts, size = 10, 3 << 20
	if _, err := w.Stream(t.Context(), scope, numbered(texts, strings.Repeat("a", size)), nil); err != nil {
		t.Fatal(err)
	}
	for i, b := range f.batches {
		bytes := 0
		for _, r := range b.Records {
			bytes += len(r.Body.(*memory.Episode).Text)
		}
		if last := i == len(f.batches)-1; bytes >= batchBytes+memory.MaxText || !last && bytes < batchBytes {
			t.Errorf("batch %d has %d bytes", i, bytes)
		}
	}
	if len(f.written()) != texts || len(f.batches) != 4 {
		t.Errorf("%d texts in %d batches", len(f.written()), len(f.batches))
	}
}

// What is counted is durable, whatever comes later.
func TestStreamEndsWithTheStoresError(t *testing.T) {
	t.Parallel()
	w, f := setup()
	f.fail = func(store.Batch) error {
		if len(f.batches) == 2 {
			return memory.ErrFull
		}
		return nil
	}
	taken := 0
	items := func(yield func(memory.Record, error) bool) {
		for r, err := range numbered(10*BatchSize, "") {
			if taken++; !yield(r, err) {
				return
			}
		}
	}
	report, err := w.Stream(t.Context(), scope, items, nil)
	if !errors.Is(err, memory.ErrFull) || !strings.Contains(err.Error(), fmt.Sprint("after ", 2*BatchSize)) {
		t.Errorf("got %v", err)
	}
	if report.Added != 2*BatchSize || len(f.written()) != report.Added || taken != 3*BatchSize {
		t.Errorf("%d added, %d written, %d taken from the stream", report.Added, len(f.written()), taken)
	}
}

// The last batch counts in the report also when it is not a full one.
func TestStreamFailsInTheLastBatch(t *testing.T) {
	t.Parallel()
	w, f := setup()
	f.fail = func(b store.Batch) error {
		if len(b.Records) < BatchSize {
			return memory.ErrBusy
		}
		return nil
	}
	report, err := w.Stream(t.Context(), scope, numbered(BatchSize+1, ""), nil)
	if !errors.Is(err, memory.ErrBusy) || report.Added != BatchSize {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestStreamCountsDuplicates(t *testing.T) {
	t.Parallel()
	w, _ := setup()
	keyed := func(k string) memory.Record {
		return memory.Record{IDKey: k, Body: &memory.Episode{Text: "a"}}
	}
	first, err := w.Stream(t.Context(), scope, stream(keyed("1"), keyed("2"), keyed("1"), keyed("")), nil)
	if err != nil || first.Added != 3 || first.Duplicates != 1 {
		t.Errorf("first: %+v, %v", first, err)
	}
	again, err := w.Stream(t.Context(), scope, stream(keyed("1"), keyed("2"), keyed("3"), keyed("")), nil)
	if err != nil || again.Added != 2 || again.Duplicates != 2 {
		t.Errorf("again: %+v, %v", again, err)
	}
}

func TestCancelledContext(t *testing.T) {
	t.Parallel()
	w, f := setup()
	ctx, cancel := context.WithCancel(t.Context())
	items := func(yield func(memory.Record, error) bool) {
		for r := range numbered(BatchSize+10, "") {
			if !yield(r, nil) {
				return
			}
		}
		cancel()
		if yield(memory.Record{}, ctx.Err()) {
			t.Error("the stream went on after the context had ended")
		}
	}
	report, err := w.Stream(ctx, scope, items, nil)
	if !errors.Is(err, context.Canceled) || report.Added != BatchSize || report.Failed != 0 || len(f.written()) != BatchSize {
		t.Errorf("%+v, %v, %d written", report, err, len(f.written()))
	}
	if report, err := w.Stream(ctx, scope, numbered(3, ""), nil); !errors.Is(err, context.Canceled) || report.Added != 0 {
		t.Errorf("begun after the end: %+v, %v", report, err)
	}
	if _, err := w.Append(ctx, scope, store.Any, record("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
}

// Ids stay distinct and sort by time when many ask at once. For -race.
func TestManyIDsAtOnce(t *testing.T) {
	t.Parallel()
	w, _ := setup()
	var mu sync.Mutex
	seen := map[memory.ID]bool{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				id, err := w.NewID()
				mu.Lock()
				if err != nil || seen[id] {
					t.Errorf("id %s, %v", id, err)
				}
				seen[id] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
