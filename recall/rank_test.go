package recall

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"engram/memory"
)

func TestTheSameWordsAreShownOnce(t *testing.T) {
	t.Parallel()
	w := world(t,
		memory.Episode{Text: "My flight to Oslo is on 3 June.", Speaker: "Ann", Session: "1"},
		memory.Episode{Text: "My flight to Oslo is on 4 June.", Speaker: "Ann", Session: "2"},
		memory.Episode{Text: "My flight to  Oslo is on 3 June.", Speaker: "Ann", Session: "3"},
		memory.Episode{Text: "My flight to Oslo is on 3 June.", Speaker: "Bo", Session: "4"},
		memory.Episode{Text: "My flight to Oslo is on 4 June.", Speaker: "Ann", Session: "5"},
		memory.Episode{Text: "My flight to Oslo is on 3 June.", Speaker: "Ann", Session: "6"},
	)
	a := w.ask("When is the flight to Oslo?")
	if len(a.Items) != 3 {
		t.Fatalf("%d items: %q", len(a.Items), texts(a))
	}
	for _, it := range a.Items {
		seqs := slices.Sorted(slices.Values(append([]memory.Seq{it.Seq}, it.Same...)))
		want := []memory.Seq{1, 3, 6}
		if it.Speaker == "Bo" {
			want = []memory.Seq{4}
		} else if strings.Contains(it.Text, "4 June") {
			want = []memory.Seq{2, 5}
		}
		if !slices.Equal(seqs, want) {
			t.Errorf("%q by %s stands for %v, want %v", it.Text, it.Speaker, seqs, want)
		}
	}
	if n := strings.Count(a.Context, "Oslo"); n != 3 {
		t.Errorf("the context says it %d times", n)
	}
}

// Stop words are no terms, but they decide what is said.
func TestSmallWordsMakeADifference(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"I can eat nuts.", "I can't eat nuts."},
		{"I do like Rust.", "I do not like Rust."},
		{"I flew to Paris.", "I flew from Paris."},
		{"It is cold: -5 degrees.", "It is cold: 5 degrees."},
		{"No sugar, thanks.", "Sugar, thanks."},
		{"Ich mag keine Nüsse.", "Ich mag Nüsse."},
		{"我吃花生。", "我不吃花生。"},
		{"我去北京。", "我去了北京。"},
	} {
		w := world(t, memory.Episode{Text: pair[0], Speaker: "Ann"}, memory.Episode{Text: pair[1], Speaker: "Ann"})
		if a := w.ask(pair[0]); len(a.Items) != 2 || !strings.Contains(a.Context, pair[0]) || !strings.Contains(a.Context, pair[1]) {
			t.Errorf("of %q the context holds only\n%s", pair, a.Context)
		}
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	w := world(t, chatter(60)...)
	all := w.ask("How was the weather?")
	for _, limit := range []int{1, 3, 1000} {
		a := w.recall(memory.Query{Question: "How was the weather?", Limit: limit})
		want := texts(all)[:min(limit, len(all.Items))]
		if !slices.Equal(texts(a), want) {
			t.Errorf("limit %d: %d items, not the first of all", limit, len(a.Items))
		}
	}
}

// busy is a world in which every feature has something to say.
func busy(t failer) *memoryWorld {
	w := world(t, chatter(120)...)
	for i, e := range []memory.Episode{
		{Text: "Where did you see the heron, Bo?", Speaker: "Ann", Session: "h"},
		{Text: "I saw two herons in Paris on 7 May 2023.", Speaker: "Bo", Session: "h", Occurred: on(t, "2023-05-08")},
		{Text: "I prefer herons to other birds. Never mix them up.", Speaker: "Ann", Session: "h"},
		{Text: strings.Repeat("Herons stand in shallow water and wait. ", 50), Source: memory.Assistant, Session: "h"},
		{Text: "| heron | 2 |\n|---|---|", Source: memory.Web, Session: "w"},
		{Text: "Count the herons every Monday.", Kind: memory.Instruction},
		{Text: "我在柏林看到了两只苍鹭。", Speaker: "小明", Session: "z"},
	} {
		id := w.tell(&e)
		if i == 1 {
			reward := 0.5
			w.tell(&memory.Feedback{Helped: []memory.ID{id}, Reward: &reward})
		}
	}
	return w
}

var busyQuestions = []string{
	"How many herons did Bo see in Paris on 7 May 2023?", "Which bird should I look at? Suggest one.", "Summarize what you said about herons.",
	"In which order did we speak of herons?", "我在哪里看到了苍鹭？", "heron", "what?",
	"When did Bo see the herons?",
}

