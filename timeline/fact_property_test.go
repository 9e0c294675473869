package timeline

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"

	"pgregory.net/rapid"
)

const testRules = `
one lives_in
many likes
event visited
one status
authority tool status
`

func testSchema() Schema {
	s, err := ParseSchema(strings.NewReader(testRules), Schema{})
	if err != nil {
		panic(err)
	}
	return s
}

func beliefFold(log []memory.Record) *Fold {
	f := New(testSchema())
	for _, r := range log {
		f.Apply(r)
	}
	return f
}

// oracleOf gives the oracle of a slot, for a view that looks from cut at the log.
func oracleOf(log []memory.Record, cut memory.Seq, subject, predicate string) beliefOracle {
	o := beliefOracle{log: log, cut: cut, subject: subject, predicate: predicate, kind: "many"}
	switch predicate {
	case "lives_in":
		o.kind = "one"
	case "status":
		o.kind, o.authority = "one", memory.Tool
	case "visited":
		o.kind = "event"
	}
	return o
}

var jan1 = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// drawTime gives a time of the first months of 2026, more or less exact.
func drawTime(t *rapid.T) memory.Time {
	day := rapid.IntRange(0, 9).Draw(t, "day")
	at := memory.At(jan1.AddDate(0, 0, day))
	switch rapid.IntRange(0, 5).Draw(t, "granularity") {
	case 0:
		at = memory.At(jan1.AddDate(0, day%3, 0))
		at.Gran = memory.Month
	case 1, 2:
		at.Gran = memory.Day
	case 3:
		at = memory.At(jan1.AddDate(0, 0, day).Add(13 * time.Hour))
	}
	return at
}

var allNews = []memory.News{
	"", memory.Change, memory.Change, memory.End, memory.End, memory.Correction, memory.Correction, memory.Late, memory.TakingBack,
}

// drawAssertion gives the n-th record of a log.
func drawAssertion(t *rapid.T, n int, news []memory.News) *memory.Assertion {
	values := rapid.SampledFrom([]string{"A", "B", "C", "a "})
	a := &memory.Assertion{
		Subject:   rapid.SampledFrom([]string{"Ann", "Ann", "Ann", "Anna"}).Draw(t, "subject"),
		Predicate: rapid.SampledFrom([]string{"lives_in", "lives_in", "Lives in", "likes", "visited", "status"}).Draw(t, "predicate"),
		Object:    values.Draw(t, "object"),
		News:      rapid.SampledFrom(news).Draw(t, "news"),
		Source:    rapid.SampledFrom([]memory.Source{"", "", "", "", memory.Tool, memory.Web, memory.User}).Draw(t, "source"),
	}
	maybe := func(of int) bool { return rapid.IntRange(0, of).Draw(t, "maybe") == 0 }
	if maybe(1) || a.News == memory.Late {
		a.Valid.From = drawTime(t)
	}
	if maybe(3) || a.News == memory.Late {
		a.Valid.To = drawTime(t)
	}
	if from, to := a.Valid.Bounds(); from > to {
		a.Valid.From, a.Valid.To = a.Valid.To, a.Valid.From
	}
	if maybe(7) {
		a.Said = drawTime(t)
	}
	if a.News == memory.End || a.News == memory.TakingBack {
		if maybe(1) {
			a.Object = ""
		}
	}
	back := func() memory.ID { return id(max(1, n-rapid.IntRange(1, 5).Draw(t, "back"))) }
	if a.News == memory.Correction || a.News == memory.TakingBack {
		switch rapid.IntRange(0, 4).Draw(t, "names") {
		case 0:
			a.Corrects = back()
		case 1:
			a.Replaces = values.Draw(t, "replaces")
		}
	}
	for maybe(2) && len(a.Provenance) < 3 {
		a.Provenance = append(a.Provenance, memory.Span{Episode: back()})
	}
	if maybe(5) {
		a.Depends = append(a.Depends, back())
	}
	return a
}

