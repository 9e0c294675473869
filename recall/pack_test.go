package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

// lengths are turns of many lengths on some days, in two sessions that interleave.
func lengths(t failer, n int) *memoryWorld {
	w := world(t)
	for i := range n {
		w.tell(&memory.Episode{
			Text:    fmt.Sprintf("Heron number %d.", i) + strings.Repeat(" It stood in the water and looked at us.", i*i%11),
			Session: fmt.Sprint("s", i%2), Speaker: "Ann", Occurred: on(t, fmt.Sprintf("2025-03-%02d", 1+i/6)),
		})
	}
	return w
}

// someBudgets are all small ones and some of the larger ones, up to 8,000.
func someBudgets(yield func(int) bool) {
	for b := 1; b <= 8000; b += 1 + b/100*30 {
		if !yield(b) {
			return
		}
	}
}

// check fails unless the tokens are those of the context and within the
// budget, and the context is a fence around lines of the program.
func check(t failer, w *memoryWorld, a memory.Answer) {
	t.Helper()
	if n := w.r.CountTokens(a.Context); a.Tokens != n || n > a.Query.Budget {
		t.Fatalf("the answer says %d tokens, its context has %d, the budget was %d:\n%q", a.Tokens, n, a.Query.Budget, a.Context)
	}
	if a.Context == "" {
		return
	}
	body, opened := strings.CutPrefix(a.Context, fenceOpen)
	body, closed := strings.CutSuffix(body, fenceClose)
	if !opened || !closed {
		t.Fatalf("no fence around\n%q", a.Context)
	}
	for l := range strings.Lines(body) {
		if !strings.HasPrefix(l, "## ") && !strings.HasPrefix(l, "[") && !strings.HasPrefix(l, " ") || !strings.HasSuffix(l, "\n") {
			t.Fatalf("the line %q is not the program's own", l)
		}
	}
}

// What is held grows with the budget: the items that lead the ranking without
// a gap are never fewer. Further down a long one may give way to two short
// ones. Without a pinned block, whose share grows too.
func TestBudgets(t *testing.T) {
	t.Parallel()
	w := lengths(t, 40)
	order := texts(w.recall(memory.Query{Question: "heron number water", Budget: 100_000}))
	if len(order) != 40 {
		t.Fatalf("%d items", len(order))
	}
	lead := func(a memory.Answer) int {
		held := texts(a)
		for i, it := range order {
			if !slices.Contains(held, it) || a.Items[slices.Index(held, it)].Excerpt {
				return i
			}
		}
		return len(order)
	}
	before, first := 0, 0
	for budget := range someBudgets {
		a := w.recall(memory.Query{Question: "heron number water", Budget: budget})
		check(t, w, a)
		n := lead(a)
		if n < before {
			t.Errorf("budget %d holds the first %d items, a smaller one held %d", budget, n, before)
		}
		if before = n; n > 0 && first == 0 {
			first = budget
		}
	}
	if before != len(order) || first == 0 || first > 120 {
		t.Errorf("8,000 tokens hold the first %d of %d, the first is held from %d tokens on", before, len(order), first)
	}
}

func TestBudgetsWithEverything(t *testing.T) {
	t.Parallel()
	w := busy(t)
	w.tell(&memory.Feedback{Pin: []memory.ID{w.id(3), w.id(w.fold.Len() - 3)}})
	for _, question := range []string{busyQuestions[0], busyQuestions[2], busyQuestions[4], "what?"} {
		for budget := range someBudgets {
			check(t, w, w.recall(memory.Query{Question: question, Budget: budget}))
		}
	}
}

// One item that does not fit does not keep out the ones behind it.
func TestWhatDoesNotFitIsPassedOver(t *testing.T) {
	t.Parallel()
	w := world(t,
		memory.Episode{Text: "Heron heron heron. " + strings.Repeat("It went on and on about the lake. ", 20), Session: "1"},
		memory.Episode{Text: "A heron came.", Session: "2"},
	)
	a := w.recall(memory.Query{Question: "heron lake", Budget: 80})
	if len(a.Items) != 1 || a.Items[0].Text != "A heron came." || a.Items[0].Excerpt || len(a.Notes) != 0 {
		t.Errorf("got %q, notes %q", texts(a), a.Notes)
	}
}

