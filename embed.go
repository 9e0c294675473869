package engram

import (
	"context"
	"errors"
	"runtime"
	"time"

	"engram/ingest"
	"engram/store"
)

// Embedded counts the vectors that were made.
type Embedded = ingest.VectorReport

// EmbedOptions says of what to make vectors. The zero value is all of it.
type EmbedOptions struct {
	// Scope is the one space to read. Defaults to all spaces, of all tenants, in
	// which the model has not come to everything.
	Scope *Scope
	// Progress is told how far it has come, in records. Defaults to nobody.
	Progress func(done, total int)
}

// Embed makes the vectors that the model (Options.Embedder) lacks: one for each
// episode, or part of a long one, with the name of its speaker. What it counts is
// durable, also beside an error; interrupted, it goes on where it was. Several
// processes may do it at once. Nothing of what is erased meanwhile comes back.
// Without a model it does nothing.
//
// Another model begins anew, and the vectors of the one before stay until
// DropVectors. That another model has come behind the same name nobody can see;
// DropVectors of it makes Embed begin anew. Until the new one has read nine in ten
// of what can be seen, recalls go by words alone and say so.
func (e *Engine) Embed(ctx context.Context, o EmbedOptions) (Embedded, error) {
	return e.embed(ctx, o.Scope, ingest.VectorOptions{}, o.Progress)
}

// Embed is Engine.Embed for this space.
func (s *Space) Embed(ctx context.Context) (Embedded, error) {
	return s.engine.Embed(ctx, EmbedOptions{Scope: &s.scope})
}

func (e *Engine) embed(ctx context.Context, scope *Scope, o ingest.VectorOptions, progress func(done, total int)) (report Embedded, err error) {
	if e.model == nil {
		return report, nil
	}
	if scope == nil {
		report, err = e.model.worker.All(ctx, o, progress)
	} else {
		s, bad := e.Space(*scope)
		if bad != nil {
			return report, bad
		}
		report, err = e.model.worker.Space(ctx, s.scope, o, progress)
	}
	if errors.Is(err, ingest.ErrModel) || report.Vectors > 0 && err == nil {
		e.model.heard(err)
	}
	if report.Vectors > 0 {
		e.opts.Logger.InfoContext(ctx, "embedded", "model", e.model.Name(), "spaces", report.Spaces, "vectors", report.Vectors, "refused", report.Refused)
	}
	return report, err
}

// EmbedLag is how many records of the log the model has not come to yet; 0
// without a model. It reads no records.
func (s *Space) EmbedLag(ctx context.Context) (int, error) {
	if s.engine.model == nil {
		return 0, nil
	}
	return s.engine.model.worker.Lag(ctx, s.scope)
}

// VectorModels lists the models that have made vectors in the space, by name.
func (s *Space) VectorModels(ctx context.Context) ([]store.VectorModel, error) {
	return s.engine.store.VectorModels(ctx, s.scope)
}

// DropVectors removes what a model has made in the space, for good. It is never
// done by itself, because another process may still search by that model. Of the
// model of this engine, Embed makes them anew. Of one that made none it does nothing.
func (s *Space) DropVectors(ctx context.Context, model string) error {
	return s.engine.store.DropVectors(ctx, s.scope, model)
}

// vectorStatus fills in how far the vectors have come.
func (s *Space) vectorStatus(ctx context.Context, out *Status) error {
	models, err := s.VectorModels(ctx)
	if err != nil {
		return err
	}
	m := s.engine.model
	for _, made := range models {
		if m == nil || made.Model != m.Name() {
			out.Others = append(out.Others, made.Model)
		}
	}
	if m == nil {
		return nil
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return err
	}
	defer done()
	out.Model = m.Name()
	out.Waiting = st.index.Len(st.fold.Len()) - st.index.Len(st.upTo(st.through))
	return nil
}

// What a look of Watch makes at most, before it looks again whether there is
// something to consolidate. Untuned: some seconds for a model on a slow processor.
const (
	watchTexts   = 64
	watchBatches = 4
)

// vectorWatch makes vectors between the looks of Watch.
type vectorWatch struct {
	engine *Engine
	scope  *Scope
	told   func(Embedded, error)
	until  time.Time // there was an error, and it waits
}

// look makes some vectors and reports whether more wait.
func (w *vectorWatch) look(ctx context.Context) (more bool) {
	e := w.engine
	if e.model == nil || !w.until.IsZero() && e.opts.Now().Before(w.until) {
		return false
	}
	report, err := e.embed(ctx, w.scope, ingest.VectorOptions{Texts: watchTexts, Batches: watchBatches, Between: runtime.Gosched}, nil)
	if ctx.Err() != nil {
		return false
	}
	w.until = time.Time{}
	if err != nil {
		w.until = e.opts.Now().Add(rest)
	}
	if w.told != nil && (err != nil || report.Vectors > 0) {
		w.told(report, err)
	}
	return err == nil && report.More
}
