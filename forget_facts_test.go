package engram_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram"
	"engram/importer"
	"engram/memory"
	"engram/store/sqlite"
	"engram/timeline"
)

// These tests are the sentences of the design about forgetting, with facts.

const laterErased = "later source erased"

func assert(t failer, s *engram.Space, assertions ...engram.Assertion) []engram.Ref {
	t.Helper()
	refs, err := s.Assert(context.Background(), assertions...)
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

// livesIn states where Ann lives, from a date on, with the episodes that say so.
func livesIn(city, from string, evidence ...engram.Ref) engram.Assertion {
	a := engram.Assertion{Subject: "Ann", Predicate: "lives_in", Object: city}
	if from != "" {
		a.Valid.From = day(from)
	}
	for _, e := range evidence {
		a.Provenance = append(a.Provenance, memory.Span{Episode: e.ID})
	}
	return a
}

func forget(t failer, s *engram.Space, sel engram.Selection) engram.Receipt {
	t.Helper()
	receipt, err := s.Forget(context.Background(), sel)
	if err != nil {
		t.Fatal(err)
	}
	if !receipt.Complete() {
		t.Fatal("the receipt is not complete:", receipt)
	}
	return receipt
}

func forgetIDs(t failer, s *engram.Space, refs ...engram.Ref) engram.Receipt {
	t.Helper()
	return forget(t, s, engram.Selection{IDs: ids(refs)})
}

func factsOf(t failer, s *engram.Space, q engram.FactQuery) []engram.Fact {
	t.Helper()
	facts, err := s.Facts(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// homes says where Ann lives, in a few words.
func homes(t failer, s *engram.Space, at engram.AsOf) string {
	t.Helper()
	var out []string
	for _, f := range factsOf(t, s, engram.FactQuery{Subject: "Ann", Predicate: "lives_in", AsOf: at}) {
		text := f.Object
		if f.Stale != "" {
			text += " (" + f.Stale + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func wantHomes(t failer, s *engram.Space, want string) {
	t.Helper()
	if got := homes(t, s, engram.AsOf{}); got != want {
		t.Fatal(fmt.Sprintf("Ann lives in %q, want %q", got, want))
	}
}

func TestForgetTakesAssertionsWithNoOtherSupport(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	said := say(t, s, "I live in Paris, and I like tea.")
	read := assert(t, s, livesIn("Paris", "2020Z", said))[0]
	direct := assert(t, s, engram.Assertion{Subject: "Ann", Predicate: "likes", Object: "tea"})[0]
	wantHomes(t, s, "Paris")

	receipt := forgetIDs(t, s, said)
	if diff := cmp.Diff(map[memory.RecordType]int{memory.TypeEpisode: 1, memory.TypeAssertion: 1}, receipt.Counts); diff != "" {
		t.Error(diff)
	}
	wantHomes(t, s, "")
	if _, err := s.Record(t.Context(), read.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("the assertion that was read out of it: %v", err)
	}
	if r, err := s.Record(t.Context(), direct.ID); err != nil || !r.Active {
		t.Errorf("the direct assertion: %+v, %v", r, err)
	}
	if history, err := s.History(t.Context(), "Ann", "lives_in"); err != nil || len(history) > 0 {
		t.Errorf("the history has %v, %v", history, err)
	}
}

func TestForgetDerivesAnewFromOtherSources(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	first := remember(t, s, engram.Episode{Text: "I live in Paris.", Occurred: day("2025-01-01Z")})[0]
	say(t, s, "It rains.")
	second := remember(t, s, engram.Episode{Text: "Here in Paris it rains.", Occurred: day("2025-06-01Z")})[0]
	assert(t, s, livesIn("Paris", "", first, second))

	before := factsOf(t, s, engram.FactQuery{Subject: "Ann"})
	if len(before) != 1 || before[0].KnownFrom.Micros != first.Recorded || before[0].ValidFrom != day("2025-01-01Z") {
		t.Fatalf("before: %+v", before)
	}
	if receipt := forgetIDs(t, s, first); receipt.Counts[memory.TypeAssertion] != 0 {
		t.Fatalf("erased %v", receipt.Counts)
	}
	after := factsOf(t, s, engram.FactQuery{Subject: "Ann"})
	if len(after) != 1 {
		t.Fatalf("after: %+v", after)
	}
	if f := after[0]; f.KnownFrom.Micros != second.Recorded || f.Seq != second.Seq {
		t.Errorf("known from %s [%d], want that of the evidence that is left, %s [%d]", f.KnownFrom, f.Seq, memory.Micros(second.Recorded), second.Seq)
	}
	if f := after[0]; f.ValidFrom != day("2025-06-01Z") || f.FromBasis != memory.Assumed {
		t.Errorf("valid from %s, %s; want when the evidence that is left was said", f.ValidFrom, f.FromBasis)
	}
	if got := homes(t, s, engram.AsOf{Known: engram.Known{Seq: second.Seq - 1}}); got != "" {
		t.Errorf("known before the evidence that is left: %q", got)
	}
	if diff := cmp.Diff([]memory.Span{{Episode: second.ID}}, after[0].Provenance); diff != "" {
		t.Error("provenance names what was erased:", diff)
	}
	forgetIDs(t, s, second)
	wantHomes(t, s, "")
}

// What an erased statement had retired opens again, and says so.
func TestForgetOpensWhatTheErasedHadRetired(t *testing.T) {
	t.Parallel()
	now := "2026-03-08Z"
	for name, later := range map[string]engram.Assertion{
		"change":      livesIn("Berlin", "2026-01Z"),
		"end":         {Subject: "Ann", Predicate: "lives_in", Object: "Paris", News: memory.End, Valid: memory.Interval{To: day("2026-01Z")}},
		"any end":     {Subject: "Ann", Predicate: "lives_in", News: memory.End, Valid: memory.Interval{To: day("2026-01Z")}},
		"correction":  {Subject: "Ann", Predicate: "lives_in", Object: "Berlin", News: memory.Correction, Replaces: "Paris"},
		"taking back": {Subject: "Ann", Predicate: "lives_in", Object: "Paris", News: memory.TakingBack},
		"late":        {Subject: "Ann", Predicate: "lives_in", Object: "Berlin", News: memory.Late, Valid: memory.Interval{From: day("2026-01Z"), To: day("2027Z")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := space(t, setup(t), "ann")
			assert(t, s, livesIn("Paris", "2020Z"))
			said := say(t, s, "Something has changed.")
			later.Provenance = []memory.Span{{Episode: said.ID}}
			assert(t, s, later)
			if got := homes(t, s, engram.AsOf{Valid: day(now)}); strings.Contains(got, "Paris") {
				t.Fatalf("before the erasure Ann lives in %q", got)
			}
			forgetIDs(t, s, said)
			wantHomes(t, s, "Paris ("+laterErased+")")
			facts := factsOf(t, s, engram.FactQuery{Subject: "Ann", All: true})
			if len(facts) != 1 || !facts[0].ValidTo.IsZero() {
				t.Errorf("facts: %+v, want one that is open", facts)
			}
			// A newer statement clears the flag.
			newer := assert(t, s, livesIn("Paris", "2020Z"))[0]
			wantHomes(t, s, "Paris")
			forgetIDs(t, s, newer)
			wantHomes(t, s, "Paris ("+laterErased+")")
			assert(t, s, livesIn("Rome", "2026-02Z"))
			wantHomes(t, s, "Rome")
		})
	}
}

// In a slot of many values too; other values are not marked.
func TestForgetOpensOneValueOfMany(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	likes := func(what string, news memory.News) engram.Assertion {
		return engram.Assertion{Subject: "Ann", Predicate: "likes", Object: what, News: news}
	}
	assert(t, s, likes("茶", memory.Change), likes("jazz", memory.Change))
	over := assert(t, s, likes("茶", memory.End))[0]
	forgetIDs(t, s, over)
	for _, f := range factsOf(t, s, engram.FactQuery{Subject: "Ann"}) {
		if want := map[string]string{"茶": laterErased}[f.Object]; f.Stale != want {
			t.Errorf("%s is stale: %q, want %q", f.Object, f.Stale, want)
		}
	}
}

// What was retired by something else as well stays retired, and is not marked.
func TestForgetOpensOnlyWhatNothingElseRetired(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	assert(t, s, livesIn("Paris", "2020Z"))
	first := assert(t, s, livesIn("Berlin", "2025Z"))[0]
	assert(t, s, livesIn("Rome", "2025Z"))
	forgetIDs(t, s, first)
	wantHomes(t, s, "Rome")
	for _, f := range factsOf(t, s, engram.FactQuery{Subject: "Ann", All: true}) {
		if f.Stale != "" || f.Object == "Berlin" {
			t.Errorf("%s until %s: %q", f.Object, f.ValidTo, f.Stale)
		}
	}
	// What depends on the erased is flagged as such.
	based := assert(t, s, livesIn("Oslo", "2026Z"))[0]
	cold := engram.Assertion{Subject: "Ann", Predicate: "needs", Object: "a coat", Depends: []engram.ID{based.ID}}
	assert(t, s, cold)
	forgetIDs(t, s, based)
	if facts := factsOf(t, s, engram.FactQuery{Predicate: "needs"}); len(facts) != 1 || facts[0].Stale == "" {
		t.Errorf("what depends on the erased: %+v", facts)
	}
}

// Undo comes back with what it undid: erasing a retraction is no secret undo of
// another kind, it follows anew.
func TestForgetFollowsAnewThroughVerdictsAndRetractions(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	paris := assert(t, s, livesIn("Paris", "2020Z"))[0]
	web := livesIn("Berlin", "2025Z")
	web.Source = memory.Web
	berlin := assert(t, s, web)[0]
	wantHomes(t, s, "Berlin, Paris")
	_, err := s.Settle(t.Context(), memory.Settlement{Winner: paris.ID, Losers: []engram.ID{berlin.ID}})
	check(err)
	wantHomes(t, s, "Paris")
	receipt := forgetIDs(t, s, berlin)
	if receipt.Counts[memory.TypeVerdict] != 1 {
		t.Errorf("the verdict about nothing stays: %v", receipt.Counts)
	}
	wantHomes(t, s, "Paris")
}

// forgetful is a space with a secret life: Lin Daiyu, also known as 林黛玉.
func secretLife(t failer, s *engram.Space) {
	t.Helper()
	refs := remember(t, s,
		engram.Episode{Text: "Lin Daiyu has moved to Suzhou Garden 17.", Speaker: "Ann"},
		engram.Episode{Text: "林黛玉对海鲜过敏。", Speaker: "安"},
		engram.Episode{Text: "I drink tea.", Speaker: "Daiyu"},
		engram.Episode{Text: "The weather in Nanjing is fine.", Speaker: "Ann"})
	evidence := func(i int) []memory.Span { return []memory.Span{{Episode: refs[i].ID}} }
	made := assert(t, s,
		engram.Assertion{Subject: "Lin Daiyu", Predicate: "lives_in", Object: "Suzhou Garden 17", Provenance: evidence(0), IDKey: "secret-key"},
		engram.Assertion{Subject: "林黛玉", Predicate: "过敏", Object: "海鲜", Provenance: evidence(1)},
		engram.Assertion{Subject: "daiyu", Predicate: "likes", Object: "Longjing", Provenance: evidence(2)},
		engram.Assertion{Subject: "Ann", Predicate: "friend", Object: "林黛玉"},
		engram.Assertion{Subject: "Ann", Predicate: "lives_in", Object: "Nanjing", Provenance: evidence(3)})
	for _, name := range []string{"林黛玉", "Daiyu"} {
		_, err := s.Alias(context.Background(), name, "Lin Daiyu")
		check(err)
	}
	_, err := s.Settle(context.Background(), memory.Settlement{Losers: []engram.ID{made[2].ID}, Reason: "Longjing it was not"})
	check(err)
}

var secrets = []string{"Daiyu", "daiyu", "林黛玉", "Suzhou", "海鲜", "Longjing", "secret-key", "drink"}

func TestForgetAnEntityUnderAllItsNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Lin Daiyu", "林黛玉", "DAIYU"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "memory.db")
			c := newClock()
			s := space(t, open(t, path, c, 1), "ann")
			other := space(t, open(t, path, c, 2), "ann") // another process
			secretLife(t, s)
			if n := len(factsOf(t, other, engram.FactQuery{})); n != 4 {
				t.Fatalf("%d facts, want 4", n)
			}
			plan, err := s.PlanForget(t.Context(), engram.Selection{Entity: name})
			check(err)
			receipt := forget(t, s, engram.Selection{Entity: name, Reason: "asked for"})
			want := map[memory.RecordType]int{memory.TypeEpisode: 3, memory.TypeAssertion: 4, memory.TypeLink: 2, memory.TypeVerdict: 1}
			if diff := cmp.Diff(want, receipt.Counts); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(plan.Counts, receipt.Counts); diff != "" {
				t.Error("the plan was another:", diff)
			}
			// The other process sees it at once, and so does one that comes now.
			for i, s := range []*engram.Space{s, other, space(t, open(t, path, c, 3), "ann")} {
				if got := factsOf(t, s, engram.FactQuery{All: true}); len(got) != 1 || got[0].Object != "Nanjing" {
					t.Errorf("engine %d still knows %+v", i, got)
				}
				for _, question := range secrets {
					a := ask(t, s, question)
					for _, secret := range secrets {
						if strings.Contains(a.Context, secret) {
							t.Errorf("engine %d still tells %s", i, secret)
						}
					}
				}
			}
			wantNothingLeft(t, dir, secrets...)
			wantTombstone(t, s, receipt.ID, secrets...)
		})
	}
}

// A correction that names the entity as the value that it replaces speaks of it.
func TestForgetAnEntityThatWasReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := space(t, open(t, filepath.Join(dir, "memory.db"), newClock(), 1), "ann")
	assert(t, s, livesIn("Xanadu", "2020Z"))
	corrected := livesIn("Paris", "")
	corrected.News, corrected.Replaces = memory.Correction, "Xanadu"
	assert(t, s, corrected)
	forget(t, s, engram.Selection{Entity: "xanadu"})
	wantNothingLeft(t, dir, "Xanadu")
}

// wantNothingLeft searches all files below a directory.
func wantNothingLeft(t *testing.T, dir string, words ...string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		raw, err := os.ReadFile(path)
		for _, w := range words {
			if bytes.Contains(raw, []byte(w)) {
				t.Errorf("%s still holds %q", d.Name(), w)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// wantTombstone reads the mark of an erasure, which has no content.
func wantTombstone(t *testing.T, s *engram.Space, id engram.ID, words ...string) {
	t.Helper()
	r, err := s.Record(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Body.(*memory.Erased); !ok {
		t.Fatalf("the tombstone is %T", r.Body)
	}
	for _, w := range words {
		if bytes.Contains(r.Raw, []byte(w)) {
			t.Errorf("the tombstone holds %q: %s", w, r.Raw)
		}
	}
}

// Words, values, keys and reasons of erased assertions are in no file, however
// they are chosen.
func TestForgetLeavesNoByteOfAnAssertion(t *testing.T) {
	t.Parallel()
	for name, selection := range map[string]func([]engram.Ref) engram.Selection{
		"ids": func(refs []engram.Ref) engram.Selection { return engram.Selection{IDs: ids(refs)} },
		"session": func([]engram.Ref) engram.Selection {
			return engram.Selection{Filter: engram.Filter{Sessions: []string{"s1"}}}
		},
		"time": func([]engram.Ref) engram.Selection {
			return engram.Selection{Filter: engram.Filter{Occurred: memory.Interval{From: day("2025-05Z"), To: day("2025-06Z")}}}
		},
		"all": func([]engram.Ref) engram.Selection { return engram.Selection{All: true} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := space(t, open(t, filepath.Join(dir, "memory.db"), newClock(), 1), "ann")
			refs := remember(t, s,
				engram.Episode{Text: "Xylophonia is where I live.", Session: "s1", Occurred: day("2025-05-03Z")},
				engram.Episode{Text: "我住在桃花源。", Session: "s1", Occurred: day("2025-05-04Z")},
				engram.Episode{Text: "It rains.", Session: "s2", Occurred: day("2025-07-04Z")})
			secret := livesIn("Xylophonia", "2025Z", refs[0])
			secret.IDKey, secret.Extractor = "quokka-1", "wombat"
			assert(t, s, secret, livesIn("桃花源", "2026Z", refs[1]))
			for i := range 200 { // so that pages are split and merged
				assert(t, s, engram.Assertion{Subject: "Ann", Predicate: "owns", Object: fmt.Sprintf("thing %d", i)})
			}
			if name == "all" {
				refs = nil
			} else {
				refs = refs[:2]
			}
			receipt := forget(t, s, selection(refs))
			if receipt.Counts[memory.TypeAssertion] < 2 {
				t.Errorf("erased %v", receipt.Counts)
			}
			words := []string{"Xylophonia", "桃花源", "quokka", "wombat"}
			wantNothingLeft(t, dir, words...)
			wantTombstone(t, s, receipt.ID, words...)
			// The key is known still, so that a late retry does not bring it back.
			secret.Provenance = nil
			if again := assert(t, s, secret)[0]; again.Duplicate != (name != "all") {
				t.Errorf("a late retry gave %+v", again)
			}
		})
	}
}

// lifeOfFacts writes random episodes, assertions and what speaks of them.
type lifeOfFacts struct {
	s        *engram.Space
	random   *rand.Rand
	episodes []engram.Ref
	claims   []engram.Ref
	others   []engram.Ref
}

// engines opens engines over one file, as processes do, for as long as a check
// of a property runs.
func engines(t *rapid.T, path string, c *clock, n int) []*engram.Space {
	t.Helper()
	var out []*engram.Space
	for i := range n {
		db, err := sqlite.Open(context.Background(), path, sqlite.Options{Now: func() int64 { return c.now().UnixMicro() }})
		check(err)
		engine, err := engram.Open(context.Background(), db, engram.Options{Now: c.now, Random: rand.NewChaCha8([32]byte{byte(i)})})
		check(err)
		t.Cleanup(func() { check(engine.Close()) })
		out = append(out, space(t, engine, "ann"))
	}
	return out
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func (l *lifeOfFacts) step(t failer) {
	r := l.random
	ctx := context.Background()
	note := func(ref engram.Ref, err error) {
		check(err)
		l.others = append(l.others, ref)
	}
	switch n := r.IntN(20); {
	case n < 5 || len(l.claims) < 2:
		l.episodes = append(l.episodes, say(t, l.s, fmt.Sprintf("Words of turn %d.", r.IntN(1000))))
		fallthrough
	case n < 14:
		l.claims = append(l.claims, assert(t, l.s, l.claim())...)
	case n < 15:
		note(l.s.Retract(ctx, memory.Retract{Targets: []engram.ID{pick(r, slices.Concat(l.claims, l.episodes, l.others)...).ID}}))
	case n < 16:
		note(l.s.Settle(ctx, memory.Settlement{Losers: []engram.ID{pick(r, l.claims...).ID}}))
	case n < 18:
		if ref, err := l.s.Alias(ctx, pick(r, "Ann", "Annie", "安"), pick(r, "Ann", "Annie", "安", "Bo")); !errors.Is(err, memory.ErrInvalid) { // a circle
			note(ref, err)
		}
	case n < 19:
		note(l.s.Apart(ctx, pick(r, "Annie", "安")))
	default:
		note(l.s.Feedback(ctx, engram.Feedback{Used: []engram.ID{pick(r, l.episodes...).ID}}))
	}
}

func (l *lifeOfFacts) claim() engram.Assertion {
	r := l.random
	a := engram.Assertion{
		Subject: pick(r, "Ann", "Annie", "安", "Bo"), Predicate: pick(r, "lives_in", "lives_in", "likes", "visited"),
		Object: pick(r, "Paris", "Rome", "苏州"), News: pick(r, memory.Change, memory.Change, memory.Change, memory.End, memory.Correction, memory.TakingBack, memory.Late),
		Source: pick(r, memory.User, memory.User, memory.Tool, memory.Web),
	}
	year := func() memory.Time { return day(fmt.Sprintf("20%02dZ", 10+r.IntN(15))) }
	if r.IntN(3) > 0 || a.News == memory.Late {
		a.Valid.From = year()
	}
	if a.News == memory.Late {
		a.Valid.To = day(fmt.Sprintf("%dZ", a.Valid.From.Std().Year()+1+r.IntN(4)))
	}
	for range r.IntN(4) {
		a.Provenance = append(a.Provenance, memory.Span{Episode: pick(r, l.episodes...).ID})
	}
	if r.IntN(6) == 0 && len(l.claims) > 0 {
		a.Depends = []engram.ID{pick(r, l.claims...).ID}
	}
	if a.News == memory.Correction && r.IntN(2) == 0 {
		a.Replaces = pick(r, "Paris", "Rome")
	}
	return a
}

func logOf(t failer, s *engram.Space) []engram.Record {
	t.Helper()
	var out []engram.Record
	for r, err := range s.Log(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// withoutSupport says which records go with those that are chosen, by the words
// of the design.
func withoutSupport(log []engram.Record, gone map[engram.ID]bool) {
	for _, r := range log {
		var needs []engram.ID
		switch b := r.Body.(type) {
		case *memory.Assertion:
			for _, p := range b.Provenance {
				needs = append(needs, p.Episode)
			}
		case *memory.Retract:
			needs = b.Targets
		case *memory.Settlement:
			needs = b.Losers
		case *memory.Feedback:
			needs = b.Used
		}
		left := len(needs) == 0
		for _, id := range needs {
			left = left || !gone[id]
		}
		if !left {
			gone[r.ID] = true
		}
	}
}

// points are places from which facts are compared.
func points(log []engram.Record) []engram.AsOf {
	out := []engram.AsOf{{Valid: day("2026-03-09Z")}}
	for _, valid := range []string{"2012-06Z", "2018-06Z", "2026-03-09Z"} {
		for i := 0; i < len(log); i += 5 {
			out = append(out, engram.AsOf{Valid: day(valid), Known: engram.Known{Seq: log[i].Seq}})
		}
	}
	return out
}

// The facts after an erasure are those of a fold that never had the records,
// in every process, and the stories of the slots too.
func TestFactsAfterForgetAreThoseWithoutTheRecords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		check(err)
		processes := engines(rt, filepath.Join(dir, "memory.db"), newClock(), 3)
		loaded, fresh := processes[1], processes[2]
		l := &lifeOfFacts{s: processes[0], random: rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))}
		for range rapid.IntRange(5, 40).Draw(rt, "steps") {
			l.step(rt)
		}
		factsOf(rt, loaded, engram.FactQuery{})
		before := logOf(rt, l.s)
		gone := map[engram.ID]bool{}
		var chosen []engram.ID
		for range rapid.IntRange(1, 4).Draw(rt, "chosen") {
			id := pick(l.random, slices.Concat(l.episodes, l.claims)...).ID
			if !gone[id] {
				gone[id], chosen = true, append(chosen, id)
			}
		}
		forget(rt, l.s, engram.Selection{IDs: chosen})
		withoutSupport(before, gone)
		fold := timeline.New(timeline.BuiltinSchema())
		for _, r := range before {
			if !gone[r.ID] {
				fold.Apply(r)
			}
		}
		after := logOf(rt, l.s)
		for _, r := range after[:len(after)-1] {
			if gone[r.ID] {
				rt.Fatalf("%s is still there", r.ID)
			}
		}
		if len(after)-1 != len(before)-len(gone) {
			rt.Fatalf("%d records are left of %d without %d", len(after)-1, len(before), len(gone))
		}
		fold.Apply(after[len(after)-1]) // the tombstone
		for _, at := range points(after) {
			want := fold.View(at.Known).Facts(timeline.FactQuery{At: at.Valid.Micros, All: true})
			for i, s := range []*engram.Space{l.s, loaded, fresh} {
				got := factsOf(rt, s, engram.FactQuery{AsOf: at, All: true})
				if diff := cmp.Diff(want, got); diff != "" {
					rt.Fatalf("engine %d at %+v: %s", i, at, diff)
				}
			}
		}
	})
}

// An export imports again with ids, both axes and provenance, also after an
// erasure, and with its mark.
func TestAnExportOfFactsImportsAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		check(err)
		c := newClock()
		l := &lifeOfFacts{s: engines(rt, filepath.Join(dir, "a.db"), c, 1)[0], random: rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 2))}
		for range rapid.IntRange(5, 30).Draw(rt, "steps") {
			l.step(rt)
		}
		erased := rapid.Bool().Draw(rt, "erased")
		if erased {
			forgetIDs(rt, l.s, pick(l.random, l.claims...))
		}
		var lines bytes.Buffer
		for _, r := range logOf(rt, l.s) {
			line, err := importer.Line(r)
			check(err)
			lines.Write(append(line, '\n'))
		}
		copied := engines(rt, filepath.Join(dir, "b.db"), c, 1)[0]
		report, err := copied.Import(context.Background(), importer.JSONL(&lines, nil), nil)
		if err != nil || report.Failed > 0 {
			rt.Fatal(report.Errors, err)
		}
		same := func(what string, a, b []engram.Fact) {
			for i := range a { // places move together where something was erased
				a[i].Seq = 0
			}
			for i := range b {
				b[i].Seq = 0
			}
			if diff := cmp.Diff(a, b); diff != "" {
				rt.Fatal(what, diff)
			}
		}
		for _, valid := range []string{"2012-06Z", "2018-06Z", "2026-03-09Z"} {
			at := engram.AsOf{Valid: day(valid)}
			same(valid, factsOf(rt, l.s, engram.FactQuery{AsOf: at, All: true}), factsOf(rt, copied, engram.FactQuery{AsOf: at, All: true}))
		}
		for _, subject := range []string{"Ann", "Bo", "安"} {
			a, err := l.s.History(context.Background(), subject, "lives_in")
			check(err)
			b, err := copied.History(context.Background(), subject, "lives_in")
			check(err)
			same("history of "+subject, a, b)
		}
	})
}

// Facts are never stored: what JSON shows of one has no words but its own.
func TestAFactHasTheNamesOfTheLiterature(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	assert(t, s, livesIn("Paris", "2020Z"))
	raw, err := json.Marshal(factsOf(t, s, engram.FactQuery{})[0])
	check(err)
	for _, name := range []string{"valid_at", "created_at"} {
		if !strings.Contains(string(raw), `"`+name+`":`) {
			t.Errorf("%s lacks %s", raw, name)
		}
	}
}