func drawBeliefs(t *rapid.T) []memory.Record {
	n := rapid.IntRange(1, 14).Draw(t, "records")
	log := make([]memory.Record, n)
	recorded := jan1.UnixMicro()
	for i := range log {
		recorded += int64(rapid.IntRange(0, 30).Draw(t, "hours")) * 3600e6
		log[i] = memory.Record{Seq: memory.Seq(i + 1), Recorded: recorded, ID: id(i + 1), Body: drawBelief(t, i+1)}
	}
	return log
}

func drawBelief(t *rapid.T, n int) memory.Body {
	ref := rapid.Custom(func(t *rapid.T) memory.ID { return id(max(1, n-rapid.IntRange(-1, 4).Draw(t, "back"))) })
	refs := rapid.SliceOfN(ref, 1, 2)
	switch rapid.IntRange(0, 19).Draw(t, "type") {
	case 0, 1:
		e := episode("words")
		if rapid.Bool().Draw(t, "dated") {
			e.Occurred = drawTime(t)
		}
		return e
	case 2, 3, 4:
		return &memory.Retract{Targets: refs.Draw(t, "targets"), Always: rapid.IntRange(0, 2).Draw(t, "always") == 0}
	case 5:
		return &memory.Settlement{Losers: refs.Draw(t, "losers")}
	case 6:
		names := rapid.SampledFrom([]string{"Ann", "Anna", "A", "B"})
		a := &memory.Association{Rel: memory.SameAs, Name: names.Draw(t, "name"), Entity: names.Draw(t, "entity")}
		if rapid.IntRange(0, 3).Draw(t, "apart") == 0 {
			a.Rel, a.Entity = memory.Apart, ""
		}
		return a
	case 7:
		if rapid.Bool().Draw(t, "erased") {
			return &memory.Erased{Reopened: refs.Draw(t, "reopened")}
		}
	}
	return drawAssertion(t, n, allNews)
}

var (
	subjects   = []string{"ann", "anna"}
	predicates = []string{"lives_in", "likes", "visited", "status"}
)

// seen is what can be read of a fact and the oracle knows.
type seenFact struct {
	Value                string
	Disputed             bool
	From, To             int64
	State                memory.State
	Boundary             bool
	Assertions           []memory.ID
	Known                memory.Seq
	FromAssumed, FromSay bool
	ToBasis              memory.Basis
	ID, Before, After    memory.ID
	Stale                string
}

// The facts of every view are what the specification says, at every place where
// anything may change; so are those of every earlier log.
func TestFactsAgainstOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := drawBeliefs(t)
		full := beliefFold(log)
		seed := rapid.Uint64().Draw(t, "seed")
		head := memory.Seq(rapid.IntRange(1, len(log)).Draw(t, "head"))
		for _, h := range []memory.Seq{head, memory.Seq(len(log))} {
			for cut := memory.Seq(1); cut <= h; cut++ {
				v := full.ViewOf(h, memory.Known{Seq: cut})
				for _, subject := range subjects {
					for _, predicate := range predicates {
						checkSlot(t, v, log[:h], subject, predicate, seed)
					}
				}
			}
		}
	})
}

