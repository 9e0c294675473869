package bitemporal

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram"
	"engram/memory"
	"engram/store/sqlite"
)

var updateWorlds = flag.Bool("update-worlds", false, "write the golden worlds anew")

func worldOpener(t *testing.T) WorldOpener {
	t.Helper()
	dir := t.TempDir()
	return func(ctx context.Context, name string, now time.Time) (*engram.Engine, error) {
		s, err := sqlite.Open(ctx, filepath.Join(dir, name+".db"), sqlite.Options{Now: func() int64 { return now.UnixMicro() }})
		if err != nil {
			return nil, err
		}
		return engram.Open(ctx, s, engram.Options{Now: func() time.Time { return now }})
	}
}

func TestBitemporal(t *testing.T) {
	t.Parallel()
	worlds := 0
	report, err := Measure{Worlds: 6, Points: 900, Seed: 11, Dump: func(*World) error { worlds++; return nil }}.Run(t.Context(), worldOpener(t))
	if err != nil {
		t.Fatal(err)
	}
	if report.Share != 1 {
		for _, f := range report.Failures {
			t.Errorf("%v", &f)
		}
	}
	if report.Worlds != 12 || report.Points != 1800 || worlds != 12 || report.ByLanguage[Chinese].Points != 900 {
		t.Errorf("got %d worlds, %d points, %d dumped", report.Worlds, report.Points, worlds)
	}
	sum := 0
	for _, s := range report.ByNews {
		sum += s.Points
	}
	if sum != report.Points {
		t.Errorf("the kinds of news have %d points of %d", sum, report.Points)
	}
}

// Another value than what was said is noticed.
func TestBitemporalNoticesWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := NewWorld(English, 5, 0)
	for i := range w.Records {
		if a, ok := w.Records[i].Body.(*memory.Assertion); ok && a.News == memory.Change {
			changed := *a
			changed.Object += " after all"
			w.Records[i].Body = &changed
		}
	}
	r, err := (&Measure{}).world(t.Context(), w, 200, worldOpener(t))
	if err != nil {
		t.Fatal(err)
	}
	if r.share.Share == 1 || len(r.failures) != worldFailures {
		t.Fatalf("got %+v with %d failures", r.share, len(r.failures))
	}
	if s := r.failures[0].String(); !strings.Contains(s, "--seed 5 --lang en, world en-00000: ") || !strings.Contains(s, "want") {
		t.Errorf("the failure says %q", s)
	}
}

func TestBitemporalEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	_, err := Measure{Worlds: 50, Points: 50, Progress: stop}.Run(ctx, worldOpener(t))
	if err == nil {
		t.Error("a cancelled run gave a report")
	}
}

func TestWorldIsDeterministic(t *testing.T) {
	t.Parallel()
	for _, lang := range []Lang{English, Chinese} {
		for index := range 4 {
			a, b := dump(t, NewWorld(lang, 3, index)), dump(t, NewWorld(lang, 3, index))
			if !bytes.Equal(a, b) {
				t.Errorf("%s %d: the same seed gave two worlds", lang, index)
			}
			if bytes.Equal(a, dump(t, NewWorld(lang, 4, index))) {
				t.Errorf("%s %d: two seeds gave the same world", lang, index)
			}
		}
	}
}

