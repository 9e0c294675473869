package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"
	"engram/when"
)

// A small session before 20,000 turns that match better: whatever the filter
// goes by, it narrows before the best are taken.
func TestFiltersComeBeforeTheBest(t *testing.T) {
	t.Parallel()
	small := []string{"By the way, that bird was a heron.", "I see.", "Nothing about birds here."}
	w := world(t)
	for _, words := range small {
		w.tell(&memory.Episode{
			Text: words, Session: "small", Speaker: "Small", Path: "a/b", Metadata: map[string]string{"user": "small"},
			Kind: memory.Observation, Source: memory.Tool, Occurred: on(t, "2024-01-05"),
		})
	}
	for i := range 20_000 {
		w.tell(&memory.Episode{Text: fmt.Sprintf("The heron, the heron, the heron report %d.", i), Session: fmt.Sprint("big", i%40), Speaker: "Big"})
	}
	for name, f := range map[string]memory.Filter{
		"session":  {Sessions: []string{"small"}},
		"speaker":  {Speakers: []string{"Small"}},
		"kind":     {Kinds: []memory.Kind{memory.Observation}},
		"source":   {Sources: []memory.Source{memory.Tool}},
		"path":     {Path: "a"},
		"metadata": {Metadata: map[string]string{"user": "small"}},
		"occurred": {Occurred: memory.Interval{To: on(t, "2024-02-01")}},
	} {
		for _, question := range []string{"heron report", "Where is the otter?", "what?", ""} {
			a := w.recall(memory.Query{Question: question, Filter: f})
			got := texts(a)
			slices.Sort(got)
			if !slices.Equal(got, small) {
				t.Errorf("filter by %s, %q: %q, want the small session", name, question, got)
			}
		}
		if a := w.recall(memory.Query{Question: "heron report", Filter: f}); a.Items[0].Text != small[0] {
			t.Errorf("filter by %s: the best is %q", name, a.Items[0].Text)
		}
	}
	if a := w.recall(memory.Query{Question: "heron", Filter: memory.Filter{Sessions: []string{"none"}}}); len(a.Items) != 0 || a.Context != "" {
		t.Errorf("a session that does not exist: %q", texts(a))
	}
}

func TestKnownAtSeesNothingLater(t *testing.T) {
	t.Parallel()
	w := world(t)
	w.say("The heron nests in the north.")
	then := w.fold.Head()
	at := memory.Micros(today.Micros - 1e9 + int64(then)*1e6)
	w.say("The heron nests in the south.")
	w.tell(&memory.Retract{Targets: []memory.ID{w.id(0)}})
	for name, k := range map[string]memory.Known{"position": {Seq: then}, "time": {Time: at}} {
		a := w.recall(memory.Query{Question: "Where does the heron nest?", AsOf: memory.AsOf{Known: k}})
		if len(a.Items) != 1 || !has(a, "north") || a.Position.Seq != then {
			t.Errorf("known at a %s: %q at %s", name, texts(a), a.Position)
		}
	}
	if a := w.ask("Where does the heron nest?"); len(a.Items) != 1 || !has(a, "south") {
		t.Errorf("now: %q", texts(a))
	}
	before := memory.Known{Time: memory.Micros(1)}
	a := w.recall(memory.Query{Question: "Where does the heron nest?", AsOf: memory.AsOf{Known: before}})
	if len(a.Items) != 0 || a.Context != "" || len(a.Notes) == 0 {
		t.Errorf("before anything: %+v", a)
	}
}

