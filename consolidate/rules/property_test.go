package rules_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"engram/consolidate/rules"
	"engram/memory"
)

// Whatever is said: what is found is valid, and its values are no sentences.
func TestAnyText(t *testing.T) {
	t.Parallel()
	r, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, l := range loadSentences(t) {
		words = append(words, strings.Fields(l.Text)...)
	}
	words = append(words, "my", "is", "not", ",", "?", "\"", "“", "Éa", "\u0301", "我", "的", "=", ": ", "(", "-")
	at := time.Date(2025, 5, 3, 12, 0, 0, 0, time.UTC)
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 30).Draw(rt, "words"), rapid.SampledFrom([]string{" ", ""}).Draw(rt, "between"))
		source := rapid.SampledFrom([]string{"user", "tool", "web"}).Draw(rt, "source")
		for _, a := range read(t, r, []*memory.Episode{episode(source, "", text, at)}) {
			if err := a.Validate(); err != nil {
				rt.Fatalf("%q: %+v: %v", text, a, err)
			}
			if utf8.RuneCountInString(a.Object) > 80 || string(a.Source) != source {
				rt.Fatalf("%q: %+v", text, a)
			}
			for _, p := range a.Provenance {
				if p.End > len(text) || !utf8.ValidString(text[p.Start:p.End]) {
					rt.Fatalf("%q: %+v", text, a)
				}
			}
		}
	})
}
