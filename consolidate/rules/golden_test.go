package rules_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"engram/consolidate"
	"engram/consolidate/rules"
	"engram/memory"
)

var update = flag.Bool("update", false, "rewrite testdata/golden.txt")

// tally counts what was read of a group of labelled turns.
type tally struct{ right, wrong, missed, found int }

func (t *tally) add(right, wrong, missed, found int) {
	t.right += right
	t.wrong += wrong
	t.missed += missed
	t.found += found
}

// precision is the share of the assertions that are some label's.
func (t *tally) precision() float64 { return share(t.found-t.wrong, t.found) }

// recall is the share of the labels that are not optional that were found.
func (t *tally) recall() float64 { return share(t.right, t.right+t.missed) }

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// read extracts turn after turn, as the worker does, and gives what the last one says.
func read(t *testing.T, r *rules.Rules, turns []*memory.Episode) []memory.Assertion {
	t.Helper()
	var before []consolidate.Turn
	var recent, last []memory.Assertion
	for i, e := range turns {
		turn := consolidate.Turn{ID: memory.ID{15: byte(i + 1)}, Seq: memory.Seq(i + 1), Episode: e}
		f, err := r.Extract(t.Context(), consolidate.Window{
			Turn: turn, Before: before[max(0, len(before)-consolidate.MaxBefore):],
			Recent: recent[max(0, len(recent)-consolidate.MaxRecent):],
		})
		if err != nil {
			t.Fatal(err)
		}
		before, recent, last = append(before, turn), append(recent, f.Assertions...), f.Assertions
	}
	return last
}

func episode(role, speaker, text string, occurred time.Time) *memory.Episode {
	return &memory.Episode{Text: text, Speaker: speaker, Source: memory.Source(role), Occurred: memory.At(occurred), Session: "s"}
}

func (l labelled) episodes() []*memory.Episode {
	var out []*memory.Episode
	for _, b := range l.Before {
		out = append(out, episode(b.Role, b.Speaker, b.Text, l.Occurred))
	}
	return append(out, episode(l.Role, l.Speaker, l.Text, l.Occurred))
}

// report prints what is wrong and missed in the groups that ENGRAM_MISSES names.
func report(t *testing.T, group string, l labelled, got []memory.Assertion) {
	t.Helper()
	if !slices.Contains(strings.Fields(os.Getenv("ENGRAM_MISSES")), group) {
		return
	}
	var lines []string
	for _, g := range got {
		if !slices.ContainsFunc(l.Facts, func(w label) bool { return w.matches(g) }) {
			lines = append(lines, fmt.Sprintf("   wrong  %s | %s | %s %s", g.Subject, g.Predicate, g.Object, g.News))
		}
	}
	for _, w := range l.Facts {
		if !w.Optional && !slices.ContainsFunc(got, w.matches) {
			lines = append(lines, fmt.Sprintf("   missed %s | %s %v | %s %s", w.Subject, w.Predicate, w.PredicateAlt, w.Object, w.News))
		}
	}
	if len(lines) > 0 {
		t.Logf("%s %s: %s\n%s", l.ID, l.Speaker, l.Text, strings.Join(lines, "\n"))
	}
}

// TestGolden measures precision and recall of the labelled turns, by language,
// half (the odd ids were seen from the first rule on, the even ones only when
// the rules were widened) and kind of news, and compares with testdata/golden.txt.
func TestGolden(t *testing.T) {
	r, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string]*tally{}
	count := func(name string, got []memory.Assertion, want []label) {
		if groups[name] == nil {
			groups[name] = &tally{}
		}
		right, wrong, missed := score(got, want)
		groups[name].add(right, wrong, missed, len(got))
	}
	for _, l := range loadSentences(t) {
		got := read(t, r, l.episodes())
		half := l.Lang + " " + parity(l.ID)
		report(t, strings.ReplaceAll(half, " ", "-"), l, got)
		count(l.Lang, got, l.Facts)
		count(half, got, l.Facts)
		countKinds(l, got, count)
	}
	var out strings.Builder
	line := func(name string) {
		g := groups[name]
		fmt.Fprintf(&out, "%-20s precision %.3f recall %.3f  right %d missed %d wrong %d\n", name, g.precision(), g.recall(), g.right, g.missed, g.wrong)
	}
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		line(name)
	}
	t.Log("\n" + out.String())
	golden(t, out.String())
}

