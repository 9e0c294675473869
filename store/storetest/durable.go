package storetest

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"engram/memory"
	"engram/store"
)

func testReopen(w *world) {
	w.append(home, w.keyed("k", "a"), w.episode("b"))
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{2}})
	_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Watermark: &store.Watermark{Extractor: "e", Seq: 2}})
	w.must(err)
	w.vectors(store.VectorBatch{Scope: home, Epoch: 1, Vectors: []store.Vector{vector(1, 0, "va")}})
	before := w.head(home)
	w.must(w.s.Close())
	w.s = w.open()
	if head := w.head(home); head != before {
		w.Fatalf("head was %+v, is %+v", before, head)
	}
	if ref := w.append(home, w.keyed("k", "a")).Refs[0]; !ref.Duplicate {
		w.Fatal("the key is forgotten")
	}
	if ref := w.say(home, "c").Refs[0]; ref.Seq != 4 {
		w.Fatalf("got %+v", ref)
	}
	lags, err := w.s.Lagging(w.ctx, "e", memory.Scope{}, 10)
	w.must(err)
	if len(lags) != 1 || lags[0].Seq != 2 {
		w.Fatalf("lagging: %v", lags)
	}
	w.wantTexts(home, "a - c")
	w.wantVectors(home, "1.0 va")
	w.wantSound(w.s)
}

func testMany(w *world) {
	n := 20_000
	if torture() {
		n = 1_000_000
	}
	const batch = 1000
	for i := 0; i < n; i += batch {
		records := make([]memory.Record, batch)
		for k := range records {
			records[k] = w.episode(fmt.Sprintf("number %d", i+k))
		}
		w.append(home, records...)
	}
	next := 0
	for after := (memory.Position{}); ; {
		_, page, err := w.s.Read(w.ctx, home, after, batch)
		w.must(err)
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			if want := fmt.Sprintf("number %d", next); r.Seq != memory.Seq(next+1) || r.Body.(*memory.Episode).Text != want {
				w.Fatalf("place %d holds %+v, want %q", r.Seq, r.Body, want)
			}
			next++
		}
		after.Seq = page[len(page)-1].Seq
	}
	if report := w.wantSound(w.s); next != n || report.Records != n || report.Spaces != 1 {
		w.Fatalf("read %d, checked %+v, want %d", next, report, n)
	}
}

func testClosed(w *world) {
	w.say(home, "a")
	w.must(w.s.Close())
	w.must(w.s.Close())
	calls := map[string]func() error{
		"append": func() error {
			_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode("x")}})
			return err
		},
		"erase": func() error {
			_, err := w.s.Erase(w.ctx, store.Erasure{Scope: home, All: true, ID: w.id()})
			return err
		},
		"read":      func() error { _, _, err := w.s.Read(w.ctx, home, memory.Position{}, 1); return err },
		"read seqs": func() error { _, err := w.s.ReadSeqs(w.ctx, home, []memory.Seq{1}); return err },
		"spaces":    func() error { _, err := w.s.Spaces(w.ctx, "acme", "", 1); return err },
		"lagging":   func() error { _, err := w.s.Lagging(w.ctx, "e", memory.Scope{}, 1); return err },
		"put vectors": func() error {
			_, err := w.s.PutVectors(w.ctx, oneVector())
			return err
		},
		"vectors":       func() error { _, _, err := w.s.Vectors(w.ctx, home, fakeModel, 0, 1); return err },
		"vector models": func() error { _, err := w.s.VectorModels(w.ctx, home); return err },
		"drop vectors":  func() error { return w.s.DropVectors(w.ctx, home, fakeModel) },
		"check":         func() error { _, err := w.s.Check(w.ctx); return err },
	}
	for name, call := range calls {
		if err := call(); err == nil {
			w.Errorf("%s: worked", name)
		} else {
			w.wantErr(err, memory.ErrClosed)
		}
	}
}

