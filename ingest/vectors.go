package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"engram/embedding"
	"engram/index"
	"engram/memory"
	"engram/store"
)

// VectorWorker makes the vectors that a model lacks, after the words were
// acknowledged. It keeps nothing between calls and may be used from many
// goroutines; any number of workers, also in other processes, may follow one
// store: they make the same vectors.
type VectorWorker struct {
	store    store.Store
	embedder embedding.Embedder
	dim      atomic.Int64 // of the model; 0 until it has given a vector
}

// NewVectorWorker gives a worker for a model. A model without a name, or with
// one that the store does not take, gives memory.ErrInvalid.
func NewVectorWorker(s store.Store, e embedding.Embedder) (*VectorWorker, error) {
	b := store.VectorBatch{Scope: memory.Scope{Tenant: memory.DefaultTenant, Space: memory.DefaultSpace}, Model: e.Name(), Dim: 1, Through: 1}
	if err := b.Validate(); err != nil {
		return nil, err
	}
	return &VectorWorker{store: s, embedder: e}, nil
}

// VectorOptions say how much to do at once. The zero value works.
type VectorOptions struct {
	// Texts is how many texts go into one batch, and so how many are made again
	// after an interruption at most. Defaults to 512.
	Texts int
	// Batches is how many batches one call makes at most. Defaults to all that wait.
	Batches int
	// Between is called after each batch. Defaults to nothing.
	Between func()
}

// VectorReport counts what a call did. What it counts is durable, also beside an
// error.
type VectorReport struct {
	Spaces  int  `json:"spaces"`         // in which there was something to read
	Vectors int  `json:"vectors"`        // that were made
	Refused int  `json:"refused"`        // among them: of texts that the model does not take, near nothing
	More    bool `json:"more,omitempty"` // Batches were made, and more wait
}

// vectorPage is how many spaces are listed, and how many records are read, at once.
const vectorPage = 512

// Lag tells how many records of a space the model has not come to.
func (w *VectorWorker) Lag(ctx context.Context, s memory.Scope) (int, error) {
	mark, _, err := w.mark(ctx, s)
	if err != nil {
		return 0, err
	}
	head, _, err := w.store.Read(ctx, s, memory.Position{}, 0)
	return int(head.Seq - min(mark, head.Seq)), err
}

// mark gives the watermark of the model and the dimension of its vectors in a
// space; zeros if it has made none there.
func (w *VectorWorker) mark(ctx context.Context, s memory.Scope) (memory.Seq, int, error) {
	models, err := w.store.VectorModels(ctx, s)
	if err != nil {
		return 0, 0, err
	}
	for _, m := range models {
		if m.Model == w.embedder.Name() {
			return m.Seq, m.Dim, nil
		}
	}
	return 0, 0, nil
}

// All makes the vectors of all spaces that lack some. A space that cannot be
// read does not keep the others waiting; the errors come joined in the end. If
// the model cannot be asked, it ends. progress counts records and may be nil.
func (w *VectorWorker) All(ctx context.Context, o VectorOptions, progress func(done, total int)) (VectorReport, error) {
	var lags []vectorLag
	after := memory.Scope{}
	for {
		page, err := w.store.Lagging(ctx, store.VectorExtractor(w.embedder.Name()), after, vectorPage)
		if err != nil {
			return VectorReport{}, err
		}
		for _, l := range page {
			head, _, err := w.store.Read(ctx, l.Scope, memory.Position{}, 0)
			if err != nil {
				return VectorReport{}, err
			}
			lags = append(lags, vectorLag{l.Scope, int(head.Seq - min(l.Seq, head.Seq))})
			after = l.Scope
		}
		if len(page) < vectorPage {
			return w.spaces(ctx, lags, o, progress)
		}
	}
}

// Space makes the vectors of one space. One that lacks none, or that does not
// exist, is done at once.
func (w *VectorWorker) Space(ctx context.Context, s memory.Scope, o VectorOptions, progress func(done, total int)) (VectorReport, error) {
	n, err := w.Lag(ctx, s)
	if err != nil || n == 0 {
		return VectorReport{}, err
	}
	return w.spaces(ctx, []vectorLag{{s, n}}, o, progress)
}

// vectorLag is a space and how many records of it wait.
type vectorLag struct {
	scope   memory.Scope
	records int
}

func (w *VectorWorker) spaces(ctx context.Context, lags []vectorLag, o VectorOptions, progress func(done, total int)) (VectorReport, error) {
	run := vectorRun{worker: w, opts: o, passed: func(int) {}}
	run.opts.Texts = cmp.Or(o.Texts, 512)
	total, done := 0, 0
	for _, l := range lags {
		total += l.records
	}
	if progress != nil {
		run.passed = func(n int) {
			done += n
			progress(done, max(total, done))
		}
	}
	var failed []error
	for _, l := range lags {
		if run.report.More {
			break
		}
		err := run.space(ctx, l.scope)
		switch {
		case ctx.Err() != nil:
			return run.report, ctx.Err()
		case errors.Is(err, memory.ErrClosed), errors.Is(err, ErrModel):
			return run.report, errors.Join(append(failed, err)...)
		case err != nil:
			failed = append(failed, err)
		}
	}
	return run.report, errors.Join(failed...)
}

