package recall

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"engram/index/vectors"
	"engram/memory"
)

// pointing gives the vector of a direction in the plane, in degrees.
func pointing(t failer, degrees float64) vectors.Vector {
	t.Helper()
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	v, err := vectors.Quantise([]float32{float32(cos), float32(sin)})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// points gives the documents of a world their directions, in their order, and
// the question the direction 0; NaN leaves a hole.
func (w *memoryWorld) points(degrees ...float64) {
	w.t.Helper()
	w.vectors = vectors.New("fake", 2)
	for doc, d := range degrees {
		if math.IsNaN(d) {
			continue
		}
		if err := w.vectors.Put(doc, pointing(w.t, d)); err != nil {
			w.t.Fatal(err)
		}
	}
	q := pointing(w.t, 0)
	w.meaning = &q
}

// plane is a memory of n turns, of which one says in other words what is asked.
func plane(t failer, n, near int) *memoryWorld {
	t.Helper()
	w, degrees := world(t, chatter(n)...), make([]float64, n)
	for i := range degrees {
		degrees[i] = 90 + float64(i%7)
	}
	degrees[near] = 10
	w.points(degrees...)
	return w
}

// What shares no word with the question is found by its vector, far outside of
// the pool of the other channels, and says so.
func TestVectorsFind(t *testing.T) {
	t.Parallel()
	w := plane(t, 2*poolSize, 17)
	q := memory.Query{Question: "quetzal?", Explain: true, Budget: 100_000}
	a := w.recall(q)
	if a.Weights != w.r.VectorsID() || len(a.Items) == 0 || a.Items[0].Seq != 18 {
		t.Fatalf("by %s: %d items", a.Weights, len(a.Items))
	}
	e := a.Items[0].Explanation
	if e.Channels["vectors"] != 1 || !slices.Contains(e.Why, "is near the question in meaning") ||
		!slices.ContainsFunc(e.Features, func(c memory.Contribution) bool { return c.Feature == "cosine" && c.Value > 2 && c.Weight > 0 }) {
		t.Errorf("%+v", e)
	}
	same(t, "the same again", a, w.recall(q))
	check(t, w, a)
	q.Without = []string{"vectors"}
	if a := w.recall(q); a.Weights != w.r.WordsID() || slices.ContainsFunc(a.Items, func(i memory.Item) bool { return i.Seq == 18 }) {
		t.Errorf("without vectors, by %s: %d items", a.Weights, len(a.Items))
	}
}

// A filter and the point of view narrow before the nearest are taken: of many
// that are nearer nobody is seen.
func TestVectorsAreFilteredFirst(t *testing.T) {
	t.Parallel()
	w := world(t, chatter(2*vectorsTaken)...)
	w.tell(&memory.Episode{Text: "Soup.", Session: "other"})
	degrees := make([]float64, 2*vectorsTaken+1)
	degrees[2*vectorsTaken] = 60
	w.points(degrees...)
	a := w.recall(memory.Query{Question: "quetzal?", Explain: true, Filter: memory.Filter{Sessions: []string{"other"}}})
	if len(a.Items) != 1 || a.Items[0].Text != "Soup." || a.Weights != w.r.VectorsID() {
		t.Errorf("%d items by %s", len(a.Items), a.Weights)
	}
	w.tell(&memory.Retract{Targets: []memory.ID{w.id(2 * vectorsTaken)}})
	if a := w.recall(memory.Query{Question: "quetzal?", Filter: memory.Filter{Sessions: []string{"other"}}}); len(a.Items) != 0 {
		t.Errorf("what was retracted: %q", texts(a))
	}
	past := w.recall(memory.Query{Question: "quetzal?", AsOf: memory.AsOf{Known: memory.Known{Seq: 5}}, Budget: 100_000})
	if len(past.Items) != 5 || past.Weights != w.r.VectorsID() {
		t.Errorf("at the fifth record %d items by %s", len(past.Items), past.Weights)
	}
}

// The weights for vectors rank if nearly all that can be seen have one and
// the question has one, of the same dimension; else those for words do, by
// words alone.
func TestWhichWeights(t *testing.T) {
	t.Parallel()
	w, hole := world(t, chatter(20)...), math.NaN()
	for name, tt := range map[string]struct {
		holes, retracted int
		meaning          *vectors.Vector
		vectors          bool
	}{
		"all":               {0, 0, w.meaning, true},
		"nine in ten":       {2, 0, w.meaning, true},
		"fewer":             {3, 0, w.meaning, false},
		"fewer among more":  {3, 2, w.meaning, true}, // two that have none cannot be seen
		"without direction": {0, 0, &vectors.Vector{Values: make([]int8, 2)}, false},
		"another dimension": {0, 0, &vectors.Vector{Scale: 0.5, Values: make([]int8, 3)}, false},
	} {
		w := world(t, chatter(20)...)
		degrees := make([]float64, 20)
		for i := range tt.holes {
			degrees[i] = hole
		}
		w.points(degrees...)
		if tt.meaning != nil {
			w.meaning = tt.meaning
		}
		for i := range tt.retracted {
			w.tell(&memory.Retract{Targets: []memory.ID{w.id(i)}})
		}
		a := w.recall(memory.Query{Question: "weather?", Explain: true})
		if (a.Weights == w.r.VectorsID()) != tt.vectors || !tt.vectors && a.Weights != w.r.WordsID() {
			t.Errorf("%s: ranked by %s", name, a.Weights)
		}
		for _, i := range a.Items {
			if !tt.vectors && i.Explanation != nil && i.Explanation.Channels["vectors"] != 0 {
				t.Errorf("%s: found by a vector", name)
			}
		}
	}
}

func TestCovered(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		held, visible int
		want          bool
	}{{0, 0, false}, {0, 2, false}, {1, 3, true}, {1, 4, false}, {8, 10, true}, {26, 29, false}, {27, 30, true}, {26, 30, false}} {
		if got := Covered(tt.held, tt.visible); got != tt.want {
			t.Errorf("%d of %d: %v", tt.held, tt.visible, got)
		}
	}
}

