package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"pgregory.net/rapid"

	"engram/memory"
	"engram/store"
)

// fakeModel makes the vectors of the tests, where they do not name another.
const fakeModel = "fake"

func vector(seq memory.Seq, part int, data string) store.Vector {
	return store.Vector{Seq: seq, Part: part, Data: []byte(data)}
}

func oneVector() store.VectorBatch {
	return store.VectorBatch{Scope: home, Model: fakeModel, Dim: 4, Vectors: []store.Vector{vector(1, 0, "va")}}
}

// vectors puts what must be put; the model defaults to fakeModel.
func (w *world) vectors(b store.VectorBatch) store.Head {
	w.Helper()
	if b.Model == "" {
		b.Model = fakeModel
	}
	b.Dim = 4
	head, err := w.s.PutVectors(w.ctx, b)
	w.must(err)
	return head
}

// vectorsOf gives all vectors of a model, page by page.
func (w *world) vectorsOf(st store.Store, s memory.Scope, model string) []store.Vector {
	w.Helper()
	var all []store.Vector
	after := uint64(0)
	for {
		head, page, err := st.Vectors(w.ctx, s, model, after, 2)
		w.must(err)
		if len(page) == 0 {
			return all
		}
		for _, v := range page {
			if v.Position <= after || v.Position > head.Vectors {
				w.Fatalf("position %d behind %d, the head says %d", v.Position, after, head.Vectors)
			}
			after = v.Position
		}
		all = append(all, page...)
	}
}

// wantVectors expects the vectors of fakeModel as "seq.part data", in order of
// position.
func (w *world) wantVectors(s memory.Scope, want ...string) {
	w.Helper()
	w.wantVectorsOf(s, fakeModel, want...)
}

func (w *world) wantVectorsOf(s memory.Scope, model string, want ...string) {
	w.Helper()
	got := []string{}
	for _, v := range w.vectorsOf(w.s, s, model) {
		got = append(got, fmt.Sprintf("%d.%d %s", v.Seq, v.Part, v.Data))
	}
	if !slices.Equal(got, want) {
		w.Fatalf("%s has the vectors %q by %s, want %q", s, got, model, want)
	}
}

func testVectors(w *world) {
	w.say(home, "a", "b", "c")
	w.say(other, "x")
	w.wantVectors(home)
	before := w.head(home)
	head := w.vectors(store.VectorBatch{Scope: home, Vectors: []store.Vector{vector(3, 0, "c0"), vector(1, 0, "a0"), vector(1, 1, "a1")}})
	before.Vectors = 3
	if head != before || w.head(home) != before {
		w.Fatalf("head is %+v, then %+v, want %+v", head, w.head(home), before)
	}
	w.wantVectors(home, "3.0 c0", "1.0 a0", "1.1 a1")
	// What is put again moves to the end, once.
	w.vectors(store.VectorBatch{Scope: home, Vectors: []store.Vector{vector(1, 0, "A0"), vector(2, 0, "no"), vector(2, 0, "b0")}})
	w.wantVectors(home, "3.0 c0", "1.1 a1", "1.0 A0", "2.0 b0")
	w.wantVectors(other)
	if _, page, err := w.s.Vectors(w.ctx, home, fakeModel, 3, 10); err != nil || len(page) != 2 {
		w.Fatalf("behind 3: %v %v", page, err)
	}
	for _, limit := range []int{0, -1} {
		if head, page, err := w.s.Vectors(w.ctx, home, fakeModel, 0, limit); err != nil || len(page) != 0 || head != w.head(home) {
			w.Fatalf("at most %d: %+v %v %v", limit, head, page, err)
		}
	}
	if head, page, err := w.s.Vectors(w.ctx, memory.Scope{Tenant: "no", Space: "no"}, fakeModel, 0, 10); err != nil || len(page) != 0 || head != (store.Head{}) {
		w.Fatalf("of no space: %+v %v %v", head, page, err)
	}
	// Appends leave them, and the position, alone; other handles see both.
	if ack := w.say(home, "d"); ack.Head.Vectors != w.head(home).Vectors {
		w.Fatalf("the append acknowledges %+v, the head is %+v", ack.Head, w.head(home))
	}
	w.s = w.open()
	w.wantVectors(home, "3.0 c0", "1.1 a1", "1.0 A0", "2.0 b0")
	if report := w.wantSound(w.s); report.Vectors != 4 {
		w.Fatalf("checked %+v", report)
	}
}

