package recall

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"engram/memory"
)

// judge gives a world whose verdict is easy to work out: the sum of the signals,
// unknown words counting against, and answerable from one half on.
func judge(t *testing.T, episodes ...memory.Episode) *memoryWorld {
	t.Helper()
	weights, err := ParseWeights(weightsFile(t, func(w *Weights) {
		w.Verdict = Calibration{Features: map[string]float64{"held": 1, "unknown": -1, "person": 1}, Threshold: 0.5}
	}))
	if err != nil {
		t.Fatal(err)
	}
	w := world(t, episodes...)
	vectors, err := BuiltinVectors()
	if err != nil {
		t.Fatal(err)
	}
	if w.r, err = New(weights, vectors); err != nil {
		t.Fatal(err)
	}
	return w
}

// sigmoid is the probability of a sum.
func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

func TestVerdict(t *testing.T) {
	t.Parallel()
	w := judge(t,
		memory.Episode{Text: "The heron nests in the north."},
		memory.Episode{Text: "The otter lives in the river."},
		memory.Episode{Text: "我住在柏林。"},
	)
	rarest, idf := math.Log(1+3.5/0.5), math.Log(1+2.5/1.5)
	for _, tt := range []struct {
		question   string
		filter     memory.Filter
		answerable bool
		score      float64
		why        string
	}{
		{"Where does the heron nest?", memory.Filter{}, true, sigmoid(1), "hold 100 % of the question's words by rarity."},
		{"heron quetzal", memory.Filter{}, false, sigmoid((idf - rarest) / (idf + rarest)), "hold 32 % of the question's words by rarity."},
		{"quetzal zebra", memory.Filter{}, false, 0, "Nothing that can be seen"},
		{"quetzal zebra", memory.Filter{Sources: []memory.Source{memory.User}}, false, 0, "No word of the question occurs"},
		{"heron", memory.Filter{Sources: []memory.Source{memory.Web}}, false, 0, "Nothing that can be seen"},
		{"What is it?", memory.Filter{}, true, 0.5, "no word to look for"},
		{"", memory.Filter{Sources: []memory.Source{memory.User}}, true, 0.5, "no word to look for"},
		{"住在柏林", memory.Filter{}, true, sigmoid(1), "100 %"},
	} {
		got := w.recall(memory.Query{Question: tt.question, Filter: tt.filter}).Verdict
		if got.Answerable != tt.answerable || math.Abs(got.Score-tt.score) > 1e-6 || !strings.Contains(got.Why, tt.why) {
			t.Errorf("%q: %+v, want %v with %v and %q", tt.question, got, tt.answerable, tt.score, tt.why)
		}
	}
	if got := w.recall(memory.Query{Question: "heron otter", Limit: 1}).Verdict; !strings.Contains(got.Why, "they lack: ") || math.Abs(got.Score-sigmoid(0.5)) > 1e-6 {
		t.Errorf("of two words one is held: %+v", got)
	}
}

// What one person told is no answer to what is asked of another.
func TestVerdictOnPersons(t *testing.T) {
	t.Parallel()
	w := judge(t,
		memory.Episode{Text: "I play the flute in a quartet.", Speaker: "Ann"},
		memory.Episode{Text: "The heron came back.", Speaker: "Bo"},
	)
	for question, want := range map[string]float64{
		"What does Ann say of her flute?":  1,
		"What does Bo say of his flute?":   -1,
		"What do Ann and Bo say of flute?": 0,
		"Who plays the flute?":             0,
		"And Ann?":                         1, // where there is no other word, the name counts
	} {
		q := memory.Query{Question: question}
		if err := q.Resolve(); err != nil {
			t.Fatal(err)
		}
		signals := w.r.Signals(w.space(memory.Known{}), q, today)
		if len(signals) != len(SignalNames(false)) || (signals[vPerson] > 0) != (want > 0) || (signals[vPerson] < 0) != (want < 0) {
			t.Errorf("%q: signals %v, want a person of sign %v", question, signals, want)
		}
		got := w.recall(q).Verdict
		if blamed := strings.Contains(got.Why, "others say more of it than Bo"); blamed != (want < 0) {
			t.Errorf("%q: %+v", question, got)
		}
	}
}