// testCloseDrains closes among appends: each is either acknowledged and there,
// or refused and not there.
func testCloseDrains(w *world) {
	const writers = 16
	refs := make([]memory.Ref, writers)
	errs := make([]error, writers)
	var started, done sync.WaitGroup
	started.Add(writers)
	for i := range writers {
		done.Go(func() {
			started.Done()
			var ack store.Ack
			ack, errs[i] = w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode(fmt.Sprint(i))}})
			if errs[i] == nil {
				refs[i] = ack.Refs[0]
			}
		})
	}
	started.Wait()
	w.must(w.s.Close())
	done.Wait()
	_, records := w.read(w.open(), home)
	there := make(map[memory.ID]bool)
	for _, r := range records {
		there[r.ID] = true
	}
	acknowledged := 0
	for i := range writers {
		if errs[i] != nil {
			w.wantErr(errs[i], memory.ErrClosed)
			continue
		}
		acknowledged++
		if !there[refs[i].ID] {
			w.Errorf("%+v was acknowledged and is not there", refs[i])
		}
	}
	if acknowledged != len(records) {
		w.Errorf("%d were acknowledged, %d are there", acknowledged, len(records))
	}
}

func testCancelled(w *world) {
	w.say(home, "a")
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	_, err := w.s.Append(ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode("x")}})
	w.wantErr(err, context.Canceled)
	_, err = w.s.Erase(ctx, store.Erasure{Scope: home, All: true, ID: w.id()})
	w.wantErr(err, context.Canceled)
	_, err = w.s.PutVectors(ctx, oneVector())
	w.wantErr(err, context.Canceled)
	w.wantErr(w.s.DropVectors(ctx, home, fakeModel), context.Canceled)
	_, _, err = w.s.Vectors(ctx, home, fakeModel, 0, 1)
	w.wantErr(err, context.Canceled)
	_, _, err = w.s.Read(ctx, home, memory.Position{}, 1)
	w.wantErr(err, context.Canceled)
	_, err = w.s.Check(ctx)
	w.wantErr(err, context.Canceled)
	w.wantTexts(home, "a")
	w.say(home, "b") // the store is none the worse
	w.wantTexts(home, "a b")
}

func testNewer(w *world) {
	w.need("be marked as newer", w.place.MakeNewer != nil)
	w.say(home, "a")
	w.must(w.s.Close())
	w.place.MakeNewer(w.T)
	_, err := w.place.Open(w.ctx, w.options())
	w.wantErr(err, memory.ErrNewerFormat)
}

func testReadOnly(w *world) {
	w.need("be opened read-only", w.place.OpenReadOnly != nil)
	w.say(home, "a")
	w.vectors(oneVector())
	s := w.opened(w.place.OpenReadOnly(w.ctx, w.options()))
	_, records := w.read(s, home)
	if texts(records) != "a" {
		w.Fatalf("got %s", texts(records))
	}
	_, err := s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode("x")}})
	w.wantErr(err, memory.ErrReadOnly)
	_, err = s.Erase(w.ctx, store.Erasure{Scope: home, All: true, ID: w.id()})
	w.wantErr(err, memory.ErrReadOnly)
	_, err = s.PutVectors(w.ctx, oneVector())
	w.wantErr(err, memory.ErrReadOnly)
	w.wantErr(s.DropVectors(w.ctx, home, fakeModel), memory.ErrReadOnly)
	if _, vectors, err := s.Vectors(w.ctx, home, fakeModel, 0, 10); err != nil || len(vectors) != 1 {
		w.Fatalf("got %v %v", vectors, err)
	}
	w.say(home, "b")
	if _, records = w.read(s, home); texts(records) != "a b" {
		w.Fatalf("got %s", texts(records))
	}
	w.wantSound(s)
	w.must(s.Close())
	_, err = s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode("x")}})
	w.wantErr(err, memory.ErrClosed)
}

