package recall

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

// weightsFile is a file of weight 1 for each feature fitted for words, changed
// by edit.
func weightsFile(t *testing.T, edit func(*Weights)) []byte {
	t.Helper()
	w := Weights{Version: WeightsVersion, Features: map[string]float64{}}
	for _, name := range FittedNames(false) {
		w.Features[name] = 1
	}
	w.Verdict.Features = map[string]float64{}
	for _, name := range SignalNames(false) {
		w.Verdict.Features[name] = 1
	}
	if edit != nil {
		edit(&w)
	}
	b, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestParseWeights(t *testing.T) {
	t.Parallel()
	w, err := ParseWeights(weightsFile(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range w.values {
		if want := is(i < fitted || i == fSalience); v != want { // salience is 1 unless it is stated
			t.Errorf("%s weighs %v", FeatureNames[i], v)
		}
	}
	again, err := ParseWeights(weightsFile(t, nil))
	if err != nil || again.ID != w.ID || !strings.HasPrefix(w.ID, "linear-") {
		t.Errorf("ids %s and %s, %v", w.ID, again.ID, err)
	}
	other, err := ParseWeights(weightsFile(t, func(w *Weights) { w.Features["salience"] = 0 }))
	if err != nil || other.ID == w.ID || other.values[fSalience] != 0 {
		t.Errorf("with salience off: %v, id %s, %v", other.values[fSalience], other.ID, err)
	}
}

func TestParseWeightsRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		file   []byte
		reason string
	}{
		{"unknown feature", weightsFile(t, func(w *Weights) { w.Features["mood"] = 1 }), `unknown feature "mood"`},
		{"half a feature of vectors", weightsFile(t, func(w *Weights) { w.Features["cosine"] = 1 }), `lack the feature "`},
		{"missing feature", weightsFile(t, func(w *Weights) { delete(w.Features, "window") }), `lack the feature "window"`},
		{"no feature", weightsFile(t, func(w *Weights) { w.Features = nil }), "lack the feature"},
		{"no verdict", weightsFile(t, func(w *Weights) { w.Verdict = Calibration{} }), `lack the feature "held"`},
		{"unknown signal", weightsFile(t, func(w *Weights) { w.Verdict.Features["mood"] = 1 }), `unknown feature "mood"`},
		{"no threshold", weightsFile(t, func(w *Weights) { w.Verdict.Threshold = 1.5 }), "no probability"},
		{"the version before the verdict", weightsFile(t, func(w *Weights) { w.Version = 1 }), "version 1"},
		{"wrong version", weightsFile(t, func(w *Weights) { w.Version = 99 }), "version 99"},
		{"no version", weightsFile(t, func(w *Weights) { w.Version = 0 }), "version 0"},
		{"no JSON", []byte("weights"), "no JSON"},
		{"a list", []byte("[]"), "no JSON"},
		{"a text as weight", []byte(`{"version":1,"features":{"window":"1"}}`), "no JSON"},
		{"nothing", nil, "no JSON"},
	} {
		_, err := ParseWeights(tt.file)
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.reason)
		}
	}
}

// The id names what ranks and judges, not how it came to be.
func TestWeightsID(t *testing.T) {
	t.Parallel()
	id := func(edit func(*Weights)) string {
		w, err := ParseWeights(weightsFile(t, edit))
		if err != nil {
			t.Fatal(err)
		}
		return w.ID
	}
	plain := id(nil)
	if id(func(w *Weights) { w.Note, w.Provenance = "again", &Provenance{Lambda: 3} }) != plain {
		t.Error("a note changes the id")
	}
	for what, edit := range map[string]func(*Weights){
		"a feature":     func(w *Weights) { w.Features["window"] = 2 },
		"a signal":      func(w *Weights) { w.Verdict.Features["held"] = 2 },
		"the threshold": func(w *Weights) { w.Verdict.Threshold = 0.25 },
	} {
		if id(edit) == plain {
			t.Errorf("%s does not change the id", what)
		}
	}
}