func checkSlot(t *rapid.T, v View, log []memory.Record, subject, predicate string, seed uint64) {
	o := oracleOf(log, v.seq, subject, predicate)
	all := o.living()
	if v.entity(subject) != subject {
		return // the alias of another entity
	}
	what := fmt.Sprintf("%s %s of %d known at %d", subject, predicate, len(log), v.seq)
	segments := o.segments(all)
	var rects []segment
	for _, r := range v.Rectangles(subject, predicate) {
		if r.Until == 0 {
			to := r.To
			if to == forever {
				to = never
			}
			rects = append(rects, segment{r.Value, r.Disputed, r.From, to})
		}
	}
	check(t, "segments: "+what, sortSegments(rects), append([]segment(nil), segments...))
	known := make([]memory.Seq, len(segments))
	for i, s := range segments {
		known[i] = v.seq
		for earlier := v.seq - 1; earlier >= 1; earlier-- {
			before := oracleOf(log, earlier, subject, predicate)
			if !slices.Contains(before.segments(before.living()), s) {
				break
			}
			known[i] = earlier
		}
	}
	points := o.points(all)
	const enough = 10 // the segments were compared as a whole; of states and marks some will do
	if len(points) > enough {
		some := rand.New(rand.NewPCG(seed, uint64(v.seq)))
		some.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		points = points[:enough]
	}
	supporters := make([][]*said, len(segments))
	for i, s := range segments {
		supporters[i] = o.supporters(all, s)
	}
	for _, at := range points {
		ended, began := o.inDoubt(all, segments, at)
		var want []seenFact
		for i, s := range segments {
			f := seenFact{Value: s.Value, Disputed: s.Disputed, From: s.From, To: s.To, Known: known[i], State: memory.Current}
			if s.Disputed {
				f.State = memory.Disputed
			}
			f.Boundary = slices.Contains(ended, s) || slices.Contains(began, s)
			switch {
			case slices.Contains(ended, s):
			case at < s.From:
				f.State = memory.Future
			case at >= s.To:
				f.State = memory.Past
			}
			for _, c := range supporters[i] {
				f.Assertions = append(f.Assertions, c.id)
				if c.f() == s.From {
					f.FromSay = f.FromSay || !c.assumed
					f.FromAssumed = f.FromAssumed || c.assumed
				}
			}
			f.FromAssumed = f.FromAssumed && !f.FromSay
			f.ID, _ = o.begins(all, s)
			f.Before, f.After = o.neighbours(all, segments, s)
			f.ToBasis, f.Stale = o.endsBy(all, s), o.stale(all, s, at, nil)
			want = append(want, f)
		}
		var got []seenFact
		current := map[string]bool{}
		for _, f := range v.Facts(FactQuery{Subject: subject, Predicate: predicate, At: at, All: true}) {
			from, to := memory.Interval{From: f.ValidFrom, To: f.ValidTo}.Bounds()
			if to == forever {
				to = never
			}
			g := seenFact{
				Value: v.entity(fold(f.Object)), From: from, To: to, State: f.State, Boundary: f.Boundary, Assertions: f.Assertions,
				FromAssumed: f.FromBasis == memory.Assumed, FromSay: f.FromBasis == memory.Stated,
				ToBasis: f.ToBasis, ID: f.ID, Before: f.Predecessor, After: f.Successor, Stale: f.Stale,
			}
			i := slices.Index(segments, segment{g.Value, true, from, to})
			if g.Disputed = i >= 0; !g.Disputed {
				i = slices.Index(segments, segment{g.Value, false, from, to})
			}
			if i >= 0 {
				g.Known = known[i]
				if f.KnownFrom.Micros != v.f.timeAt(known[i]) {
					g.Known = 0
				}
			}
			if f.Corroboration != len(f.Assertions) || !f.KnownTo.IsZero() {
				t.Fatalf("%s: corroboration %d of %d, known to %s", what, f.Corroboration, len(f.Assertions), f.KnownTo)
			}
			if o.kind == "one" && f.State == memory.Current && !f.Boundary {
				current[g.Value] = true
			}
			got = append(got, g)
		}
		check(t, fmt.Sprintf("facts at %s: %s", memory.Micros(at), what), got, want)
		if len(current) > 1 {
			t.Fatalf("%s: %d current values at once: %v", what, len(current), slices.Collect(maps.Keys(current)))
		}
	}
}

