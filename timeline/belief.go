package timeline

import (
	"cmp"
	"slices"
	"sync"

	"engram/memory"
)

// beliefs is what the fold keeps of assertions.
type beliefs struct {
	schema   Schema
	claims   []claim              // in the order of the log
	byRow    map[int32]int32      // claim by the row of its record
	slots    map[slotName][]int32 // claims of a subject as it was named
	subjects map[string][]string  // predicates of a subject as it was named
	order    []string             // subjects in order of appearance
	names    []naming             // who is who, in the order of the log
	rulings  map[int32][]int32    // row of an assertion → rows of the verdicts that it loses by
	always   map[int32]bool       // rows of retracts that count in every view
	reopened map[int32][]int32    // row of an assertion → rows of the erasures that opened it again

	mu    sync.Mutex               // of what follows
	cache map[slotName][]Rectangle // of entities, as of the head
	who   *identities              // as of the head; nil: not made yet
}

// slotName is the key of a slot: folded subject and predicate.
type slotName struct{ subject, predicate string }

func newBeliefs(s Schema) *beliefs {
	return &beliefs{
		schema: s, byRow: map[int32]int32{}, slots: map[slotName][]int32{}, subjects: map[string][]string{},
		rulings: map[int32][]int32{}, always: map[int32]bool{}, reopened: map[int32][]int32{},
		cache: map[slotName][]Rectangle{},
	}
}

// forget drops what was derived; the next read derives it anew.
func (b *beliefs) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.cache)
	b.who = nil
}

// forgetSlot drops what was derived of the slot that an assertion is in.
func (b *beliefs) forgetSlot(name slotName) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.who != nil {
		name.subject = b.who.of(name.subject)
	}
	delete(b.cache, name)
}

func (f *Fold) addAssertion(at int32, r memory.Record, a *memory.Assertion) {
	b := f.beliefs
	name := slotName{Key(a.Subject), PredicateKey(a.Predicate)}
	c := claim{
		id: r.ID, seq: r.Seq, row: at, body: a, known: r.Seq,
		value: Key(a.Object), replaces: Key(a.Replaces), rank: b.schema.rank(name.predicate, a.Source),
	}
	said, told := a.Said, r.Recorded
	for _, p := range a.Provenance {
		if i, ok := f.ordinal(p.Episode); ok && f.entries[i].Seq < c.known {
			e := &f.entries[i]
			c.known, told = e.Seq, e.Recorded
			said = cmp.Or(a.Said, e.Episode.Occurred)
		}
	}
	c.place(cmp.Or(said, memory.Micros(told)))
	i := int32(len(b.claims))
	b.claims = append(b.claims, c)
	b.byRow[at] = i
	if _, known := b.subjects[name.subject]; !known {
		b.order = append(b.order, name.subject)
	}
	if len(b.slots[name]) == 0 {
		b.subjects[name.subject] = append(b.subjects[name.subject], name.predicate)
	}
	b.slots[name] = append(b.slots[name], i)
	b.forgetSlot(name)
}

func (f *Fold) addSettlement(at int32, s *memory.Settlement) {
	for _, id := range s.Losers {
		if row, ok := f.rows[id]; ok {
			f.beliefs.rulings[row] = append(f.beliefs.rulings[row], at)
		}
	}
	f.beliefs.forget()
}

func (f *Fold) addReopened(at int32, e *memory.Erased) {
	for _, id := range e.Reopened {
		if row, ok := f.rows[id]; ok {
			f.beliefs.reopened[row] = append(f.beliefs.reopened[row], at)
		}
	}
}

// claimsOf gives the claims of an entity's slot in the view's log, under every
// name that means it, in the order of news.
func (v View) claimsOf(name slotName) []*claim {
	b, who := v.f.beliefs, v.identities()
	var out []*claim
	if who.of(name.subject) != name.subject {
		return nil
	}
	for _, subject := range who.all(name.subject) {
		for _, i := range b.slots[slotName{subject, name.predicate}] {
			c := &b.claims[i]
			if c.seq > v.head {
				break
			}
			if len(who.entity) > 0 {
				named := *c
				named.value, named.replaces = who.of(c.value), who.of(c.replaces)
				c = &named
			}
			out = append(out, c)
		}
	}
	slices.SortFunc(out, inOrder)
	return out
}

// slotOf gives the slot that a claim is in.
func (v View) slotOf(c *claim) slotName {
	return slotName{v.entity(Key(c.body.Subject)), PredicateKey(c.body.Predicate)}
}

// claimNamed gives the assertion of an id, nil if the view's log has none.
func (v View) claimNamed(id memory.ID) *claim {
	row, ok := v.f.rows[id]
	if !ok {
		return nil
	}
	i, ok := v.f.beliefs.byRow[row]
	if !ok || v.f.beliefs.claims[i].seq > v.head {
		return nil
	}
	return &v.f.beliefs.claims[i]
}
