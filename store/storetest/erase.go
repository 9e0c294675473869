package storetest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"engram/memory"
	"engram/store"
)

func testErase(w *world) {
	w.append(home, w.keyed("k", "a"), w.episode("b"), w.episode("c"))
	w.append(home, memory.Record{ID: w.id(), Body: &memory.Retract{Targets: []memory.ID{w.id()}}})
	w.say(other, "x")
	before := w.head(home)
	receipt := w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{4, 1, 3, 1}, Reason: "asked to", Actor: "ann", Expect: store.Belief(1)})
	if !receipt.Complete() || receipt.Scope != home || receipt.Position != (memory.Position{Epoch: 1, Seq: 5}) ||
		!maps.Equal(receipt.Counts, map[memory.RecordType]int{memory.TypeEpisode: 2, memory.TypeRetract: 1}) {
		w.Fatalf("receipt %+v", receipt)
	}
	head, records := w.read(w.s, home)
	if texts(records) != "b -" || seqs(records) != "2 5" {
		w.Fatalf("left are %s at %s", texts(records), seqs(records))
	}
	if head.Epoch != 1 || head.Seq != 5 || head.Belief != before.Belief+1 || head.Recorded != records[1].Recorded {
		w.Fatalf("head %+v", head)
	}
	grave, ok := records[1].Body.(*memory.Erased)
	if !ok || records[1].ID != receipt.ID || grave.All || grave.Reason != "asked to" || grave.Actor != "ann" ||
		len(grave.Digests) != 1 || len(grave.Digests[0]) != 64 || !maps.Equal(grave.Counts, receipt.Counts) {
		w.Fatalf("tombstone %+v", records[1])
	}
	if ack := w.say(home, "d"); ack.Refs[0].Seq != 6 {
		w.Fatalf("a place was used again: %+v", ack.Refs[0])
	}
	w.wantTexts(other, "x")
	w.wantSound(w.s)
}

func testEraseAll(w *world) {
	first := w.append(home, w.keyed("k", "a"), w.keyed("l", "b")).Refs[0]
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{2}})
	receipt := w.erase(store.Erasure{Scope: home, All: true, Seqs: []memory.Seq{77}})
	// The tombstone of the first erasure goes with its digests.
	if !receipt.Complete() || receipt.Position != (memory.Position{Epoch: 2, Seq: 4}) ||
		!maps.Equal(receipt.Counts, map[memory.RecordType]int{memory.TypeEpisode: 1, memory.TypeErased: 1}) {
		w.Fatalf("receipt %+v", receipt)
	}
	_, records := w.read(w.s, home)
	grave, ok := records[0].Body.(*memory.Erased)
	if len(records) != 1 || !ok || !grave.All || grave.Digests != nil || records[0].Seq != 4 {
		w.Fatalf("left are %+v", records)
	}
	// The digest key is gone, so the key is not known any more.
	ref := w.append(home, w.keyed("k", "a")).Refs[0]
	if ref.Duplicate || ref.Seq != 5 || ref.ID == first.ID {
		w.Fatalf("got %+v", ref)
	}
	if ref := w.append(home, w.keyed("k", "a")).Refs[0]; !ref.Duplicate || ref.Seq != 5 {
		w.Fatalf("got %+v", ref)
	}
	w.wantSound(w.s)
}

func testErasePassesOver(w *world) {
	w.say(home, "a", "b")
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{1}})
	receipt := w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{0, 1, 3, 99}})
	if len(receipt.Counts) != 0 || receipt.Position != (memory.Position{Epoch: 2, Seq: 4}) {
		w.Fatalf("receipt %+v", receipt)
	}
	w.wantTexts(home, "b - -")
}

func testEraseRefuses(w *world) {
	w.say(home, "a")
	for name, c := range map[string]struct {
		e    store.Erasure
		want error
	}{
		"no scope":      {store.Erasure{All: true, ID: w.id()}, memory.ErrInvalid},
		"no id":         {store.Erasure{Scope: home, All: true}, memory.ErrInvalid},
		"nothing":       {store.Erasure{Scope: home, ID: w.id()}, memory.ErrInvalid},
		"long reason":   {store.Erasure{Scope: home, All: true, ID: w.id(), Reason: strings.Repeat("x", 2000)}, memory.ErrTooLarge},
		"unknown space": {store.Erasure{Scope: other, All: true, ID: w.id()}, memory.ErrNotFound},
	} {
		if _, err := w.s.Erase(w.ctx, c.e); err == nil {
			w.Errorf("%s: erased", name)
		} else {
			w.wantErr(err, c.want)
		}
	}
	w.wantTexts(home, "a")
	if head := w.head(other); head != (store.Head{}) {
		w.Fatalf("a refused erasure made a space: %+v", head)
	}
}

