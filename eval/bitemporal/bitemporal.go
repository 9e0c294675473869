// Package bitemporal makes worlds whose truth is known on both time axes: lives
// and projects, what was said of them and when, and what a careful listener would
// believe of every moment at every place of the log. It measures an engine that
// is told the statements, or the words alone if it learns from words, and gives a
// benchmark whose turns are the words.
// It may import memory, eval and the engine.
package bitemporal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"engram"
)

// Measure says what to measure of facts on two axes. The zero value measures
// the bar of both languages.
type Measure struct {
	Worlds  int    // of each language. Defaults to 200
	Points  int    // of each language, spread over its worlds. Defaults to 20,000
	Seed    uint64 // of the worlds and the points
	Langs   []Lang // Defaults to English and Chinese
	Workers int    // worlds at a time. Defaults to the number of processors
	// Learn, if not nil, has the space read facts out of its episodes. The worlds
	// are told by their words alone then, and what a careful listener takes from
	// those is the truth.
	Learn func(context.Context, *engram.Space) error
	// Failures is the most of each language that the report lists. Defaults to 20.
	Failures int
	// Progress, if not nil, is called after each world, by one goroutine at a time.
	Progress func()
	// Dump, if not nil, is given each world after it was measured, by one
	// goroutine at a time.
	Dump func(*World) error
}

func (o *Measure) setDefaults() {
	if o.Worlds <= 0 {
		o.Worlds = 200
	}
	if o.Points <= 0 {
		o.Points = 20_000
	}
	if len(o.Langs) == 0 {
		o.Langs = []Lang{English, Chinese}
	}
	if o.Failures <= 0 {
		o.Failures = 20
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
func (o Measure) Run(ctx context.Context, open WorldOpener) (*Report, error) {
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
	return summariseWorlds(results, o.Failures), nil
}

// measure makes and asks the i-th world of all languages.
func (o *Measure) measure(ctx context.Context, i int, open WorldOpener, mu *sync.Mutex) (*worldResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	index := i % o.Worlds
	w := NewWorld(o.Langs[i/o.Worlds], o.Seed, index)
	points := o.Points / o.Worlds
	if index < o.Points%o.Worlds {
		points++
	}
	r, err := o.world(ctx, w, points, open)
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

// world tells and asks one world.
func (o *Measure) world(ctx context.Context, w *World, points int, open WorldOpener) (r *worldResult, err error) {
	if o.Learn != nil {
		w = w.spoken()
	}
	engine, err := open(ctx, w.Name, time.UnixMicro(w.Records[len(w.Records)-1].Recorded).UTC().AddDate(0, 0, 1))
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := engine.Close(); err == nil {
			err = e
		}
	}()
	space, err := engine.Space(engram.Scope{Space: "eval"})
	if err != nil {
		return nil, err
	}
	if err := w.tell(ctx, space); err != nil {
		return nil, err
	}
	if o.Learn != nil {
		if err := o.Learn(ctx, space); err != nil {
			return nil, fmt.Errorf("learn from the words: %w", err)
		}
	}
	r = newWorldResult(w, max(worldFailures, (o.Failures+o.Worlds-1)/max(o.Worlds, 1)))
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
		if !p.whole || w.spokenOnly {
			countIn(r.byTopic, string(w.Lang)+" "+foldPredicate(p.slot.Predicate), !wrong)
		}
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
