package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"engram"
)

// Bitemporal says what to measure of facts on two axes. The zero value measures
// the bar of both languages.
type Bitemporal struct {
	Worlds  int    // of each language. Defaults to 200
	Points  int    // of each language, spread over its worlds. Defaults to 20,000
	Seed    uint64 // of the worlds and the points
	Langs   []Lang // Defaults to English and Chinese
	Workers int    // worlds at a time. Defaults to the number of processors
	// Progress, if not nil, is called after each world, by one goroutine at a time.
	Progress func()
	// Dump, if not nil, is given each world after it was measured, by one
	// goroutine at a time.
	Dump func(*World) error
}

func (o *Bitemporal) setDefaults() {
	if o.Worlds <= 0 {
		o.Worlds = 200
	}
	if o.Points <= 0 {
		o.Points = 20_000
	}
	if len(o.Langs) == 0 {
		o.Langs = []Lang{English, Chinese}
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
}

// WorldOpener opens an engine over a fresh store for the world of a name. The
// clock must stand at now. The engine is closed when the world was measured.
type WorldOpener func(ctx context.Context, name string, now time.Time) (*engram.Engine, error)

// Run makes the worlds, tells each into a store of its own, and asks for the
// facts at random points: half of them anywhere in the life and the log, half
// at the borders of dates and of tellings. Where they are not the truth of the
// world, the point counts as wrong.
func (o Bitemporal) Run(ctx context.Context, open WorldOpener) (*BitemporalReport, error) {
	o.setDefaults()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	results := make([]*worldResult, o.Worlds*len(o.Langs))
	next := make(chan int)
	var mu sync.Mutex // of Progress and Dump
	var group sync.WaitGroup
	for range o.Workers {
		group.Go(func() {
			for i := range next {
				var err error
				if results[i], err = o.measure(ctx, i, open, &mu); err != nil {
					stop(err) // the first one is the cause
				}
			}
		})
	}
	for i := range results {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return summariseWorlds(results), nil
}

// measure makes and asks the i-th world of all languages.
func (o *Bitemporal) measure(ctx context.Context, i int, open WorldOpener, mu *sync.Mutex) (*worldResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	index := i % o.Worlds
	w := NewWorld(o.Langs[i/o.Worlds], o.Seed, index)
	points := o.Points / o.Worlds
	if index < o.Points%o.Worlds {
		points++
	}
	r, err := w.measure(ctx, points, open)
	if err != nil {
		return nil, fmt.Errorf("world %s of seed %d: %w", w.Name, w.Seed, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if o.Dump != nil {
		if err := o.Dump(w); err != nil {
			return nil, err
		}
	}
	if o.Progress != nil {
		o.Progress()
	}
	return r, nil
}

func (w *World) measure(ctx context.Context, points int, open WorldOpener) (r *worldResult, err error) {
	engine, err := open(ctx, w.Name, time.UnixMicro(w.Records[len(w.Records)-1].Recorded).UTC().AddDate(0, 0, 1))
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := engine.Close(); err == nil {
			err = e
		}
	}()
	space, err := engine.Space(engram.Scope{Space: Space})
	if err != nil {
		return nil, err
	}
	if err := w.tell(ctx, space); err != nil {
		return nil, err
	}
	r = &worldResult{lang: w.Lang, byNews: map[string]*Tally{}, byHow: map[string]*Tally{}, turns: len(w.turns)}
	for _, s := range w.Slots {
		r.tellings += len(s.told)
	}
	random := rand.New(rand.NewPCG(w.Seed^0x9e3779b97f4a7c15, uint64(w.Index)<<8|uint64(w.Lang[0]))) //nolint:gosec // a sample, not a secret
	for range points {
		p := w.point(random)
		wrong, err := w.ask(ctx, space, p, r)
		if err != nil {
			return nil, err
		}
		r.share.count(!wrong)
		countIn(r.byNews, p.news(), !wrong)
		countIn(r.byHow, p.how(), !wrong)
	}
	return r, nil
}

// tell imports the world's log, in which everything has its own time.
func (w *World) tell(ctx context.Context, space *engram.Space) error {
	report, err := space.Import(ctx, func(yield func(engram.Record, error) bool) {
		for _, r := range w.Records {
			if !yield(r, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		return err
	}
	if report.Added != len(w.Records) {
		return fmt.Errorf("%d of %d records were taken: %v", report.Added, len(w.Records), report.Errors)
	}
	return nil
}
