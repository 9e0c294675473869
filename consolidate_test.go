package engram_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram"
	"engram/consolidate"
	"engram/memory"
	"engram/store/sqlite"
	"engram/timeline"
)

// reader finds "Ann lives_in Paris" wherever it stands. Version "misreads" makes
// Rome of every city.
type cityReader struct{ version string }

var statement = regexp.MustCompile(`(\pL+) (lives_in|likes|server_state|plans) (\pL+)`)

func (cityReader) Name() string      { return "cities" }
func (r cityReader) Version() string { return r.version }

func (r cityReader) Extract(_ context.Context, w consolidate.Window) (consolidate.Findings, error) {
	var out consolidate.Findings
	if w.Turn.Text == "unreadable" {
		return out, errors.New("in no language that is known")
	}
	if w.Turn.Text == "Anna is Ann" {
		out.Aliases = []memory.Association{{Rel: memory.SameAs, Name: "Anna", Entity: "Ann"}}
	}
	for _, m := range statement.FindAllStringSubmatchIndex(w.Turn.Text, -1) {
		word := func(i int) string { return w.Turn.Text[m[2*i]:m[2*i+1]] }
		a := engram.Assertion{
			Subject: word(1), Predicate: word(2), Object: word(3),
			Provenance: []memory.Span{{Episode: w.Turn.ID, Start: m[0], End: m[1]}},
		}
		if r.version == "misreads" {
			a.Object = "Rome"
		}
		out.Assertions = append(out.Assertions, a)
	}
	return out, nil
}

// openReader gives an engine with an extractor.
func openReader(t testing.TB, path string, c *clock, seed byte, o engram.Options) *engram.Engine {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Now: func() int64 { return c.now().UnixMicro() }})
	if err != nil {
		t.Fatal(err)
	}
	o.Now, o.Random = c.now, rand.NewChaCha8([32]byte{seed})
	if o.Extractor == nil {
		o.Extractor = cityReader{"1"}
	}
	engine, err := engram.Open(t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine
}

// learning gives a space of an engine that reads.
func learning(t testing.TB) *engram.Space {
	t.Helper()
	return space(t, openReader(t, filepath.Join(t.TempDir(), "memory.db"), newClock(), 1, engram.Options{}), "ann")
}

