package engram_test

import (
	"errors"
	"testing"

	"engram"
	"engram/memory"
)

func wantInvalid(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("%s: %v, want %v", what, err, memory.ErrInvalid)
	}
}

func alias(t *testing.T, s *engram.Space, name, entity string) engram.Ref {
	t.Helper()
	ref, err := s.Alias(t.Context(), name, entity)
	if err != nil {
		t.Fatal(name, entity, err)
	}
	return ref
}

// A verdict is about one slot: what has different subjects or predicates is no
// dispute.
func TestSettleWantsOneSlot(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	rome := livesIn("Rome", "2021Z")
	rome.Subject, rome.Predicate = "安", "Lives in"
	refs := assert(t, s, livesIn("Paris", "2020Z"), rome,
		engram.Assertion{Subject: "Ann", Predicate: "works_at", Object: "Acme"}, engram.Assertion{Subject: "Bo", Predicate: "lives_in", Object: "Oslo"})
	for what, v := range map[string]memory.Settlement{
		"another predicate": {Winner: refs[0].ID, Losers: []engram.ID{refs[2].ID}},
		"another subject":   {Winner: refs[0].ID, Losers: []engram.ID{refs[3].ID}},
		"not an alias yet":  {Winner: refs[0].ID, Losers: []engram.ID{refs[1].ID}},
		"losers alone":      {Losers: []engram.ID{refs[0].ID, refs[2].ID}},
	} {
		_, err := s.Settle(t.Context(), v)
		wantInvalid(t, what, err)
	}
	alias(t, s, "安", "Ann")
	_, err := s.Settle(t.Context(), memory.Settlement{Winner: refs[1].ID, Losers: []engram.ID{refs[0].ID}})
	check(err)
	wantHomes(t, s, "Rome")
}

// An alias that would mean nothing is refused; one that is said again is not.
func TestAliasRefusesCircles(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	refuse := func(name, entity string) {
		t.Helper()
		_, err := s.Alias(t.Context(), name, entity)
		wantInvalid(t, name+" for "+entity, err)
	}
	refuse("Ann", "Ann")
	refuse("Ann", " ANN ")
	refuse("Zoe\u0308", "Zo\u00eb")
	refuse("", "Ann")
	c := alias(t, s, "c", "b")
	refuse("b", "c")
	alias(t, s, "b", "a")
	refuse("a", "C")
	refuse("b", "c") // which leads to a over b
	alias(t, s, "C", "b")
	alias(t, s, "d", "a")
	alias(t, s, "b", "d") // both mean a already, but no way leads back
	refuse("d", "c")
	// What was taken back is no part of the way.
	_, err := s.Apart(t.Context(), "c")
	check(err)
	alias(t, s, "b", "c")
	_, err = s.Retract(t.Context(), memory.Retract{Targets: []engram.ID{c.ID}})
	check(err)
	refuse("c", "b")
}

func TestProvenanceNamesEpisodes(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	claim := assert(t, s, livesIn("Paris", "2020Z"))[0]
	pin, err := s.Feedback(t.Context(), engram.Feedback{Pin: []engram.ID{say(t, s, "It rains.").ID}})
	check(err)
	for what, ref := range map[string]engram.Ref{"an assertion": claim, "feedback": pin, "nothing": {ID: memory.ID{1}}} {
		if _, err := s.Assert(t.Context(), livesIn("Rome", "2021Z", ref)); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s as evidence: %v, want %v", what, err, memory.ErrNotFound)
		}
	}
	wantHomes(t, s, "Paris")
}
