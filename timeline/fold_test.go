package timeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

func episode(text string) *memory.Episode { return &memory.Episode{Text: text} }

func keyed(key, text string) *memory.Episode { return &memory.Episode{Text: text, Key: key} }

func retract(records ...int) *memory.Retract {
	r := &memory.Retract{}
	for _, n := range records {
		r.Targets = append(r.Targets, id(n))
	}
	return r
}

func pin(n, priority int) *memory.Feedback {
	return &memory.Feedback{Pin: []memory.ID{id(n)}, Priority: &priority}
}

func unpin(n int) *memory.Feedback { return &memory.Feedback{Unpin: []memory.ID{id(n)}} }

// bodies makes a log of records with seq and id 1, 2, …, a minute apart.
func bodies(list ...memory.Body) []memory.Record {
	log := make([]memory.Record, len(list))
	for i, b := range list {
		log[i] = memory.Record{Seq: memory.Seq(i + 1), ID: id(i + 1), Recorded: int64(i+1) * 60e6, Body: b}
	}
	return log
}

// visible gives the texts that can be read, in order.
func visible(v View) string {
	var texts []string
	for i := range v.Len() {
		if v.Visible(i) {
			texts = append(texts, v.f.Entry(i).Episode.Text)
		}
	}
	return strings.Join(texts, " ")
}

func TestStories(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]struct {
		log  []memory.Record
		want []string // what is visible after each record
	}{
		"retract": {
			bodies(episode("a"), episode("b"), retract(1)),
			[]string{"a", "a b", "b"},
		},
		"undo of undo": {
			bodies(episode("a"), retract(1), retract(2), retract(3)),
			[]string{"a", "", "a", ""},
		},
		"two retractions, one undone": {
			bodies(episode("a"), retract(1), retract(1), retract(2), retract(3)),
			[]string{"a", "", "", "", "a"},
		},
		"a retraction reaches back only": {
			bodies(retract(2, 9), episode("a"), episode("b")),
			[]string{"", "a", "a b"},
		},
		"key": {
			bodies(keyed("k", "v1"), episode("x"), keyed("k", "v2"), keyed("other", "o"), keyed("k", "v3")),
			[]string{"v1", "v1 x", "x v2", "x v2 o", "x o v3"},
		},
		"retracting the newest version brings the one before back": {
			bodies(keyed("k", "v1"), keyed("k", "v2"), keyed("k", "v3"), retract(3), retract(2), retract(5)),
			[]string{"v1", "v2", "v3", "v2", "v1", "v2"},
		},
		"retracting an old version changes nothing": {
			bodies(keyed("k", "v1"), keyed("k", "v2"), retract(1)),
			[]string{"v1", "v2", "v2"},
		},
		"a damaged record is skipped": {
			bodies(episode("a"), nil, episode("b")),
			[]string{"a", "a", "a b"},
		},
		"a tombstone changes nothing": {
			bodies(episode("a"), &memory.Erased{}, episode("b")),
			[]string{"a", "a", "a b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			full := foldOf(story.log)
			for i, want := range story.want {
				v := full.View(memory.Known{Seq: memory.Seq(i + 1)})
				if got := visible(v); got != want {
					t.Errorf("after record %d: %q, want %q", i+1, got, want)
				}
				if got, want := v.Count(), len(strings.Fields(want)); got != want {
					t.Errorf("after record %d: count %d, want %d", i+1, got, want)
				}
			}
		})
	}
}