// The features are deviations from the mean of the pool. What has no vector is
// as near as the mean; neighbours that cannot be seen do not count.
func TestVectorFeatures(t *testing.T) {
	t.Parallel()
	w := world(t)
	for i := range 12 {
		w.tell(&memory.Episode{Text: fmt.Sprint("heron ", i), Session: fmt.Sprint("s", i/3)})
	}
	degrees := []float64{0, 90, 60, 0, 90, 90, 0, math.NaN(), 0, 90, 90, 90}
	w.points(degrees...)
	w.tell(&memory.Retract{Targets: []memory.ID{w.id(2)}})
	got := map[memory.Seq][3]float64{}
	q := memory.Query{Question: "heron"}
	for _, s := range w.r.Samples(w.space(memory.Known{}), q, today) {
		if len(s.Features) != len(FittedNames(true)) {
			t.Fatalf("%d features", len(s.Features))
		}
		got[s.Seq] = [3]float64{s.Features[fCosine], s.Features[fNeighboursCosine], s.Features[fBlockCosine]}
	}
	// Of ten that can be seen and have one, four have the cosine 1 and six 0.
	far, near := -0.4/math.Sqrt(0.24), 0.6/math.Sqrt(0.24)
	for seq, want := range map[memory.Seq][3]float64{ // the block holds the best three, and none is worse than the mean
		1: {near, far, 0}, 2: {far, near, near / 3}, 4: {near, far, 0}, 5: {far, (near + far) / 2, near / 3},
		7: {near, 0, near / 3}, 8: {0, near, 2 * near / 3}, 9: {near, 0, near / 3}, 11: {far, far, 0},
	} {
		for i := range want {
			if math.Abs(got[seq][i]-want[i]) > 1e-3 {
				t.Errorf("[%d] has %.4v, want %.4v", seq, got[seq], want)
				break
			}
		}
	}
	w.points(make([]float64, 12)...)
	for _, s := range w.r.Samples(w.space(memory.Known{}), q, today) {
		if slices.ContainsFunc(s.Features[fitted:], func(v float64) bool { return v != 0 }) {
			t.Errorf("all are equally near, [%d] has %v", s.Seq, s.Features)
		}
	}
}

// Features of vectors can be left out one at a time, and the other rankers see
// the channel too.
func TestWithoutVectorFeatures(t *testing.T) {
	t.Parallel()
	w := plane(t, 40, 17)
	first := func(q memory.Query) memory.Item {
		q.Question, q.Explain = "quetzal?", true
		a := w.recall(q)
		if len(a.Items) == 0 {
			t.Fatal("nothing is found")
		}
		return a.Items[0]
	}
	for _, name := range FeatureNames[fitted:fittedVectors] {
		item := first(memory.Query{Without: []string{name}})
		for _, c := range item.Explanation.Features {
			if c.Feature == name {
				t.Errorf("%s is left out and has %v", name, c.Value)
			}
		}
	}
	if item := first(memory.Query{Ranker: memory.RRF}); item.Seq != 18 || !strings.Contains(fmt.Sprint(item.Explanation.Channels), "vectors:1") {
		t.Errorf("reciprocal ranks: [%d] %v", item.Seq, item.Explanation.Channels)
	}
}

// Where hardly a word of the question is found, what is near in meaning goes
// before what shares that word; a question about everything has general words
// and is left alone.
func TestFewWordsCountForLittle(t *testing.T) {
	t.Parallel()
	w := world(t, chatter(60)...)
	degrees := make([]float64, 60)
	for i := range degrees {
		degrees[i] = 80 + float64(i%20)
	}
	degrees[17] = 30
	w.points(degrees...)
	words := func(question string) (most float64) {
		for _, s := range w.r.Samples(w.space(memory.Known{}), memory.Query{Question: question}, today) {
			most = max(most, s.Features[fWords])
		}
		return most
	}
	const rare = " quetzal zebra axolotl okapi ibex"
	if n := words("weather"); n != 1 {
		t.Errorf("the word that was asked for counts %v", n)
	}
	if n := words("weather" + rare); n <= 0 || n > 0.2 {
		t.Errorf("one word of six counts %v", n)
	}
	long := "weather garden lunch train music painting coffee hiking movie laundry"
	for i := range overlapWords {
		long += fmt.Sprintf(" person %d", i)
	}
	if n := words(long + strings.Repeat(rare, 100)); n != 1 {
		t.Errorf("more words than are looked for one by one: %v", n)
	}
	if n := words("Summarize weather" + rare); n != 1 {
		t.Errorf("a question about everything: %v", n)
	}
	if a := w.recall(memory.Query{Question: "weather" + rare}); a.Items[0].Seq != 18 {
		t.Errorf("the first is %q", a.Items[0].Text)
	}
}
