// Package storetest defines in tests what a store.Store is: an implementation
// is right if Run passes. A new rule for stores begins here. It may import
// memory, store, testing and rapid.
package storetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"engram/memory"
	"engram/store"
)

// Options are what the suite asks of a store that it opens.
type Options struct {
	Now func() int64 // its clock, safe for many goroutines
}

// Place is where the data of one test lies. Abilities that are nil are not
// tested.
type Place struct {
	// Open opens the store, fresh at first. Many may be open at once, like
	// those of several processes.
	Open func(ctx context.Context, o Options) (store.Store, error)
	// OpenReadOnly opens what is there without the right to write.
	OpenReadOnly func(ctx context.Context, o Options) (store.Store, error)
	// OpenLimited opens it with room for about so many bytes.
	OpenLimited func(ctx context.Context, o Options, bytes int64) (store.Store, error)
	// Flip changes one bit of a stored body.
	Flip func(t *testing.T, s memory.Scope, seq memory.Seq)
	// Replace puts another body in the place of a stored one, with a checksum
	// that fits.
	Replace func(t *testing.T, s memory.Scope, seq memory.Seq, body []byte)
	// FlipVector changes one bit of the stored vectors of a record.
	FlipVector func(t *testing.T, s memory.Scope, seq memory.Seq)
	// MakeNewer marks the data as written by a newer version.
	MakeNewer func(t *testing.T)
	// HoldView begins to read, and keeps its view until release is called.
	HoldView func(t *testing.T) (release func())
	// Files gives all bytes in which content may lie, by file.
	Files func(t *testing.T) map[string][]byte
}

// Run tests the store that newPlace makes room for.
func Run(t *testing.T, newPlace func(t *testing.T) *Place) {
	for _, c := range []struct {
		name string
		run  func(w *world)
	}{
		{"append", testAppend},
		{"append refuses", testAppendRefuses},
		{"append is atomic", testAtomic},
		{"recorded", testRecorded},
		{"belief and expect", testExpect},
		{"idempotency", testIdempotency},
		{"idempotency in one batch", testIdempotencyInBatch},
		{"idempotency at once", testIdempotencyAtOnce},
		{"idempotency of a conditional batch", testIdempotencyExpect},
		{"read after", testReadAfter},
		{"read seqs", testReadSeqs},
		{"all record types", testTypes},
		{"catch up from another handle", testCatchUp},
		{"spaces", testSpaces},
		{"tenants", testTenants},
		{"watermark", testWatermark},
		{"lagging", testLagging},
		{"erase", testErase},
		{"erase all", testEraseAll},
		{"erase passes over", testErasePassesOver},
		{"erase refuses", testEraseRefuses},
		{"erase leaves no bytes", testEraseBytes},
		{"erase behind a reader", testErasePending},
		{"vectors", testVectors},
		{"vectors of models", testVectorModels},
		{"vectors refused", testVectorsRefused},
		{"vectors of another epoch", testVectorsEpoch},
		{"vectors of erased records", testVectorsErased},
		{"vectors and watermark", testVectorsThrough},
		{"vectors dropped", testVectorsDropped},
		{"vectors of several writers", testVectorsAtOnce},
		{"damaged vector", testVectorsFlip},
		{"writers at once", testWriters},
		{"reopen", testReopen},
		{"many records", testMany},
		{"closed", testClosed},
		{"close drains", testCloseDrains},
		{"cancelled", testCancelled},
		{"newer format", testNewer},
		{"read-only", testReadOnly},
		{"full", testFull},
		{"full leaves the others through", testFullGroup},
		{"damaged body", testFlip},
		{"body that cannot be decoded", testUndecodable},
		{"model", testModel},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(newWorld(t, newPlace(t)))
		})
	}
}

// world is what each subtest has for itself.
type world struct {
	*testing.T
	ctx   context.Context
	place *Place
	s     store.Store
	clock *atomic.Int64
	ids   atomic.Uint64
}

var (
	home  = memory.Scope{Tenant: "acme", Space: "home"}
	other = memory.Scope{Tenant: "acme", Space: "other"}
)

func newWorld(t *testing.T, p *Place) *world {
	w := &world{T: t, ctx: t.Context(), place: p, clock: new(atomic.Int64)}
	w.clock.Store(1_000_000)
	w.s = w.open()
	return w
}

