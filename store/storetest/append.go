package storetest

import (
	"fmt"
	"strings"
	"sync"

	"engram/memory"
	"engram/store"
)

func testAppend(w *world) {
	ack := w.say(home, "a", "b")
	for i, ref := range ack.Refs {
		if ref.Seq != memory.Seq(i+1) || ref.Duplicate || ref.ID.IsZero() || ref.Recorded == 0 {
			w.Fatalf("ref %d is %+v", i, ref)
		}
	}
	if ack.Head.Seq != 2 || ack.Head.Epoch != 0 || ack.Head.Belief != 0 || ack.Head.Recorded != ack.Refs[1].Recorded {
		w.Fatalf("head is %+v", ack.Head)
	}
	w.say(home, "c")
	w.wantTexts(home, "a b c")
	_, records := w.read(w.s, home)
	if r := records[0]; r.Seq != 1 || r.ID != ack.Refs[0].ID || r.Recorded != ack.Refs[0].Recorded || len(r.Raw) == 0 || r.Damage != "" {
		w.Fatalf("read %+v", r)
	}
}

func testAppendRefuses(w *world) {
	ok := w.episode("x")
	noID := w.episode("x")
	noID.ID = memory.ID{}
	for name, b := range map[string]store.Batch{
		"no tenant":          {Scope: memory.Scope{Space: "s"}, Records: []memory.Record{ok}},
		"no space":           {Scope: memory.Scope{Tenant: "t"}, Records: []memory.Record{ok}},
		"nothing":            {Scope: home},
		"no id":              {Scope: home, Records: []memory.Record{noID}},
		"no body":            {Scope: home, Records: []memory.Record{{ID: w.id()}}},
		"blank text":         {Scope: home, Records: []memory.Record{w.episode(" \n")}},
		"invalid UTF-8":      {Scope: home, Records: []memory.Record{w.episode("a\xff")}},
		"invalid key":        {Scope: home, Records: []memory.Record{w.keyed("a\xff", "x")}},
		"nameless extractor": {Scope: home, Watermark: &store.Watermark{}},
		"second is bad":      {Scope: home, Records: []memory.Record{ok, noID}},
		"watermark too far":  {Scope: home, Records: []memory.Record{ok}, Watermark: &store.Watermark{Extractor: "e", Seq: 2}},
	} {
		if _, err := w.s.Append(w.ctx, b); err == nil {
			w.Errorf("%s: was written", name)
		} else {
			w.wantErr(err, memory.ErrInvalid)
		}
	}
	for name, r := range map[string]memory.Record{
		"long text": w.episode(strings.Repeat("x", memory.MaxText+1)),
		"long name": {ID: w.id(), Body: &memory.Episode{Text: "x", Session: strings.Repeat("x", memory.MaxName+1)}},
	} {
		_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{r}})
		if err == nil {
			w.Errorf("%s: was written", name)
		}
		w.wantErr(err, memory.ErrTooLarge)
	}
	if head := w.head(home); head != (store.Head{}) {
		w.Fatalf("a refused append made a space: %+v", head)
	}
}

func testAtomic(w *world) {
	w.say(home, "a")
	late := w.episode("late")
	late.Recorded = 1 // before "a"
	_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.keyed("k", "b"), late},
		Watermark: &store.Watermark{Extractor: "e", Seq: 1}})
	w.wantErr(err, memory.ErrInvalid)
	w.wantTexts(home, "a")
	if lags, err := w.s.Lagging(w.ctx, "e", memory.Scope{}, 10); err != nil || len(lags) != 1 || lags[0].Seq != 0 {
		w.Fatalf("lagging: %v %v", lags, err)
	}
	if ack := w.append(home, w.keyed("k", "b")); ack.Refs[0].Duplicate || ack.Refs[0].Seq != 2 {
		w.Fatalf("the key of a refused batch was kept: %+v", ack.Refs[0])
	}
}

