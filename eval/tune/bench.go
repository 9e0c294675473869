package tune

import (
	"context"
	"fmt"
	"time"

	"engram"
	"engram/eval"
	"engram/memory"
	"engram/recall"
)

// Opener opens the engine over the store of a case, empty the first time, with
// the model of Options.Model. Nil weights are the built-in ones; others go where
// Rank puts them. The clock must stand at now.
type Opener func(ctx context.Context, name string, weights *recall.Weights, now time.Time) (*engram.Engine, error)

// Rank lets an engine rank by weights: where there are vectors, or where there
// are none, as they are made for.
func Rank(o *engram.Options, w *recall.Weights) {
	switch {
	case w == nil:
	case w.UsesVectors():
		o.VectorWeights = w
	default:
		o.Weights = w
	}
}

// Bench is a benchmark in memory whose cases have been told into engines.
type Bench struct {
	Name  string
	Data  []eval.File
	Cases []Told
	open  Opener
}

// Told is a case whose turns an engine has heard.
type Told struct {
	eval.Case
	Print  string        // its Fingerprint
	strict [][]eval.Part // of each question: the decisive part of each turn of its evidence

	keys     map[memory.Seq]string // IDKey by place in the log
	sessions map[string]string     // by IDKey
	name     string                // of its store
	now      time.Time             // when it is asked: a day after its last turn
}

// space is the one that a case is told into; each has a store of its own.
const space = "eval"

// Tell reads a benchmark and lets an engine hear each case, one turn at a time,
// and make their vectors if it has a model, before any question is read.
// progress is called after every turn.
func Tell(ctx context.Context, b *eval.Benchmark, open Opener, progress func()) (*Bench, error) {
	bench := &Bench{Name: b.Name, Data: b.Data, open: open}
	for c, err := range b.Cases {
		if err != nil {
			return nil, err
		}
		told := Told{Case: *c, name: b.Name + "/" + c.Name, keys: map[memory.Seq]string{}, sessions: map[string]string{}}
		if err := bench.tell(ctx, &told, progress); err != nil {
			return nil, fmt.Errorf("%s: %w", told.name, err)
		}
		words := eval.NewVocabulary(c.Turns)
		for i := range c.Questions {
			told.strict = append(told.strict, words.Strict(&c.Questions[i]))
		}
		bench.Cases = append(bench.Cases, told)
	}
	return bench, nil
}

func (b *Bench) tell(ctx context.Context, c *Told, progress func()) error {
	var last int64
	var print Printer
	for i := range c.Turns {
		last = max(last, c.Turns[i].Occurred.Micros)
		print.Add(c.Turns[i].Text)
	}
	c.Print, c.now = print.Sum(), time.UnixMicro(last).UTC().AddDate(0, 0, 1)
	s, done, err := b.ask(ctx, c, nil)
	if err != nil {
		return err
	}
	defer done()
	for i := range c.Turns {
		t := &c.Turns[i]
		refs, err := s.Remember(ctx, t.Episode)
		if err != nil {
			return err
		}
		c.keys[refs[0].Seq], c.sessions[t.IDKey] = t.IDKey, t.Session
		if progress != nil {
			progress()
		}
	}
	_, err = s.Embed(ctx)
	return err
}

// ask opens the memory of a case.
func (b *Bench) ask(ctx context.Context, c *Told, weights *recall.Weights) (*engram.Space, func(), error) {
	engine, err := b.open(ctx, c.name, weights, c.now)
	if err != nil {
		return nil, nil, err
	}
	s, err := engine.Space(engram.Scope{Space: space})
	if err != nil {
		_ = engine.Close()
		return nil, nil, err
	}
	return s, func() { _ = engine.Close() }, nil
}

// each gives every question of a case to do, with the memory of c, which may be
// another. A question is asked by its text alone.
func (b *Bench) each(ctx context.Context, c, from *Told, weights *recall.Weights, do func(s *engram.Space, at int, q memory.Query) error) error {
	s, done, err := b.ask(ctx, c, weights)
	if err != nil {
		return err
	}
	defer done()
	for i := range from.Questions {
		if err := do(s, i, memory.Query{Question: from.Questions[i].Ask.Text}); err != nil {
			return fmt.Errorf("%s: %w", from.Questions[i].ID, err)
		}
	}
	return nil
}
