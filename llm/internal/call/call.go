// Package call is what models behind HTTP have in common: attempts with a time
// limit and pauses between them, and the reading of what went wrong. It may
// import llm and the standard library only.
package call

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"engram/llm"
)

// The pauses between attempts: the first one, and the longest. A server that
// asks for more than maxAfter is not waited for.
const (
	firstPause = 500 * time.Millisecond
	maxPause   = 30 * time.Second
	maxAfter   = 2 * time.Minute
)

// Defaults of Options.
const (
	defaultTimeout = 5 * time.Minute
	defaultRetries = 5 // 15.5 s of pauses
)

// Options say how a Caller tries.
type Options struct {
	Name        string                                     // of the model, before each error
	Timeout     time.Duration                              // of one attempt; defaults to 5 minutes
	MaxRetries  int                                        // defaults to 5; negative for none
	MaxParallel int                                        // attempts at once; defaults to no limit
	Wait        func(context.Context, time.Duration) error // defaults to Wait
}

// Caller makes calls. It is safe for many goroutines.
type Caller struct {
	o     Options
	slots chan struct{} // nil without limit
}

// New makes a Caller.
func New(o Options) *Caller {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	switch {
	case o.MaxRetries == 0:
		o.MaxRetries = defaultRetries
	case o.MaxRetries < 0:
		o.MaxRetries = 0
	}
	if o.Wait == nil {
		o.Wait = Wait
	}
	c := &Caller{o: o}
	if o.MaxParallel > 0 {
		c.slots = make(chan struct{}, o.MaxParallel)
	}
	return c
}

// Do calls attempt until it succeeds, fails with something other than an Error
// that may be retried, or has failed too often.
func (c *Caller) Do(ctx context.Context, attempt func(context.Context) (llm.Response, error)) (llm.Response, error) {
	for n := 0; ; n++ {
		answer, err := c.once(ctx, attempt)
		if err == nil {
			return answer, nil
		}
		var fault *Error
		if ctx.Err() == nil && n < c.o.MaxRetries && errors.As(err, &fault) && fault.retry() {
			if err = c.o.Wait(ctx, pause(n, fault.After)); err == nil {
				continue
			}
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return llm.Response{}, fmt.Errorf("ask %s: %w", c.o.Name, err)
	}
}

// once is one attempt. A slot is held for its time alone, so that a call that
// pauses holds up no others.
func (c *Caller) once(ctx context.Context, attempt func(context.Context) (llm.Response, error)) (llm.Response, error) {
	if c.slots != nil {
		select {
		case c.slots <- struct{}{}:
			defer func() { <-c.slots }()
		case <-ctx.Done():
			return llm.Response{}, ctx.Err()
		}
	}
	limited, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	answer, err := attempt(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return llm.Response{}, &Error{Kind: llm.ErrUnavailable, Detail: fmt.Sprintf("no answer within %v", c.o.Timeout)}
	}
	return answer, err
}

// pause is the time before the retry n: twice as long each time, and not
// shorter than the server asks for.
func pause(n int, after time.Duration) time.Duration {
	d := maxPause
	if n < 6 { // 500 ms · 2⁶ is beyond maxPause
		d = min(d, firstPause<<n)
	}
	return max(d, after)
}

// Wait waits for d and up to a quarter more, so that many who failed together
// do not come back together, or until the context ends, whose error it gives.
func Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d + rand.N(d/4+1)) //nolint:gosec // spreads load, keeps no secret
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