// countKinds counts the labels of each kind of news apart: of recall alone,
// since what is wrong is of no label's kind.
func countKinds(l labelled, got []memory.Assertion, count func(string, []memory.Assertion, []label)) {
	for _, k := range []memory.News{memory.Change, memory.End, memory.Correction, memory.Late, memory.TakingBack} {
		var want []label
		var of []memory.Assertion
		for _, w := range l.Facts {
			if w.News == k {
				want = append(want, w)
			}
		}
		for _, g := range got {
			if g.News == k {
				of = append(of, g)
			}
		}
		if len(want) > 0 {
			count(l.Lang+" "+string(k), slices.DeleteFunc(slices.Clone(got), func(g memory.Assertion) bool {
				return !slices.ContainsFunc(want, func(w label) bool { return w.matches(g) })
			}), want)
		}
		if wrong := slices.DeleteFunc(of, func(g memory.Assertion) bool {
			return slices.ContainsFunc(l.Facts, func(w label) bool { return w.matches(g) })
		}); len(wrong) > 0 {
			count(l.Lang+" "+string(k), wrong, nil)
		}
	}
}

func parity(id string) string {
	n, _ := strconv.Atoi(strings.Trim(id[strings.IndexByte(id, '-')+1:], "abc"))
	if n%2 == 0 {
		return "even"
	}
	return "odd"
}

func golden(t *testing.T, got string) {
	t.Helper()
	name := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant (testdata/golden.txt; -update rewrites it)\n%s", got, want)
	}
}

// TestLoCoMo measures the labelled turns of LoCoMo, if the data set is there.
func TestLoCoMo(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "locomo-tune.json"))
	if err != nil {
		t.Skipf("the turns are not here: %v", err)
	}
	sessions := locomoSessions(t, data)
	r, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	var all tally
	for i, l := range loadLoCoMoLabels(t) {
		turns, ok := sessions[l.ID]
		if !ok {
			t.Fatalf("there is no turn %s", l.ID)
		}
		got := read(t, r, turns)
		l.Text, l.Speaker = turns[len(turns)-1].Text, turns[len(turns)-1].Speaker
		report(t, "locomo-"+[]string{"even", "odd"}[i%2], l, got)
		right, wrong, missed := score(got, l.Facts)
		all.add(right, wrong, missed, len(got))
	}
	t.Logf("precision %.3f (%d of %d), recall %.3f (%d of %d)", all.precision(), all.found-all.wrong, all.found, all.recall(), all.right, all.right+all.missed)
	if all.precision() < 0.85 || all.found-all.wrong < 40 {
		t.Errorf("precision %.3f with %d right assertions, want 0.85 with 40", all.precision(), all.found-all.wrong)
	}
}

// locomoSessions gives for each turn its session up to it.
func locomoSessions(t *testing.T, data []byte) map[string][]*memory.Episode {
	t.Helper()
	var samples []struct {
		ID           string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
	}
	if err := json.Unmarshal(data, &samples); err != nil {
		t.Fatal(err)
	}
	out := map[string][]*memory.Episode{}
	for _, s := range samples {
		for key, raw := range s.Conversation {
			if _, err := strconv.Atoi(strings.TrimPrefix(key, "session_")); err != nil {
				continue
			}
			var turns []struct {
				Speaker string
				ID      string `json:"dia_id"`
				Text    string
			}
			var date string
			if err := json.Unmarshal(raw, &turns); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(s.Conversation[key+"_date_time"], &date); err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse("3:04 pm on 2 January, 2006", date)
			if err != nil {
				t.Fatal(err)
			}
			var said []*memory.Episode
			for _, turn := range turns {
				if turn.Text == "" {
					continue
				}
				said = append(said, episode("user", turn.Speaker, turn.Text, at))
				out[s.ID+"/"+turn.ID] = slices.Clone(said)
			}
		}
	}
	return out
}
