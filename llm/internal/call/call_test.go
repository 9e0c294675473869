package call

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"engram/llm"
)

func TestDoTriesAgainAfterATimeout(t *testing.T) {
	t.Parallel()
	waits := 0
	c := New(Options{Name: "fake", Timeout: time.Millisecond, Wait: func(context.Context, time.Duration) error {
		waits++
		return nil
	}})
	got, err := c.Do(t.Context(), func(ctx context.Context) (llm.Response, error) {
		if waits < 2 {
			<-ctx.Done()
			return llm.Response{}, ctx.Err()
		}
		return llm.Response{Text: "at last"}, nil
	})
	if err != nil || got.Text != "at last" || waits != 2 {
		t.Errorf("got %+v, %v after %d waits", got, err, waits)
	}
}

func TestDoKeepsToItsSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{Name: "fake", MaxParallel: 2})
		var begun atomic.Int32
		held := make(chan struct{})
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				_, err := c.Do(t.Context(), func(context.Context) (llm.Response, error) {
					begun.Add(1)
					<-held
					return llm.Response{}, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if n := begun.Load(); n != 2 {
			t.Errorf("%d attempts at once, want 2", n)
		}
		close(held)
		all.Wait()
		if n := begun.Load(); n != 5 {
			t.Errorf("%d attempts, want 5", n)
		}
	})
}

// TestDoPausesWithoutSlot has a call that pauses for long; another one takes
// its slot meanwhile.
func TestDoPausesWithoutSlot(t *testing.T) {
	t.Parallel()
	fail := func(context.Context) (llm.Response, error) {
		return llm.Response{}, &Error{Kind: llm.ErrUnavailable}
	}
	var c *Caller
	c = New(Options{Name: "fake", MaxParallel: 1, MaxRetries: 1, Wait: func(ctx context.Context, _ time.Duration) error {
		_, err := c.Do(ctx, func(context.Context) (llm.Response, error) { return llm.Response{}, nil })
		return err
	}})
	if _, err := c.Do(t.Context(), fail); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := Wait(t.Context(), 0); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	const date, later = "Mon, 02 Jan 2023 15:04:05 GMT", "Mon, 02 Jan 2023 15:05:05 GMT"
	for _, c := range []struct {
		ms, after, date string
		want            time.Duration
	}{
		{"", "", "", 0},
		{"", "1.5", "", 1500 * time.Millisecond},
		{"250", "9", "", 250 * time.Millisecond},
		{"", later, date, time.Minute},
		{"", date, later, 0},
		{"", later, "", 0},
		{"", "-1", "", 0},
		{"", "soon", date, 0},
		{"", "NaN", "", 0},
		{"", "1e300", "", 2 * maxAfter},
	} {
		h := http.Header{"Retry-After-Ms": {c.ms}, "Retry-After": {c.after}, "Date": {c.date}}
		if got := retryAfter(h); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

func TestFromEvent(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]error{
		`{"error": {"type": "BadRequestError", "code": 400}}`:        llm.ErrRejected,
		`{"error": {"type": "server_error", "code": null}}`:          llm.ErrUnavailable,
		`{"error": {"code": "rate_limit_exceeded"}}`:                 llm.ErrLimited,
		`{"error": {"type": "requests", "code": "429"}}`:             llm.ErrLimited,
		`{"error": {"type": "authentication_error", "message": ""}}`: llm.ErrRejected,
		`{"error": "no more memory"}`:                                llm.ErrUnavailable,
		`broken`:                                                     llm.ErrUnavailable,
	} {
		if err := FromEvent([]byte(data)); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", data, err, want)
		}
	}
}

func TestUnsupported(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"error": {"message": "Unknown parameter: 'seed'.", "param": "seed"}}`:                              true,
		`{"error": "unknown field seed"}`:                                                                    true,
		`{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": "a"}]}`:     true,
		`{"error": {"message": "Unknown parameter: 'seed'.", "param": "other"}}`:                             false,
		`{"error": {"message": "Unknown parameter: 'seeds'."}}`:                                              false,
		`{"error": {"message": "seed is too large", "param": "seed"}}`:                                       false,
		`{"detail": [{"loc": ["body", "n"], "msg": "Extra inputs are not permitted", "input": "the seed"}]}`: false,
	} {
		f := &Error{Kind: llm.ErrRejected, status: http.StatusUnprocessableEntity}
		f.describe([]byte(body))
		if got := f.Unsupported("seed"); got != want {
			t.Errorf("%s: got %v", body, got)
		}
		f.status = http.StatusUnauthorized
		if f.Unsupported("seed") {
			t.Errorf("%s: at 401 too", body)
		}
	}
}
