package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"engram/memory"
	"engram/store"
)

// benchText is of the length of a usual turn in a conversation.
var benchText = strings.Repeat("word ", 40)

func benchStore(b *testing.B) *Store {
	b.Helper()
	var now atomic.Int64
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "engram.db"), Options{Now: func() int64 { return now.Add(1) }})
	must(b, err)
	b.Cleanup(func() { must(b, s.Close()) })
	return s
}

func benchRecords(n int) []memory.Record {
	records := make([]memory.Record, n)
	for i := range records {
		records[i] = memory.Record{ID: memory.ID{6: 0x70, 15: 1}, Body: &memory.Episode{Text: benchText, Session: "s", Speaker: "ann"}}
	}
	return records
}

// percentile is in milliseconds.
func percentile(d []time.Duration, p int) float64 {
	slices.Sort(d)
	return float64(d[len(d)*p/100].Microseconds()) / 1000
}

// BenchmarkAppend16Writers compares the time of a durable append of one
// record, among 16 writers, with that of one write and fsync of a page.
func BenchmarkAppend16Writers(b *testing.B) {
	const writers, chunk = 16, 512
	s := benchStore(b)
	took := make([][]time.Duration, writers)
	var raw []time.Duration
	for done := 0; done < b.N; done += chunk {
		var wg sync.WaitGroup
		for i := range writers {
			scope := memory.Scope{Tenant: "acme", Space: fmt.Sprint(i % 4)}
			records := benchRecords(1)
			wg.Go(func() {
				for range chunk / writers {
					start := time.Now()
					if _, err := s.Append(b.Context(), store.Batch{Scope: scope, Records: records}); err != nil {
						b.Error(err)
						return
					}
					took[i] = append(took[i], time.Since(start))
				}
			})
		}
		wg.Wait()
		b.StopTimer() // in turns, because other work on the machine disturbs both
		raw = append(raw, syncs(b, 50)...)
		b.StartTimer()
	}
	all := slices.Concat(took...)
	b.ReportMetric(percentile(all, 50), "append-p50-ms")
	b.ReportMetric(percentile(all, 95), "append-p95-ms")
	b.ReportMetric(percentile(raw, 50), "fsync-p50-ms")
	b.ReportMetric(percentile(raw, 95), "fsync-p95-ms")
}

// syncs times writes of one page with an fsync.
func syncs(b *testing.B, n int) []time.Duration {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	must(b, err)
	defer func() { must(b, f.Close()) }()
	page := make([]byte, 4096)
	took := make([]time.Duration, n)
	for i := range took {
		start := time.Now()
		_, err := f.Write(page)
		must(b, err)
		must(b, f.Sync())
		took[i] = time.Since(start)
	}
	return took
}

func BenchmarkAppendBatch1000(b *testing.B) {
	s := benchStore(b)
	records := benchRecords(1000)
	for b.Loop() {
		_, err := s.Append(b.Context(), store.Batch{Scope: killSpace, Records: records})
		must(b, err)
	}
	b.ReportMetric(float64(b.N*len(records))/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkAppendBatch1000Keyed(b *testing.B) {
	s := benchStore(b)
	records := benchRecords(1000)
	key := 0
	for b.Loop() {
		for i := range records {
			key++
			records[i].IDKey = fmt.Sprint("key", key)
		}
		_, err := s.Append(b.Context(), store.Batch{Scope: killSpace, Records: records})
		must(b, err)
	}
	b.ReportMetric(float64(b.N*len(records))/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkReadNothingNew(b *testing.B) {
	s := benchStore(b)
	ack, err := s.Append(b.Context(), store.Batch{Scope: killSpace, Records: benchRecords(1000)})
	must(b, err)
	for b.Loop() {
		_, _, err := s.Read(b.Context(), killSpace, ack.Head.Position, 1000)
		must(b, err)
	}
}

func BenchmarkRead1000(b *testing.B) {
	s := benchStore(b)
	_, err := s.Append(b.Context(), store.Batch{Scope: killSpace, Records: benchRecords(1000)})
	must(b, err)
	for b.Loop() {
		_, records, err := s.Read(b.Context(), killSpace, memory.Position{}, 1000)
		must(b, err)
		if len(records) != 1000 {
			b.Fatal(len(records))
		}
	}
	b.ReportMetric(float64(b.N*1000)/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkVectors puts and reads vectors of 512 numbers, in batches of 64.
func BenchmarkVectors(b *testing.B) {
	const batch, batches = 64, 100
	s := benchStore(b)
	scope := memory.Scope{Tenant: "acme", Space: "home"}
	ack, err := s.Append(b.Context(), store.Batch{Scope: scope, Records: benchRecords(batch * batches)})
	must(b, err)
	put := func(n int) {
		v := store.VectorBatch{Scope: scope, Model: "use", Dim: 512, Through: ack.Refs[n%batches*batch].Seq}
		for _, ref := range ack.Refs[n%batches*batch:][:batch] {
			v.Vectors = append(v.Vectors, store.Vector{Seq: ref.Seq, Data: make([]byte, 516)})
		}
		_, err := s.PutVectors(b.Context(), v)
		must(b, err)
	}
	for n := range batches {
		put(n)
	}
	b.Run("put", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			put(n)
		}
		b.ReportMetric(float64(b.N*batch)/b.Elapsed().Seconds(), "vectors/s")
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			_, list, err := s.Vectors(b.Context(), scope, "use", 0, batch*batches)
			must(b, err)
			if len(list) != batch*batches {
				b.Fatalf("read %d", len(list))
			}
		}
		b.ReportMetric(float64(b.N*batch*batches)/b.Elapsed().Seconds(), "vectors/s")
	})
}
