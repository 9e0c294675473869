package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"engram/memory"
	"engram/timeline"
)

// factWorld is a world whose fold knows the built-in predicates.
func factWorld(t failer) *memoryWorld {
	t.Helper()
	w := world(t)
	w.fold = timeline.New(timeline.BuiltinSchema())
	return w
}

// assert appends an assertion; from and to are dates as ParseTime reads them.
func (w *memoryWorld) assert(subject, predicate, object, from, to string, more ...func(*memory.Assertion)) memory.ID {
	w.t.Helper()
	a := &memory.Assertion{Subject: subject, Predicate: predicate, Object: object, News: memory.Change, Source: memory.User}
	for i, s := range []string{from, to} {
		if s == "" {
			continue
		}
		at, err := memory.ParseTime(s, nil)
		if err != nil {
			w.t.Fatal(err)
		}
		if i == 0 {
			a.Valid.From = at
		} else {
			a.Valid.To = at
		}
	}
	for _, m := range more {
		m(a)
	}
	return w.tell(a)
}

func bySource(s memory.Source) func(*memory.Assertion) {
	return func(a *memory.Assertion) { a.Source = s }
}

func news(n memory.News) func(*memory.Assertion) {
	return func(a *memory.Assertion) { a.News = n }
}

func evidence(id memory.ID) func(*memory.Assertion) {
	return func(a *memory.Assertion) { a.Provenance = []memory.Span{{Episode: id}} }
}

// factLines gives the lines below "## Facts".
func factLines(a memory.Answer) string {
	_, rest, ok := strings.Cut(a.Context, factsTitle)
	if !ok {
		return ""
	}
	var out []string
	for l := range strings.Lines(rest) {
		if !strings.HasPrefix(l, "[") {
			break
		}
		out = append(out, strings.TrimSpace(l))
	}
	return strings.Join(out, "\n")
}

func TestFactsInTheContext(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	w.assert("Ann", "lives_in", "Paris", "2024-01-10Z", "")
	w.assert("Ann", "lives_in", "Berlin", "2025-03Z", "")
	w.assert("Ann", "speaks", "French", "2020Z", "")
	w.assert("Bo", "lives_in", "Rome", "2023-05-01Z", "2027-01-01Z")
	w.assert("小林", "lives_in", "上海", "2025-08-01+08:00", "")
	w.assert("Ann", "lives_in", "Oslo", "2030Z", "")
	for _, tt := range []struct{ question, want string }{
		{"Where does Ann live?", "[2] Ann · lives in: Berlin (2025-03 to 2030)"},
		{"Where did Ann live before?", "[1] Ann · lives in: Paris (was, 2024-01-10 to 2025-03)\n[2] Ann · lives in: Berlin (2025-03 to 2030)"},
		{"Where did Ann live in June 2024?", "[1] Ann · lives in: Paris (2024-01-10 to 2025-03)"},
		{"Does Bo live in Rome?", "[4] Bo · lives in: Rome (2023-05-01 to 2027-01-01)"},
		{"小林在上海吗？", "[5] 小林 · lives in: 上海 (since 2025-08-01)"},
		{"What is the capital of Mongolia?", ""},
	} {
		a := w.ask(tt.question)
		if got := factLines(a); got != tt.want {
			t.Errorf("%s\n%s\nwant\n%s", tt.question, got, tt.want)
		}
		if strings.Count(tt.want, "\n")+min(len(tt.want), 1) != len(a.Facts) {
			t.Errorf("%s: %d facts in the answer", tt.question, len(a.Facts))
		}
	}
}

