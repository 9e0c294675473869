package tune

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"engram/eval"
	"engram/memory"
	"engram/recall"
)

func TestPrinter(t *testing.T) {
	t.Parallel()
	sum := func(texts ...string) string {
		var p Printer
		for _, s := range texts {
			p.Add(s)
		}
		return p.Sum()
	}
	want := sha256.Sum256([]byte("one\x00two\x00"))
	if got := sum("one", "two"); got != hex.EncodeToString(want[:]) {
		t.Errorf("%s", got)
	}
	seen := map[string]bool{}
	for _, texts := range [][]string{nil, {""}, {"", ""}, {"one", "two"}, {"two", "one"}, {"onetwo"}, {"one", "two", "three"}} {
		if s := sum(texts...); seen[s] {
			t.Errorf("%q has the fingerprint of another case", texts)
		} else {
			seen[s] = true
		}
	}
	var p Printer
	p.Add("one")
	_ = p.Sum() // looking changes nothing
	p.Add("two")
	if p.Sum() != sum("one", "two") {
		t.Error("a look in between changes the fingerprint")
	}
}

// The program has held-out weights for every case that its own weights have
// seen: a run on these data is never in fold.
func TestBuiltinWeightsAreNeverInFold(t *testing.T) {
	t.Parallel()
	words := builtinWeights(t)
	vectors, err := recall.BuiltinVectors()
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*recall.Weights{"words": words, "vectors": &vectors} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			neverInFold(t, w)
		})
	}
	of, err := HeldOut(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := of(words.Provenance.Sets[0].Prints[0]); got == nil || got.UsesVectors() {
		t.Error("nil weights are not those for words")
	}
}

func neverInFold(t *testing.T, w *recall.Weights) {
	t.Helper()
	of, err := HeldOut(w)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, s := range w.Provenance.Sets {
		if len(s.Prints) != s.Cases || len(s.Data) == 0 || w.Provenance.Scores[s.Name].OutOfFold["recall@10"] == 0 {
			t.Errorf("%s: %d fingerprints of %d cases", s.Name, len(s.Prints), s.Cases)
		}
		for _, print := range s.Prints {
			cases++
			if got, fit := of(print); fit != eval.HeldOut || got == nil || got.ID == w.ID || got.UsesVectors() != w.UsesVectors() {
				t.Errorf("%s of %s is %q", print, s.Name, fit)
			}
		}
	}
	if held, err := Builtin(w.UsesVectors()); err != nil || held.Weights != w.ID || len(held.Cases) != cases || cases == 0 {
		t.Errorf("the weights and the held-out ones are not of one fit: %v", err)
	}
	if got, fit := of("another"); got != nil || fit != eval.Unseen {
		t.Errorf("what was never seen is %q", fit)
	}
}

func TestHeldOutOfOtherWeights(t *testing.T) {
	t.Parallel()
	builtin := builtinWeights(t)
	print := builtin.Provenance.Sets[0].Prints[0]
	forged := *builtin
	forged.Provenance = &recall.Provenance{} // "they saw nothing"
	of, err := HeldOut(&forged)
	if err != nil {
		t.Fatal(err)
	}
	if _, fit := of(print); fit != eval.HeldOut {
		t.Errorf("the built-in weights under another provenance: %q", fit)
	}
	own := recall.Weights{Version: recall.WeightsVersion, Features: map[string]float64{}, Verdict: builtin.Verdict, Provenance: builtin.Provenance}
	for _, name := range recall.FittedNames(false) {
		own.Features[name] = 1
	}
	if err := own.Complete(); err != nil {
		t.Fatal(err)
	}
	if of, err = HeldOut(&own); err != nil {
		t.Fatal(err)
	}
	if got, fit := of(print); got != nil || fit != eval.InFold {
		t.Errorf("weights that saw the case, without held-out ones: %q", fit)
	}
	own.Provenance = nil
	if _, fit := of(print); fit != eval.InFold {
		t.Errorf("weights that do not say what they saw: %q", fit)
	}
	own.Provenance = &recall.Provenance{}
	if _, fit := of(print); fit != eval.Unseen {
		t.Errorf("weights that saw nothing: %q", fit)
	}
}

func TestParseHeldRefuses(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"", "[]", "{}", `{"weights":"a","cases":{"b":{"version":1}}}`} {
		if _, err := ParseHeld([]byte(file)); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v", file, err)
		}
	}
}
