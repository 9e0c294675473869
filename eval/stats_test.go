package eval

import (
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	t.Parallel()
	// 8 of 10: [0.4902, 0.9433], as in Newcombe, Statistics in Medicine 17 (1998).
	if got := Wilson(8, 10); math.Abs(got.Low-0.4902) > 1e-4 || math.Abs(got.High-0.9433) > 1e-4 {
		t.Errorf("8 of 10: %+v", got)
	}
	for _, hits := range []int{0, 5} {
		if got := Wilson(hits, 5); got.Low < 0 || got.High > 1 || got.Low >= got.High {
			t.Errorf("%d of 5: %+v", hits, got)
		}
	}
	for n := 1; n <= 2000; n++ {
		if all, none := Wilson(n, n), Wilson(0, n); all.High != 1 || none.Low != 0 {
			t.Fatalf("%d of %d ends at %v, and 0 begins at %v", n, n, all.High, none.Low)
		}
	}
	if got := Wilson(0, 0); got != (Interval95{0, 1}) {
		t.Errorf("0 of 0: %+v", got)
	}
}

func TestPairedBootstrap(t *testing.T) {
	t.Parallel()
	a, b := make([]float64, 200), make([]float64, 200)
	for i := range a {
		a[i], b[i] = float64(i%2), float64(i%3%2)
	}
	mean, got := PairedBootstrap(a, b, 1)
	if !near(mean, Mean(a)-Mean(b)) || got.Low >= mean || got.High <= mean || got.Low < mean-0.2 || got.High > mean+0.2 {
		t.Errorf("mean %v, interval %+v", mean, got)
	}
	if _, again := PairedBootstrap(a, b, 1); again != got {
		t.Errorf("the same seed gave %+v and %+v", got, again)
	}
	if mean, none := PairedBootstrap(a, a, 1); mean != 0 || none != (Interval95{}) {
		t.Errorf("of no difference: %v, %+v", mean, none)
	}
}

func TestExactTests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		plus, minus int
		want        float64
	}{
		{0, 0, 1},
		{1, 0, 1},
		{5, 5, 1},
		{9, 1, 22.0 / 1024},            // 2 (1 + 10) / 2^10
		{5, 12, 2 * 9402.0 / 131072},   // 2 (1 + 17 + 136 + 680 + 2380 + 6188) / 2^17
		{82, 0, math.Ldexp(1, -81)},    // Arbuthnot's 82 years, Phil. Trans. 27 (1710)
		{800, 800, 1},                  // far from what factorials can hold
		{0, 1000, math.Ldexp(1, -999)}, // the same
	} {
		for _, got := range []float64{SignTest(tt.plus, tt.minus), SignTest(tt.minus, tt.plus), McNemar(tt.plus, tt.minus)} {
			if math.Abs(got-tt.want) > 1e-9*tt.want {
				t.Errorf("%d against %d: p = %v, want %v", tt.plus, tt.minus, got, tt.want)
			}
		}
	}
}

func TestAUROC(t *testing.T) {
	t.Parallel()
	rating := func(counts ...int) []float64 {
		var list []float64
		for i, n := range counts {
			for range n {
				list = append(list, float64(i+1))
			}
		}
		return list
	}
	for _, tt := range []struct {
		name               string
		positive, negative []float64
		want               float64
	}{
		{"apart", []float64{3, 4}, []float64{1, 2}, 1},
		{"the wrong way", []float64{1, 2}, []float64{3, 4}, 0},
		{"ties only", []float64{1, 1}, []float64{1}, 0.5},
		{"one pair of four wrong", []float64{2, 4}, []float64{1, 3}, 0.75},
		{"without bounds", []float64{math.Inf(1), math.Inf(-1)}, []float64{0}, 0.5},
		// Table 1 of Hanley and McNeil: ratings of 51 abnormal and 58 normal images, 0.893.
		{"Hanley and McNeil", rating(3, 2, 2, 11, 33), rating(33, 6, 6, 11, 2), 0.893},
	} {
		if got := AUROC(tt.positive, tt.negative); math.Abs(got-tt.want) > 5e-4 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if got := AUROC(nil, []float64{1}); !math.IsNaN(got) {
		t.Errorf("without positives it is %v", got)
	}
}

func TestBootstrap(t *testing.T) {
	t.Parallel()
	values := []float64{0, 0.5, 1, 0.25, 0.75, 0.5}
	got := Bootstrap(values, 7)
	if got.Low >= 0.5 || got.High <= 0.5 || got.Low < 0 || got.High > 1 {
		t.Errorf("the interval of a mean of 0.5 is %+v", got)
	}
	if again := Bootstrap(values, 7); again != got {
		t.Errorf("the same seed gave %+v and %+v", got, again)
	}
	if none := Bootstrap(nil, 1); !math.IsNaN(none.Low) || !math.IsNaN(none.High) {
		t.Errorf("of nothing: %+v", none)
	}
}