// Only an explicit time in the question moves the point of view, and the
// caller's own goes before it.
func TestFactsAsOf(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	w.assert("Ann", "lives_in", "Paris", "2024-01-10Z", "")
	known := w.fold.Head()
	w.assert("Ann", "lives_in", "Berlin", "2025-03-01Z", "")
	ask := func(q memory.Query) string {
		var got []string
		for _, f := range w.recall(q).Facts {
			got = append(got, f.Object)
		}
		return strings.Join(got, " ")
	}
	at := func(s string) memory.Time {
		v, err := memory.ParseTime(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tt := range []struct {
		name string
		q    memory.Query
		want string
	}{
		{"now", memory.Query{Question: "Where does Ann live?"}, "Berlin"},
		{"as of", memory.Query{Question: "Where does Ann live?", AsOf: memory.AsOf{Valid: at("2024-06-01Z")}}, "Paris"},
		{"known at", memory.Query{Question: "Where does Ann live?", AsOf: memory.AsOf{Known: memory.Known{Seq: known}}}, "Paris"},
		{"a relative time does not move it", memory.Query{Question: "Where will Ann live next year?"}, "Berlin"},
		{"the caller goes before the question", memory.Query{Question: "Where does Ann live in June 2024?", AsOf: memory.AsOf{Valid: at("2025-06-01Z")}}, "Berlin"},
		{"a filter needs evidence that passes it", memory.Query{Question: "Where does Ann live?", Filter: memory.Filter{Sessions: []string{"s"}}}, ""},
	} {
		if got := ask(tt.q); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestFactMarks(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	said := w.tell(&memory.Episode{Text: "Ann: I moved in with Bo", Session: "s"})
	w.assert("Ann", "lives_in", "Paris", "", "", evidence(said))
	w.assert("Ann", "lives_in", "Rome", "2026-01-01Z", "", bySource(memory.Web))
	if got, want := factLines(w.ask("Where does Ann live?")), "[1] Ann · lives in: Paris (said 2026-03-08; disputed, by user)\n[3] Ann · lives in: Rome (since 2026-03-08; disputed, by web)"; got != want {
		t.Errorf("disputed:\n%s\nwant\n%s", got, want)
	}
	if got := w.recall(memory.Query{Question: "Where does Ann live?", Filter: memory.Filter{Sessions: []string{"s"}}}); len(got.Facts) != 1 || got.Facts[0].Object != "Paris" {
		t.Errorf("through a filter: %+v", got.Facts)
	}

	w = factWorld(t)
	job := w.assert("Bo", "works_at", "Acme", "2020Z", "")
	w.assert("Bo", "commutes_by", "tram", "2020Z", "", func(a *memory.Assertion) { a.Depends = []memory.ID{job} })
	w.assert("Bo", "works_at", "", "2026-01-01Z", "", news(memory.End))
	if got := factLines(w.ask("How does Bo commute, by tram?")); !strings.Contains(got, "may be out of date: depends on what no longer holds") {
		t.Errorf("stale:\n%s", got)
	}

	w = factWorld(t)
	w.assert("Cy", "lives_in", "Bonn", "2020-01-01Z", "")
	w.assert("Cy", "lives_in", "Kiel", "2026-03Z", "") // today is in March 2026
	if got := factLines(w.ask("Where does Cy live?")); strings.Count(got, "not dated exactly enough") != 2 {
		t.Errorf("boundary:\n%s", got)
	}
}

// A fact that was read out of the words later is known from the words on, but
// an answer that was given before it was read is given again without it.
func TestReplayWithoutLaterExtraction(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	said := w.say("I live in Paris.")
	before := w.ask("Where does Ann live?")
	w.assert("Ann", "lives_in", "Paris", "", "", evidence(said))
	if a := w.recall(memory.Query{Question: "Where does Ann live?", AsOf: memory.AsOf{Known: memory.Known{Seq: 1}}}); len(a.Facts) != 1 {
		t.Errorf("known at the words: %+v", a.Facts)
	}
	then := w.space(memory.Known{})
	then.Head.Seq, then.View = before.Head, w.fold.ViewOf(before.Head, memory.Known{})
	same(t, "replayed", w.r.Recall(then, before.Query, before.Now), before)
}

// Facts take their share of the budget and no more, and the tokens add up.
func TestFactsWithinTheBudget(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	for _, city := range strings.Fields("Aachen Berlin Celle Dessau Essen Fulda Gera Halle Jena Kiel Lübeck Mainz Neuss Olpe Passau") {
		w.assert("Ann", "visited_with_pleasure", city+" and its surroundings", "2025Z", "")
		w.say("Ann visited " + city + " with pleasure.")
	}
	for budget := 20; budget <= 600; budget += 20 {
		a := w.recall(memory.Query{Question: "What has Ann visited with pleasure?", Budget: budget})
		if a.Tokens > budget || a.Tokens != w.r.CountTokens(a.Context) {
			t.Errorf("budget %d: %d tokens, counted %d", budget, a.Tokens, w.r.CountTokens(a.Context))
		}
	}
	if a := w.recall(memory.Query{Question: "What has Ann visited with pleasure?"}); len(a.Facts) != factsTaken {
		t.Errorf("%d facts, want %d", len(a.Facts), factsTaken)
	}
}

// What holds comes first, then what matches, and no slot starves the others.
func TestFactsOfABigSlot(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	for i := range 300 {
		w.assert("user", "likes", fmt.Sprintf("thing %d", i), "2025Z", "")
	}
	for i := range 100 {
		w.assert("Ann", "lives_in", fmt.Sprintf("city %d", i), fmt.Sprintf("%d-01-01Z", 1900+i), "")
	}
	if got := w.ask("Do I like thing 221?").Facts; len(got) == 0 || !slices.ContainsFunc(got, func(f memory.Fact) bool { return f.Object == "thing 221" }) {
		t.Errorf("a value of many: %+v", got)
	}
	a := w.ask("Did Ann live in city 77?")
	for _, want := range []string{"city 99", "city 77"} {
		if !slices.ContainsFunc(a.Facts, func(f memory.Fact) bool { return f.Object == want }) {
			t.Errorf("%s is not among\n%s", want, factLines(a))
		}
	}
	if a := w.ask("Where does Ann live?"); factLines(a) != "[400] Ann · lives in: city 99 (since 1999-01-01)" {
		t.Errorf("now:\n%s", factLines(a))
	}
}

// What is not known or not active at the point of view takes no place.
func TestFactsFilterBeforeTheBest(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	w.assert("Ann", "lives_in", "Paris", "2024Z", "")
	var noise []memory.ID
	for i := range 60 {
		noise = append(noise, w.assert("Ann", "lives_in_the_flat", fmt.Sprintf("Berlin flat %d", i), "2024Z", ""))
	}
	question := memory.Query{Question: "Does Ann live in the Berlin flat?", AsOf: memory.AsOf{Known: memory.Known{Seq: 1}}}
	if got := factLines(w.recall(question)); !strings.Contains(got, "Paris") {
		t.Errorf("known at 1:\n%s", got)
	}
	w.tell(&memory.Retract{Targets: noise})
	if got := factLines(w.ask(question.Question)); !strings.Contains(got, "Paris") {
		t.Errorf("after the retraction:\n%s", got)
	}
}

func TestFactsAnswer(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	w.assert("Ann", "lives_in", "Berlin", "2025Z", "")
	w.assert("Ann", "visited", "Rome", "2025-05Z", "")
	a := w.ask("Where does Ann live?")
	if !a.Verdict.Answerable || !strings.Contains(a.Verdict.Why, "The facts hold 100 %") || len(a.Notes) > 0 {
		t.Errorf("%+v %q", a.Verdict, a.Notes)
	}
	if got := factLines(w.ask("Which city has Ann visited?")); got != "[2] Ann · visited: Rome (was, 2025-05)" {
		t.Errorf("what happened: %s", got)
	}
	a = w.recall(memory.Query{Question: "Where does Ann live?", Budget: 60})
	if factLines(a) == "" {
		t.Errorf("a small budget: %s %q", a.Context, a.Notes)
	}
	a = w.recall(memory.Query{Question: "Where does Ann live?", Budget: 25})
	if factLines(a) != "" || len(a.Notes) == 0 {
		t.Errorf("too small a budget: %s %q", a.Context, a.Notes)
	}
}

// Who is called by an alias is found under the other names.
func TestFactsByAlias(t *testing.T) {
	t.Parallel()
	w := factWorld(t)
	w.assert("Robert", "lives_in", "Oslo", "2024Z", "")
	for _, other := range strings.Fields("Ann Bo Cy Di Ed Flo") {
		w.assert(other, "lives_in", "Paris", "2024Z", "")
	}
	w.tell(&memory.Association{Rel: memory.SameAs, Name: "Bobby", Entity: "Robert"})
	if a := w.ask("Where does Bobby live?"); len(a.Facts) == 0 || a.Facts[0].Object != "Oslo" {
		t.Errorf("%s", factLines(a))
	}
}

func BenchmarkFacts(b *testing.B) {
	w := factWorld(b)
	for i := range 5000 {
		w.assert("user", "likes", fmt.Sprintf("thing %d", i), "2025Z", "")
	}
	for i := range 1000 {
		w.assert("Ann", "lives_in", fmt.Sprintf("city %d", i), fmt.Sprintf("%d-01-01Z", 1000+i), "")
	}
	for name, question := range map[string]string{"Many": "What do I like?", "One": "Where does Ann live?", "Past": "Did Ann live in city 777?"} {
		w.ask(question) // lays the slot out
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w.ask(question)
			}
		})
	}
}