func testRecorded(w *world) {
	at := func(us int64, text string) memory.Record {
		r := w.episode(text)
		r.Recorded = us
		return r
	}
	w.clock.Store(5000)
	w.append(home, at(1000, "a"), at(1000, "b"), at(2000, "c"))
	_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{at(1999, "x")}})
	w.wantErr(err, memory.ErrInvalid)
	// The clock's time lies between, so the stated one comes too late.
	_, err = w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode("x"), at(2001, "x")}})
	w.wantErr(err, memory.ErrInvalid)
	w.append(home, at(90_000, "d"))
	w.append(home, w.episode("e"), w.episode("f")) // the clock is behind
	w.clock.Store(100_000)
	ack := w.append(home, w.episode("g"))
	_, records := w.read(w.s, home)
	var got []int64
	for _, r := range records {
		got = append(got, r.Recorded)
	}
	if s := fmt.Sprint(got); s != "[1000 1000 2000 90000 90000 90000 100001]" {
		w.Fatalf("recorded %s", s)
	}
	if ack.Head.Recorded != 100_001 {
		w.Fatalf("head %+v", ack.Head)
	}
}

func testExpect(w *world) {
	first := w.say(home, "a", "b")
	retract := func() memory.Record {
		return memory.Record{ID: w.id(), Body: &memory.Retract{Targets: []memory.ID{first.Refs[0].ID}}}
	}
	ack, err := w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{retract()}, Expect: store.Belief(0)})
	w.must(err)
	if ack.Head.Belief != 1 {
		w.Fatalf("belief is %d", ack.Head.Belief)
	}
	w.say(home, "c") // changes no belief
	for _, n := range []uint64{0, 2} {
		_, err = w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{retract()}, Expect: store.Belief(n)})
		w.wantErr(err, memory.ErrConflict)
	}
	_, err = w.s.Erase(w.ctx, store.Erasure{Scope: home, All: true, ID: w.id(), Expect: store.Belief(0)})
	w.wantErr(err, memory.ErrConflict)
	w.wantTexts(home, "a b - c")
	_, err = w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{retract()}, Expect: store.Belief(1)})
	w.must(err)
	// A space that does not exist believes nothing.
	_, err = w.s.Append(w.ctx, store.Batch{Scope: other, Records: []memory.Record{retract()}, Expect: store.Belief(1)})
	w.wantErr(err, memory.ErrConflict)
	_, err = w.s.Append(w.ctx, store.Batch{Scope: other, Records: []memory.Record{retract()}, Expect: store.Belief(0)})
	w.must(err)
}

func testIdempotency(w *world) {
	first := w.append(home, w.keyed("k1", "a"), w.keyed("k2", "b")).Refs
	w.say(home, "c")
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{1}})
	w.s = w.open()
	again := w.append(home, w.keyed("k2", "b"), w.keyed("k3", "d"), w.keyed("k1", "a")).Refs
	for i, want := range []memory.Ref{first[1], {}, first[0]} {
		if i == 1 {
			continue
		}
		want.Duplicate = true
		if again[i] != want {
			w.Fatalf("ref %d is %+v, want %+v", i, again[i], want)
		}
	}
	if again[1].Duplicate || again[1].Seq != 5 {
		w.Fatalf("the new record got %+v", again[1])
	}
	w.wantTexts(home, "b c - d")
	if ref := w.append(other, w.keyed("k1", "a")).Refs[0]; ref.Duplicate {
		w.Fatal("a key counts in another space")
	}
}

func testIdempotencyInBatch(w *world) {
	refs := w.append(home, w.keyed("k", "a"), w.episode("b"), w.keyed("k", "c")).Refs
	want := refs[0]
	want.Duplicate = true
	if refs[2] != want || refs[0].Duplicate || refs[1].Seq != 2 {
		w.Fatalf("refs are %+v", refs)
	}
	again := w.append(home, w.keyed("k", "a"), w.keyed("k", "c")).Refs
	if again[0] != want || again[1] != want {
		w.Fatalf("refs are %+v, want %+v", again, want)
	}
	w.wantTexts(home, "a b")
}