// The features with their weights add up to the score, up to their rounding.
func TestExplanationsAddUp(t *testing.T) {
	t.Parallel()
	w := busy(t)
	seen := map[string]bool{}
	for i, question := range append(slices.Clone(busyQuestions), busyQuestions...) {
		if i == len(busyQuestions) { // once more with vectors
			degrees := make([]float64, w.index.Len(w.fold.Len()))
			for doc := range degrees {
				degrees[doc] = float64(doc * 37 % 180)
			}
			w.points(degrees...)
		}
		for _, it := range w.recall(memory.Query{Question: question, Explain: true}).Items {
			if len(it.Explanation.Why) == 0 {
				t.Errorf("%q: no reason for %q", question, it.Text)
			}
			if it.Pinned && it.Score == 0 {
				continue // pinned only, not ranked
			}
			sum, slack := 0.0, 1e-6
			for _, c := range it.Explanation.Features {
				seen[c.Feature] = true
				sum += c.Value * c.Weight
				slack += 5.1e-5 * math.Abs(c.Weight)
			}
			if math.Abs(sum-it.Score) > slack {
				t.Errorf("%q: the features of %q add up to %v, its score is %v", question, it.Text, sum, it.Score)
			}
		}
	}
	for _, name := range FeatureNames {
		if !seen[name] {
			t.Errorf("no item has the feature %s", name)
		}
	}
}

func TestWithoutExplainThereIsNone(t *testing.T) {
	t.Parallel()
	for _, it := range busy(t).ask("heron").Items {
		if it.Explanation != nil {
			t.Errorf("%q is explained", it.Text)
		}
	}
}

func TestItemsComeInOrderOfScore(t *testing.T) {
	t.Parallel()
	w := busy(t)
	for _, ranker := range []memory.Ranker{memory.Linear, memory.RRF, memory.Fixed} {
		for _, question := range []string{busyQuestions[0], busyQuestions[1], busyQuestions[4]} {
			a := w.recall(memory.Query{Question: question, Ranker: ranker, Explain: true})
			for i, it := range a.Items[1:] {
				if prev := a.Items[i]; it.Explanation.Channels != nil && it.Score > prev.Score {
					t.Errorf("%s, %q: %v comes before %v", ranker, question, prev.Score, it.Score)
				}
			}
		}
	}
}

func TestRRF(t *testing.T) {
	t.Parallel()
	w := busy(t)
	for _, it := range w.recall(memory.Query{Question: busyQuestions[0], Ranker: memory.RRF, Explain: true}).Items {
		want := 0.0
		for _, rank := range it.Explanation.Channels {
			want += 1 / (60 + float64(rank))
		}
		if math.Abs(it.Score-want) > 1e-6 {
			t.Errorf("%q has %v, its ranks %v make %v", it.Text, it.Score, it.Explanation.Channels, want)
		}
	}
	if got := rrf(map[string]int{"words": 1, "time": 3, "other": 1}); math.Abs(got-(1.0/61+1.0/63)) > 1e-12 {
		t.Errorf("got %v", got)
	}
}

func TestFixedWeights(t *testing.T) {
	t.Parallel()
	w := world(t,
		memory.Episode{Text: "heron heron heron", Occurred: on(t, "2020-01-01"), Session: "old"},
		memory.Episode{Text: "a heron and many other birds of the lake and the river", Occurred: on(t, "2026-03-07"), Session: "new"},
		memory.Episode{Text: "the heron, among ducks, geese and swans of the great lake", Occurred: on(t, "2021-01-01"), Session: "pinned", Kind: memory.Instruction},
	)
	for _, tt := range []struct {
		weights map[string]float64
		first   string
	}{
		{nil, "old"},
		{map[string]float64{"semantic": 1}, "old"},
		{map[string]float64{"semantic": 0.1, "recency": 1}, "new"},
		{map[string]float64{"recency": 1}, "new"},
		{map[string]float64{"semantic": 0.1, "salience": 3}, "pinned"},
	} {
		a := w.recall(memory.Query{Question: "heron", Ranker: memory.Fixed, Weights: tt.weights})
		if a.Items[0].Session != tt.first {
			t.Errorf("by %v: %s first, want %s", tt.weights, a.Items[0].Session, tt.first)
		}
	}
	// A day old: 2^(-1/30) of the recency, which alone counts.
	a := w.recallAt(memory.Query{Question: "heron", Ranker: memory.Fixed, Weights: map[string]float64{"recency": 2}}, on(t, "2026-03-08"))
	if want := 2 * math.Exp2(-1.0/30); math.Abs(a.Items[0].Score-want) > 1e-6 {
		t.Errorf("a day old: %v, want %v", a.Items[0].Score, want)
	}
}