// everything is all that can be read of a view's facts.
func everything(v View) []any {
	out := []any{v.Assertions()}
	for _, subject := range subjects {
		out = append(out, v.NamesOf(subject))
		for _, predicate := range predicates {
			rects := v.Rectangles(subject, predicate)
			out = append(out, rects)
			for i := range rects {
				out = append(out, v.Fact(&rects[i], jan1.AddDate(0, 0, 4).UnixMicro()))
			}
		}
	}
	for day := range 12 {
		out = append(out, v.Facts(FactQuery{At: jan1.AddDate(0, 0, day).UnixMicro(), All: day%3 == 0}))
	}
	return out
}

// A log that was read while it grew gives what it gives when it is read at its
// end, and a view of an earlier log gives what was read then: replay.
func TestFactsIncrementalAndReplay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := drawBeliefs(t)
		f := New(testSchema())
		var heads, cuts [][]any
		for _, r := range log {
			f.Apply(r)
			heads = append(heads, everything(f.View(memory.Known{})))
			cuts = append(cuts, everything(f.View(memory.Known{Seq: memory.Seq(len(heads)+1) / 2})))
		}
		rebuilt := beliefFold(log)
		check(t, "rebuilt", everything(rebuilt.View(memory.Known{})), heads[len(heads)-1])
		for i := range log {
			seq := memory.Seq(i + 1)
			check(t, "replay", everything(rebuilt.ViewOf(seq, memory.Known{})), heads[i])
			check(t, "replay of the past", everything(rebuilt.ViewOf(seq, memory.Known{Seq: (seq + 1) / 2})), cuts[i])
		}
	})
}

// What is known at a place is what the log up to there says, unless something
// was read out of the words, named or dropped later.
func TestFactsOfPrefix(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := drawBeliefs(t)
		for i := range log {
			switch b := log[i].Body.(type) {
			case *memory.Assertion:
				b.Provenance = nil
			case *memory.Retract:
				b.Always = false
			case *memory.Association, *memory.Erased:
				log[i].Body = episode("words")
			}
		}
		full, prefix := beliefFold(log), New(testSchema())
		for _, r := range log {
			prefix.Apply(r)
			got, want := everything(full.View(memory.Known{Seq: r.Seq})), everything(prefix.View(memory.Known{}))
			check(t, "known then", got[1:], want[1:]) // but for the number of assertions in the log
		}
	})
}

// What holds, on the whole axis, by value and date only.
func axisOf(f *Fold) []any {
	var out []any
	for _, predicate := range predicates {
		for _, r := range f.View(memory.Known{}).Rectangles("ann", predicate) {
			if r.Until == 0 {
				out = append(out, segment{r.Value, r.Disputed, r.From, r.To})
			}
		}
		out = append(out, predicate)
	}
	slices.SortFunc(out, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return out
}

// Dated changes of one source that do not contradict each other end in the same
// axis in whatever order they are told.
func TestOrderOfArrival(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var told []*memory.Assertion
		begun := map[string]bool{}
		for range rapid.IntRange(2, 8).Draw(t, "assertions") {
			a := drawAssertion(t, 1, []memory.News{memory.Change, memory.Change, memory.End})
			a.Subject, a.Source, a.Provenance, a.Valid.To = "Ann", "", nil, memory.Time{}
			a.Valid.From = drawTime(t)
			at := fmt.Sprint(PredicateKey(a.Predicate), a.Valid.From.Micros)
			if !begun[at] { // two values from the same moment on do contradict each other
				told = append(told, a)
			}
			begun[at] = true
		}
		var axes [][]any
		for _, order := range [][]*memory.Assertion{told, rapid.Permutation(told).Draw(t, "order")} {
			var list []memory.Body
			for _, a := range order {
				list = append(list, a)
			}
			axes = append(axes, axisOf(beliefFold(bodies(list...))))
		}
		check(t, "in another order", axes[1], axes[0])
	})
}

