package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

func embed(t testing.TB, e *Encoder, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != len(texts) {
		t.Fatalf("%d texts have %d vectors", len(texts), len(vectors))
	}
	return vectors
}

func TestAVectorDoesNotDependOnItsNeighbours(t *testing.T) {
	t.Parallel()
	all := goldenTexts(t)[240:332] // some long ones at the end
	one, four := setup(t, Options{Threads: 1}), setup(t, Options{Threads: 4})
	want := embed(t, one, all...)
	r := rand.New(rand.NewPCG(1, 2))
	for _, e := range []*Encoder{one, four} {
		for range 2 {
			order := r.Perm(len(all))[:r.IntN(len(all))+1]
			texts := make([]string, len(order))
			for i, at := range order {
				texts[i] = all[at]
			}
			for i, v := range embed(t, e, texts...) {
				if !slices.Equal(v, want[order[i]]) {
					t.Fatalf("%.60q has another vector among %d texts, with %d threads", texts[i], len(texts), e.threads)
				}
			}
		}
		for i := 0; i < len(all); i += 7 {
			if v := embed(t, e, all[i]); !slices.Equal(v[0], want[i]) {
				t.Fatalf("%.60q has another vector alone, with %d threads", all[i], e.threads)
			}
		}
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	e := setup(t, Options{Threads: 2})
	texts := goldenTexts(t)[:40]
	want := embed(t, e, texts...)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j, v := range embed(t, e, texts[i:i+20]...) {
				if !slices.Equal(v, want[i+j]) {
					t.Errorf("%.60q has another vector while others are encoded", texts[i+j])
				}
			}
		})
	}
	wg.Wait()
}

func TestTextsWithoutCharactersHaveZeros(t *testing.T) {
	t.Parallel()
	e := setup(t, Options{})
	for i, v := range embed(t, e, "", " \n\t", "\u200b", "a", "\xff") {
		if zero := slices.Max(v) == 0 && slices.Min(v) == 0; zero != (i < 3) || len(v) != e.Dim() {
			t.Errorf("text %d: %d dimensions, all zero: %v", i, len(v), zero)
		}
	}
	if got := embed(t, e); len(got) != 0 {
		t.Errorf("no texts have %d vectors", len(got))
	}
}

func TestAContextThatEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := setup(t, Options{}).Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that of the context", err)
	}
}

// The sentences are the same twenty in all languages: the nearest in another
// language should be the translation.
func TestTranslationsAreNear(t *testing.T) {
	t.Parallel()
	e := setup(t, Options{})
	all := sentences(t)
	var texts []string
	for _, s := range all {
		texts = append(texts, s.text)
	}
	const perLanguage = 20
	vectors := embed(t, e, texts...)
	for first := perLanguage; first < len(all); first += perLanguage {
		hits := 0
		for i := range perLanguage {
			nearest, best := 0, -1.0
			for j := range perLanguage {
				if c := cosine(vectors[first+i], vectors[j]); c > best {
					nearest, best = j, c
				}
			}
			if nearest == i {
				hits++
			}
		}
		if hits < perLanguage-2 {
			t.Errorf("%s: the English sentence is the nearest of %d of %d", all[first].language, hits, perLanguage)
		}
	}
}

func FuzzEncode(f *testing.F) {
	e := setup(f, Options{Threads: 1})
	for _, text := range []string{"", "a b", "\xff", "ｶﾞ①  ", "extra_token_id_1", strings.Repeat("長い", 300)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids := e.tokens.encode(text)
		if ids[0] != beginID || ids[len(ids)-1] != endID {
			t.Fatalf("%q has the ids %v", text, ids)
		}
		embed(t, e, text)
	})
}

func BenchmarkEmbed(b *testing.B) {
	e := setup(b, Options{Threads: 1})
	texts := goldenTexts(b)[:64]
	work := e.Work(texts)
	for _, size := range []int{64, 1} {
		b.Run(fmt.Sprintf("%s/batch=%d", e.Kernel(), size), func(b *testing.B) {
			for b.Loop() {
				for part := range slices.Chunk(texts, size) {
					embed(b, e, part...)
				}
			}
			seconds := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(len(texts))/seconds, "texts/s")
			b.ReportMetric(float64(work.Tokens)/seconds, "tokens/s")
			b.ReportMetric(work.Flop/seconds/1e9, "GFLOP/s")
		})
	}
}

func BenchmarkTokenize(b *testing.B) {
	e := setup(b, Options{Threads: 1})
	text := strings.Join(goldenTexts(b), " ")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e.tokens.encode(text)
	}
}

func BenchmarkLoad(b *testing.B) {
	setup(b, Options{})
	for b.Loop() {
		setup(b, Options{})
	}
}