func testVectorModels(w *world) {
	w.say(home, "a")
	w.say(other, "x")
	w.vectors(store.VectorBatch{Scope: home, Vectors: []store.Vector{vector(1, 0, "one")}})
	_, err := w.s.PutVectors(w.ctx, store.VectorBatch{Scope: home, Model: "ä", Dim: 7, Through: 1, Vectors: []store.Vector{vector(1, 0, "two")}})
	w.must(err)
	_, err = w.s.PutVectors(w.ctx, store.VectorBatch{Scope: other, Model: "ä", Dim: 9, Vectors: []store.Vector{vector(1, 0, "three")}})
	w.must(err)
	w.wantVectors(home, "1.0 one")
	w.wantVectorsOf(home, "ä", "1.0 two")
	w.wantVectorsOf(other, "ä", "1.0 three")
	w.wantModels(home, "fake 4 0, ä 7 1")
	w.wantModels(other, "ä 9 0")
	w.wantModels(memory.Scope{Tenant: "no", Space: "no"}, "")
}

// wantModels expects models as "name dim watermark".
func (w *world) wantModels(s memory.Scope, want string) {
	w.Helper()
	models, err := w.s.VectorModels(w.ctx, s)
	w.must(err)
	var got []string
	for _, m := range models {
		got = append(got, fmt.Sprintf("%s %d %d", m.Model, m.Dim, m.Seq))
	}
	if strings.Join(got, ", ") != want {
		w.Fatalf("%s has the models %q, want %q", s, got, want)
	}
}

func testVectorsRefused(w *world) {
	w.say(home, "a", "b")
	w.vectors(oneVector())
	before := w.head(home)
	for name, c := range map[string]struct {
		change func(b *store.VectorBatch)
		want   error
	}{
		"no scope":          {func(b *store.VectorBatch) { b.Scope = memory.Scope{} }, memory.ErrInvalid},
		"unknown space":     {func(b *store.VectorBatch) { b.Scope = other }, memory.ErrNotFound},
		"no model":          {func(b *store.VectorBatch) { b.Model = "" }, memory.ErrInvalid},
		"long model":        {func(b *store.VectorBatch) { b.Model = strings.Repeat("x", memory.MaxName) }, memory.ErrInvalid},
		"invalid model":     {func(b *store.VectorBatch) { b.Model = "a\xff" }, memory.ErrInvalid},
		"no dimensions":     {func(b *store.VectorBatch) { b.Dim = 0 }, memory.ErrInvalid},
		"other dimensions":  {func(b *store.VectorBatch) { b.Dim++ }, memory.ErrInvalid},
		"no vectors":        {func(b *store.VectorBatch) { b.Vectors = nil }, memory.ErrInvalid},
		"no record":         {func(b *store.VectorBatch) { b.Vectors[1].Seq = 0 }, memory.ErrInvalid},
		"no such record":    {func(b *store.VectorBatch) { b.Vectors[1].Seq = 3 }, memory.ErrInvalid},
		"negative part":     {func(b *store.VectorBatch) { b.Vectors[1].Part = -1 }, memory.ErrInvalid},
		"empty vector":      {func(b *store.VectorBatch) { b.Vectors[1].Data = nil }, memory.ErrInvalid},
		"large vector":      {func(b *store.VectorBatch) { b.Vectors[1].Data = make([]byte, store.MaxVectorData+1) }, memory.ErrTooLarge},
		"watermark too far": {func(b *store.VectorBatch) { b.Through = 3 }, memory.ErrInvalid},
	} {
		b := oneVector()
		b.Vectors = []store.Vector{vector(1, 0, "x"), vector(2, 0, "y")}
		c.change(&b)
		if _, err := w.s.PutVectors(w.ctx, b); !errors.Is(err, c.want) {
			w.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if head := w.head(home); head != before || w.head(other) != (store.Head{}) {
		w.Errorf("head was %+v, is %+v; a space was made: %+v", before, head, w.head(other))
	}
	w.wantVectors(home, "1.0 va")
	w.wantModels(home, "fake 4 0")
}

// testVectorsEpoch has an erasure while a model works: what it made of the
// erased text does not come back.
func testVectorsEpoch(w *world) {
	w.say(home, "a", "b")
	late := store.VectorBatch{Scope: home, Epoch: w.head(home).Epoch, Model: fakeModel, Dim: 4, Through: 2,
		Vectors: []store.Vector{vector(1, 0, "a"), vector(2, 0, "b")}}
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{1}})
	_, err := w.s.PutVectors(w.ctx, late)
	w.wantErr(err, memory.ErrConflict)
	late.Epoch++
	_, err = w.s.PutVectors(w.ctx, late)
	w.wantErr(err, memory.ErrInvalid) // it has not read again
	late.Vectors = []store.Vector{vector(3, 0, "tombstone")}
	_, err = w.s.PutVectors(w.ctx, late)
	w.wantErr(err, memory.ErrInvalid)
	late.Epoch++
	_, err = w.s.PutVectors(w.ctx, late)
	w.wantErr(err, memory.ErrConflict)
	w.wantVectors(home)
	w.wantModels(home, "")
}