// vectorRun is one call on its way through the spaces.
type vectorRun struct {
	worker  *VectorWorker
	opts    VectorOptions
	report  VectorReport
	batches int
	passed  func(records int)
}

// vectorTries is how often a space is begun anew without getting ahead.
const vectorTries = 100

// space works until nothing is lacking in a space. What was erased meanwhile is
// not put: the space is read anew.
func (r *vectorRun) space(ctx context.Context, s memory.Scope) error {
	r.report.Spaces++
	for lost := 0; ; lost++ {
		p := vectorPass{vectorRun: r, scope: s}
		err := p.run(ctx)
		if err == nil {
			return nil
		}
		if p.put > 0 {
			lost = 0
		}
		if !errors.Is(err, memory.ErrConflict) || lost >= vectorTries {
			return fmt.Errorf("make the vectors of %s: %w", s.Space, err)
		}
	}
}

// vectorPass reads a space from its watermark on, within one epoch.
type vectorPass struct {
	*vectorRun
	scope memory.Scope
	epoch uint64
	mark  memory.Seq // the watermark
	dim   int        // of the model's vectors here; 0 if there are none
	put   int        // batches

	batch []vectorText
}

// vectorText is a text that waits for its vector.
type vectorText struct {
	seq  memory.Seq
	part int
	text string
}

// run reads to the end of the log. memory.ErrConflict means that something was
// erased.
func (p *vectorPass) run(ctx context.Context) (err error) {
	head, _, err := p.worker.store.Read(ctx, p.scope, memory.Position{}, 0)
	if err != nil {
		return err
	}
	p.epoch = head.Epoch
	if p.mark, p.dim, err = p.worker.mark(ctx, p.scope); err != nil {
		return err
	}
	for at := p.mark; ; {
		head, records, err := p.worker.store.Read(ctx, p.scope, memory.Position{Epoch: p.epoch, Seq: at}, vectorPage)
		if err != nil {
			return err
		}
		if head.Epoch != p.epoch {
			return memory.ErrConflict
		}
		for i := range records {
			at = records[i].Seq
			p.take(&records[i])
			if len(p.batch) < p.opts.Texts {
				continue
			}
			if err := p.flush(ctx, at); err != nil || p.enough(at < head.Seq) {
				return err
			}
		}
		if len(records) < vectorPage { // the end of the log, whatever an erasure left of it
			return p.flush(ctx, head.Seq)
		}
	}
}

// enough reports whether the call has made as many batches as it may.
func (p *vectorPass) enough(more bool) bool {
	if p.opts.Batches == 0 || p.batches < p.opts.Batches {
		return false
	}
	p.report.More = more
	return true
}

// take adds the documents of an episode, as the index cuts them.
func (p *vectorPass) take(r *memory.Record) {
	e, ok := r.Body.(*memory.Episode)
	if !ok || e == nil {
		return
	}
	for i, span := range index.Parts(e) {
		text := e.Text[span.Start:span.End]
		if strings.TrimSpace(text) == "" { // a model may refuse it
			continue
		}
		if e.Speaker != "" { // whose words they are is part of what they mean (docs/evaluation.md)
			text = e.Speaker + ": " + text
		}
		p.batch = append(p.batch, vectorText{r.Seq, i, text})
	}
}

// flush makes the vectors of the batch and puts them with the watermark, all or
// nothing: so everything up to a watermark is there, and a kill costs one batch.
func (p *vectorPass) flush(ctx context.Context, through memory.Seq) error {
	if through <= p.mark {
		return nil
	}
	// Texts of similar length go together: a model computes as many places for
	// each text of a request as the longest has.
	slices.SortStableFunc(p.batch, func(a, b vectorText) int { return len(a.text) - len(b.text) })
	texts := make([]string, len(p.batch))
	for i, t := range p.batch {
		texts[i] = t.text
	}
	made, refused, err := p.worker.embed(ctx, texts)
	if err != nil {
		return err
	}
	b := store.VectorBatch{Scope: p.scope, Epoch: p.epoch, Model: p.worker.embedder.Name(), Through: through}
	for i, v := range made {
		b.Vectors = append(b.Vectors, store.Vector{Seq: p.batch[i].seq, Part: p.batch[i].part, Data: v.Encode()})
		b.Dim = len(v.Values)
	}
	slices.SortFunc(b.Vectors, func(a, b store.Vector) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), a.Part-b.Part)
	})
	if b.Dim = cmp.Or(b.Dim, p.dim); b.Dim == 0 { // records without words alone
		if b.Dim, err = p.worker.dimension(ctx); err != nil {
			return err
		}
	}
	if _, err := p.worker.store.PutVectors(ctx, b); err != nil {
		return err
	}
	p.report.Vectors += len(made)
	p.report.Refused += refused
	p.passed(int(through - p.mark))
	p.mark, p.dim, p.batch = through, b.Dim, p.batch[:0]
	p.put++
	p.batches++
	if p.opts.Between != nil {
		p.opts.Between()
	}
	return nil
}
