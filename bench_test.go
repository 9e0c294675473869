package engram_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"engram"
	"engram/embedding"
	"engram/embedding/embeddingtest"
	"engram/memory"
	"engram/store/sqlite"
)

// world makes up a long life: words by Zipf's law, as in real chats, sessions
// of some twenty turns, a dozen speakers, one in five turns Chinese.
type world struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

func newWorld(seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, 1))
	w := &world{random: r, zipf: rand.NewZipf(r, 1.07, 8, 40_000)}
	syllables := strings.Fields("ba co di fu ge ha jo ki la me no pu qui ra se ti vo wa xe yo zu bran clo dri fle gro")
	for range 40_001 {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		w.words = append(w.words, b.String())
	}
	return w
}

func (w *world) text(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = w.words[w.zipf.Uint64()]
	}
	return strings.Join(out, " ")
}

func (w *world) chinese(n int) string {
	out := make([]rune, n)
	for i := range out {
		out[i] = rune(0x4e00 + w.zipf.Uint64()%4000)
	}
	return string(out)
}

func (w *world) episodes(n int) iter.Seq2[memory.Record, error] {
	return func(yield func(memory.Record, error) bool) {
		start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		for i := range n {
			e := &memory.Episode{
				Text: w.text(10 + w.random.IntN(40)), Session: fmt.Sprintf("s%d", i/20), Speaker: fmt.Sprintf("Speaker%d", w.random.IntN(12)),
				Occurred: memory.At(start.Add(time.Duration(i) * 10 * time.Minute)),
			}
			if i%5 == 0 {
				e.Text = w.chinese(20 + w.random.IntN(60))
			}
			if !yield(memory.Record{Body: e}, nil) {
				return
			}
		}
	}
}

func (w *world) question(i int) string {
	if i%5 == 0 {
		return w.chinese(10) + "？"
	}
	return "When did Speaker3 talk about " + w.text(7) + "?"
}

func openDir(tb testing.TB, dir string) *engram.Engine {
	tb.Helper()
	return openDirWith(tb, dir, nil)
}

// openDirWith opens an engine with a model; nil is none.
func openDirWith(tb testing.TB, dir string, model embedding.Embedder) *engram.Engine {
	tb.Helper()
	now := func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	db, err := sqlite.Open(context.Background(), filepath.Join(dir, "memory.db"), sqlite.Options{Now: func() int64 { return now().UnixMicro() }})
	if err != nil {
		tb.Fatal(err)
	}
	engine, err := engram.Open(context.Background(), db, engram.Options{Now: now, Embedder: model})
	if err != nil {
		tb.Fatal(err)
	}
	return engine
}

func mustSpace(tb testing.TB, e *engram.Engine, name string) *engram.Space {
	tb.Helper()
	s, err := e.Space(engram.Scope{Space: name})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func report(b *testing.B, took []time.Duration, name string) {
	b.Helper()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2])/1e6, name+"_p50_ms")
	b.ReportMetric(float64(took[len(took)*95/100])/1e6, name+"_p95_ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkLargeSpace measures import and recall in one space of 100,000
// episodes, by words alone and with vectors of 512 dimensions, but without what
// a model takes.
func BenchmarkLargeSpace(b *testing.B) {
	b.Run("words", func(b *testing.B) { benchmarkLarge(b, nil) })
	b.Run("vectors", func(b *testing.B) { benchmarkLarge(b, &embeddingtest.Fake{Dim: 512}) })
}

func benchmarkLarge(b *testing.B, model embedding.Embedder) {
	const n = 100_000
	ctx, w := context.Background(), newWorld(1)
	engine := openDirWith(b, b.TempDir(), model)
	defer engine.Close()
	space := mustSpace(b, engine, "large")
	start := time.Now()
	if _, err := space.Import(ctx, w.episodes(n), nil); err != nil {
		b.Fatal(err)
	}
	imported := n / time.Since(start).Seconds()
	if _, err := space.Embed(ctx); err != nil {
		b.Fatal(err)
	}
	start = time.Now()
	if _, err := space.Stats(ctx); err != nil {
		b.Fatal(err)
	}
	folded := float64(time.Since(start)) / 1e6
	var took []time.Duration
	b.ResetTimer()
	for i := range max(b.N, 400) {
		q := engram.Query{Question: w.question(i)}
		start := time.Now()
		a, err := space.Recall(ctx, q)
		if err != nil || (a.Model != "") != (model != nil) {
			b.Fatalf("searched by the vectors of %q: %v", a.Model, err)
		}
		took = append(took, time.Since(start))
	}
	report(b, took, "recall")
	b.ReportMetric(imported, "import/s")
	b.ReportMetric(folded, "fold_ms")
}

// BenchmarkCold measures the first recall of a space of 1,000 episodes, from
// opening the store on.
func BenchmarkCold(b *testing.B) {
	ctx, w, dir := context.Background(), newWorld(2), b.TempDir()
	engine := openDir(b, dir)
	if _, err := mustSpace(b, engine, "cold").Import(ctx, w.episodes(1000), nil); err != nil {
		b.Fatal(err)
	}
	if err := engine.Close(); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	b.ResetTimer()
	for i := range max(b.N, 20) {
		start := time.Now()
		engine := openDir(b, dir)
		if _, err := mustSpace(b, engine, "cold").Recall(ctx, engram.Query{Question: w.question(i)}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
		if err := engine.Close(); err != nil {
			b.Fatal(err)
		}
	}
	report(b, took, "first_recall")
}

// BenchmarkRemember16 measures single acknowledged episodes from 16 writers
// beside a raw write and fsync to a file of the same directory.
func BenchmarkRemember16(b *testing.B) {
	ctx, w, dir := context.Background(), newWorld(3), b.TempDir()
	engine := openDir(b, dir)
	defer engine.Close()
	space := mustSpace(b, engine, "busy")
	const writers, each = 16, 100
	texts := make([]string, writers*each)
	for i := range texts {
		texts[i] = w.text(20)
	}
	took := make([]time.Duration, writers*each)
	b.ResetTimer()
	for range b.N {
		var wg sync.WaitGroup
		for k := range writers {
			wg.Go(func() {
				for i := k * each; i < (k+1)*each; i++ {
					start := time.Now()
					if _, err := space.Remember(ctx, engram.Episode{Text: texts[i]}); err != nil {
						b.Error(err)
						return
					}
					took[i] = time.Since(start)
				}
			})
		}
		wg.Wait()
	}
	b.StopTimer()
	report(b, took, "remember")
	report(b, fsyncs(b, dir, 400), "fsync")
}

func fsyncs(b *testing.B, dir string, n int) []time.Duration {
	b.Helper()
	f, err := os.Create(filepath.Join(dir, "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	took, block := make([]time.Duration, n), make([]byte, 4096)
	for i := range took {
		start := time.Now()
		if _, err := f.Write(block); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		took[i] = time.Since(start)
	}
	return took
}