func testVectorsErased(w *world) {
	for _, s := range []memory.Scope{home, other} {
		w.say(s, "a", "b", "c")
		for _, model := range []string{fakeModel, "two"} {
			w.vectors(store.VectorBatch{Scope: s, Model: model, Through: 2, Vectors: []store.Vector{
				vector(1, 0, "a"), vector(2, 0, "b0"), vector(2, 1, "b1"), vector(3, 0, "c"),
			}})
		}
	}
	before := w.head(home)
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{2, 9}})
	for _, model := range []string{fakeModel, "two"} {
		w.wantVectorsOf(home, model, "1.0 a", "3.0 c")
		w.wantVectorsOf(other, model, "1.0 a", "2.0 b0", "2.1 b1", "3.0 c")
	}
	if head := w.head(home); head.Vectors != before.Vectors {
		w.Errorf("the position was %d, is %d", before.Vectors, head.Vectors)
	}
	w.wantModels(home, "fake 4 2, two 4 2")
	w.wantSound(w.s)
	w.erase(store.Erasure{Scope: home, All: true})
	w.wantVectors(home)
	w.wantVectorsOf(home, "two")
	w.wantVectors(other, "1.0 a", "2.0 b0", "2.1 b1", "3.0 c")
	w.say(home, "d")
	head := w.vectors(store.VectorBatch{Scope: home, Epoch: 2, Vectors: []store.Vector{vector(6, 0, "d")}})
	if head.Vectors != before.Vectors+1 {
		w.Errorf("the position was %d, is %d", before.Vectors, head.Vectors)
	}
	w.wantVectors(home, "6.0 d")
	w.wantSound(w.s)
}

func testVectorsThrough(w *world) {
	w.say(home, "a", "b")
	lag := func() string {
		lags, err := w.s.Lagging(w.ctx, store.VectorExtractor(fakeModel), memory.Scope{}, 10)
		w.must(err)
		return fmt.Sprint(lags)
	}
	want := func(list ...store.Lag) {
		w.Helper()
		if got := lag(); got != fmt.Sprint(list) {
			w.Fatalf("lagging: %s, want %v", got, list)
		}
	}
	want(store.Lag{Scope: home})
	w.vectors(oneVector()) // ahead of the watermark
	want(store.Lag{Scope: home})
	w.vectors(store.VectorBatch{Scope: home, Through: 1, Vectors: []store.Vector{vector(1, 0, "a")}})
	want(store.Lag{Scope: home, Seq: 1})
	head := w.head(home)
	if got := w.vectors(store.VectorBatch{Scope: home, Through: 2}); got != head { // nothing to make vectors of
		w.Fatalf("head was %+v, is %+v", head, got)
	}
	want()
	w.vectors(store.VectorBatch{Scope: home, Through: 1}) // it never goes back
	want()
	w.wantModels(home, "fake 4 2")
	w.say(home, "c")
	want(store.Lag{Scope: home, Seq: 2})
}

