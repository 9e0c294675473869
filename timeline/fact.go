package timeline

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"engram/memory"
)

// FactQuery narrows a reading of facts. The zero value asks for all that hold.
type FactQuery struct {
	Subject   string // a name of it; empty: every subject
	Predicate string // empty: every predicate
	Object    string // empty: every value
	At        int64  // the moment of valid time, µs
	All       bool   // also what is past or to come at that moment
	Limit     int    // 0: no limit
}

// Facts gives the facts of a view that hold at a moment, or all of them, by
// subject in order of appearance, predicate, and beginning.
func (v View) Facts(q FactQuery) []memory.Fact {
	var out []memory.Fact
	object := v.entity(Key(q.Object))
	for name := range v.slotNames(q.Subject, q.Predicate) {
		slot := v.Slot(SlotID{name}, q.At)
		for _, rect := range slot.Rectangles {
			if object != "" && rect.Value != object {
				continue
			}
			if state := slot.State(rect); q.All || state == memory.Current || state == memory.Disputed {
				out = append(out, slot.Fact(rect))
			}
		}
		if q.Limit > 0 && len(out) >= q.Limit {
			return out[:q.Limit]
		}
	}
	return out
}

// Fact gives a rectangle of the view as a fact, as it was when last known so,
// with its state at a moment.
func (v View) Fact(rect *Rectangle, at int64) memory.Fact {
	last := v
	if rect.Until != 0 && rect.Until <= v.seq {
		last = v.at(rect.Until - 1)
	}
	r := last.read(slotName{rect.Subject, rect.Predicate})
	f := r.fact(rect, at)
	if last.seq != v.seq {
		f.KnownTo = memory.Micros(v.f.timeAt(rect.Until))
	}
	return f
}

// fact puts a rectangle into the words of memory.
func (r *reading) fact(rect *Rectangle, at int64) memory.Fact {
	support := r.support(rect)
	f := memory.Fact{
		Corroboration: len(support), KnownFrom: memory.Micros(r.v.f.timeAt(rect.Known)), State: rect.state(at),
	}
	trust := uint8(ranks)
	for _, c := range support {
		f.Assertions = append(f.Assertions, c.id)
		f.Provenance = append(f.Provenance, r.v.heard(c)...)
		f.Confidence = max(f.Confidence, cmp.Or(c.body.Confidence, 1))
		f.Seq = max(f.Seq, c.known)
		if c.rank < trust {
			trust, f.Source = c.rank, cmp.Or(c.body.Source, memory.User)
		}
	}
	surface := support[len(support)-1].body
	f.Subject, f.Predicate, f.Object = surface.Subject, surface.Predicate, surface.Object
	r.dateFrom(&f, rect, support)
	r.dateTo(&f, rect, support)
	f.Predecessor, f.Successor = r.neighbours(rect)
	f.Stale = r.stale(rect, support, at, map[memory.ID]bool{})
	return f
}

// state says how a rectangle stands, seen from a moment.
func (r *Rectangle) state(at int64) memory.State {
	switch {
	case at < r.From:
		return memory.Future
	case at >= r.To:
		return memory.Past
	}
	return r.mark()
}

// mark is the state of a rectangle where it holds.
func (r *Rectangle) mark() memory.State {
	if r.Disputed {
		return memory.Disputed
	}
	return memory.Current
}

// beginner gives the claim that begins a fact: one that says so from there, a
// stated date before an assumed one; else nil: it goes on from something else.
func beginner(rect *Rectangle, support []*claim) *claim {
	var out *claim
	for _, c := range support {
		if c.from == rect.From && (out == nil || out.assumed && !c.assumed) {
			out = c
		}
	}
	return out
}

// dateFrom fills in the beginning of a fact, as exactly as somebody said it.
func (r *reading) dateFrom(f *memory.Fact, rect *Rectangle, support []*claim) {
	f.ID, f.ValidFrom, f.FromBasis = support[0].id, memory.Micros(rect.From), memory.Implied
	if c := beginner(rect, support); c != nil {
		f.ID, f.ValidFrom, f.FromBasis = c.id, c.fromTime(), c.basis()
		return
	}
	for _, c := range r.claims { // it resumes where something bounded ended, or changes its mark
		if t := edge(c, rect.From); !t.IsZero() {
			f.ValidFrom = t
		}
	}
}

