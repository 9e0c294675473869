package system

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"engram"
	"engram/eval"
	"engram/eval/tune"
	"engram/memory"
	"engram/recall"
)

// space is where a history is remembered; each has a store of its own.
const space = "eval"

// engine is an engine of one memory. It hears, then it is closed and opened
// again, so that it answers as another process would and the store has its
// final size, and then it is asked.
type engine struct {
	options EngramOptions
	path    string
	random  io.Reader
	clock   clock
	now     time.Time
	heard   *tune.Printer

	open   *engram.Engine
	space  *engram.Space
	asking bool
	fit    eval.Fit
	bytes  int64 // stored, once it is asked
}

func openEngine(ctx context.Context, o EngramOptions, dir string) (*engine, error) {
	if err := recall.CheckSteps(o.Without); err != nil {
		return nil, err
	}
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], o.Seed)
	e := &engine{options: o, path: filepath.Join(dir, "engram.db"), random: rand.NewChaCha8(seed), now: time.UnixMicro(0).UTC(), heard: new(tune.Printer)}
	if err := e.reopen(ctx, nil); err != nil {
		return nil, err
	}
	return e, nil
}

// reopen opens the engine; nil weights are those of the options.
func (e *engine) reopen(ctx context.Context, w *recall.Weights) error {
	if w == nil {
		w = e.options.Base
	}
	o := engram.Options{Now: func() time.Time { return e.now }, Random: e.random}
	tune.Rank(&o, w)
	open, err := e.options.Open(ctx, e.path, o)
	if err != nil {
		return err
	}
	e.open = open
	e.space, err = open.Space(engram.Scope{Space: space})
	return err
}

// hear sets the clock to when a turn is heard.
func (e *engine) hear(t *eval.Turn) {
	e.heard.Add(t.Text)
	e.clock.hear(t)
	e.now = time.UnixMicro(e.clock.us).UTC()
}

// remember keeps an episode at the time of the last turn that was heard.
func (e *engine) remember(ctx context.Context, episode memory.Episode) (memory.Ref, error) {
	if e.asking {
		return memory.Ref{}, fmt.Errorf("a turn comes after a question: %w", memory.ErrInvalid)
	}
	refs, err := e.space.Remember(ctx, episode)
	if err != nil {
		return memory.Ref{}, fmt.Errorf("remember %s: %w", episode.IDKey, err)
	}
	return refs[0], nil
}

// recall asks a question at its own time.
func (e *engine) recall(ctx context.Context, a eval.Ask, budget int) (memory.Answer, error) {
	if err := e.settle(ctx); err != nil {
		return memory.Answer{}, err
	}
	e.now = e.clock.askedAt(a).Std()
	answer, err := e.space.Recall(ctx, engram.Query{
		Question: a.Text, Budget: budget, Without: e.options.Without, Ranker: e.options.Ranker,
		AsOf: memory.AsOf{Valid: a.Valid, Known: memory.Known{Time: a.Known}},
	})
	if err == nil && e.options.Model != "" && answer.Model != e.options.Model && len(answer.Items) > 0 {
		// It would be measured as what it is not, and by weights that may have
		// seen the case.
		err = fmt.Errorf("the vectors of %s were not searched (%s): %w", e.options.Model, strings.Join(answer.Notes, " "), memory.ErrInvalid)
	}
	return answer, err
}

// settle ends the hearing.
func (e *engine) settle(ctx context.Context) error {
	if e.asking {
		return nil
	}
	if _, err := e.space.Consolidate(ctx); err != nil {
		return fmt.Errorf("read what the turns say: %w", err)
	}
	if _, err := e.space.Embed(ctx); err != nil {
		return fmt.Errorf("make the vectors of the turns: %w", err)
	}
	if err := e.open.Close(); err != nil {
		return fmt.Errorf("close the store: %w", err)
	}
	size, err := sizeOf(filepath.Dir(e.path))
	if err != nil {
		return err
	}
	var w *recall.Weights
	if e.options.Weights != nil {
		w, e.fit = e.options.Weights(e.heard.Sum())
	}
	if err := e.reopen(ctx, w); err != nil {
		return err
	}
	e.asking, e.bytes = true, size
	return nil
}

// Size gives the bytes of all files of the store.
func (e *engine) Size() (int64, error) {
	if err := e.settle(context.Background()); err != nil {
		return 0, err
	}
	return e.bytes, nil
}

func (e *engine) Close() error { return e.open.Close() }

func sizeOf(dir string) (int64, error) {
	size := int64(0)
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("measure the store: %w", err)
	}
	return size, nil
}