// Taking back a retraction gives the facts before it, and so on.
func TestFactsUndoOfUndo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := drawBeliefs(t)
		f := beliefFold(log)
		states := [2][]any{axisOf(f)}
		targets := []memory.ID{id(rapid.IntRange(1, len(log)).Draw(t, "target"))}
		always := rapid.Bool().Draw(t, "always")
		for depth := range 6 {
			own := id(500 + depth)
			f.Apply(memory.Record{Seq: f.Head() + 1, Recorded: jan1.AddDate(1, 0, 0).UnixMicro(), ID: own, Body: &memory.Retract{Targets: targets, Always: always}})
			targets = []memory.ID{own}
			if depth == 0 {
				states[1] = axisOf(f)
				continue
			}
			check(t, "undo", axisOf(f), states[(depth+1)%2])
		}
	})
}

// After an erasure nothing of what went has any effect, and what is said to hold
// longer because of it does.
func TestFactsEraseThenRebuild(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := drawBeliefs(t)
		gone := map[memory.ID]bool{}
		var left []memory.Record
		for _, r := range log {
			if rapid.IntRange(0, 3).Draw(t, "erase") == 0 {
				gone[r.ID] = true
			} else {
				left = append(left, r)
			}
		}
		for _, reopened := range beliefFold(log).View(memory.Known{}).Reopened(gone) {
			if !slices.ContainsFunc(left, func(r memory.Record) bool { return r.ID == reopened }) {
				t.Fatalf("%s is not there and holds again", reopened)
			}
		}
		f := beliefFold(left)
		for cut := range memory.Seq(len(log) + 1) {
			v := f.View(memory.Known{Seq: max(cut, 1)})
			for _, subject := range subjects {
				for _, predicate := range predicates {
					checkSlot(t, v, left, subject, predicate, 1)
				}
			}
		}
	})
}

// One slot with much news, which random logs seldom have.
func TestDenseSlotAgainstOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		predicate := rapid.SampledFrom([]string{"lives_in", "lives_in", "likes", "visited"}).Draw(t, "slot")
		log := make([]memory.Record, rapid.IntRange(4, 12).Draw(t, "assertions"))
		for i := range log {
			a := drawAssertion(t, i+1, allNews)
			a.Subject, a.Predicate, a.Provenance = "Ann", predicate, nil
			if rapid.IntRange(0, 3).Draw(t, "trusted") > 0 {
				a.Source = ""
			}
			log[i] = memory.Record{Seq: memory.Seq(i + 1), Recorded: jan1.UnixMicro() + int64(i)*3600e6, ID: id(i + 1), Body: a}
		}
		v := beliefFold(log).View(memory.Known{})
		checkSlot(t, v, log, "ann", predicate, rapid.Uint64().Draw(t, "seed"))
	})
}

// Of a large slot, laid out step by step, every step is what it is laid out at once.
func TestStepByStep(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(20, 60).Draw(t, "assertions")
		log := make([]memory.Record, n)
		for i := range log {
			a := drawAssertion(t, i+1, allNews)
			a.Subject, a.Predicate, a.Provenance = "Ann", rapid.SampledFrom([]string{"lives_in", "lives_in", "likes"}).Draw(t, "slot"), nil
			log[i] = memory.Record{Seq: memory.Seq(i + 1), Recorded: jan1.UnixMicro() + int64(i)*3600e6, ID: id(i + 1), Body: a}
		}
		v := beliefFold(log).View(memory.Known{})
		for _, predicate := range []string{"lives_in", "likes"} {
			name := slotName{"ann", predicate}
			rects := v.rectangles(name)
			for cut := memory.Seq(1); cut <= memory.Seq(n); cut += 3 {
				var got []segment
				for _, r := range rects {
					if r.knownAt(cut) {
						got = append(got, segment{r.Value, r.Disputed, r.From, r.To})
					}
				}
				var want []segment
				for _, s := range resolve(v.at(cut).counting(v.claimsOf(name)), v.f.beliefs.schema.Cardinality(predicate)) {
					want = append(want, segment{s.value, s.disputed, s.from, s.to})
				}
				check(t, fmt.Sprint(predicate, " at ", cut), sortSegments(got), sortSegments(want))
			}
		}
	})
}
