package bitemporal

import (
	"context"
	"math/rand/v2"
	"slices"

	"engram"
	"engram/memory"
)

// point is where a world is asked.
type point struct {
	slot  *Slot
	whole bool // all slots are asked at once; slot is the one that was looked for
	valid memory.Time
	known memory.Known
	place int // of known in the log
}

// latest is the news of the slot that came last up to a place.
func (s *Slot) latest(place int) *telling {
	var last *telling
	for _, t := range s.told {
		if h := t.heard(); h.place <= place && (last == nil || h.after(last.heard())) {
			last = t
		}
	}
	return last
}

func (p *point) news() string {
	if t := p.slot.latest(p.place); t != nil {
		return string(t.news)
	}
	return "none"
}

func (p *point) how() string {
	if t := p.slot.latest(p.place); t != nil {
		return t.how
	}
	return "none"
}

// point draws where to ask: anywhere, or at a border of what a slot was told.
func (w *World) point(random *rand.Rand) *point {
	p := &point{slot: w.Slots[random.IntN(len(w.Slots))], whole: random.IntN(3) == 0}
	year := (365 * day).Microseconds()
	valid := w.from - year + random.Int64N(w.to-w.from+2*year)
	place := 1 + random.IntN(len(w.Records))
	if random.IntN(2) == 0 && len(p.slot.told) > 0 {
		borders, places := p.slot.borders(), p.slot.places()
		near := []int64{0, 0, -1, 1, day.Microseconds(), -day.Microseconds()}
		valid = borders[random.IntN(len(borders))] + near[random.IntN(len(near))]
		if random.IntN(4) > 0 {
			place = min(max(places[random.IntN(len(places))]+random.IntN(3)-1, 1), len(w.Records))
		}
	}
	p.valid, p.place = memory.Micros(valid), place
	p.known.Seq = memory.Seq(place)
	if random.IntN(2) == 0 {
		p.known = memory.Known{Time: memory.Micros(w.Records[place-1].Recorded - random.Int64N(2))}
		p.place = w.placeAt(p.known.Time.Micros)
	}
	return p
}

// placeAt is the last place of what was recorded by a moment; 0 is before the
// first.
func (w *World) placeAt(us int64) int {
	n, _ := slices.BinarySearchFunc(w.Records, us, func(r memory.Record, us int64) int { return choose(r.Recorded <= us, -1, 1) })
	return n
}

// ask compares what the engine holds at a point with the truth.
func (w *World) ask(ctx context.Context, space *engram.Space, p *point, r *worldResult) (wrong bool, err error) {
	q := engram.FactQuery{AsOf: memory.AsOf{Valid: p.valid, Known: p.known}}
	slots := w.Slots
	if !p.whole || w.spokenOnly {
		slots = []*Slot{p.slot}
	}
	if !p.whole {
		q.Subject = p.slot.Subject
		if !w.spokenOnly {
			q.Predicate = p.slot.Predicate
		}
	}
	facts, err := space.Facts(ctx, q)
	if err != nil {
		return false, err
	}
	got := w.beliefs(facts)
	for _, s := range slots {
		name := s.name()
		want := s.listener.believes(p.valid.Micros, p.place)
		if !want.agrees(got[name]) {
			wrong = true
			r.fail(w, p, name, got[name], want)
		}
		delete(got, name)
	}
	if w.spokenOnly {
		w.leaveOthers(got, p)
	}
	for _, name := range sortedKeys(got) {
		wrong = true
		r.fail(w, p, name, got[name], nil)
	}
	return wrong, nil
}

// leaveOthers takes out what a point of the words does not judge. Each is about
// its one slot, so that the share is one of slots; one that sees the whole world
// is wrong too if there is something of which nobody ever spoke.
func (w *World) leaveOthers(got map[string]belief, p *point) {
	for _, s := range w.Slots {
		delete(got, s.name())
	}
	if !p.whole {
		clear(got)
	}
}

func (s *Slot) name() string { return fold(s.Subject) + " " + foldPredicate(s.Predicate) }

// beliefs sorts facts into slots, all names by what they mean.
func (w *World) beliefs(facts []engram.Fact) map[string]belief {
	if w.spokenOnly {
		return w.taken(facts)
	}
	out := map[string]belief{}
	for _, f := range facts {
		name := w.entity(f.Subject) + " " + foldPredicate(f.Predicate)
		if out[name] == nil {
			out[name] = belief{}
		}
		value := w.entity(f.Object)
		m := out[name][value]
		out[name][value] = mark{Boundary: m.Boundary || f.Boundary, Disputed: m.Disputed || f.State == memory.Disputed}
	}
	return out
}

func (w *World) entity(name string) string {
	name = fold(name)
	if e, ok := w.names[name]; ok {
		return e
	}
	return name
}

// agrees reports whether facts are what is believed: the same values, what only
// lingers marked as such, and the same of them disputed.
func (b belief) agrees(got belief) bool {
	if len(b) != len(got) {
		return false
	}
	for value, m := range b {
		g, ok := got[value]
		if !ok || m.Boundary && !g.Boundary || !m.Boundary && m.Disputed != g.Disputed {
			return false
		}
	}
	return true
}

func (b belief) String() string {
	if len(b) == 0 {
		return "nothing"
	}
	out := ""
	for _, value := range sortedKeys(b) {
		if out != "" {
			out += " + "
		}
		out += value
		if b[value].Boundary {
			out += " (boundary)"
		}
		if b[value].Disputed {
			out += " (disputed)"
		}
	}
	return out
}
