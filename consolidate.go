package engram

import (
	"context"
	"errors"
	"sort"
	"time"

	"engram/consolidate"
	"engram/memory"
)

// Consolidated counts what a consolidation did.
type Consolidated = consolidate.Report

// ConsolidateOptions says what to consolidate. The zero value is all of it.
type ConsolidateOptions struct {
	// Scope is the one space to read. Defaults to all spaces, of all tenants,
	// that are behind.
	Scope *Scope
	// Progress is told how far it has come, in records. Defaults to nobody.
	Progress func(done, total int)
}

// Consolidate reads the episodes that the extractor has not read yet, in the
// order of the log, and appends what they say as assertions. What it counts is
// durable, also beside an error. Several processes may do it at once: nothing
// is read twice or passed over. A turn that cannot be read is noted (Status) and
// does not keep the others waiting. Without Options.Extractor it does nothing.
func (e *Engine) Consolidate(ctx context.Context, o ConsolidateOptions) (Consolidated, error) {
	if e.worker == nil {
		return Consolidated{}, nil
	}
	var report Consolidated
	var err error
	if o.Scope == nil {
		report, err = e.worker.All(ctx, o.Progress)
	} else {
		s, bad := e.Space(*o.Scope)
		if bad != nil {
			return report, bad
		}
		report, err = e.worker.Space(ctx, s.scope, o.Progress)
	}
	if report.Turns > 0 {
		e.opts.Logger.InfoContext(ctx, "consolidated", "spaces", report.Spaces, "turns", report.Turns, "assertions", report.Assertions, "failed", report.Failed)
	}
	return report, err
}

// Consolidate is Engine.Consolidate for this space.
func (s *Space) Consolidate(ctx context.Context) (Consolidated, error) {
	return s.engine.Consolidate(ctx, ConsolidateOptions{Scope: &s.scope})
}

// Lag is how many records of the log the extractor has not come to yet, its own
// among them; 0 without an extractor. It reads no records.
func (s *Space) Lag(ctx context.Context) (int, error) {
	if s.engine.worker == nil {
		return 0, nil
	}
	lag, err := s.engine.worker.Lag(ctx, s.scope)
	return lag.Records, err
}

// Status is how far the consolidation of a space, and its vectors, have come.
type Status struct {
	Scope     Scope    `json:"scope"`
	Extractor string   `json:"extractor"` // name/version; empty if there is none
	Lag       int      `json:"lag"`       // records that it has not come to
	Pending   int      `json:"pending"`   // turns among them
	Failed    int      `json:"failed"`    // turns that could not be read
	Failures  []Unread `json:"failures,omitempty"`

	Model   string   `json:"vector_model,omitempty"`    // that is configured; empty if there is none
	Waiting int      `json:"vectors_waiting,omitempty"` // documents that it has not come to
	Others  []string `json:"other_models,omitempty"`    // that have vectors here: DropVectors removes them
}

// Unread is a turn that the extractor could not read.
type Unread struct {
	Episode ID         `json:"episode"`
	Seq     memory.Seq `json:"seq"`
	Reason  string     `json:"reason"`
}

// MaxFailures is how many failures a Status names, the latest ones.
const MaxFailures = 20

// Status tells how far the consolidation of the space, and its vectors, have come.
func (s *Space) Status(ctx context.Context) (Status, error) {
	out := Status{Scope: s.scope}
	if err := s.vectorStatus(ctx, &out); err != nil {
		return out, err
	}
	x := s.engine.opts.Extractor
	if x == nil {
		return out, nil
	}
	out.Extractor = consolidate.Mark(x)
	lag, err := s.engine.worker.Lag(ctx, s.scope)
	if err != nil {
		return out, err
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return out, err
	}
	defer done()
	if lag.Records > 0 {
		out.Lag = int(st.fold.Head() - min(lag.Seq, st.fold.Head()))
		out.Pending = st.fold.Len() - sort.Search(st.fold.Len(), func(i int) bool { return st.fold.Entry(i).Seq > lag.Seq })
	}
	view := st.fold.View(Known{})
	for _, id := range view.OfExtractor(x.Name()) {
		a, _, _ := view.Assertion(id)
		reason, failed := consolidate.Failure(a)
		if !failed {
			continue
		}
		out.Failed++
		turn, _ := st.fold.Find(a.Provenance[0].Episode)
		out.Failures = append(out.Failures, Unread{Episode: a.Provenance[0].Episode, Seq: turn.Seq, Reason: reason})
	}
	out.Failures = out.Failures[max(0, len(out.Failures)-MaxFailures):]
	return out, nil
}

// WatchOptions says when to look. The zero value works.
type WatchOptions struct {
	ConsolidateOptions
	// Ticks tell when to look. Defaults to every Interval.
	Ticks <-chan time.Time
	// Interval between two looks. Defaults to two seconds.
	Interval time.Duration
	// Looked is told what came of each look. Defaults to nobody.
	Looked func(Consolidated, error)
	// Embedded is told of the vectors that a look made, if it made some or there
	// was an error. Defaults to nobody.
	Embedded func(Embedded, error)
}

// Watch consolidates at once and at each tick, until its context ends; that is
// no error. What another process holds or changed waits for the next tick; other
// errors end it. It is the caller's goroutine that works.
//
// With Options.Embedder it also makes vectors, in small batches: between them it
// looks whether there is something to consolidate. Their errors do not end it;
// they wait for half a minute.
func (e *Engine) Watch(ctx context.Context, o WatchOptions) error {
	if o.Ticks == nil {
		if o.Interval <= 0 {
			o.Interval = 2 * time.Second
		}
		ticker := time.NewTicker(o.Interval)
		defer ticker.Stop()
		o.Ticks = ticker.C
	}
	vectors := vectorWatch{engine: e, scope: o.Scope, told: o.Embedded}
	for {
		report, err := e.Consolidate(ctx, o.ConsolidateOptions)
		if ctx.Err() != nil {
			return nil
		}
		if o.Looked != nil {
			o.Looked(report, err)
		}
		if err != nil && !errors.Is(err, memory.ErrBusy) && !errors.Is(err, memory.ErrConflict) {
			return err
		}
		if vectors.look(ctx) {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-o.Ticks:
		}
	}
}