func (w *world) options() Options {
	return Options{Now: func() int64 { return w.clock.Add(1) }}
}

// open gives another handle on the same data, closed at the end of the test.
func (w *world) open() store.Store {
	w.Helper()
	s, err := w.place.Open(w.ctx, w.options())
	return w.opened(s, err)
}

func (w *world) opened(s store.Store, err error) store.Store {
	w.Helper()
	w.must(err)
	w.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.Errorf("close: %v", err)
		}
	})
	return s
}

// need skips the test if the place cannot do what it needs.
func (w *world) need(ability string, has bool) {
	w.Helper()
	if !has {
		w.Skipf("this store's place cannot %s", ability)
	}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) wantErr(err, want error) {
	w.Helper()
	if !errors.Is(err, want) {
		w.Fatalf("got error %v, want %v", err, want)
	}
}

func (w *world) id() (id memory.ID) {
	binary.BigEndian.PutUint64(id[8:], w.ids.Add(1))
	id[6] = 0x70
	id[8] |= 0x80
	return id
}

func (w *world) episode(text string) memory.Record {
	return memory.Record{ID: w.id(), Body: &memory.Episode{Text: text}}
}

func (w *world) keyed(key, text string) memory.Record {
	r := w.episode(text)
	r.IDKey = key
	return r
}

// append writes records that must be written.
func (w *world) append(s memory.Scope, records ...memory.Record) store.Ack {
	w.Helper()
	ack, err := w.s.Append(w.ctx, store.Batch{Scope: s, Records: records})
	w.must(err)
	if len(ack.Refs) != len(records) {
		w.Fatalf("%d refs for %d records", len(ack.Refs), len(records))
	}
	return ack
}

func (w *world) say(s memory.Scope, texts ...string) store.Ack {
	w.Helper()
	records := make([]memory.Record, len(texts))
	for i, text := range texts {
		records[i] = w.episode(text)
	}
	return w.append(s, records...)
}

// read gives everything in a space, page by page.
func (w *world) read(st store.Store, s memory.Scope) (store.Head, []memory.Record) {
	w.Helper()
	head, _, err := st.Read(w.ctx, s, memory.Position{}, 0)
	w.must(err)
	var all []memory.Record
	after := memory.Position{Epoch: head.Epoch}
	for {
		h, page, err := st.Read(w.ctx, s, after, 1000)
		w.must(err)
		if len(page) == 0 {
			return h, all
		}
		all = append(all, page...)
		after.Seq = page[len(page)-1].Seq
	}
}

// texts gives what the episodes of a space say, "-" for other records.
func (w *world) texts(s memory.Scope) string {
	w.Helper()
	_, records := w.read(w.s, s)
	return texts(records)
}

func texts(records []memory.Record) string {
	list := make([]string, len(records))
	for i, r := range records {
		list[i] = "-"
		if e, ok := r.Body.(*memory.Episode); ok {
			list[i] = e.Text
		}
	}
	return strings.Join(list, " ")
}

func (w *world) wantTexts(s memory.Scope, want string) {
	w.Helper()
	if got := w.texts(s); got != want {
		w.Fatalf("%s holds %q, want %q", s, got, want)
	}
}

func (w *world) head(s memory.Scope) store.Head {
	w.Helper()
	head, _, err := w.s.Read(w.ctx, s, memory.Position{}, 0)
	w.must(err)
	return head
}

func (w *world) erase(e store.Erasure) memory.Receipt {
	w.Helper()
	e.ID = w.id()
	receipt, err := w.s.Erase(w.ctx, e)
	w.must(err)
	if !receipt.Verified {
		w.Fatal("the erasure is not verified")
	}
	return receipt
}

// wantSound checks that nothing is damaged.
func (w *world) wantSound(s store.Store) store.Report {
	w.Helper()
	report, err := s.Check(w.ctx)
	w.must(err)
	for _, f := range report.Faults {
		w.Errorf("%s %d: %s", f.Scope, f.Seq, f.What)
	}
	return report
}

// torture reports whether the long form of the tests was asked for.
func torture() bool { return os.Getenv("ENGRAM_TORTURE") == "1" }

func seqs(records []memory.Record) string {
	var list []string
	for _, r := range records {
		list = append(list, fmt.Sprint(r.Seq))
	}
	return strings.Join(list, " ")
}