func TestReplaced(t *testing.T) {
	t.Parallel()
	f := foldOf(bodies(keyed("k", "v1"), keyed("k", "v2"), keyed("k", "v3"), retract(3)))
	for _, c := range []struct {
		seq memory.Seq
		i   int
		by  int
		ok  bool
	}{
		{1, 0, 0, false},
		{2, 0, 1, true},
		{3, 0, 2, true}, // the newest, not the next
		{4, 0, 1, true},
		{4, 1, 0, false},
		{4, 2, 0, false},
		{2, 2, 0, false}, // not known yet
	} {
		by, ok := f.View(memory.Known{Seq: c.seq}).Replaced(c.i)
		if ok != c.ok || ok && by != c.by {
			t.Errorf("at %d episode %d: replaced by %d, %v; want %d, %v", c.seq, c.i, by, ok, c.by, c.ok)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	f := foldOf(bodies(episode("a"), retract(1), nil, episode("b"), &memory.Erased{}))
	for n, want := range map[int]Located{
		1: {memory.TypeEpisode, 1, 0},
		2: {memory.TypeRetract, 2, -1},
		4: {memory.TypeEpisode, 4, 1},
		5: {memory.TypeErased, 5, -1},
	} {
		if got, ok := f.Find(id(n)); !ok || got != want {
			t.Errorf("find %d: %v, %v; want %v", n, got, ok, want)
		}
	}
	for _, n := range []int{3, 6} { // damaged, unknown
		if got, ok := f.Find(id(n)); ok {
			t.Errorf("find %d: %v, want nothing", n, got)
		}
	}
	if got := f.Damaged(); !slices.Equal(got, []memory.Seq{3}) {
		t.Errorf("damaged: %v, want [3]", got)
	}
	if f.Head() != 5 || f.Len() != 2 || f.Entry(1).Seq != 4 {
		t.Errorf("head %d, len %d, second episode at %d; want 5, 2, 4", f.Head(), f.Len(), f.Entry(1).Seq)
	}
}

func TestKnownTime(t *testing.T) {
	t.Parallel()
	parse := func(s string) memory.Time {
		at, err := memory.ParseTime(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	record := func(seq memory.Seq, at string) memory.Record {
		return memory.Record{Seq: seq, ID: id(int(seq)), Recorded: parse(at).Micros, Body: episode(at)}
	}
	f := foldOf([]memory.Record{
		record(3, "2026-03-07T23:59:59.999999+08:00"),
		record(5, "2026-03-08T00:00:00+08:00"),
		record(6, "2026-03-08T23:59:59.999999+08:00"),
		record(9, "2026-03-09T00:00:00+08:00"),
	})
	for known, want := range map[string]struct {
		seq memory.Seq
		n   int
	}{
		"2025Z":                            {0, 0},
		"2026-03-07+08:00":                 {3, 1},
		"2026-03-08+08:00":                 {6, 3},
		"2026-03-08T00:00+08:00":           {5, 2},
		"2026-03-08T00:00:00+08:00":        {5, 2},
		"2026-03-07T23:59:59.999998+08:00": {0, 0},
		"2026-03-07Z":                      {5, 2}, // until 08:00 the day after, there
		"2026-03Z":                         {9, 4},
		"9999Z":                            {9, 4},
	} {
		v := f.View(memory.Known{Time: parse(known)})
		if v.Seq() != want.seq || v.Len() != want.n {
			t.Errorf("known at %s: seq %d with %d episodes, want %d with %d", known, v.Seq(), v.Len(), want.seq, want.n)
		}
	}
	for seq, want := range map[memory.Seq]memory.Seq{1: 1, 4: 4, 9: 9, 99: 9, 0: 9} {
		if got := f.View(memory.Known{Seq: seq}).Seq(); got != want {
			t.Errorf("view at %d looks from %d, want %d", seq, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	link := func(rel memory.Relation, to int) memory.Link { return memory.Link{Rel: rel, To: id(to)} }
	f := foldOf(bodies(
		episode("a"),
		&memory.Episode{Text: "b", Links: []memory.Link{link(memory.SameTask, 77), link(memory.About, 1)}},
		&memory.Association{From: id(2), Rel: memory.CausedBy, To: id(1)},
		&memory.Association{From: id(2), Rel: memory.About, To: id(1)},    // said already
		&memory.Association{From: id(2), Rel: memory.CausedBy, To: id(6)}, // not there yet
		episode("c"),
		retract(3),
	))
	for seq, want := range map[memory.Seq][]memory.Link{
		1: nil,
		2: {link(memory.About, 1), link(memory.SameTask, 77)},
		6: {link(memory.About, 1), link(memory.CausedBy, 1), link(memory.SameTask, 77)},
		7: {link(memory.About, 1), link(memory.SameTask, 77)},
	} {
		if got := f.View(memory.Known{Seq: seq}).Links(1); !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", seq, got, want)
		}
	}
}

func TestPins(t *testing.T) {
	t.Parallel()
	f := foldOf(bodies(
		episode("a"), keyed("k", "b"), // 1, 2
		pin(2, 1), pin(1, -1), // 3, 4
		unpin(1), retract(5), // 5, 6
		pin(2, 2), retract(7), // 7, 8
		keyed("k", "b2"), retract(9), // 9, 10
		retract(1), // 11
	))
	a, b := Pin{Ordinal: 0, Priority: -1}, Pin{Ordinal: 1, Priority: 1}
	for seq, want := range map[memory.Seq][]Pin{
		2:  nil,
		3:  {b},
		4:  {a, b},
		5:  {b},
		6:  {a, b},
		7:  {a, {Ordinal: 1, Priority: 2}},
		8:  {a, b},
		9:  {a}, // replaced
		10: {a, b},
		11: {b},
	} {
		if got := f.View(memory.Known{Seq: seq}).Pins(); !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", seq, got, want)
		}
	}
}

func TestUses(t *testing.T) {
	t.Parallel()
	a := []memory.ID{id(1), id(1)} // twice in a list counts once
	f := foldOf(bodies(
		episode("a"),
		&memory.Feedback{Used: a, Helped: a, Reward: new(1.0)},
		&memory.Feedback{Used: a, Followed: a},
		&memory.Feedback{Hurt: a, Reward: new(-0.5)},
		&memory.Feedback{Pin: a, Reward: new(-1.0)}, // a pin is no use
		retract(4),
	))
	for seq, want := range map[memory.Seq]Use{
		1: {},
		2: {Used: 1, Helped: 1, Rewards: 1, Reward: 1},
		5: {Used: 2, Followed: 1, Helped: 1, Hurt: 1, Rewards: 2, Reward: 0.25},
		6: {Used: 2, Followed: 1, Helped: 1, Rewards: 1, Reward: 1},
	} {
		if got := f.View(memory.Known{Seq: seq}).Uses(0); got != want {
			t.Errorf("at %d: %+v, want %+v", seq, got, want)
		}
	}
}

// Retracts of retracts that share their targets must not take exponential time.
func TestDeepRetracts(t *testing.T) {
	t.Parallel()
	log := bodies(episode("a"), retract(1), retract(1))
	for range 200 {
		n := len(log)
		log = append(log, bodies(slices.Repeat([]memory.Body{retract(n-1, n)}, n+2)...)[n:]...)
	}
	f := foldOf(log)
	if want := len(log)%4 == 1; f.View(memory.Known{}).Visible(0) != want {
		t.Errorf("visible after %d layers: %v", (len(log)-1)/2, !want)
	}
}

// hundredThousand is a log of messages; of every tenth there are versions.
func hundredThousand(versions int) []memory.Record {
	log := make([]memory.Record, 100_000)
	for i := range log {
		e := episode("text")
		if i%10 == 0 {
			e.Key = fmt.Sprint("key", i/(10*versions))
		}
		log[i] = memory.Record{Seq: memory.Seq(i + 1), ID: memory.ID{13: byte(i >> 16), 14: byte(i >> 8), 15: byte(i)}, Body: e}
	}
	return log
}

func BenchmarkApply100k(b *testing.B) {
	log := hundredThousand(4)
	b.ReportAllocs()
	for b.Loop() {
		foldOf(log)
	}
}

func BenchmarkVisible100k(b *testing.B) {
	for name, versions := range map[string]int{"versions=1": 1, "versions=4": 4} {
		f := foldOf(hundredThousand(versions))
		for i := range 1000 {
			f.Apply(memory.Record{Seq: f.Head() + 1, ID: id(65535 - i), Body: &memory.Retract{Targets: []memory.ID{f.Entry(i * 100).ID}}})
		}
		b.Run(name, func(b *testing.B) {
			v := f.View(memory.Known{})
			for b.Loop() {
				n := 0
				for i := range v.Len() {
					if v.Visible(i) {
						n++
					}
				}
				if n != v.Count() {
					b.Fatal(n)
				}
			}
		})
	}
}