// edge gives the end of a claim that lies at a moment, as it was said.
func edge(c *claim, at int64) memory.Time {
	switch {
	case c.body.News == memory.TakingBack || c.from >= c.to:
	case c.from == at:
		return c.fromTime()
	case c.to == at:
		return c.toTime()
	}
	return memory.Time{}
}

// dateTo fills in the end of a fact: its own, or what ended it. It is implied if
// another value, or a change of the mark, begins there.
func (r *reading) dateTo(f *memory.Fact, rect *Rectangle, support []*claim) {
	if rect.To == forever {
		return
	}
	goesOn := r.holds(rect.Value, rect.To)
	f.ValidTo, f.ToBasis = memory.Micros(rect.To), memory.Implied
	for _, c := range r.claims {
		t := edge(c, rect.To)
		if t.IsZero() {
			continue
		}
		f.ValidTo = t
		if c.body.News == memory.End && c.means(rect.Value) && !goesOn {
			f.ToBasis = c.basis()
		}
	}
	for _, c := range support {
		if c.to == rect.To {
			f.ValidTo, f.ToBasis = c.toTime(), memory.Stated
		}
	}
}

// neighbours gives what a fact of a single-valued slot replaced, and what
// replaced it: those of another value that touch it.
func (r *reading) neighbours(rect *Rectangle) (predecessor, successor memory.ID) {
	if r.cardinality != One {
		return predecessor, successor
	}
	for _, o := range r.rects {
		switch {
		case o.Value == rect.Value:
		case o.To == rect.From && predecessor.IsZero():
			predecessor = r.factID(o)
		case o.From == rect.To && successor.IsZero():
			successor = r.factID(o)
		}
	}
	return predecessor, successor
}

// factID names a fact by the assertion that begins it.
func (r *reading) factID(rect *Rectangle) memory.ID {
	support := r.support(rect)
	if c := beginner(rect, support); c != nil {
		return c.id
	}
	return support[0].id
}

// slotNames iterates over the slots of a subject, or of all of them.
func (v View) slotNames(subject, predicate string) func(yield func(slotName) bool) {
	return func(yield func(slotName) bool) {
		if subject != "" {
			v.subjectSlots(v.entity(Key(subject)), predicate, yield)
			return
		}
		who, done := v.identities(), map[string]bool{}
		for _, name := range v.f.beliefs.order {
			if e := who.of(name); !done[e] {
				done[e] = true
				if !v.subjectSlots(e, predicate, yield) {
					return
				}
			}
		}
	}
}

// subjectSlots yields the slots of one entity under all its names.
func (v View) subjectSlots(entity, predicate string, yield func(slotName) bool) bool {
	if predicate != "" {
		return yield(slotName{entity, PredicateKey(predicate)})
	}
	var predicates []string
	for _, name := range v.identities().all(entity) {
		predicates = append(predicates, v.f.beliefs.subjects[name]...)
	}
	slices.Sort(predicates)
	for _, p := range slices.Compact(predicates) {
		if !yield(slotName{entity, p}) {
			return false
		}
	}
	return true
}

// Assertions is the number of assertions in the log.
func (f *Fold) Assertions() int { return len(f.beliefs.claims) }

// Assertions is the number of assertions in the view's log.
func (v View) Assertions() int {
	claims := v.f.beliefs.claims
	return sort.Search(len(claims), func(i int) bool { return claims[i].seq > v.head })
}

// OfExtractor lists the assertions of an extractor that are active in the view.
func (v View) OfExtractor(name string) []memory.ID {
	var out []memory.ID
	for i := range v.f.beliefs.claims {
		if c := &v.f.beliefs.claims[i]; c.body.Extractor == name && c.seq <= v.head && v.standing(c.row) {
			out = append(out, c.id)
		}
	}
	return out
}

// timeAt gives when the record at a place was stored.
func (f *Fold) timeAt(seq memory.Seq) int64 {
	i := sort.Search(len(f.log), func(i int) bool { return f.log[i].seq >= seq })
	if i == len(f.log) {
		return math.MaxInt64
	}
	return f.log[i].recorded
}