func dump(t *testing.T, w *World) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := w.Dump(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The golden worlds are for reading: do they sound like people, and is the truth
// what one would make of their words?
func TestGoldenWorlds(t *testing.T) {
	t.Parallel()
	for _, lang := range []Lang{English, Chinese} {
		path := filepath.Join("testdata", string(lang)+".jsonl")
		got := dump(t, NewWorld(lang, goldenSeed, 0))
		if *updateWorlds {
			if err := os.WriteFile(path, got, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s (-update-worlds writes it anew):\n%s", path, diff)
		}
	}
}

const goldenSeed = 26

// Every kind of news is told, the size is that of the issue, and no sentence has
// a hole in it.
func TestWorldsAreWhatTheyShouldBe(t *testing.T) {
	t.Parallel()
	for _, lang := range []Lang{English, Chinese} {
		hows, news, large := map[string]int{}, map[memory.News]int{}, 0
		for index := range 60 {
			w := NewWorld(lang, 2, index)
			if n := len(w.turns); n < 50 || n > 5000 {
				t.Errorf("%s has %d turns", w.Name, n)
			}
			large += choose(len(w.turns) > 1000, 1, 0)
			for _, turn := range w.turns {
				if strings.ContainsAny(turn.text, "{}") || turn.text == "" || strings.Contains(turn.text, "  ") {
					t.Fatalf("%s: the turn %d says %q", w.Name, turn.place, turn.text)
				}
				for _, told := range turn.told {
					hows[told.how]++
					news[told.news]++
				}
			}
			checkLog(t, w)
		}
		for frame := range languages[lang].frames {
			if frame != "change" && hows[frame] == 0 {
				t.Errorf("%s: nothing was told as %q", lang, frame)
			}
		}
		if len(news) != 5 || large == 0 || large > 15 {
			t.Errorf("%s: %d kinds of news, %d large worlds", lang, len(news), large)
		}
	}
}

func checkLog(t *testing.T, w *World) {
	t.Helper()
	last := int64(0)
	for i, r := range w.Records {
		if r.Recorded < last || int(r.Seq) != i+1 {
			t.Fatalf("%s: the record %d is out of order", w.Name, i+1)
		}
		last = r.Recorded
		if err := r.Body.Validate(); err != nil {
			t.Fatalf("%s: record %d: %v", w.Name, i+1, err)
		}
	}
}

func TestFramesHaveFivePhrasings(t *testing.T) {
	t.Parallel()
	for lang, words := range languages {
		for how, list := range words.frames {
			if distinct := slices.Compact(slices.Sorted(slices.Values(list))); len(distinct) < 5 {
				t.Errorf("%s, %s has only %d phrasings", lang, how, len(distinct))
			}
		}
	}
}

func when(t *testing.T, s string) memory.Time {
	t.Helper()
	if s == "" {
		return memory.Time{}
	}
	out, err := memory.ParseTime(s, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The table of the design, by hand.
func TestListenerHearsOfParisAndBerlin(t *testing.T) {
	t.Parallel()
	l := newListener(single, []heard{
		{place: 10, order: 11, news: memory.Change, value: "paris", said: when(t, "2024-01-10T09:00"), rank: 1},
		{place: 20, order: 21, news: memory.Change, value: "berlin", from: when(t, "2024-03"), said: when(t, "2024-05-03T09:00"), rank: 1},
	})
	for _, c := range []struct {
		valid string
		known int
		want  string
	}{
		{"2024-01-09", 10, "nothing"},
		{"2024-02-01", 9, "nothing"},
		{"2024-04-01", 10, "paris"},
		{"2024-04-01", 19, "paris"},
		{"2024-04-01", 20, "berlin"},
		{"2024-02-01", 20, "paris"},
		{"2024-02-29T23:59:59.999999", 20, "paris"},
		{"2024-03-01", 20, "berlin + paris (boundary)"},
		{"2024-03-31T23:59:59.999999", 20, "berlin + paris (boundary)"},
		{"2024-01-10T08:59", 20, "nothing"},
		{"2030-01-01", 20, "berlin"},
	} {
		if got := l.believes(when(t, c.valid).Micros, c.known).String(); got != c.want {
			t.Errorf("as of %s, known at %d: got %s, want %s", c.valid, c.known, got, c.want)
		}
	}
}

// tale is a short way to write what a listener heard: "place news value [from]
// [to]", with "-" for what was not said.
func tale(t *testing.T, lines ...string) []heard {
	t.Helper()
	var out []heard
	for i, line := range lines {
		f := append(strings.Fields(line), "-", "-", "-", "-")
		h := heard{order: i + 1, place: i + 1, news: memory.News(f[1]), rank: 1, said: when(t, f[0])}
		for to, s := range map[*string]string{&h.value: f[2], &h.replaces: f[5]} {
			*to = strings.TrimPrefix(s, "-")
		}
		h.from, h.to = when(t, strings.TrimSuffix(f[3], "-")), when(t, strings.TrimSuffix(f[4], "-"))
		if n, ok := strings.CutPrefix(h.replaces, "#"); ok {
			h.replaces = ""
			if _, err := fmt.Sscan(n, &h.names); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, h)
	}
	return out
}

func TestListenerFollowsTheWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		kind  plurality
		tale  []string
		valid string
		want  string
	}{
		{"an end", single, []string{"2024-01-01T00 change a", "2024-03-01T00 end a"}, "2024-04-01", "nothing"},
		{"before the end", single, []string{"2024-01-01T00 change a", "2024-03-01T00 end a"}, "2024-02-01", "a"},
		{"in the month of an end", single, []string{"2024-01-01T00 change a", "2024-05-01T00 end a 2024-03"}, "2024-03-20", "a (boundary)"},
		{"again after an end", single, []string{"2024-01-01T00 change a", "2024-03-01T00 end a", "2024-05-01T00 change a"}, "2024-06-01", "a"},
		{"out of order", single, []string{"2024-05-01T00 change c 2024-05-01", "2024-06-01T00 change b 2024-02-01"}, "2024-06-02", "c"},
		{"out of order, between", single, []string{"2024-05-01T00 change c 2024-05-01", "2024-06-01T00 change b 2024-02-01"}, "2024-04-02", "b"},
		{"late news, inside", single, []string{"2020-01-01T00 change a", "2024-01-01T00 late b 2021-01-01 2022-01-01"}, "2021-06-01", "b"},
		{"late news, after", single, []string{"2020-01-01T00 change a", "2024-01-01T00 late b 2021-01-01 2022-01-01"}, "2022-06-01", "a"},
		{"a correction", single, []string{"2024-01-01T00 change a", "2024-02-01T00 correction b - - a"}, "2024-01-02", "b"},
		{"a correction of what was said twice", single, []string{"2024-01-01T00 change a", "2024-01-20T00 change a", "2024-02-01T00 correction b - - a"}, "2024-01-02", "b"},
		{"a correction of a correction", plural, []string{"2024-01-01T00 change a", "2024-01-20T00 correction b - - a", "2024-02-01T00 correction c - - b"}, "2024-01-02", "c"},
		{"taking back", single, []string{"2024-01-01T00 change a", "2024-02-01T00 change b", "2024-02-09T00 taking_back -"}, "2024-03-01", "a"},
		{"taking back the taking back", single, []string{"2024-01-01T00 change a", "2024-02-01T00 change b", "2024-02-09T00 taking_back -", "2024-02-10T00 taking_back - - - #3"}, "2024-03-01", "b"},
		{"taking back twice takes one thing back", single, []string{"2024-01-01T00 change a", "2024-02-01T00 change b", "2024-02-09T00 taking_back -", "2024-02-10T00 taking_back -"}, "2024-03-01", "a"},
		{"a taken back end", plural, []string{"2024-01-01T00 change a", "2024-02-01T00 end a", "2024-02-09T00 taking_back - - - #2"}, "2024-03-01", "a"},
		{"several at a time", plural, []string{"2024-01-01T00 change a", "2024-02-01T00 change b"}, "2024-03-01", "a + b"},
		{"all of several end", plural, []string{"2024-01-01T00 change a", "2024-02-01T00 change b", "2024-02-09T00 end -"}, "2024-03-01", "nothing"},
		{"an event on its day", event, []string{"2024-01-05T00 change a 2024-01-01"}, "2024-01-01T23:59", "a"},
		{"an event the day after", event, []string{"2024-01-05T00 change a 2024-01-01"}, "2024-01-02", "nothing"},
		{"an event without a date", event, []string{"2024-01-05T10 change a"}, "2024-01-05T23", "a"},
		{"two events at once", event, []string{"2024-01-05T00 change a 2024-01-01", "2024-01-05T00 change b 2024-01"}, "2024-01-01T12", "a + b"},
		{"a third within the month", single, []string{"2023-01-01T00 change a", "2024-05-01T00 change b 2024-03", "2024-05-01T00 change c 2024-03-10"}, "2024-03-20", "c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newListener(c.kind, tale(t, c.tale...))
			if got := l.believes(when(t, c.valid).Micros, len(c.tale)).String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestListenerTrusts(t *testing.T) {
	t.Parallel()
	news := tale(t, "2024-01-01T00 change a", "2024-02-01T00 change b")
	news[1].rank = 5
	if got := newListener(single, news).believes(when(t, "2024-03-01").Micros, 2).String(); got != "a (disputed) + b (disputed)" {
		t.Errorf("a less trusted one said later something else: got %s", got)
	}
	news[0].rank, news[1].rank = 5, 1
	if got := newListener(single, news).believes(when(t, "2024-03-01").Micros, 2).String(); got != "b" {
		t.Errorf("a more trusted one said later something else: got %s", got)
	}
}

// What was told at last, exactly enough and never wrongly, is the life.
func TestListenerKnowsTheLifeInTheEnd(t *testing.T) {
	t.Parallel()
	right, all := 0, 0
	for index := range 60 {
		w := NewWorld(English, 21, index)
		for _, s := range w.Slots {
			if s.topic.kind == event || !honest(s) {
				continue
			}
			m := s.listener.upTo(len(w.Records))
			for _, y := range s.Life {
				if y.To == 0 || y.To-y.From < 100 {
					continue
				}
				middle := w.from + int64(y.From+y.To)/2*day.Microseconds()
				all++
				_, holds := m.believes(middle)[fold(y.Value)]
				right += choose(holds, 1, 0)
			}
		}
	}
	if all < 300 || float64(right) < 0.9*float64(all) {
		t.Errorf("%d of %d stays are known at last", right, all)
	}
	t.Logf("%d of %d", right, all)
}

// honest slots were told nothing that stayed wrong, and nothing by the year.
func honest(s *Slot) bool {
	for _, t := range s.told {
		if t.words.source != memory.User || t.how == "unsure" || t.how == "back_back" || t.from.Gran == memory.Year || t.to.Gran == memory.Year {
			return false
		}
	}
	return true
}
