package storetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"engram/memory"
	"engram/store"
)

// testModel does at random to a store, through two handles, what it does to a
// model in memory, and compares what both give.
func testModel(w *world) {
	handles := []store.Store{w.s, w.open()}
	runs := 0
	rapid.Check(w.T, func(t *rapid.T) {
		runs++
		m := &model{
			w: w, t: t, handles: handles,
			scope:   memory.Scope{Tenant: "acme", Space: fmt.Sprint("run", runs)},
			records: make(map[memory.Seq]entry), keys: make(map[string]memory.Ref),
			vectors: make(map[memory.Seq]store.Vector),
		}
		t.Repeat(map[string]func(*rapid.T){
			"":          m.compare,
			"append":    m.append,
			"erase":     m.erase,
			"erase all": m.eraseAll,
			"read":      m.read,
			"read seqs": m.readSeqs,
			"vectors":   m.putVectors,
			"drop":      m.dropVectors,
		})
	})
	w.wantSound(w.s)
}

// entry is a record in the model.
type entry struct {
	id       memory.ID
	kind     memory.RecordType
	recorded int64
}

type model struct {
	w       *world
	t       *rapid.T
	handles []store.Store
	scope   memory.Scope
	head    store.Head
	records map[memory.Seq]entry
	keys    map[string]memory.Ref
	vectors map[memory.Seq]store.Vector // one part of each is enough
}

func (m *model) store(t *rapid.T) store.Store {
	return m.handles[rapid.IntRange(0, 1).Draw(t, "handle")]
}

// append draws a batch, predicts what comes of it, and sends it.
func (m *model) append(t *rapid.T) {
	b := store.Batch{Scope: m.scope}
	if rapid.IntRange(0, 3).Draw(t, "conditional") == 0 {
		b.Expect = store.Belief(uint64(max(0, int64(m.head.Belief)-rapid.Int64Range(0, 1).Draw(t, "behind"))))
	}
	for range rapid.IntRange(1, 4).Draw(t, "records") {
		r := memory.Record{ID: m.w.id(), Body: &memory.Episode{Text: "text"}}
		if rapid.IntRange(0, 3).Draw(t, "retract") == 0 {
			r.Body = &memory.Retract{Targets: []memory.ID{m.w.id()}}
		}
		r.IDKey = rapid.SampledFrom([]string{"", "", "k1", "k2", "k3"}).Draw(t, "key")
		if rapid.IntRange(0, 5).Draw(t, "stated") == 0 {
			r.Recorded = max(1, m.head.Recorded+rapid.Int64Range(-1, 1).Draw(t, "recorded"))
		}
		b.Records = append(b.Records, r)
	}
	now := m.w.clock.Load() + 1 // what the store's clock will say, if it asks once
	ack, err := m.store(t).Append(m.w.ctx, b)
	want, next, wantErr := m.predict(b, now)
	if !errors.Is(err, wantErr) || (err != nil) != (wantErr != nil) {
		t.Fatalf("append gave %v, want %v", err, wantErr)
	}
	if err != nil {
		return
	}
	*m = *next
	if !slices.Equal(ack.Refs, want) || ack.Head != m.head {
		t.Fatalf("append gave %+v, want %+v and head %+v", ack, want, m.head)
	}
}

// predict gives the refs and the model after b.
func (m *model) predict(b store.Batch, now int64) ([]memory.Ref, *model, error) {
	next := *m
	next.records, next.keys = maps.Clone(m.records), maps.Clone(m.keys)
	refs := make([]memory.Ref, len(b.Records))
	fresh := 0
	for i, r := range b.Records {
		if ref, ok := next.keys[r.IDKey]; ok && r.IDKey != "" {
			ref.Duplicate = true
			refs[i] = ref
			continue
		}
		fresh++
		at := max(next.head.Recorded, now)
		if r.Recorded != 0 {
			if at = r.Recorded; at < next.head.Recorded {
				return nil, nil, memory.ErrInvalid
			}
		}
		next.push(r.ID, r.Body, at)
		refs[i] = memory.Ref{ID: r.ID, Seq: next.head.Seq, Recorded: at}
		if r.IDKey != "" {
			next.keys[r.IDKey] = refs[i]
		}
	}
	if fresh > 0 && !b.Expect.Holds(m.head.Belief) {
		return nil, nil, memory.ErrConflict
	}
	return refs, &next, nil
}