func testIdempotencyAtOnce(w *world) {
	handles := []store.Store{w.s, w.open()}
	const callers, keys = 8, 10
	refs := make([][]memory.Ref, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for k := range keys {
				b := store.Batch{Scope: home, Records: []memory.Record{w.keyed(fmt.Sprint(k), fmt.Sprint(k))}}
				ack, err := handles[i%2].Append(w.ctx, b)
				if err != nil {
					w.Error(err)
					return
				}
				refs[i] = append(refs[i], ack.Refs[0])
			}
		})
	}
	wg.Wait()
	if w.Failed() {
		return
	}
	for k := range keys {
		writers := 0
		for i := range callers {
			if !refs[i][k].Duplicate {
				writers++
			}
			if refs[i][k].ID != refs[0][k].ID || refs[i][k].Seq != refs[0][k].Seq {
				w.Errorf("key %d: %+v and %+v", k, refs[i][k], refs[0][k])
			}
		}
		if writers != 1 {
			w.Errorf("key %d was written %d times", k, writers)
		}
	}
	if _, records := w.read(w.s, home); len(records) != keys {
		w.Errorf("%d records, want %d", len(records), keys)
	}
}

func testIdempotencyExpect(w *world) {
	b := store.Batch{Scope: home, Expect: store.Belief(0), Records: []memory.Record{
		{ID: w.id(), IDKey: "k", Body: &memory.Retract{Targets: []memory.ID{w.id()}}}}}
	first, err := w.s.Append(w.ctx, b)
	w.must(err)
	again, err := w.s.Append(w.ctx, b) // its condition holds no longer, but it went through
	w.must(err)
	first.Refs[0].Duplicate = true
	if again.Refs[0] != first.Refs[0] {
		w.Fatalf("got %+v, want %+v", again.Refs[0], first.Refs[0])
	}
	b.Records = append(b.Records, w.episode("x"))
	_, err = w.s.Append(w.ctx, b)
	w.wantErr(err, memory.ErrConflict)
}

func testWatermark(w *world) {
	w.say(home, "a", "b", "c")
	mark := func(seq memory.Seq) {
		w.Helper()
		_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Watermark: &store.Watermark{Extractor: "e", Seq: seq}})
		w.must(err)
	}
	want := func(seq memory.Seq) {
		w.Helper()
		lags, err := w.s.Lagging(w.ctx, "e", memory.Scope{}, 10)
		w.must(err)
		if len(lags) != 1 || lags[0] != (store.Lag{Scope: home, Seq: seq}) {
			w.Fatalf("lagging is %+v, want %d", lags, seq)
		}
	}
	want(0)
	mark(2)
	want(2)
	mark(1) // never back
	want(2)
	before := w.head(home)
	mark(3)
	if lags, err := w.s.Lagging(w.ctx, "e", memory.Scope{}, 10); err != nil || len(lags) != 0 {
		w.Fatalf("lagging: %v %v", lags, err)
	}
	if h := w.head(home); h != before {
		w.Fatalf("a watermark moved the head from %+v to %+v", before, h)
	}
	w.say(home, "d")
	want(3)
	w.erase(store.Erasure{Scope: home, All: true})
	want(3)
	// With records in one transaction, up to the records themselves.
	_, err := w.s.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode("e")},
		Watermark: &store.Watermark{Extractor: "e", Seq: 6}})
	w.must(err)
	if lags, _ := w.s.Lagging(w.ctx, "e", memory.Scope{}, 10); len(lags) != 0 {
		w.Fatalf("lagging: %v", lags)
	}
	// A watermark alone makes a space too.
	_, err = w.s.Append(w.ctx, store.Batch{Scope: other, Watermark: &store.Watermark{Extractor: "e"}})
	w.must(err)
}