func TestKeyedDocumentsShowTheirNewestVersion(t *testing.T) {
	t.Parallel()
	w := world(t)
	old := w.tell(&memory.Episode{Text: "The door code is 1111.", Key: "door"})
	then := w.fold.Head()
	w.tell(&memory.Episode{Text: "The door code is 2222.", Key: "door"})
	a := w.recall(memory.Query{Question: "What is the door code?", Explain: true})
	if len(a.Items) != 1 || !has(a, "2222") || !slices.Equal(a.Items[0].Explanation.Replaces, []memory.Seq{then}) {
		t.Errorf("now: %q, replaces %v", texts(a), a.Items[0].Explanation.Replaces)
	}
	if a := w.recall(memory.Query{Question: "What is the door code?", AsOf: memory.AsOf{Known: memory.Known{Seq: then}}}); len(a.Items) != 1 || a.Items[0].ID != old {
		t.Errorf("then: %q", texts(a))
	}
	w.tell(&memory.Retract{Targets: []memory.ID{w.id(1)}})
	if a := w.ask("What is the door code?"); len(a.Items) != 1 || a.Items[0].ID != old {
		t.Errorf("after taking the new one back: %q", texts(a))
	}
}

func TestTheSpeakerNamedInTheQuestion(t *testing.T) {
	t.Parallel()
	var all []memory.Episode
	for i, name := range []string{"Bo", "Ann", "Cleo", "小明", "小红"} {
		all = append(all, memory.Episode{Text: "I live by the sea, dear friends. 我住在海边。", Session: fmt.Sprint(i), Speaker: name})
	}
	w := world(t, all...)
	for question, want := range map[string]string{
		"Where does Ann live, by the sea?": "Ann", "does cleo live by the sea?": "Cleo", "小红住在海边吗？": "小红", "Ann's sea": "Ann",
	} {
		if a := w.ask(question); a.Items[0].Speaker != want {
			t.Errorf("%q: the best is by %s", question, a.Items[0].Speaker)
		}
	}
}

// The words are the same everywhere, only the time differs.
func TestDatesInTheQuestion(t *testing.T) {
	t.Parallel()
	days := []string{"2023-05-07", "2023-05-20", "2023-06-15", "2024-05-07", "2026-02-27", "2026-03-07", "2026-03-08"}
	var all []memory.Episode
	for _, d := range days {
		all = append(all, memory.Episode{Text: "I went to the market 我去了市场 in the morning of day " + d[2:4], Session: d, Speaker: "Ann", Occurred: on(t, d)})
	}
	w := world(t, all...)
	for question, want := range map[string]string{
		"What did I do at the market on 7 May 2023?":  "2023-05-07",
		"market in June 2023":                         "2023-06-15",
		"Did I go to the market in May 2024?":         "2024-05-07",
		"Was I at the market yesterday?":              "2026-03-07",
		"我昨天去市场了吗？":                                   "2026-03-07",
		"2023年6月我去过市场吗？":                              "2023-06-15",
		"What was it on 2023-05-20?":                  "2023-05-20", // no word of it is in the text
		"2024年5月7号怎么样？":                               "2024-05-07",
		"What happened at the market on May 7, 2024?": "2024-05-07",
	} {
		if a := w.ask(question); len(a.Items) == 0 || a.Items[0].Session != want {
			t.Errorf("%q: %v first, want %s", question, a.Items[:min(1, len(a.Items))], want)
		}
	}
	// As of another day, yesterday is another day.
	a := w.recall(memory.Query{Question: "Was I at the market yesterday?", AsOf: memory.AsOf{Valid: on(t, "2024-05-08")}})
	if a.Items[0].Session != "2024-05-07" {
		t.Errorf("as of 8 May 2024, yesterday was %s", a.Items[0].Session)
	}
}

func TestDateFit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		expression, day string
		want            float64
	}{
		{"7 May 2023", "2023-05-07", 2},
		{"7 May 2023", "2023-05-09", 2}, // told a day or two later
		{"7 May 2023", "2023-05-11", 1}, // in its month
		{"7 May 2023", "2023-04-30", 0},
		{"May 2023", "2023-05-31", 1},
		{"May 2023", "2023-06-01", 0},
		{"in 2023", "2023-12-31", 0.5},
		{"in 2023", "2024-01-01", 0},
		{"yesterday", "2026-03-07", 2},
		{"yesterday", "2026-03-08", 0},
	} {
		m := when.Find(tt.expression, today)
		if len(m) != 1 {
			t.Errorf("%q is read as %d times", tt.expression, len(m))
			continue
		}
		if got := dateFit(m[0], on(t, tt.day)); got != tt.want {
			t.Errorf("%q and %s: %v, want %v", tt.expression, tt.day, got, tt.want)
		}
	}
	forever := when.Match{Interval: memory.Interval{From: on(t, "2023-01-01")}}
	if got := dateFit(forever, on(t, "2025-01-01")); got != 0.5 {
		t.Errorf("an open end: %v", got)
	}
}