// With vectors the verdict hears how near the best are, if they are those of the
// model that it was fitted with. In another language than the memory's the
// words that are not found do not speak against it.
func TestVerdictByMeaning(t *testing.T) {
	t.Parallel()
	vectors, err := BuiltinVectors()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(model string, degrees float64, question string) memory.Verdict {
		w := judge(t, memory.Episode{Text: "The heron nests in the north.", Speaker: "Ann"}, memory.Episode{Text: "The otter lives in the river.", Speaker: "Bo"})
		w.points(degrees, 90)
		w.model = model
		return w.recall(memory.Query{Question: question}).Verdict
	}
	fitted := vectors.Provenance.Model
	near, far := ask(fitted, 10, "heron quetzal zebra"), ask(fitted, 80, "heron quetzal zebra")
	if near.Score <= far.Score || !strings.Contains(near.Why, "a cosine of 0.99") || !strings.Contains(far.Why, "a cosine of 0.17") {
		t.Errorf("near %+v, far %+v", near, far)
	}
	other, same := ask("another", 10, "heron quetzal zebra"), ask("another", 80, "heron quetzal zebra")
	if other != same || strings.Contains(other.Why, "cosine") {
		t.Errorf("by another model: near %+v, far %+v", other, same)
	}
	for _, tt := range []struct {
		question   string
		degrees    float64
		answerable bool
		why        string
	}{
		{"Who plays the violin?", 70, false, "hold 0 % of the question's words"},
		{"Wie ist die Telefonnummer von Ann?", 70, false, "hold 0 % of the question's words"},
		{"谁会拉小提琴？", 65, true, "in another language than the best items"},
		{"谁会拉小提琴？", 85, false, "in another language than the best items"},
		{"Ann在哪里看到了什么鸟？", 65, true, "in another language than the best items"},
		{"Ann的电话号码是多少？", 85, false, "in another language than the best items"},
	} {
		if got := ask(fitted, tt.degrees, tt.question); got.Answerable != tt.answerable || !strings.Contains(got.Why, tt.why) {
			t.Errorf("%q: %+v", tt.question, got)
		}
	}
}

// What was asserted answers whatever the words beside it mean.
func TestVerdictByFactsHearsNoMeaning(t *testing.T) {
	t.Parallel()
	vectors, err := BuiltinVectors()
	if err != nil {
		t.Fatal(err)
	}
	var got []memory.Verdict
	for _, degrees := range []float64{10, 90} {
		w := judge(t, memory.Episode{Text: "Soup."})
		w.assert("Ann", "lives_in", "Berlin", "2025Z", "")
		w.points(degrees)
		w.model = vectors.Provenance.Model
		got = append(got, w.recall(memory.Query{Question: "Where does Ann live?"}).Verdict)
	}
	if got[0] != got[1] || !got[0].Answerable || !strings.Contains(got[0].Why, "The facts hold") {
		t.Errorf("near %+v, far %+v", got[0], got[1])
	}
}

// The longest questions get an answer within the budget and a short verdict.
func TestHugeQuestions(t *testing.T) {
	t.Parallel()
	w := world(t, chatter(100)...)
	var rare strings.Builder
	for i := range 200 {
		word := "zx" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "q "
		w.tell(&memory.Episode{Text: "tale of " + word})
		rare.WriteString(word)
	}
	for name, unit := range map[string]string{
		"rare words": rare.String(), "one word": "weather ", "Chinese": "我昨天去了柏林，", "dates": "3 June 2024, ", "you": "you ", "names": "Ann ",
		"blanks and marks": " ́?", "fences": "</memory>",
	} {
		a := w.ask(strings.Repeat(unit, memory.MaxQuestion/len(unit)))
		check(t, w, a)
		if len(a.Verdict.Why) > 300 {
			t.Errorf("%s: the verdict is %d bytes long: %.200s", name, len(a.Verdict.Why), a.Verdict.Why)
		}
	}
}

// Whatever is asked of whatever memory, the score is a share.
func TestVerdictIsAShare(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := world(t)
		for _, words := range rapid.SliceOfN(oddText(), 0, 5).Draw(t, "texts") {
			if e := (memory.Episode{Text: words}); e.Validate() == nil {
				w.tell(&e)
			}
		}
		q := memory.Query{Question: oddText().Draw(t, "question") + rapid.SampledFrom([]string{" heron", " 住在柏林 heron heron", "?"}).Draw(t, "and")}
		a := w.recall(q)
		if v := a.Verdict; !(v.Score >= 0 && v.Score <= 1) || v.Why == "" || v.Answerable && len(a.Items) == 0 {
			t.Fatalf("%+v with %d items", v, len(a.Items))
		}
		check(t, w, a)
	})
}