func consolidated(t failer, s *engram.Space) engram.Consolidated {
	t.Helper()
	r, err := s.Consolidate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// homesThrough says where Ann lives, as known from each place of the words.
func homesThrough(t failer, s *engram.Space, refs []engram.Ref) string {
	t.Helper()
	var out []string
	for _, r := range refs {
		out = append(out, homes(t, s, engram.AsOf{Known: engram.Known{Seq: r.Seq}}))
	}
	return strings.Join(append(out, homes(t, s, engram.AsOf{})), " / ")
}

func TestWhatIsReadLateIsKnownFromTheWordsOn(t *testing.T) {
	t.Parallel()
	turns := []string{"Ann lives_in Paris", "nothing", "Ann lives_in Berlin", "Ann likes tea", "Ann lives_in Oslo"}
	var got [2]string
	for i := range got {
		s := learning(t)
		var refs []engram.Ref
		for _, text := range turns {
			refs = append(refs, say(t, s, text))
			if i == 0 {
				consolidated(t, s)
			}
		}
		consolidated(t, s)
		got[i] = homesThrough(t, s, refs)
	}
	if got[0] != got[1] {
		t.Errorf("read at once %s\nread late    %s", got[0], got[1])
	}
	if want := "Paris / Paris / Berlin / Berlin / Oslo / Oslo"; got[1] != want {
		t.Errorf("got  %s\nwant %s", got[1], want)
	}
}

func TestANewVersionChangesWhatWasKnown(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	old := space(t, openReader(t, path, c, 1, engram.Options{Extractor: cityReader{"misreads"}}), "ann")
	refs := []engram.Ref{say(t, old, "Ann lives_in Paris"), say(t, old, "Ann lives_in Berlin")}
	consolidated(t, old)
	wantHomes(t, old, "Rome")
	s := space(t, openReader(t, path, c, 2, engram.Options{Extractor: cityReader{"2"}}), "ann")
	if r := consolidated(t, s); r != (engram.Consolidated{Spaces: 1, Turns: 2, Assertions: 2, Replaced: 2}) {
		t.Errorf("%+v", r)
	}
	for _, s := range []*engram.Space{s, old} { // every process sees it
		if got := homesThrough(t, s, refs); got != "Paris / Berlin / Berlin" {
			t.Error(got)
		}
	}
}

// A turn that was taken back is read all the same: before it was, it counted.
func TestTurnsThatWereTakenBack(t *testing.T) {
	t.Parallel()
	s := learning(t)
	paris := say(t, s, "Ann lives_in Paris")
	berlin := say(t, s, "Ann lives_in Berlin")
	back, err := s.Retract(t.Context(), memory.Retract{Targets: ids([]engram.Ref{berlin})})
	check(err)
	consolidated(t, s)
	if got := homesThrough(t, s, []engram.Ref{paris, berlin, back}); got != "Paris / Berlin / Paris / Paris" {
		t.Error(got)
	}
	_, err = s.Retract(t.Context(), memory.Retract{Targets: []engram.ID{back.ID}})
	check(err)
	consolidated(t, s)
	wantHomes(t, s, "Berlin")
}

// So is a version that a later one of its key replaced.
func TestVersionsOfAKey(t *testing.T) {
	t.Parallel()
	s := learning(t)
	refs := remember(t, s, engram.Episode{Key: "card", Text: "Ann lives_in Paris"}, engram.Episode{Key: "card", Text: "Ann lives_in Berlin"})
	consolidated(t, s)
	if got := homesThrough(t, s, refs); got != "Paris / Berlin / Berlin" {
		t.Error(got)
	}
}

func TestWhatIsErasedIsNotLearnedAgain(t *testing.T) {
	t.Parallel()
	s := learning(t)
	paris, berlin := say(t, s, "Ann lives_in Paris"), say(t, s, "Ann lives_in Berlin")
	forgetIDs(t, s, paris)
	consolidated(t, s)
	wantHomes(t, s, "Berlin")
	forgetIDs(t, s, berlin)
	if r := consolidated(t, s); r.Turns != 0 {
		t.Errorf("%+v", r)
	}
	wantHomes(t, s, "")
}

func TestACopyIsNotReadTwice(t *testing.T) {
	t.Parallel()
	c := newClock()
	s := space(t, openReader(t, filepath.Join(t.TempDir(), "memory.db"), c, 1, engram.Options{}), "ann")
	say(t, s, "Ann lives_in Paris")
	say(t, s, "unreadable")
	consolidated(t, s)
	other := space(t, openReader(t, filepath.Join(t.TempDir(), "memory.db"), c, 2, engram.Options{}), "copy")
	_, err := other.Import(t.Context(), stream(logOf(t, s)...), nil)
	check(err)
	if r := consolidated(t, other); r.Turns != 2 || r.Assertions != 0 {
		t.Errorf("%+v", r)
	}
	if n := len(logOf(t, other)); n != len(logOf(t, s)) {
		t.Errorf("the copy has %d records", n)
	}
}

// What a page says against the user is disputed, unless the schema trusts it more.
func TestTrustOfWhatWasRead(t *testing.T) {
	t.Parallel()
	schema, err := timeline.ParseSchema(strings.NewReader("one server_state\nauthority tool server_state\n"), timeline.BuiltinSchema())
	check(err)
	s := space(t, openReader(t, filepath.Join(t.TempDir(), "memory.db"), newClock(), 1, engram.Options{Schema: &schema}), "ann")
	remember(t, s,
		engram.Episode{Text: "Ann lives_in Paris. Web server_state up."},
		engram.Episode{Text: "Ann lives_in Berlin.", Source: memory.Web},
		engram.Episode{Text: "Web server_state down.", Source: memory.Tool},
	)
	consolidated(t, s)
	var got []string
	for _, f := range factsOf(t, s, engram.FactQuery{}) {
		got = append(got, fmt.Sprint(f.Predicate, " ", f.Object, " ", f.State, " ", f.Source))
	}
	want := []string{"lives_in Berlin disputed web", "lives_in Paris disputed user", "server_state down current tool"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What a recall handed out and somebody pasted is not learned again.
func TestEchoesAreNotLearned(t *testing.T) {
	t.Parallel()
	s := learning(t)
	say(t, s, "Ann lives_in Paris. "+strings.Repeat("Ann likes tea. ", 2))
	consolidated(t, s)
	a := ask(t, s, "Where does Ann live?")
	if !strings.Contains(a.Context, "Ann lives_in Paris") {
		t.Fatal(a.Context)
	}
	say(t, s, "You told me:\n"+a.Context+"and Ann lives_in Oslo")
	if r := consolidated(t, s); r.Assertions != 1 {
		t.Errorf("%+v", r)
	}
	wantHomes(t, s, "Oslo")
	last := logOf(t, s)[len(logOf(t, s))-1].Body.(*memory.Assertion)
	said := logOf(t, s)[len(logOf(t, s))-2].Body.(*memory.Episode).Text
	if span := last.Provenance[0]; said[span.Start:span.End] != "Ann lives_in Oslo" {
		t.Errorf("read from %q", said[span.Start:span.End])
	}
}

func TestADroppedExtractorTakesItsAliases(t *testing.T) {
	t.Parallel()
	s := learning(t)
	say(t, s, "Ann lives_in Paris")
	say(t, s, "Anna is Ann")
	consolidated(t, s)
	byAlias := func() int { return len(factsOf(t, s, engram.FactQuery{Subject: "Anna"})) }
	if byAlias() != 1 {
		t.Error("the alias is not known")
	}
	assert(t, s, engram.Assertion{Subject: "Ann", Predicate: "likes", Object: "tea"})
	ref, n, err := s.RetractExtractor(t.Context(), "cities", "")
	check(err)
	if n != 1 || byAlias() != 0 {
		t.Errorf("%d dropped, %d known by the alias", n, byAlias())
	}
	if r := consolidated(t, s); r.Turns != 0 {
		t.Errorf("it read again: %+v", r)
	}
	_, err = s.Retract(t.Context(), memory.Retract{Targets: []engram.ID{ref.ID}})
	check(err)
	if byAlias() != 2 {
		t.Error("undone, the alias is not back")
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	s := learning(t)
	status := func() engram.Status {
		out, err := s.Status(t.Context())
		check(err)
		return out
	}
	say(t, s, "Ann lives_in Paris")
	bad := say(t, s, "unreadable")
	if got := status(); got.Lag != 2 || got.Pending != 2 || got.Failed != 0 || got.Extractor != "cities/1" {
		t.Errorf("%+v", got)
	}
	consolidated(t, s)
	want := engram.Status{
		Scope: s.Scope(), Extractor: "cities/1", Failed: 1,
		Failures: []engram.Unread{{Episode: bad.ID, Seq: bad.Seq, Reason: "in no language that is known"}},
	}
	if diff := cmp.Diff(want, status()); diff != "" {
		t.Error(diff)
	}
	if facts := factsOf(t, s, engram.FactQuery{All: true}); len(facts) != 1 {
		t.Errorf("a failure is no fact: %+v", facts)
	}
	forgetIDs(t, s, bad)
	if got := status(); got.Failed != 0 {
		t.Errorf("%+v", got)
	}
}

func TestWithoutAnExtractorNothingIsRead(t *testing.T) {
	t.Parallel()
	e := setup(t)
	s := space(t, e, "ann")
	say(t, s, "Ann lives_in Paris")
	if r := consolidated(t, s); r != (engram.Consolidated{}) {
		t.Errorf("%+v", r)
	}
	if r, err := e.Consolidate(t.Context(), engram.ConsolidateOptions{}); err != nil || r != (engram.Consolidated{}) {
		t.Errorf("%+v, %v", r, err)
	}
	if lag, err := s.Lag(t.Context()); err != nil || lag != 0 {
		t.Error(lag, err)
	}
	if st, err := s.Status(t.Context()); err != nil || st.Extractor != "" || st.Lag != 0 {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestWatchReadsAtEachTick(t *testing.T) {
	t.Parallel()
	e := openReader(t, filepath.Join(t.TempDir(), "memory.db"), newClock(), 1, engram.Options{})
	a, b := space(t, e, "a"), space(t, e, "b")
	say(t, a, "Ann lives_in Paris")
	ctx, stop := context.WithCancel(t.Context())
	ticks, looks, done := make(chan time.Time), make(chan engram.Consolidated), make(chan error)
	go func() {
		done <- e.Watch(ctx, engram.WatchOptions{Ticks: ticks, Looked: func(r engram.Consolidated, err error) {
			check(err)
			looks <- r
		}})
	}()
	if r := <-looks; r.Turns != 1 {
		t.Errorf("at once: %+v", r)
	}
	ticks <- time.Time{}
	if r := <-looks; r != (engram.Consolidated{}) {
		t.Errorf("nothing new: %+v", r)
	}
	say(t, a, "Ann lives_in Berlin")
	say(t, b, "Bo lives_in Oslo")
	ticks <- time.Time{}
	if r := <-looks; r.Turns != 2 || r.Spaces != 2 {
		t.Errorf("two spaces: %+v", r)
	}
	wantHomes(t, a, "Berlin")
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestWatchEndsWithTheStore(t *testing.T) {
	t.Parallel()
	e := openReader(t, filepath.Join(t.TempDir(), "memory.db"), newClock(), 1, engram.Options{})
	check(e.Close())
	if err := e.Watch(t.Context(), engram.WatchOptions{}); !errors.Is(err, memory.ErrClosed) {
		t.Error(err)
	}
}

func TestAnExtractorHasANameAndAVersion(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), sqlite.Options{Now: func() int64 { return 1 }})
	check(err)
	_, err = engram.Open(t.Context(), db, engram.Options{Extractor: cityReader{}})
	wantInvalid(t, "no version", err)
	check(db.Close())
}