func (m *model) push(id memory.ID, body memory.Body, recorded int64) {
	m.head.Seq++
	m.head.Recorded = recorded
	if body.ChangesBelief() {
		m.head.Belief++
	}
	m.records[m.head.Seq] = entry{id: id, kind: body.Type(), recorded: recorded}
}

func (m *model) erase(t *rapid.T) {
	if m.head.Seq == 0 {
		t.Skip("no space yet")
	}
	list := rapid.SliceOfN(rapid.Uint64Range(0, uint64(m.head.Seq)+1), 1, 5).Draw(t, "seqs")
	e := store.Erasure{Scope: m.scope}
	for _, seq := range list {
		e.Seqs = append(e.Seqs, memory.Seq(seq))
	}
	m.bury(t, e, func(seq memory.Seq, r entry) bool {
		return slices.Contains(e.Seqs, seq) && r.kind != memory.TypeErased
	})
}

func (m *model) eraseAll(t *rapid.T) {
	if m.head.Seq == 0 || rapid.IntRange(0, 4).Draw(t, "really") > 0 {
		t.Skip()
	}
	m.bury(t, store.Erasure{Scope: m.scope, All: true}, func(memory.Seq, entry) bool { return true })
	clear(m.keys)
}

func (m *model) bury(t *rapid.T, e store.Erasure, named func(memory.Seq, entry) bool) {
	e.ID = m.w.id()
	now := m.w.clock.Load() + 1
	counts := make(map[memory.RecordType]int)
	maps.DeleteFunc(m.records, func(seq memory.Seq, r entry) bool {
		if !named(seq, r) {
			return false
		}
		counts[r.kind]++
		delete(m.vectors, seq)
		return true
	})
	m.head.Epoch++
	m.push(e.ID, new(memory.Erased), max(m.head.Recorded, now))
	receipt, err := m.store(t).Erase(m.w.ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	if !receipt.Verified || receipt.Position != m.head.Position || !maps.Equal(receipt.Counts, counts) {
		t.Fatalf("receipt %+v, want %v at %s", receipt, counts, m.head.Position)
	}
}

// compare reads all and holds it against the model.
func (m *model) compare(t *rapid.T) {
	head, records := m.w.read(m.store(t), m.scope)
	if head != m.head {
		t.Fatalf("head is %+v, want %+v", head, m.head)
	}
	m.same(t, records, slices.Sorted(maps.Keys(m.records)))
	m.compareVectors(t)
}

func (m *model) same(t *rapid.T, records []memory.Record, want []memory.Seq) {
	if len(records) != len(want) {
		t.Fatalf("got the places %s, want %v", seqs(records), want)
	}
	for i, r := range records {
		e := m.records[want[i]]
		if r.Seq != want[i] || r.ID != e.id || r.Body.Type() != e.kind || r.Recorded != e.recorded {
			t.Fatalf("place %d holds %+v, want %+v", want[i], r, e)
		}
	}
}

func (m *model) read(t *rapid.T) {
	after := memory.Position{
		Epoch: m.head.Epoch - min(m.head.Epoch, rapid.Uint64Range(0, 1).Draw(t, "behind")),
		Seq:   memory.Seq(rapid.Uint64Range(0, uint64(m.head.Seq)+1).Draw(t, "after")),
	}
	limit := rapid.IntRange(0, 5).Draw(t, "limit")
	head, records, err := m.store(t).Read(m.w.ctx, m.scope, after, limit)
	if err != nil || head != m.head {
		t.Fatalf("read gave %+v %v, want %+v", head, err, m.head)
	}
	var want []memory.Seq
	for _, seq := range slices.Sorted(maps.Keys(m.records)) {
		if after.Epoch == m.head.Epoch && seq > after.Seq && len(want) < limit {
			want = append(want, seq)
		}
	}
	m.same(t, records, want)
}

func (m *model) readSeqs(t *rapid.T) {
	var list, want []memory.Seq
	for _, n := range rapid.SliceOfN(rapid.Uint64Range(0, uint64(m.head.Seq)+1), 0, 6).Draw(t, "seqs") {
		list = append(list, memory.Seq(n))
	}
	for _, seq := range slices.Compact(slices.Sorted(slices.Values(list))) {
		if _, ok := m.records[seq]; ok {
			want = append(want, seq)
		}
	}
	records, err := m.store(t).ReadSeqs(m.w.ctx, m.scope, list)
	if err != nil {
		t.Fatal(err)
	}
	m.same(t, records, want)
}
