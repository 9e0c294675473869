// Package system holds the systems that the scoreboard measures: engram and
// what is cut from it, the whole history, plain searches, the gold evidence,
// and any system behind two endpoints of HTTP. It may import the engine, eval and
// its fingerprints in tune, memory, recall, embedding and the token counter;
// what opens a store or embeds is handed to it.
package system

import (
	"fmt"
	"sort"
	"time"

	"engram/eval"
	"engram/internal/tokens"
	"engram/memory"
)

// history is what a plain system keeps: the turns in the order in which they
// were heard, and what each costs in a context.
type history struct {
	turns []eval.Turn // Session is the name that Ingest gave
	heard []int64     // when, µs since 1970 UTC; never falls
	costs []int       // tokens of each line; 0: not counted yet
	place map[string]int
	count tokens.Counter
}

func newHistory() (*history, error) {
	count, err := tokens.New()
	if err != nil {
		return nil, err
	}
	return &history{place: map[string]int{}, count: count}, nil
}

// add hears a stretch of a session.
func (h *history) add(s eval.Session) error {
	clock := int64(0)
	if n := len(h.heard); n > 0 {
		clock = h.heard[n-1]
	}
	for _, t := range s.Turns {
		if _, ok := h.place[t.IDKey]; ok {
			return fmt.Errorf("the turn %q comes twice: %w", t.IDKey, memory.ErrInvalid)
		}
		h.place[t.IDKey] = len(h.turns)
		t.Session = s.Name
		clock = max(clock, heardAt(&t))
		h.turns, h.heard = append(h.turns, t), append(h.heard, clock)
	}
	h.costs = append(h.costs, make([]int, len(s.Turns))...)
	return nil
}

// until gives how many turns were heard until known; all if it is zero. Plain
// systems can keep the time of hearing beside a text, so they are asked fairly.
func (h *history) until(known memory.Time) int {
	if known.IsZero() {
		return len(h.turns)
	}
	return sort.Search(len(h.heard), func(i int) bool { return h.heard[i] > known.Micros })
}

// keys gives the names of turns.
func (h *history) keys(turns []int) []string {
	out := make([]string, len(turns))
	for i, at := range turns {
		out[i] = h.turns[at].IDKey
	}
	return out
}

// heardAt gives when a turn was heard: as recorded, or else when it occurred.
func heardAt(t *eval.Turn) int64 {
	if t.Recorded != 0 {
		return t.Recorded
	}
	return t.Occurred.Micros
}

// clock is the one of a memory: it stands where the turns and questions put
// it, and no turn turns it back.
type clock struct{ us int64 }

// hear sets the clock to when a turn is heard.
func (c *clock) hear(t *eval.Turn) { c.us = max(c.us, heardAt(t)) }

// askedAt gives when a question is asked: a day after the last turn if it does not say.
func (c *clock) askedAt(a eval.Ask) memory.Time {
	if !a.At.IsZero() {
		return a.At
	}
	return memory.At(time.UnixMicro(c.us).UTC().AddDate(0, 0, 1))
}
