package embeddingtest

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

func cosine(a, b []float32) float64 {
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		ab += float64(a[i] * b[i])
		aa += float64(a[i] * a[i])
		bb += float64(b[i] * b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestFake(t *testing.T) {
	t.Parallel()
	f := &Fake{Same: [][]string{{"dog", "hound"}}}
	v, err := f.Embed(t.Context(), []string{"A big DOG!", "a big hound", "the rent is due", "…"})
	if err != nil {
		t.Fatal(err)
	}
	if same, other := cosine(v[0], v[1]), cosine(v[0], v[2]); same < 0.999 || other > 0.5 {
		t.Errorf("cosines %.2f and %.2f, want 1 and little", same, other)
	}
	if slices.ContainsFunc(v[3], func(x float32) bool { return x != 0 }) {
		t.Error("a text without words has a direction")
	}
	if calls, texts := f.Calls(); calls != 1 || texts != 4 || f.Name() != "fake" {
		t.Errorf("%d calls with %d texts of %s", calls, texts, f.Name())
	}
}

func TestFakeMisbehaves(t *testing.T) {
	t.Parallel()
	bad := errors.New("no")
	if _, err := (&Fake{Err: bad}).Embed(t.Context(), nil); !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
	picky := &Fake{Refuses: func(text string) error {
		if text == "b" {
			return bad
		}
		return nil
	}}
	if _, err := picky.Embed(t.Context(), []string{"a", "b"}); !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
	if v, err := (&Fake{Short: true}).Embed(t.Context(), []string{"a", "b"}); err != nil || len(v) != 1 {
		t.Errorf("got %d vectors, %v", len(v), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&Fake{Held: make(chan struct{})}).Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
