package consolidate

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
	"engram/store"
)

// reading gives what counts of the work of the fake: version and object of the
// assertions that no retract names.
func reading(t failer, s store.Store) []string {
	t.Helper()
	gone, out := map[memory.ID]bool{}, []string(nil)
	for _, r := range logOf(t, s) {
		if b, ok := r.Body.(*memory.Retract); ok {
			for _, id := range b.Targets {
				gone[id] = true
			}
		}
	}
	for _, r := range logOf(t, s) {
		if a, ok := r.Body.(*memory.Assertion); ok && !gone[r.ID] && a.Predicate != "came_with" {
			out = append(out, a.Version+" "+a.Object)
		}
		if version, _, ok := AliasOf(&r, "fake"); ok && !gone[r.ID] {
			out = append(out, version+" alias")
		}
	}
	slices.Sort(out)
	return out
}

func TestANewVersionReplacesTheOld(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	newID := ids(50)
	writeWith(t, s, newID, say("", "Ann likes tea"), say("", "fail"), say("", "Ann likes rain\nAnna is Ann"))
	consolidated(t, worker(t, s, fake{"1"}, 1))
	before := len(logOf(t, s))
	r := consolidated(t, worker(t, s, fake{"2"}, 1)) // one batch all the same
	if r.Replaced != 6 || r.Aliases != 1 || r.Assertions != 4 || r.Failed != 1 {
		t.Errorf("%+v", r)
	}
	log := logOf(t, s)[before:]
	if got, ok := log[0].Body.(*memory.Retract); !ok || !got.Always || len(got.Targets) != 6 || log[0].Recorded != log[len(log)-1].Recorded {
		t.Errorf("%+v", log[0])
	}
	if diff := cmp.Diff([]string{"2 alias", "2 cannot be read", "2 rain", "2 tea"}, reading(t, s)); diff != "" {
		t.Error(diff)
	}

	// Both versions at work: a turn has one reading.
	for i := range 6 {
		writeWith(t, s, newID, say("", fmt.Sprintf("Ann likes thing%d", i)))
		consolidated(t, worker(t, s, fake{[]string{"1", "2"}[i%2]}, 1))
		consolidated(t, worker(t, s, fake{[]string{"2", "1"}[i%2]}, 1))
	}
	if diff := cmp.Diff([]string{
		"1 thing1", "1 thing3", "1 thing5", "2 alias", "2 cannot be read", "2 rain", "2 tea", "2 thing0", "2 thing2", "2 thing4",
	}, reading(t, s)); diff != "" {
		t.Error(diff)
	}
}

// What somebody took back, settled or corrected by hand stays as it was judged
// when the next version finds it again.
func TestJudgementsOutliveVersions(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	newID := ids(50)
	writeWith(t, s, newID, say("", "Ann likes tea"), say("", "Ann likes rain"), say("", "Ann likes wind"), say("", "Ann likes snow"))
	consolidated(t, worker(t, s, fake{"1"}, 100))
	byObject := map[string]memory.ID{}
	for _, r := range logOf(t, s) {
		if a, ok := r.Body.(*memory.Assertion); ok {
			byObject[a.Object] = r.ID
		}
	}
	writeWith(t, s, newID,
		&memory.Retract{Targets: []memory.ID{byObject["tea"]}},
		&memory.Settlement{Losers: []memory.ID{byObject["rain"]}},
		&memory.Assertion{Subject: "Ann", Predicate: "likes", Object: "fog", News: memory.Correction, Corrects: byObject["wind"]})
	for _, version := range []string{"2", "3"} {
		consolidated(t, worker(t, s, fake{version}, 100))
		if diff := cmp.Diff([]string{" fog", "1 rain", "1 wind", version + " snow"}, reading(t, s)); diff != "" {
			t.Errorf("version %s: %s", version, diff)
		}
	}
}

// judging is a store in which somebody takes a record back just before the first
// append.
type judging struct {
	store.Store
	judge func()
}

func (j *judging) Append(ctx context.Context, b store.Batch) (store.Ack, error) {
	if judge := j.judge; judge != nil {
		j.judge = nil
		judge()
	}
	return j.Store.Append(ctx, b)
}

func TestAJudgementMeanwhile(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	newID := ids(50)
	writeWith(t, s, newID, say("", "Ann likes tea"), say("", "Ann likes rain"))
	consolidated(t, worker(t, s, fake{"1"}, 100))
	tea := logOf(t, s)[3].ID
	consolidated(t, worker(t, &judging{s, func() { writeWith(t, s, newID, &memory.Retract{Targets: []memory.ID{tea}}) }}, fake{"2"}, 100))
	if diff := cmp.Diff([]string{"2 rain"}, reading(t, s)); diff != "" {
		t.Error(diff)
	}
}

// A space that is too large to be replaced at once has one reading of each turn at
// any moment, wherever the worker is killed.
func TestReplacingInParts(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	newID := ids(50)
	const turns = 40
	for i := range turns {
		writeWith(t, s, newID, say("", fmt.Sprintf("Ann likes thing%d", i)))
	}
	consolidated(t, worker(t, s, fake{"1"}, 100))
	parts := 0
	for ; ; parts++ {
		w, err := New(&dying{Store: s, left: 1}, fake{"2"}, ids(byte(parts)), Options{Whole: 30})
		must(t, err)
		_, err = w.Space(t.Context(), scope, nil)
		got := reading(t, s)
		if len(got) != turns {
			t.Fatalf("after part %d: %d readings", parts, len(got))
		}
		if err == nil {
			break
		}
	}
	if got := reading(t, s); parts < 4 || got[0][0] != '2' {
		t.Errorf("%d parts, %v", parts, got)
	}
}
