package consolidate

import (
	"context"
	"errors"

	"engram/memory"
	"engram/store"
)

// pass reads a space from its watermark on.
type pass struct {
	worker *Worker
	scope  memory.Scope
	report *Report
	passed func(records int)

	base memory.Seq // the watermark
	at   memory.Seq // what has been read
	survey
	history

	batch []read
	turns int
	notes int // records of the batch, and assertions that it replaces
}

// run reads to the end of the log. errMoved means that it has to begin anew.
func (p *pass) run(ctx context.Context) error {
	if err := p.begin(ctx); err != nil {
		return err
	}
	for {
		head, records, err := p.worker.store.Read(ctx, p.scope, memory.Position{Epoch: p.epoch, Seq: p.at}, page)
		if err != nil {
			return err
		}
		if head.Epoch != p.epoch {
			return errMoved
		}
		for i := range records {
			if err := p.record(ctx, &records[i]); err != nil {
				return err
			}
		}
		if len(records) < page { // the end of the log, whatever an erasure left of it
			p.at = head.Seq
		}
		if len(records) == 0 {
			return p.flush(ctx)
		}
		if !p.replaces() {
			if err := p.flush(ctx); err != nil {
				return err
			}
		}
	}
}

// record reads one record of the log.
func (p *pass) record(ctx context.Context, r *memory.Record) error {
	p.history.add(r)
	if e, ok := r.Body.(*memory.Episode); !ok || e == nil {
		p.at = r.Seq
		return nil
	}
	out, err := p.worker.read(ctx, p.history.window())
	if err != nil {
		if p.replaces() { // all of it or nothing, if that can be
			return err
		}
		return errors.Join(err, p.flush(context.WithoutCancel(ctx)))
	}
	p.at = r.Seq
	p.keep(&out)
	p.history.learned(r.ID, out.found...)
	p.batch = append(p.batch, out)
	p.turns++
	p.notes += len(out.records) + len(p.others[r.ID])
	if p.full() {
		return p.flush(ctx)
	}
	return nil
}

// full reports whether a batch is large enough. What replaces another version's
// work waits until it is whole.
func (p *pass) full() bool {
	if p.replaces() {
		return max(p.notes, p.turns) >= p.worker.opts.Whole
	}
	return p.turns >= p.worker.opts.Turns
}

// flush appends what was read, with the watermark, in one batch.
func (p *pass) flush(ctx context.Context) error {
	if p.at <= p.base {
		return nil
	}
	b := store.Batch{Scope: p.scope, Watermark: &store.Watermark{Extractor: Mark(p.worker.extractor), Seq: p.at}}
	for _, r := range p.batch {
		b.Records = append(b.Records, r.records...)
	}
	return p.decide(ctx, b)
}

// decide appends a batch that changes beliefs, if they are those that it was
// decided by; else it looks again.
func (p *pass) decide(ctx context.Context, b store.Batch) error {
	found := b.Records
	for {
		retract, err := p.retraction()
		if err != nil {
			return err
		}
		b.Records, b.Expect = found, store.Belief(p.belief)
		replaced := 0
		if retract != nil {
			b.Records = append([]memory.Record{*retract}, found...)
			replaced = len(retract.Body.(*memory.Retract).Targets) //nolint:forcetypeassert // it is made there
		}
		if len(b.Records) == 0 { // the watermark alone is nobody's belief
			b.Expect = store.Any
		}
		ack, err := p.worker.store.Append(ctx, b)
		if err == nil {
			if retract != nil {
				ack.Refs = ack.Refs[1:]
			}
			p.appended(ack, replaced)
			return nil
		}
		if !errors.Is(err, memory.ErrConflict) {
			return err
		}
		lag, err := p.worker.Lag(ctx, p.scope)
		if err != nil {
			return err
		}
		if lag.Seq != p.base {
			return errMoved
		}
		if err := p.look(ctx, false); err != nil {
			return err
		}
		if p.mustKeep() {
			return errMoved
		}
	}
}

// retraction takes back what other versions found in the turns of the batch. A
// turn that could not be read keeps what they found.
func (p *pass) retraction() (*memory.Record, error) {
	var targets []memory.ID
	for _, r := range p.batch {
		for _, o := range p.others[r.turn] {
			if o.failed || !r.failed {
				targets = append(targets, o.id)
			}
		}
	}
	if len(targets) == 0 {
		return nil, nil //nolint:nilnil // nothing to take back is no error
	}
	id, err := p.worker.newID()
	if err != nil {
		return nil, err
	}
	return &memory.Record{ID: id, Body: &memory.Retract{
		Targets: targets, Always: true, Reason: "read anew by " + Mark(p.worker.extractor), Actor: p.worker.extractor.Name(),
	}}, nil
}

// appended takes note of what was acknowledged: the ids of those that had been
// found before are the first ones.
func (p *pass) appended(ack store.Ack, replaced int) {
	p.belief = ack.Head.Belief
	p.report.Turns += p.turns
	p.report.Replaced += replaced
	refs := ack.Refs
	for _, r := range p.batch {
		delete(p.others, r.turn)
		if r.failed {
			p.report.Failed++
		}
		for i := range r.records {
			ref := refs[i]
			if i < len(r.found) {
				p.history.rename(r.turn, r.found[i].id, ref.ID)
			}
			if ref.Duplicate || r.failed {
				continue
			}
			if i < len(r.found) {
				p.report.Assertions++
			} else {
				p.report.Aliases++
			}
		}
		refs = refs[len(r.records):]
	}
	p.passed(int(p.at - p.base))
	p.base, p.batch, p.turns, p.notes = p.at, nil, 0, 0
}