func TestOrderQuestionsKeepWhatPeopleSaid(t *testing.T) {
	t.Parallel()
	w := world(t,
		memory.Episode{Text: "Help me with the budget app.", Session: "a"},
		memory.Episode{Text: "Budget apps need a ledger and topics.", Session: "a", Source: memory.Assistant},
		memory.Episode{Text: "Now the login page of the app.", Session: "b"},
		memory.Episode{Text: "The app lists topics in order.", Session: "b", Source: memory.Assistant},
	)
	for _, question := range []string{"In which order did I bring up topics of the app?", "我按什么顺序提到了 app？"} {
		a := w.ask(question)
		if len(a.Items) != 2 || a.Items[0].Source != memory.User || a.Items[1].Source != memory.User {
			t.Errorf("%q: %q", question, texts(a))
		}
	}
	if a := w.ask("What about topics of the app?"); len(a.Items) != 4 {
		t.Errorf("another question: %q", texts(a))
	}
	// If nobody but a model spoke, that is better than nothing.
	only := world(t, memory.Episode{Text: "The app lists topics in order.", Source: memory.Assistant})
	if a := only.ask("In which order did topics of the app come?"); len(a.Items) != 1 {
		t.Errorf("without anything said by people: %q", texts(a))
	}
}

func TestDigestQuestionsSpreadOverEpisodes(t *testing.T) {
	t.Parallel()
	w := world(t)
	for i := range 4 {
		about := "Garden project"
		if i > 0 { // the first matches best with each of its parts
			about = "The garden once more"
		}
		w.tell(&memory.Episode{Text: strings.Repeat(fmt.Sprintf("%s, stage %d: we dig beds and plant beans. ", about, i), 40), Session: fmt.Sprint(i)})
	}
	if n := w.index.Len(4); n < 12 {
		t.Fatalf("%d parts", n)
	}
	for _, question := range []string{"Summarize the garden project.", "总结一下 garden project"} {
		seen := map[memory.Seq]int{}
		for _, it := range w.recall(memory.Query{Question: question, Limit: 4}).Items {
			seen[it.Seq]++
		}
		if len(seen) != 4 {
			t.Errorf("%q: four items of %d episodes", question, len(seen))
		}
	}
}

// An answer shares no word with the question, but follows one that does.
func TestTurnsBesideAMatchAreFound(t *testing.T) {
	t.Parallel()
	w := world(t, chatter(400)...)
	w.tell(&memory.Episode{Text: "What did you buy for the anniversary?", Session: "x", Speaker: "Ann"})
	w.tell(&memory.Episode{Text: "Two silver rings.", Session: "x", Speaker: "Bo"})
	w.tell(&memory.Episode{Text: "Wow.", Session: "x", Speaker: "Ann"})
	a := w.recall(memory.Query{Question: "What was bought for the anniversary?", Limit: 2, Explain: true})
	if !has(a, "silver rings") {
		t.Errorf("got %q", texts(a))
	}
}

func TestBareQuestionsGetTheNewest(t *testing.T) {
	t.Parallel()
	const n = 5 * poolSize
	w := world(t, chatter(n)...)
	a := w.recall(memory.Query{Question: "What is it?", Limit: 400})
	if len(a.Items) == 0 {
		t.Fatal("nothing")
	}
	for _, it := range a.Items {
		if it.Seq <= n-4*poolSize {
			t.Errorf("episode %d is not among the newest", it.Seq)
		}
	}
}

func TestUnknownWordsFindNothing(t *testing.T) {
	t.Parallel()
	w := world(t, chatter(50)...)
	for _, question := range []string{"Where is the quetzal?", "熊猫在哪里？", "🦩 zzz"} {
		a := w.ask(question)
		if len(a.Items) != 0 || a.Context != "" || a.Tokens != 0 || a.Verdict.Answerable || a.Verdict.Score != 0 || a.Verdict.Why == "" {
			t.Errorf("%q: %+v", question, a)
		}
	}
}

