package storetest

import (
	"fmt"
	"strings"
	"sync"

	"engram/memory"
	"engram/store"
)

// testWriters lets many goroutines write to several spaces through two
// handles, while others read: every record is there once, in the order of its
// writer, and the places have no gaps.
func testWriters(w *world) {
	handles := []store.Store{w.s, w.open()}
	const writers, batches = 12, 15
	scopes := []memory.Scope{home, other, {Tenant: "zeta", Space: "home"}}
	stop := make(chan struct{})
	var reading, writing sync.WaitGroup
	for _, h := range handles {
		reading.Go(func() { w.follow(h, home, stop) })
	}
	for i := range writers {
		writing.Go(func() {
			n := 0
			for b := range batches {
				records := make([]memory.Record, 1+b%3)
				for k := range records {
					records[k] = w.episode(fmt.Sprintf("%d:%d", i, n))
					n++
				}
				if _, err := handles[i%2].Append(w.ctx, store.Batch{Scope: scopes[i%3], Records: records}); err != nil {
					w.Error(err)
					return
				}
			}
		})
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	for _, s := range scopes {
		_, records := w.read(w.s, s)
		if want := writers / 3 * batches * 2; len(records) != want {
			w.Errorf("%s has %d records, want %d", s, len(records), want)
		}
		w.wantOrder(records)
	}
	w.wantSound(w.s)
}

// follow reads what comes new, and checks that no place is left out.
func (w *world) follow(s store.Store, scope memory.Scope, stop <-chan struct{}) {
	var at memory.Position
	for {
		select {
		case <-stop:
			return
		default:
		}
		head, records, err := s.Read(w.ctx, scope, at, 7)
		if err != nil {
			w.Error(err)
			return
		}
		for _, r := range records {
			if at.Seq++; r.Seq != at.Seq {
				w.Errorf("read place %d, want %d", r.Seq, at.Seq)
				return
			}
		}
		if head.Seq < at.Seq {
			w.Errorf("the head %d is behind its records (%d)", head.Seq, at.Seq)
			return
		}
	}
}

// wantOrder expects places without gaps and texts "writer:number" that count
// up for each writer.
func (w *world) wantOrder(records []memory.Record) {
	w.Helper()
	next := make(map[string]int)
	for i, r := range records {
		writer, number, _ := strings.Cut(r.Body.(*memory.Episode).Text, ":")
		if r.Seq != memory.Seq(i+1) || number != fmt.Sprint(next[writer]) {
			w.Errorf("place %d holds %s:%s, want number %d", r.Seq, writer, number, next[writer])
			return
		}
		next[writer]++
	}
}