func testFull(w *world) {
	w.need("limit its size", w.place.OpenLimited != nil)
	w.must(w.s.Close())
	w.s = w.opened(w.place.OpenLimited(w.ctx, w.options(), 400_000))
	written := 0
	for {
		if written > 400 {
			w.Fatal("the limit does not hold")
		}
		_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{
			w.keyed(fmt.Sprint(written), "a"), w.episode(strings.Repeat("x", 10_000))}})
		if err != nil {
			w.wantErr(err, memory.ErrFull)
			break
		}
		written++
	}
	head, records := w.read(w.s, home)
	if len(records) != 2*written || head.Seq != memory.Seq(2*written) {
		w.Fatalf("%d batches were acknowledged, there are %d records and the head is %+v", written, len(records), head)
	}
	w.wantSound(w.s)
	// An erasure makes room.
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{2, 4}})
	w.append(home, w.keyed(fmt.Sprint(written), "a"), w.episode(strings.Repeat("x", 10_000)))
	w.wantSound(w.s)
}

// testFullGroup sends batches at once of which one does not fit.
func testFullGroup(w *world) {
	w.need("limit its size", w.place.OpenLimited != nil)
	w.must(w.s.Close())
	w.s = w.opened(w.place.OpenLimited(w.ctx, w.options(), 400_000))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				text, want := "fits", error(nil)
				if i == 3 {
					text, want = strings.Repeat("x", 1_000_000), memory.ErrFull
				}
				_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode("first"), w.episode(text)}})
				if want == nil && err != nil {
					w.Errorf("a batch that fits: %v", err)
				} else if want != nil && err == nil {
					w.Error("a batch that does not fit was written")
				}
			}
		})
	}
	wg.Wait()
	if _, records := w.read(w.s, home); len(records) != 7*5*2 {
		w.Errorf("there are %d records, want %d", len(records), 7*5*2)
	}
	w.wantSound(w.s)
}

func testFlip(w *world) {
	w.need("flip a bit", w.place.Flip != nil)
	w.append(home, w.episode("a"), w.keyed("k", "b"), w.episode("c"))
	w.place.Flip(w.T, home, 2)
	w.wantDamage("checksum")
	// It can be erased, and its key still counts.
	if ref := w.append(home, w.keyed("k", "b")).Refs[0]; !ref.Duplicate {
		w.Fatal("the key is forgotten")
	}
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{2}})
	w.wantSound(w.s)
}

func testUndecodable(w *world) {
	w.need("replace a body", w.place.Replace != nil)
	w.say(home, "a", "b", "c")
	for _, c := range []struct{ body, damage string }{
		{`not JSON`, "no JSON object"},
		{`{"v":1,"type":"dream","id":"00000000-0000-7000-8000-000000000002"}`, "dream"},
		{`{"v":1,"type":"episode","id":"00000000-0000-7000-8000-000000000002","text":7}`, "episode"},
		{`{"v":9,"type":"episode","id":"00000000-0000-7000-8000-000000000002","text":"b"}`, "version 9"},
		{`{"type":"episode","text":"b"}`, "no version"},
		{``, "no JSON object"},
	} {
		w.place.Replace(w.T, home, 2, []byte(c.body))
		w.wantDamage(c.damage)
	}
	w.say(home, "d")
	w.wantTexts(home, "a - c d")
}

// wantDamage expects the second of three records to be damaged and reported,
// and the others to be read all the same.
func (w *world) wantDamage(what string) {
	w.Helper()
	_, records := w.read(w.s, home)
	if texts(records) != "a - c" {
		w.Fatalf("read %s", texts(records))
	}
	r := records[1]
	if r.Body != nil || r.Seq != 2 || r.Recorded == 0 || !strings.Contains(r.Damage, what) {
		w.Fatalf("the damaged record is %+v, want a damage with %q", r, what)
	}
	report, err := w.s.Check(w.ctx)
	w.must(err)
	if len(report.Faults) != 1 || report.Faults[0].Scope != home || report.Faults[0].Seq != 2 || report.Faults[0].What != r.Damage {
		w.Fatalf("the check reports %+v", report.Faults)
	}
}