func TestAnEmptySpace(t *testing.T) {
	t.Parallel()
	for _, question := range []string{"Where is the heron?", "what?", "Summarize everything.", "我住在哪里？", "What happened yesterday?"} {
		a := world(t).ask(question)
		if len(a.Items) != 0 || a.Context != "" || a.Tokens != 0 || a.Verdict.Answerable || len(a.Notes) != 1 {
			t.Errorf("%q: %+v", question, a)
		}
	}
}

func TestChineseFromEndToEnd(t *testing.T) {
	t.Parallel()
	w := world(t,
		memory.Episode{Text: "我去年搬到了柏林，住在克罗伊茨贝格。", Speaker: "用户", Session: "1", Occurred: on(t, "2025-04-02")},
		memory.Episode{Text: "我对花生过敏，吃了会起疹子。", Speaker: "小林", Session: "1", Occurred: on(t, "2025-04-02")},
		memory.Episode{Text: "上周五我们去看了《流浪地球》。", Speaker: "小林", Session: "2", Occurred: on(t, "2025-05-12")},
		memory.Episode{Text: "我妹妹下个月结婚，在成都办酒席。", Speaker: "陈浩", Session: "2", Occurred: on(t, "2025-05-12")},
		memory.Episode{Text: "以后都用中文回答我。", Speaker: "用户", Session: "3", Occurred: on(t, "2025-05-20")},
	)
	for question, want := range map[string]string{
		"用户住在哪个城市？":      "柏林",
		"小林对什么过敏？":       "花生",
		"他们看了什么电影？流浪地球吗": "流浪地球",
		"陈浩的妹妹在哪里办酒席？":   "成都",
		"谁要结婚了？":         "结婚",
	} {
		a := w.ask(question)
		if len(a.Items) == 0 || !strings.Contains(a.Items[0].Text, want) {
			t.Errorf("%q: %q", question, texts(a))
		}
		if !strings.Contains(a.Context, pinnedTitle+"[5] 用户: 以后都用中文回答我。\n") {
			t.Errorf("%q: the standing instruction is not pinned:\n%s", question, a.Context)
		}
	}
}

func TestTopK(t *testing.T) {
	t.Parallel()
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, {5, 0, 9, 1, 8, 2, 7, 3, 6, 4}} {
		for _, limit := range []int{1, 2, 3, 10, 20} { // small ones are cut on the way
			top := topK{limit: limit}
			for _, d := range order {
				top.add(d, float64(d/2)) // pairs tie
			}
			want := []hit{{8, 4}, {9, 4}, {6, 3}, {7, 3}, {4, 2}, {5, 2}, {2, 1}, {3, 1}, {0, 0}, {1, 0}}
			if got := top.take(); !slices.Equal(got, want[:min(limit, 10)]) {
				t.Errorf("the best %d in the order %v: %v", limit, order, got)
			}
		}
	}
	big, small := topK{limit: 2}, topK{limit: 2}
	for d := range 100 {
		big.add(d, 1)
		small.add(99-d, 1)
	}
	if got := big.take(); !slices.Equal(got, []hit{{0, 1}, {1, 1}}) || !slices.Equal(got, small.take()) {
		t.Errorf("of equal scores the earlier come first: %v", got)
	}
}

func TestAgeIsNeverNegative(t *testing.T) {
	t.Parallel()
	w := world(t, memory.Episode{Text: "a", Occurred: memory.At(today.Std().Add(time.Hour))}, memory.Episode{Text: "b", Occurred: memory.At(today.Std().Add(-48 * time.Hour))})
	se := w.r.begin(w.space(memory.Known{}), memory.Query{Question: "a"}, today)
	if se.ageDays(0) != 0 || se.ageDays(1) != 2 {
		t.Errorf("ages %v and %v days", se.ageDays(0), se.ageDays(1))
	}
}