func testVectorsDropped(w *world) {
	const n = 9000 // more than stores drop at once
	records := make([]memory.Record, n)
	b := store.VectorBatch{Scope: home, Through: n}
	for i := range records {
		records[i] = w.episode("a")
		b.Vectors = append(b.Vectors, vector(memory.Seq(i+1), 0, "v"))
	}
	w.append(home, records...)
	w.say(other, "x")
	w.vectors(b)
	w.vectors(store.VectorBatch{Scope: home, Model: "two", Vectors: []store.Vector{vector(1, 0, "stays")}})
	w.vectors(store.VectorBatch{Scope: other, Through: 1, Vectors: []store.Vector{vector(1, 0, "stays")}})
	before := w.head(home)
	w.must(w.s.DropVectors(w.ctx, home, fakeModel))
	w.wantVectors(home)
	w.wantModels(home, "two 4 0")
	w.wantVectorsOf(home, "two", "1.0 stays")
	w.wantVectors(other, "1.0 stays")
	lags, err := w.s.Lagging(w.ctx, store.VectorExtractor(fakeModel), memory.Scope{}, 10)
	w.must(err)
	if len(lags) != 1 || lags[0] != (store.Lag{Scope: home}) {
		w.Fatalf("lagging: %v", lags)
	}
	after := w.head(home)
	if after.Vectors <= before.Vectors {
		w.Fatalf("the position was %d, is %d: nobody learns of it", before.Vectors, after.Vectors)
	}
	// Nothing to drop changes nothing.
	for s, model := range map[memory.Scope]string{home: fakeModel, {Tenant: "no", Space: "no"}: fakeModel, other: "no"} {
		w.must(w.s.DropVectors(w.ctx, s, model))
	}
	if head := w.head(home); head != after || w.head(memory.Scope{Tenant: "no", Space: "no"}) != (store.Head{}) {
		w.Fatalf("head was %+v, is %+v", after, head)
	}
	// The name is free for vectors of another kind.
	_, err = w.s.PutVectors(w.ctx, store.VectorBatch{Scope: home, Model: fakeModel, Dim: 5, Vectors: []store.Vector{vector(2, 0, "new")}})
	w.must(err)
	w.wantVectors(home, "2.0 new")
	w.wantSound(w.s)
}

// testVectorsAtOnce puts through two handles at once, and looks that a reader
// who goes on from its last position misses nothing.
func testVectorsAtOnce(w *world) {
	const writers, puts = 4, 10
	handles := []store.Store{w.s, w.open()}
	w.say(home, slices.Repeat([]string{"a"}, writers*puts)...)
	seen := map[memory.Seq]string{}
	after := uint64(0)
	look := func() {
		_, page, err := w.s.Vectors(w.ctx, home, fakeModel, after, 1000)
		w.must(err)
		for _, v := range page {
			seen[v.Seq], after = string(v.Data), v.Position
		}
	}
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for k := range puts {
				seq := memory.Seq(1 + i*puts + k)
				b := store.VectorBatch{Scope: home, Model: fakeModel, Dim: 4, Vectors: []store.Vector{vector(seq, 0, fmt.Sprint(seq))}}
				if _, err := handles[i%2].PutVectors(w.ctx, b); err != nil {
					w.Error(err)
				}
			}
		})
	}
	for range puts {
		look()
	}
	wg.Wait()
	look()
	for seq := memory.Seq(1); seq <= writers*puts; seq++ {
		if seen[seq] != fmt.Sprint(seq) {
			w.Errorf("the vector of %d is %q", seq, seen[seq])
		}
	}
	if head := w.head(home); head.Vectors != writers*puts {
		w.Errorf("the position is %d, want %d", head.Vectors, writers*puts)
	}
	w.wantSound(w.s)
}

