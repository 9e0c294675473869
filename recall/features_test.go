package recall

import (
	"math"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

// featuresOf gives the features of each candidate for a question, by place in
// the log; of a long text those of its first part that is a candidate.
func featuresOf(w *memoryWorld, question string) map[memory.Seq]map[string]float64 {
	q := memory.Query{Question: question}
	if err := q.Resolve(); err != nil {
		w.t.Fatal(err)
	}
	out := map[memory.Seq]map[string]float64{}
	samples := w.r.Samples(w.space(memory.Known{}), q, today)
	slices.SortFunc(samples, func(a, b Sample) int { return b.Part - a.Part }) // the first part last
	for _, s := range samples {
		out[s.Seq] = map[string]float64{}
		for i, v := range s.Features {
			out[s.Seq][FeatureNames[i]] = v
		}
	}
	return out
}

// A conversation of which each feature can be told by hand.
func featuresWorld(t failer) *memoryWorld {
	return world(t,
		memory.Episode{Text: "Where did you see the heron?", Speaker: "Ann", Session: "a"},                               // 1
		memory.Episode{Text: "In Paris, two of them.", Speaker: "Bo", Session: "a"},                                      // 2
		memory.Episode{Text: "Nice.", Speaker: "Ann", Session: "a"},                                                      // 3
		memory.Episode{Text: "The grey heron caught a fish on Friday.", Speaker: "Bo", Session: "b"},                     // 4
		memory.Episode{Text: "Grey is what a heron mostly is.", Session: "b", Source: memory.Assistant},                  // 5
		memory.Episode{Text: "I prefer the heron to the otter.", Speaker: "Ann", Session: "c", Kind: memory.Instruction}, // 6
		memory.Episode{Text: "heron | heron | heron\n--- | --- | ---", Session: "d", Source: memory.Web},                 // 7
	)
}

func TestFeatures(t *testing.T) {
	t.Parallel()
	w := featuresWorld(t)
	for _, tt := range []struct {
		question string
		seq      memory.Seq
		feature  string
		want     float64
	}{
		{"heron", 1, "matched", math.Log1p(1)},
		{"grey heron", 4, "matched", math.Log1p(2)},
		{"grey heron", 1, "matched", math.Log1p(1)},
		{"grey heron", 2, "matched", 0},
		{"grey heron heron", 4, "matched", math.Log1p(2)}, // distinct
		{"grey heron", 1, "pairs", 0},
		{"heron", 4, "pairs", 0},
		{"heron", 2, "answers", 1}, // times what the turn before has, see below
		{"heron", 3, "answers", 0}, // what comes before it is no question
		{"heron", 5, "answers", 0},
		{"What did Bo see?", 2, "speaker", 1},
		{"What did Bo see?", 1, "speaker", 0},
		{"What did Bo and Ann see?", 2, "speaker", 0},
		{"heron", 5, "assistant", 1},
		{"heron", 4, "assistant", 0},
		{"heron", 5, "assistant_digest", 0},
		{"Summarize the heron", 5, "assistant_digest", 1},
		{"When did the heron fish?", 4, "when_dated", 1},
		{"Did the heron fish?", 4, "when_dated", 0},
		{"How many heron", 2, "number", 1},
		{"How many heron", 4, "number", 0},
		{"Where was the heron", 2, "name", 1},
		{"Where was the heron", 1, "name", 0},
		{"heron", 6, "standing", 1},
		{"heron", 6, "standing_advice", 0},
		{"Can you recommend a heron", 6, "standing_advice", 1},
		{"Can you recommend a heron", 4, "standing_advice", 0},
		{"heron", 1, "session_start", 1},
		{"heron", 2, "session_start", 1},
		{"heron", 3, "session_start", 0},
		{"heron in Paris", 2, "names", 1},
		{"heron in Paris", 1, "names", 0},
		{"heron in Paris or London", 2, "names", 1}, // London is in no text
		{"heron", 1, "previous", 0},
		{"heron", 4, "parts", 0},
		{"Was there a heron yesterday?", 4, "date", 0},
		{"Was there a heron today?", 4, "date", 2},
		{"heron", 7, "words", 1}, // the best
		{"heron", 3, "words", 0},
	} {
		all := featuresOf(w, tt.question)
		f, ok := all[tt.seq]
		if !ok {
			t.Errorf("%q: [%d] is no candidate", tt.question, tt.seq)
			continue
		}
		want := tt.want
		if tt.feature == "answers" && want > 0 {
			want = f["previous"]
		}
		if math.Abs(f[tt.feature]-want) > 1e-6 || tt.feature == "answers" && tt.want > 0 && want == 0 {
			t.Errorf("%q: %s of [%d] is %v, want %v", tt.question, tt.feature, tt.seq, f[tt.feature], want)
		}
	}
}

func TestFeaturesOfNeighbours(t *testing.T) {
	t.Parallel()
	f := featuresOf(featuresWorld(t), "heron")
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"previous of [2] is the words of [1]", f[2]["previous"], f[1]["words"]},
		{"block of [2] has [1] alone", f[2]["block"], f[1]["words"] / 3},
		{"block of [4] has [5] alone", f[4]["block"], f[5]["words"] / 3},
		{"block of [6] has nothing", f[6]["block"], 0},
		{"the session of the best", f[4]["session"], 1},
		{"the session of [1]", f[1]["session"], f[1]["words"] / (f[4]["words"] + f[5]["words"])},
	} {
		if math.Abs(tt.got-tt.want) > 1e-5 || tt.want == 0 && tt.got != 0 {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	best := 0.0
	for _, each := range f {
		best = max(best, each["window"])
	}
	if best != 1 || f[2]["window"] <= 0 || f[2]["window"] >= 1 {
		t.Errorf("the best window has %v, that of [2] %v", best, f[2]["window"])
	}
}

func TestPairs(t *testing.T) {
	t.Parallel()
	w := world(t,
		memory.Episode{Text: "grey heron"}, memory.Episode{Text: "heron grey"}, memory.Episode{Text: "grey heron and grey heron", Speaker: "Ann"},
		memory.Episode{Text: "the otter"}, memory.Episode{Text: "grey is the heron"}, memory.Episode{Text: "grey old heron"},
	)
	f := featuresOf(w, "grey heron")
	idf := math.Log(1 + 1.5/5.5) // five of six have each of the two
	// Each pair counts once; stop words do not stand between.
	for seq, want := range map[memory.Seq]float64{1: 2 * idf / 10, 2: 0, 3: 2 * idf / 10, 5: 2 * idf / 10, 6: 0} {
		if math.Abs(f[seq]["pairs"]-want) > 1e-9 {
			t.Errorf("[%d]: %v, want %v", seq, f[seq]["pairs"], want)
		}
	}
}

func TestFeaturesOfParts(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("We walked along the shore for a while. ", 20)
	w := world(t, memory.Episode{Text: "A heron. " + filler + "Two heron heron. " + filler})
	q := memory.Query{Question: "heron"}
	if err := q.Resolve(); err != nil {
		t.Fatal(err)
	}
	parts := map[int][]float64{}
	for _, s := range w.r.Samples(w.space(memory.Known{}), q, today) {
		parts[s.Part] = s.Features
	}
	n := w.index.Len(1)
	if n < 3 || len(parts) != n {
		t.Fatalf("%d candidates for %d parts", len(parts), n)
	}
	best := 0 // the part with most of the word
	for i := range n {
		if parts[i][fWords] == 1 {
			best = i
		}
	}
	for i := range n {
		if parts[i][fParts] != math.Log(float64(n)) {
			t.Errorf("part %d of %v", i, parts[i][fParts])
		}
		want := 1.0 // the sibling that is best, or the other that matches
		if i == best {
			want = parts[0][fWords]
		}
		if best == 0 || math.Abs(parts[i][fSibling]-want) > 1e-9 {
			t.Errorf("part %d: sibling %v, want %v", i, parts[i][fSibling], want)
		}
	}
}
