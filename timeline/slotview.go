package timeline

import "engram/memory"

// SlotView is the slot of one assertion as a view knows it, seen from a moment
// of valid time. Its rectangles can be looked through before any is put into
// words, which takes longer.
type SlotView struct {
	Cardinality Cardinality
	Rectangles  []*Rectangle // known at the view, by valid time
	r           *reading
	at          int64
	ended       map[*Rectangle]bool
	began       map[*Rectangle]bool
}

// SlotID names a slot within one view.
type SlotID struct{ name slotName }

// SlotID gives the slot of the i-th assertion.
func (v View) SlotID(i int) SlotID { return SlotID{v.slotOf(&v.f.beliefs.claims[i])} }

// Assertion gives an assertion of the view's log by its id, with its slot.
func (v View) Assertion(id memory.ID) (*memory.Assertion, SlotID, bool) {
	c := v.claimNamed(id)
	if c == nil {
		return nil, SlotID{}, false
	}
	return c.body, SlotID{v.slotOf(c)}, true
}

// Slot looks at a slot from a moment.
func (v View) Slot(id SlotID, at int64) SlotView {
	s := SlotView{r: v.read(id.name), at: at}
	s.Cardinality, s.Rectangles = s.r.cardinality, s.r.rects
	s.ended, s.began = s.r.boundary(at)
	return s
}

// State says how a rectangle of the slot stands at the moment.
func (s *SlotView) State(rect *Rectangle) memory.State {
	if s.ended[rect] { // at a coarse date that lasts
		return rect.mark()
	}
	return rect.state(s.at)
}

// Fact puts a rectangle of the slot into words.
func (s *SlotView) Fact(rect *Rectangle) memory.Fact {
	f := s.r.fact(rect, s.at)
	f.Boundary = s.ended[rect] || s.began[rect]
	f.State = s.State(rect)
	return f
}

// Counts reports whether the i-th assertion is known and active in the view.
func (v View) Counts(i int) bool { return v.counts(&v.f.beliefs.claims[i]) }

// Value gives the folded value of the i-th assertion, as rectangles have it.
func (v View) Value(i int) string { return v.entity(v.f.beliefs.claims[i].value) }