func testVectorsFlip(w *world) {
	w.need("flip a bit of a vector", w.place.FlipVector != nil)
	w.say(home, "a", "b", "c", "d")
	w.vectors(store.VectorBatch{Scope: home, Vectors: []store.Vector{vector(1, 0, "a"), vector(2, 0, "b"), vector(3, 0, "c"), vector(4, 0, "d")}})
	w.place.FlipVector(w.T, home, 1)
	w.place.FlipVector(w.T, home, 2) // a whole page of wantVectors
	w.wantVectors(home, "3.0 c", "4.0 d")
	report, err := w.s.Check(w.ctx)
	w.must(err)
	if len(report.Faults) != 2 || report.Faults[0].Scope != home || report.Faults[0].Seq != 1 || !strings.Contains(report.Faults[0].What, "vector") {
		w.Fatalf("the check reports %+v", report.Faults)
	}
	// Made anew they are sound.
	w.vectors(store.VectorBatch{Scope: home, Vectors: []store.Vector{vector(2, 0, "b")}})
	w.wantVectors(home, "3.0 c", "4.0 d", "2.0 b")
	w.must(w.s.DropVectors(w.ctx, home, fakeModel))
	w.wantSound(w.s)
}

// putVectors draws vectors, predicts what comes of them, and puts them.
func (m *model) putVectors(t *rapid.T) {
	if m.head.Seq == 0 {
		t.Skip("no space yet")
	}
	b := store.VectorBatch{Scope: m.scope, Model: fakeModel, Dim: 4, Epoch: m.head.Epoch}
	if b.Epoch > 0 && rapid.IntRange(0, 3).Draw(t, "behind") == 0 {
		b.Epoch--
	}
	valid := b.Epoch == m.head.Epoch
	next, list := m.head.Vectors, maps.Clone(m.vectors)
	for range rapid.IntRange(1, 3).Draw(t, "vectors") {
		seq := memory.Seq(rapid.Uint64Range(1, uint64(m.head.Seq)).Draw(t, "seq"))
		v := vector(seq, 0, rapid.StringN(1, 9, 9).Draw(t, "data"))
		b.Vectors = append(b.Vectors, v)
		next++
		v.Position = next
		list[seq] = v
		valid = valid && m.records[seq].kind != "" && m.records[seq].kind != memory.TypeErased
	}
	head, err := m.store(t).PutVectors(m.w.ctx, b)
	if (err == nil) != valid {
		t.Fatalf("put vectors gave %v, valid: %v", err, valid)
	}
	if valid {
		m.head.Vectors, m.vectors = next, list
		if head != m.head {
			t.Fatalf("put vectors gave %+v, want %+v", head, m.head)
		}
	}
}

func (m *model) dropVectors(t *rapid.T) {
	if m.head.Vectors == 0 || rapid.IntRange(0, 4).Draw(t, "really") > 0 {
		t.Skip()
	}
	st := m.store(t)
	models, err := st.VectorModels(m.w.ctx, m.scope)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.DropVectors(m.w.ctx, m.scope, fakeModel); err != nil {
		t.Fatal(err)
	}
	if len(models) > 0 {
		m.head.Vectors++
	}
	m.vectors = make(map[memory.Seq]store.Vector)
}

func (m *model) compareVectors(t *rapid.T) {
	want := slices.SortedFunc(maps.Values(m.vectors), func(a, b store.Vector) int { return cmp.Compare(a.Position, b.Position) })
	got := m.w.vectorsOf(m.store(t), m.scope, fakeModel)
	same := func(a, b store.Vector) bool {
		return a.Seq == b.Seq && a.Part == b.Part && a.Position == b.Position && string(a.Data) == string(b.Data)
	}
	if !slices.EqualFunc(got, want, same) {
		t.Fatalf("got the vectors %v, want %v", got, want)
	}
}
