package rules_test

import (
	"reflect"
	"testing"

	"engram/consolidate/rules"
)

// The same turns give the same assertions, by whatever extractor of the tables.
func TestDeterministic(t *testing.T) {
	a, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	b, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	if a.Version() != b.Version() || a.Name() != "rules" {
		t.Errorf("%s %s and %s %s", a.Name(), a.Version(), b.Name(), b.Version())
	}
	for _, l := range loadSentences(t) {
		x, y := read(t, a, l.episodes()), read(t, b, l.episodes())
		if !reflect.DeepEqual(x, y) {
			t.Errorf("%s: %+v and %+v", l.ID, x, y)
		}
	}
}
