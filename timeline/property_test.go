package timeline

import (
	"reflect"
	"testing"

	"engram/memory"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const maxLog = 24

func id(n int) memory.ID { return memory.ID{14: byte(n >> 8), 15: byte(n)} }

// someIDs are the ids that random logs use, and some that they do not.
func someIDs() []memory.ID {
	var ids []memory.ID
	for n := range maxLog + 3 {
		ids = append(ids, id(n+1))
	}
	return ids
}

// drawLog makes a log with gaps, equal times, damaged records, ids that occur
// twice, and references to what is earlier, later or nowhere.
func drawLog(t *rapid.T) []memory.Record {
	n := rapid.IntRange(0, maxLog).Draw(t, "records")
	log := make([]memory.Record, n)
	seq, recorded := memory.Seq(0), int64(0)
	for i := range log {
		seq += memory.Seq(rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "step"))
		recorded += int64(rapid.IntRange(0, 2).Draw(t, "wait"))
		own := i + 1
		if rapid.IntRange(0, 19).Draw(t, "twin") == 0 {
			own = rapid.IntRange(1, own).Draw(t, "twin of")
		}
		log[i] = memory.Record{Seq: seq, Recorded: recorded, ID: id(own), Body: drawBody(t, i+1)}
	}
	return log
}

func drawBody(t *rapid.T, n int) memory.Body {
	// Mostly what stands shortly before, so that undos of undos are common.
	ref := rapid.Custom(func(t *rapid.T) memory.ID {
		if rapid.Bool().Draw(t, "near") {
			return id(max(1, n-rapid.IntRange(1, 3).Draw(t, "back")))
		}
		return id(rapid.IntRange(1, n+3).Draw(t, "id"))
	})
	refs := rapid.SliceOfN(ref, 0, 3)
	relation := rapid.SampledFrom([]memory.Relation{memory.CausedBy, memory.About})
	switch rapid.IntRange(0, 11).Draw(t, "type") {
	case 0, 1, 2, 3:
		e := &memory.Episode{Text: id(n).String(), Key: rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "key")}
		if rapid.IntRange(0, 3).Draw(t, "linked") == 0 {
			e.Links = []memory.Link{{Rel: relation.Draw(t, "rel"), To: ref.Draw(t, "to")}}
		}
		return e
	case 4, 5, 6, 7:
		return &memory.Retract{Targets: refs.Draw(t, "targets")}
	case 8:
		return &memory.Association{From: ref.Draw(t, "from"), Rel: relation.Draw(t, "rel"), To: ref.Draw(t, "to")}
	case 9, 10:
		fb := &memory.Feedback{
			Used: refs.Draw(t, "used"), Followed: refs.Draw(t, "followed"),
			Helped: refs.Draw(t, "helped"), Hurt: refs.Draw(t, "hurt"),
			Pin: refs.Draw(t, "pin"), Unpin: refs.Draw(t, "unpin"),
		}
		if rapid.Bool().Draw(t, "rewarded") {
			fb.Reward = new(rapid.Float64Range(-1, 1).Draw(t, "reward"))
			fb.Priority = new(rapid.IntRange(-2, 2).Draw(t, "priority"))
			fb.Due = memory.Micros(int64(n))
		}
		return fb
	}
	if rapid.Bool().Draw(t, "damaged") {
		return nil
	}
	return &memory.Erased{}
}

func foldOf(log []memory.Record) *Fold {
	f := New(Schema{})
	for _, r := range log {
		f.Apply(r)
	}
	return f
}

func check(t *rapid.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) { // cmp is slow under -race
		t.Fatalf("%s (-want +got):\n%s", what, cmp.Diff(want, got))
	}
}