func TestBuiltinWeights(t *testing.T) {
	t.Parallel()
	words, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := BuiltinVectors()
	if err != nil {
		t.Fatal(err)
	}
	r := builtinRecaller()
	if r.WordsID() != words.ID || r.VectorsID() != vectors.ID || words.ID == vectors.ID || words.UsesVectors() || !vectors.UsesVectors() {
		t.Error("a recaller names other weights than its own")
	}
	for _, w := range []Weights{words, vectors} {
		for _, name := range slices.Sorted(maps.Keys(w.Features)) {
			if i := slices.Index(FeatureNames[:], name); i < 0 {
				t.Errorf("%q is not spelled as the feature is", name)
			}
		}
	}
	if vectors.Provenance == nil || vectors.Provenance.Model == "" || words.Provenance.Model != "" {
		t.Error("the provenance does not name the model of the vectors")
	}
	for _, pair := range [][2]Weights{{vectors, words}, {words, words}, {vectors, vectors}} {
		if _, err := New(pair[0], pair[1]); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("two sets of one kind: %v", err)
		}
	}
}

func TestFeatureNamesAreDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i, name := range FeatureNames {
		if name == "" || seen[name] {
			t.Errorf("feature %d is named %q", i, name)
		}
		seen[name] = true
	}
	words, vectors := FittedNames(false), FittedNames(true)
	if len(vectors) != featureCount-1 || slices.Contains(vectors, "salience") || !slices.Equal(vectors, append(slices.Clone(words), "cosine", "neighbours_cosine", "block_cosine")) {
		t.Errorf("%d and %d of %d features are fitted", len(words), len(vectors), featureCount)
	}
}

// Other weights give another order, and the answer says by which it was ranked.
func TestOtherWeights(t *testing.T) {
	t.Parallel()
	parsed, err := ParseWeights(weightsFile(t, func(w *Weights) {
		for name := range w.Features {
			w.Features[name] = 0
		}
		w.Features["words"] = -1
	}))
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := BuiltinVectors()
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(parsed, vectors)
	if err != nil {
		t.Fatal(err)
	}
	w := world(t, memory.Episode{Text: "heron"}, memory.Episode{Text: "a heron that stood far away in the water"}, memory.Episode{Text: "the heron again"})
	w.r = r
	a := w.ask("heron")
	if a.Weights != parsed.ID || a.Items[0].Seq != 2 || a.Items[1].Seq != 1 || a.Items[2].Seq != 3 {
		t.Errorf("the lowest first, ties by the log: %q by %s", texts(a), a.Weights)
	}
}

func TestSamples(t *testing.T) {
	t.Parallel()
	w := busy(t)
	for _, question := range busyQuestions {
		q := memory.Query{Question: question, Budget: 100_000, Explain: true}
		if err := q.Resolve(); err != nil {
			t.Fatal(err)
		}
		samples := w.r.Samples(w.space(memory.Known{}), q, today)
		a := w.recall(q)
		if len(samples) < len(a.Items)-5 || len(samples) == 0 { // but for what is pinned only
			t.Errorf("%q: %d samples, %d items", question, len(samples), len(a.Items))
		}
		for _, s := range samples {
			if len(s.Features) != len(FittedNames(false)) {
				t.Fatalf("%q: a sample of %d features", question, len(s.Features))
			}
			at := slices.IndexFunc(a.Items, func(i memory.Item) bool { return i.Seq == s.Seq && i.Part == s.Part })
			if at < 0 || a.Items[at].Explanation.Features == nil {
				continue
			}
			for _, c := range a.Items[at].Explanation.Features {
				if i := slices.Index(FeatureNames[:], c.Feature); i < fitted && round(s.Features[i]) != c.Value {
					t.Errorf("%q: %s of [%d] is %v for fitting and %v for ranking", question, c.Feature, s.Seq, s.Features[i], c.Value)
				}
			}
		}
	}
}