// testEraseBytes looks for what was erased in the files themselves. Records of
// several spaces and sizes are written and erased in turns, so that pages are
// split and joined and rows move, which leaves copies behind.
func testEraseBytes(w *world) {
	w.need("show its files", w.place.Files != nil)
	handles := []store.Store{w.s, w.open()}
	rng := rand.New(rand.NewPCG(1, 2))
	const spaces, rounds = 3, 25
	var left [spaces][]memory.Seq // in each space
	erased := make(map[string]bool)
	mark := func(space int, seq memory.Seq) string { return fmt.Sprintf("mark-%d-%d-", space, seq) }
	scope := func(space int) memory.Scope { return memory.Scope{Tenant: "acme", Space: fmt.Sprint(space)} }
	say := func(space int) {
		at := w.head(scope(space)).Seq + 1
		size := rng.IntN(1500)
		if rng.IntN(30) == 0 {
			size = 20_000 // over several pages
		}
		w.append(scope(space), w.keyed(mark(space, at)+"key", mark(space, at)+strings.Repeat("x", size)))
		// Its vectors tell of it too; some are put twice.
		for part := range rng.IntN(3) {
			data := mark(space, at) + strings.Repeat("y", rng.IntN(1500))
			w.vectors(store.VectorBatch{Scope: scope(space), Epoch: w.head(scope(space)).Epoch, Vectors: []store.Vector{
				vector(at, part/2, data), vector(at, part, data),
			}})
		}
		left[space] = append(left[space], at)
	}
	look := func(when string) {
		w.Helper()
		for name, data := range w.place.Files(w.T) {
			for _, found := range marks.FindAll(data, -1) {
				if erased[string(found)] {
					w.Fatalf("%s: %s is still in %s", when, found, name)
				}
			}
		}
	}
	for range 500 {
		say(rng.IntN(spaces))
	}
	for round := range rounds {
		for range 20 {
			say(rng.IntN(spaces))
		}
		space := rng.IntN(spaces)
		w.read(handles[(round+1)%2], scope(space)) // it has had the pages in its hands
		e := store.Erasure{Scope: scope(space), All: round%8 == 7}
		left[space] = slices.DeleteFunc(left[space], func(seq memory.Seq) bool {
			if !e.All && rng.IntN(4) > 0 {
				return false
			}
			e.Seqs = append(e.Seqs, seq)
			erased[mark(space, seq)] = true
			return true
		})
		if len(e.Seqs) == 0 {
			continue
		}
		w.s = handles[round%2]
		if receipt := w.erase(e); !receipt.Complete() {
			w.Fatalf("receipt %+v", receipt)
		}
		look("after the erasure")
		for range 4 {
			say(rng.IntN(spaces))
			look("after a further append")
		}
	}
	for space := range spaces {
		_, records := w.read(w.s, scope(space))
		records = slices.DeleteFunc(records, func(r memory.Record) bool { return r.Body.Type() == memory.TypeErased })
		if len(records) != len(left[space]) {
			w.Errorf("space %d holds %d records, want %d", space, len(records), len(left[space]))
		}
	}
	w.wantSound(w.s)
}

var marks = regexp.MustCompile(`mark-\d+-\d+-`)

func testErasePending(w *world) {
	w.need("show its files and hold a view", w.place.Files != nil && w.place.HoldView != nil)
	holds := func() bool {
		for _, data := range w.place.Files(w.T) {
			if bytes.Contains(data, []byte("secret")) {
				return true
			}
		}
		return false
	}
	w.say(home, "secret", "b")
	release := w.place.HoldView(w.T)
	receipt := w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{1}})
	if len(receipt.Pending) == 0 || receipt.Complete() {
		w.Fatalf("a reader still sees what was erased, the receipt says %+v", receipt)
	}
	if !holds() {
		w.Fatal("the receipt tells of bytes that are not there")
	}
	w.wantTexts(home, "b -") // it is out of reach all the same
	release()
	w.say(home, "c")
	w.must(w.s.Close())
	if holds() {
		w.Fatal("the bytes are still there after the reader has ended")
	}
}
