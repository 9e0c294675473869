package tune

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
)

// bench is a benchmark of cases without turns.
func bench(name string, cases ...string) *Bench {
	b := &Bench{Name: name}
	for _, c := range cases {
		b.Cases = append(b.Cases, Told{Case: eval.Case{Name: c}})
	}
	return b
}

func TestFolds(t *testing.T) {
	t.Parallel()
	l, b := bench("l", "1", "2"), bench("b", "1")
	groups := []Group{{Set: "l", Case: "1"}, {Set: "l", Case: "2"}, {Set: "b", Case: "1"}, {Set: "l", Case: "1"}}

	got := map[string][]string{}
	for _, f := range append(LeaveOneCaseOut(l, b), LeaveOneBenchmarkOut(l, b)...) {
		var train []string
		for _, g := range f.Train(groups) {
			train = append(train, g.Set+g.Case)
		}
		got[f.String()] = train
	}
	want := map[string][]string{
		"l/1": {"l2", "b1"},
		"l/2": {"l1", "b1", "l1"},
		"b/1": {"l1", "l2", "l1"},
		"l":   {"b1"},
		"b":   {"l1", "l2", "l1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if train := (Fold{}).Train(groups); len(train) != len(groups) {
		t.Errorf("the zero fold leaves %d of %d groups", len(train), len(groups))
	}
}