// Every view of the full fold is what the oracle says, and what a fold of the
// records up to there gives.
func TestViewIsFoldOfPrefix(t *testing.T) {
	t.Parallel()
	ids := someIDs()
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		full := foldOf(log)
		prefix := New(Schema{})
		check(t, "empty view", observe(full, View{f: full}, ids), observe(prefix, prefix.View(memory.Known{}), ids))
		for i, r := range log {
			prefix.Apply(r)
			past := observe(full, full.View(memory.Known{Seq: r.Seq}), ids)
			check(t, "view of the full fold against the fold of a prefix", past, observe(prefix, prefix.View(memory.Known{}), ids))
			check(t, "view against the oracle", past, oracle(log[:i+1]).observe(ids))
		}
	})
}

// A view by time is the view at the last record of that time.
func TestViewByTime(t *testing.T) {
	t.Parallel()
	ids := someIDs()
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		f := foldOf(log)
		at := rapid.Int64Range(0, 2*maxLog).Draw(t, "time")
		var known []memory.Record
		for _, r := range log {
			if r.Recorded <= at {
				known = append(known, r)
			}
		}
		got := observe(f, f.View(memory.Known{Time: memory.Micros(at)}), ids)
		check(t, "view by time", got, oracle(known).observe(ids))
	})
}

// Applying in pieces, reading between them and applying twice changes nothing;
// a view taken in between keeps its answers.
func TestIncrementalIsRebuilt(t *testing.T) {
	t.Parallel()
	ids := someIDs()
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		f := New(Schema{})
		type taken struct {
			view View
			saw  observed
		}
		var views []taken
		for i := 0; i < len(log); {
			to := rapid.IntRange(i+1, len(log)).Draw(t, "to")
			for _, r := range log[rapid.IntRange(0, i).Draw(t, "again from"):to] {
				f.Apply(r)
			}
			i = to
			v := f.View(memory.Known{})
			views = append(views, taken{v, observe(f, v, ids)})
		}
		rebuilt := foldOf(log)
		check(t, "state", observe(f, f.View(memory.Known{}), ids), observe(rebuilt, rebuilt.View(memory.Known{}), ids))
		check(t, "damaged", f.Damaged(), rebuilt.Damaged())
		check(t, "head", f.Head(), rebuilt.Head())
		for _, id := range ids {
			got, _ := f.Find(id)
			want, _ := rebuilt.Find(id)
			check(t, "find", got, want)
		}
		for _, v := range views {
			check(t, "view taken earlier", observe(f, v.view, ids), v.saw)
		}
	})
}

// After an erasure the fold of what remains knows nothing of what went.
func TestEraseThenRebuild(t *testing.T) {
	t.Parallel()
	ids := someIDs()
	rapid.Check(t, func(t *rapid.T) {
		var left []memory.Record
		for _, r := range drawLog(t) {
			if rapid.IntRange(0, 3).Draw(t, "erase") > 0 {
				left = append(left, r)
			}
		}
		left = append(left, memory.Record{Seq: 1000, Recorded: 1000, ID: id(1000), Body: &memory.Erased{}})
		f := foldOf(left)
		for _, r := range left {
			got := observe(f, f.View(memory.Known{Seq: r.Seq}), ids)
			check(t, "view after erasure", got, oracle(left).upTo(r.Seq).observe(ids))
		}
	})
}

// Taking back a retraction gives the state before it; taking that back gives
// the state after it; and so on.
func TestUndoOfUndo(t *testing.T) {
	t.Parallel()
	ids := someIDs()
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t)
		f := foldOf(log)
		states := [2]observed{observe(f, f.View(memory.Known{}), ids)} // without, with the retraction
		targets := rapid.SliceOfN(rapid.SampledFrom(ids), 1, 5).Draw(t, "targets")
		for depth := range 6 {
			own := id(500 + depth)
			f.Apply(memory.Record{Seq: f.Head() + 1, ID: own, Body: &memory.Retract{Targets: targets}})
			targets = []memory.ID{own}
			got := observe(f, f.View(memory.Known{}), ids)
			if depth == 0 {
				states[1] = got
				continue
			}
			want := states[(depth+1)%2]
			want.Seq = got.Seq
			check(t, "undo", got, want)
		}
	})
}
