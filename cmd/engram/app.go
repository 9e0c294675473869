package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"engram"
	"engram/consolidate"
	"engram/embedding"
	"engram/store"
)

// app is what the commands need from the world. Tests give them another one.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	now            func() time.Time
	random         io.Reader
	isTerminal     func(stream any) bool
	openStore      func(ctx context.Context, path string, now func() time.Time, readOnly bool) (store.Store, error)
	extractor      func() (consolidate.Extractor, error) // nil: nothing is read out of words
	embedder       func() (embedding.Embedder, error)    // nil, or a nil one: no model

	model   name // of --model; empty: the default
	rerank  name // of --rerank; empty: none
	verbose bool
	started bool // a command has begun: errors from here on are no errors of usage
}

// run carries out one command line and gives the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := newRootCommand(a)
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if !a.started {
		err = &usageError{command: cmd.CommandPath(), err: err}
	}
	a.note("engram: %s", sentence(err, a.verbose))
	return exitCode(err)
}

// note writes a line to stderr, where everything goes that is not the result.
func (a *app) note(format string, args ...any) {
	fmt.Fprintln(a.stderr, oneLine(fmt.Sprintf(format, args...)))
}

// access says what a command does to the store.
type access int

const (
	reading  access = iota // changes nothing
	existing               // changes what is there already
	writing                // makes the store if there is none
)

// withEngine opens the store of a data directory for as long as do runs. The
// engine's clock shows the zone, if there is one.
func (a *app) withEngine(ctx context.Context, dir name, how access, zone *time.Location, do func(*engram.Engine) error) error {
	schema, err := a.schema(dir)
	if err != nil {
		return err
	}
	s, err := a.open(ctx, string(dir), how)
	if err != nil {
		return err
	}
	return a.serve(ctx, s, engram.Options{Now: a.clock(zone), Schema: &schema}, do)
}

// clock gives the wall clock in a zone; nil leaves it in that of the machine.
func (a *app) clock(zone *time.Location) func() time.Time {
	if zone == nil {
		return a.now
	}
	return func() time.Time { return a.now().In(zone) }
}

// serve runs do with an engine over s, and closes both.
func (a *app) serve(ctx context.Context, s store.Store, opts engram.Options, do func(*engram.Engine) error) error {
	opts.Random = a.random
	if a.extractor != nil {
		x, err := a.extractor()
		if err != nil {
			return errors.Join(err, s.Close())
		}
		opts.Extractor = x
	}
	var err error
	if opts.Embedder, err = a.chosenModel(); err != nil {
		return errors.Join(err, s.Close())
	}
	if a.rerank != "" {
		r, err := a.newReranker(string(a.rerank))
		if err != nil {
			return errors.Join(err, s.Close())
		}
		opts.Reranker = r
	}
	if a.verbose {
		opts.Logger = slog.New(slog.NewTextHandler(a.stderr, nil))
	}
	engine, err := engram.Open(ctx, s, opts)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	err = do(engine)
	return errors.Join(err, engine.Close())
}

// withSpace opens the memory that the flags name for as long as do runs.
func (a *app) withSpace(ctx context.Context, t *target, how access, zone *time.Location, do func(*engram.Space) error) error {
	return a.withEngine(ctx, t.dir, how, zone, func(e *engram.Engine) error {
		s, err := e.Space(t.scope())
		if err != nil {
			return err
		}
		return do(s)
	})
}
