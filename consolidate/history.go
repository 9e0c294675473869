package consolidate

import (
	"slices"

	"engram/memory"
)

// What comes with a turn is looked for among the records of the log shortly
// before it, and each of these bounds depends on the log alone: so the windows
// are the same wherever a worker begins.
const (
	// lookBack is how many places before a turn are looked at.
	lookBack = 1024
	// longText is the length, in bytes, from which on a text is nobody's context.
	longText = 32 << 10
)

// history is what may come with the next turn.
type history struct {
	turns    []told                    // within lookBack, the oldest first
	retracts map[memory.ID][]memory.ID // what was taken back → by what
}

// told is a turn with what was found in it.
type told struct {
	turn  Turn
	found []finding
}

// finding is an assertion with its id.
type finding struct {
	id memory.ID
	*memory.Assertion
}

// add takes in the next record of the log.
func (h *history) add(r *memory.Record) {
	switch body := r.Body.(type) {
	case *memory.Episode:
		e := *body
		e.Text = blank(e.Text)
		h.prune(r.Seq)
		h.shorten()
		h.turns = append(h.turns, told{turn: Turn{ID: r.ID, Seq: r.Seq, Episode: &e}})
	case *memory.Retract:
		if h.retracts == nil {
			h.retracts = map[memory.ID][]memory.ID{}
		}
		for _, id := range body.Targets {
			h.retracts[id] = append(h.retracts[id], r.ID)
		}
	}
}

// prune drops the turns that are too far before a place.
func (h *history) prune(seq memory.Seq) {
	n := 0
	for n < len(h.turns) && h.turns[n].turn.Seq+lookBack < seq {
		n++
	}
	h.turns = slices.Delete(h.turns, 0, n)
}

// shorten drops the words of the newest turn, when another follows, if they are
// too long to come with it.
func (h *history) shorten() {
	if len(h.turns) == 0 {
		return
	}
	if t := &h.turns[len(h.turns)-1].turn; len(t.Text) > longText {
		short := *t.Episode
		short.Text = ""
		t.Episode = &short
	}
}

// find gives the place of a turn; -1 if it is not looked at.
func (h *history) find(turn memory.ID) int {
	for i := len(h.turns) - 1; i >= 0; i-- {
		if h.turns[i].turn.ID == turn {
			return i
		}
	}
	return -1
}

func (h *history) has(turn memory.ID) bool { return h.find(turn) >= 0 }

// learned adds what was found in a turn, if that is still looked at.
func (h *history) learned(turn memory.ID, f ...finding) {
	if i := h.find(turn); i >= 0 {
		h.turns[i].found = append(h.turns[i].found, f...)
	}
}

// window gives the newest turn with what comes with it.
func (h *history) window() Window {
	last := len(h.turns) - 1
	w := Window{Turn: h.turns[last].turn}
	stands := h.stands()
	for i := last - 1; i >= 0 && (len(w.Before) < MaxBefore || len(w.Recent) < MaxRecent); i-- {
		t := &h.turns[i]
		if len(w.Before) < MaxBefore && t.turn.Session == w.Turn.Session && t.turn.Text != "" && stands(t.turn.ID) {
			w.Before = append(w.Before, t.turn)
		}
		for j := len(t.found) - 1; j >= 0 && len(w.Recent) < MaxRecent; j-- {
			if stands(t.found[j].id) {
				w.Recent = append(w.Recent, *t.found[j].Assertion)
			}
		}
	}
	slices.Reverse(w.Before)
	slices.Reverse(w.Recent)
	return w
}

// stands tells of records whether they have not been taken back. A retract
// reaches only backwards, so this comes to an end; done keeps what was found on
// the way, without which retracts that share targets would take exponential time.
func (h *history) stands() func(memory.ID) bool {
	done := map[memory.ID]bool{}
	var stands func(id memory.ID) bool
	stands = func(id memory.ID) bool {
		if len(h.retracts[id]) == 0 {
			return true
		}
		if known, ok := done[id]; ok {
			return known
		}
		ok := !slices.ContainsFunc(h.retracts[id], stands)
		done[id] = ok
		return ok
	}
	return stands
}

// rename gives a finding the id under which the log has it.
func (h *history) rename(turn, id, to memory.ID) {
	i := h.find(turn)
	if id == to || i < 0 {
		return
	}
	for j := range h.turns[i].found {
		if h.turns[i].found[j].id == id {
			h.turns[i].found[j].id = to
		}
	}
}
