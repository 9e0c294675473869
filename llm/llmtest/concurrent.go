package llmtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"engram/llm"
)

// cancelled asks with a context that ends meanwhile, and wants
// its error alone.
func (w *world) cancelled(ctx context.Context, m llm.Model) {
	w.Helper()
	_, err := m.Complete(ctx, ask(prompt))
	if !errors.Is(err, context.Canceled) {
		w.Errorf("got %v, want %v", err, context.Canceled)
	}
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			w.Errorf("got %v, which is also %v", err, kind)
		}
	}
}

func testCancelled(w *world) {
	ctx, cancel := context.WithCancel(w.ctx)
	m := w.serve(func(Asked) Reply {
		cancel()
		return Reply{Text: "never ends", Hang: true}
	})
	w.cancelled(ctx, m)
	w.check(1)
	w.cancelled(ctx, m) // again, when it has long ended
	w.check(1)
}

func testCancelledWaiting(w *world) {
	ctx, cancel := context.WithCancel(w.ctx)
	m := w.serveWith(Setup{Wait: func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	}}, limited(9, nil))
	w.cancelled(ctx, m)
	w.check(1)
}

// testAtOnce wants that each of many gets its own answer.
func testAtOnce(w *world) {
	m := w.serve(func(a Asked) Reply {
		if a.N%3 == 0 {
			return Reply{Status: 503}
		}
		return Reply{Text: a.Request.Messages[0].Text}
	})
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			text := fmt.Sprintf("number %d", i)
			if got, err := m.Complete(w.ctx, ask(text)); err != nil && !errors.Is(err, llm.ErrUnavailable) || err == nil && got.Text != text {
				w.Errorf("got %+v, %v, want %q", got, err, text)
			}
		})
	}
	all.Wait()
}

// testParallel wants no more requests at once than are allowed. The server
// holds the first ones until as many as are allowed have come.
func testParallel(w *world) {
	const allowed, calls = 2, 8
	var now, most atomic.Int32
	held := make(chan struct{})
	m := w.serveWith(Setup{MaxParallel: allowed}, func(Asked) Reply {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == allowed {
			select {
			case <-held:
			default:
				close(held)
			}
		}
		<-held
		return Reply{}
	})
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			if _, err := m.Complete(w.ctx, ask(prompt)); err != nil {
				w.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() != allowed {
		w.Errorf("%d requests at once, want %d", most.Load(), allowed)
	}
}
