package reranktest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"engram/rerank"
)

func TestFake(t *testing.T) { Run(t, new(Fake)) }

func TestFakeFails(t *testing.T) {
	t.Parallel()
	f := &Fake{Err: rerank.ErrUnavailable}
	if _, err := f.Rerank(t.Context(), "q", []string{"a"}); !errors.Is(err, rerank.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if got, err := f.Rerank(t.Context(), "q", nil); got != nil || err != nil || f.Calls() != 1 {
		t.Errorf("got %v %v after %d calls", got, err, f.Calls())
	}
}

func TestFakeIsHeld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		f := &Fake{Held: make(chan struct{})}
		if _, err := f.Rerank(ctx, "q", []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}
