package eval

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestRecallAndNDCG(t *testing.T) {
	t.Parallel()
	second, third := 1/math.Log2(3), 1/math.Log2(4)
	for _, tt := range []struct {
		ranked, evidence string
		k                int
		recall, ndcg     float64
	}{
		{"a b c d", "a", 5, 1, 1},
		{"a b c d", "b", 1, 0, 0},
		{"a b c d", "b", 2, 1, second},
		{"a b c d", "c x", 3, 0.5, third / (1 + second)},
		{"a b c d", "a b", 1, 0.5, 1}, // no more than one fits
		{"a a b", "a b", 2, 0.5, 1 / (1 + second)},
		{"", "a", 5, 0, 0},
		{"a", "", 5, 0, 0},
	} {
		ranked, evidence := strings.Fields(tt.ranked), strings.Fields(tt.evidence)
		if got := RecallAt(ranked, evidence, tt.k); !near(got, tt.recall) {
			t.Errorf("recall@%d of %q in %q is %v, want %v", tt.k, tt.evidence, tt.ranked, got, tt.recall)
		}
		if got := NDCGAt(ranked, evidence, tt.k); !near(got, tt.ndcg) {
			t.Errorf("NDCG@%d of %q in %q is %v, want %v", tt.k, tt.evidence, tt.ranked, got, tt.ndcg)
		}
	}
}

func TestSessionRecall(t *testing.T) {
	t.Parallel()
	session := func(unit string) string { return unit[:1] }
	ranked := strings.Fields("a1 a2 b1 a3 c1")
	if diff := cmp.Diff([]string{"a", "b", "c"}, Distinct(ranked, session)); diff != "" {
		t.Error(diff)
	}
	for k, want := range map[int]float64{1: 0, 2: 0.5, 3: 1} {
		if got := SessionRecallAt(ranked, []string{"b9", "c1", "c2"}, session, k); !near(got, want) {
			t.Errorf("@%d: %v, want %v", k, got, want)
		}
	}
}

func TestMeanAndPercentile(t *testing.T) {
	t.Parallel()
	values := []float64{4, 1, 3, 2}
	if Mean(values) != 2.5 || Percentile(values, 0.5) != 2 || Percentile(values, 0.95) != 4 || Percentile(values, 0) != 1 {
		t.Errorf("mean %v, median %v, p95 %v, p0 %v", Mean(values), Percentile(values, 0.5), Percentile(values, 0.95), Percentile(values, 0))
	}
	if values[0] != 4 {
		t.Error("the values were sorted in place")
	}
	if !math.IsNaN(Mean(nil)) || !math.IsNaN(Percentile(nil, 0.5)) {
		t.Error("the mean and median of nothing are numbers")
	}
}