// Feedback moves an episode, and taking the feedback back moves it back.
func TestUseMovesSalience(t *testing.T) {
	t.Parallel()
	w := world(t, memory.Episode{Text: "A heron on the lake.", Session: "1"}, memory.Episode{Text: "A heron on the pond.", Session: "2"})
	if a := w.ask("heron"); a.Items[0].Seq != 1 || a.Items[0].Score != a.Items[1].Score {
		t.Fatalf("a tie does not go to the earlier: %+v", a.Items)
	}
	helped := w.tell(&memory.Feedback{Helped: []memory.ID{w.id(1)}})
	if a := w.ask("heron"); a.Items[0].Seq != 2 {
		t.Error("what helped does not rise")
	}
	w.tell(&memory.Retract{Targets: []memory.ID{helped}})
	if a := w.ask("heron"); a.Items[0].Seq != 1 || a.Items[0].Score != a.Items[1].Score {
		t.Error("feedback that was taken back still counts")
	}
	hurt := w.tell(&memory.Feedback{Hurt: []memory.ID{w.id(0)}})
	if a := w.ask("heron"); a.Items[0].Seq != 2 || len(a.Items) != 2 {
		t.Error("what hurt does not fall, or is gone")
	}
	w.tell(&memory.Retract{Targets: []memory.ID{hurt}})
	reward := 1.0
	w.tell(&memory.Feedback{Used: []memory.ID{w.id(1)}, Reward: &reward})
	if a := w.ask("heron"); a.Items[0].Seq != 2 {
		t.Error("what was rewarded does not rise")
	}
}

// Among equal scores the earlier document comes first; scores are compared as
// they are shown, to six places.
func TestTiesGoToTheEarlier(t *testing.T) {
	t.Parallel()
	se := world(t).r.begin(world(t).space(memory.Known{}), memory.Query{Question: "heron"}, today)
	pool := make([]*candidate, 100)
	for i := range pool {
		pool[i] = &candidate{doc: i * 37 % 100}
		pool[i].features[fSpeaker] = 1 + float64(i*53%100)*1e-10
	}
	se.rank(pool)
	for i, c := range pool {
		if c.doc != i || c.score != pool[0].score {
			t.Fatalf("place %d: document %d with %v", i, c.doc, c.score)
		}
	}
}

// The same question fifty times, two at once: maps are walked in another order
// each time.
func TestTheSameQuestionGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	w, other := busy(t), busy(t)
	for i, question := range busyQuestions {
		for _, ranker := range []memory.Ranker{memory.Linear, memory.RRF, memory.Fixed} {
			times := 50
			if ranker != memory.Linear {
				times = 10
			}
			q := memory.Query{Question: question, Ranker: ranker, Explain: i%2 == 0, Budget: 700}
			want := w.recall(q)
			same(t, "a world made anew", other.recall(q), want)
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					for range times / 2 {
						if got := w.recall(q); string(toJSON(t, got)) != string(toJSON(t, want)) {
							t.Errorf("%s, %q: another answer", ranker, question)
							return
						}
					}
				})
			}
			wg.Wait()
		}
	}
}

func TestWhy(t *testing.T) {
	t.Parallel()
	w := busy(t)
	for _, tt := range []struct {
		query memory.Query
		item  string
		why   string
	}{
		{memory.Query{Question: busyQuestions[0]}, "I saw two herons", "fits the date asked for"},
		{memory.Query{Question: busyQuestions[0]}, "I saw two herons", "was said by Bo"},
		{memory.Query{Question: busyQuestions[0]}, "I saw two herons", "follows a question that matches"},
		{memory.Query{Question: "heron"}, "I saw two herons", "has 1 of the question's words"},
		{memory.Query{Question: "heron"}, "I prefer herons", "holds a standing instruction"},
		{memory.Query{Question: "what?"}, "苍鹭", "is among the newest"},
		{memory.Query{Question: "what?", Filter: memory.Filter{Sessions: []string{"z"}}}, "苍鹭", "passes the filter"},
		{memory.Query{Question: "heron", Filter: memory.Filter{Kinds: []memory.Kind{memory.Instruction}}}, "Count the herons", "passes the filter"},
	} {
		tt.query.Explain = true
		a := w.recall(tt.query)
		at := slices.IndexFunc(a.Items, func(i memory.Item) bool { return strings.Contains(i.Text, tt.item) })
		if at < 0 || !slices.Contains(a.Items[at].Explanation.Why, tt.why) {
			t.Errorf("%q: %q is not because it %q: %v", tt.query.Question, tt.item, tt.why, fmt.Sprint(a.Items[max(at, 0)].Explanation))
		}
	}
}