func TestTheBestItemIsCutAtASentence(t *testing.T) {
	t.Parallel()
	sentences := "The heron stood in the water. It did not move at all. Then it caught a large fish and flew away over the lake."
	w := world(t, memory.Episode{Text: sentences, Speaker: "Ann"})
	chinese := world(t, memory.Episode{Text: "苍鹭站在水里。它一动也不动。然后它抓住一条大鱼，从湖上飞走了。", Speaker: "小明"})
	seen := map[string]bool{}
	for budget := 20; budget < 70; budget++ {
		for _, each := range []*memoryWorld{w, chinese} {
			a := each.recall(memory.Query{Question: "heron 苍鹭", Budget: budget})
			check(t, each, a)
			switch {
			case len(a.Items) == 0:
				if a.Context != "" || !slices.Contains(a.Notes, "The budget is too small for any item.") {
					t.Errorf("%d tokens: %+v", budget, a)
				}
			case a.Items[0].Excerpt:
				if !slices.Contains(a.Notes, "The budget is smaller than the best item: it was cut.") {
					t.Errorf("%d tokens: notes %q", budget, a.Notes)
				}
				_, shown, _ := strings.Cut(strings.TrimSuffix(a.Context, " …\n"+fenceClose), ": ")
				if full := a.Items[0].Text; !strings.HasPrefix(full, shown) || shown == full {
					t.Errorf("%d tokens: shows %q", budget, shown)
				}
				if strings.HasSuffix(shown, ".") || strings.HasSuffix(shown, "。") {
					seen[shown] = true
				} else if first := shown; strings.ContainsAny(first, ".。") {
					t.Errorf("%d tokens: cut inside a sentence behind the first: %q", budget, first)
				}
			default:
				if len(a.Notes) != 0 || !strings.Contains(a.Context, a.Items[0].Text) {
					t.Errorf("%d tokens: %+v", budget, a)
				}
			}
		}
	}
	for _, want := range []string{
		"The heron stood in the water.", "The heron stood in the water. It did not move at all.",
		"苍鹭站在水里。", "苍鹭站在水里。它一动也不动。",
	} {
		if !seen[want] {
			t.Errorf("no budget showed just %q", want)
		}
	}
}

// Items that do not fit end the packing only in a row.
func TestMissesAreCountedInARow(t *testing.T) {
	t.Parallel()
	w := world(t)
	var ranked []*candidate // a short one, a long one, and so on
	const short = maxMisses + 6
	for doc := range 2 * short {
		w.say("Heron." + strings.Repeat(" It stood in the water and looked at us.", 12*(doc%2)))
		ranked = append(ranked, &candidate{doc: doc})
	}
	q := memory.Query{Question: "heron", Budget: 145, Without: []string{stepWorth}}
	if err := q.Resolve(); err != nil {
		t.Fatal(err)
	}
	if p := w.r.begin(w.space(memory.Known{}), q, today).pack(ranked, nil, nil); len(p.chosen) != short {
		t.Errorf("%d of %d short ones are shown", len(p.chosen), short)
	}
}

func TestContextIsInOrderOfTime(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, e := range []memory.Episode{ // told out of order; two sessions on one day
		{Text: "heron five", Session: "b", Occurred: on(t, "2025-03-02")},
		{Text: "heron one", Session: "a", Occurred: on(t, "2025-03-01")},
		{Text: "heron three", Session: "a", Occurred: on(t, "2025-03-02")},
		{Text: "heron six", Session: "b", Occurred: on(t, "2025-03-02")},
		{Text: "heron two", Session: "a", Occurred: on(t, "2025-03-01")},
	} {
		e.Speaker = "Ann"
		w.tell(&e)
	}
	w.tell(&memory.Episode{Text: "heron zero", Speaker: "Ann", Session: "c", Occurred: memory.Time{Micros: on(t, "2024-01-01").Micros, Gran: memory.Year}})
	want := fenceOpen + `## 2024
[6] Ann: heron zero
## 2025-03-01 Sat
[2] Ann: heron one
[5] Ann: heron two
## 2025-03-02 Sun
[3] Ann: heron three
## 2025-03-02 Sun
[1] Ann: heron five
[4] Ann: heron six
` + fenceClose
	got := w.ask("heron").Context
	// Two sessions of one day begin at the same instant; they go by name.
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Each item can be found in the context by its mark, and the other way round.
func TestContextHoldsTheItems(t *testing.T) {
	t.Parallel()
	w := busy(t)
	for _, question := range busyQuestions {
		for _, budget := range []int{100, 400, 8000} {
			a := w.recall(memory.Query{Question: question, Budget: budget})
			for _, it := range a.Items {
				if !strings.Contains(a.Context, fmt.Sprintf("\n[%d] ", it.Seq)) {
					t.Errorf("%q, %d tokens: [%d] is an item and not in the context", question, budget, it.Seq)
				}
			}
			for l := range strings.Lines(a.Context) {
				mark, _, ok := strings.Cut(strings.TrimPrefix(l, "["), "] ")
				if !ok || l[0] != '[' {
					continue
				}
				if !slices.ContainsFunc(a.Items, func(it memory.Item) bool { return fmt.Sprint(it.Seq) == mark }) {
					t.Errorf("%q, %d tokens: [%s] is in the context and no item", question, budget, mark)
				}
			}
		}
	}
}

func TestLaterPartsBeginWithAnEllipsis(t *testing.T) {
	t.Parallel()
	w := world(t, memory.Episode{Text: strings.Repeat("The garden has beans. ", 60) + "The heron stood at the end.", Speaker: "Ann"})
	a := w.recall(memory.Query{Question: "heron", Limit: 1})
	if it := a.Items[0]; it.Part == 0 || it.Parts < 2 || it.Excerpt || !strings.HasSuffix(it.Text, "at the end.") {
		t.Errorf("part %d of %d: %q", it.Part, it.Parts, it.Text)
	}
	if !strings.Contains(a.Context, "[1] Ann: … ") {
		t.Errorf("got\n%s", a.Context)
	}
}

// Of what promises about as much, the shorter is packed first; below a certain
// length all are equally long. Scores that are no likelihoods say nothing of
// that, and items are listed in order of rank all the same.
func TestByWorth(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, sentences := range []int{12, 8, 2, 1} {
		w.say("Heron." + strings.Repeat(" It stood in the water and looked at us.", sentences))
	}
	order := func(q memory.Query, scores ...float64) (docs []int) {
		q.Question = "heron"
		if err := q.Resolve(); err != nil {
			t.Fatal(err)
		}
		var ranked []*candidate
		for doc, score := range scores {
			ranked = append(ranked, &candidate{doc: doc, score: score})
		}
		for _, c := range w.r.begin(w.space(memory.Known{}), q, today).byWorth(ranked) {
			docs = append(docs, c.doc)
		}
		return docs
	}
	for _, tt := range []struct {
		query  memory.Query
		scores []float64
		want   []int
	}{
		{memory.Query{}, []float64{3, 2.75, 2.7, 2.6}, []int{2, 3, 1, 0}},
		{memory.Query{}, []float64{5, 2.9, 2.1, 2}, []int{0, 1, 2, 3}}, // it promises much more
		{memory.Query{Without: []string{stepWorth}}, []float64{3, 2.75, 2.7, 2.6}, []int{0, 1, 2, 3}},
		{memory.Query{Ranker: memory.RRF}, []float64{3, 2.75, 2.7, 2.6}, []int{0, 1, 2, 3}},
		{memory.Query{Ranker: memory.Fixed}, []float64{3, 2.75, 2.7, 2.6}, []int{0, 1, 2, 3}},
	} {
		if got := order(tt.query, tt.scores...); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %v, want %v", tt.query, got, tt.want)
		}
	}
	for budget := range someBudgets {
		a := w.recall(memory.Query{Question: "heron water", Budget: budget})
		check(t, w, a)
		if !slices.IsSortedFunc(a.Items, func(a, b memory.Item) int { return cmp.Compare(b.Score, a.Score) }) {
			t.Errorf("budget %d: not in order of rank: %q", budget, texts(a))
		}
	}
}
