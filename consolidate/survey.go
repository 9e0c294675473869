package consolidate

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"engram/memory"
)

// survey is what the log holds of assertions, as far as they matter to the turns
// behind the watermark. They stand behind their turns, often far behind, so it
// is read to its head before the turns are; no words are kept of it.
type survey struct {
	epoch    uint64
	surveyed memory.Seq
	belief   uint64                // at the head of what was surveyed
	others   map[memory.ID][]other // turn → what other versions found in it
	judged   map[memory.ID]bool    // what somebody took back, settled, corrected or built upon
}

// other is an assertion of another version.
type other struct {
	id     memory.ID
	says   uint64
	failed bool // that it could not read the turn
}

// says is what an assertion states, to be compared.
func says(a *memory.Assertion) uint64 {
	sum := fnv.New64a()
	fmt.Fprintf(sum, "%q %q %q %q", a.Subject, a.Predicate, a.Object, a.News)
	return sum.Sum64()
}

// replaces reports whether work of another version is left to be replaced.
func (s *survey) replaces() bool { return len(s.others) > 0 }

// begin reads what came shortly before the watermark, and looks to the head.
func (p *pass) begin(ctx context.Context) error {
	head, _, err := p.worker.store.Read(ctx, p.scope, memory.Position{}, 0)
	if err != nil {
		return err
	}
	p.survey = survey{epoch: head.Epoch, surveyed: p.base - min(p.base, lookBack), others: map[memory.ID][]other{}, judged: map[memory.ID]bool{}}
	return p.look(ctx, true)
}

// look reads on to the head of the log, for the first time or because beliefs
// have changed since.
func (p *pass) look(ctx context.Context, first bool) error {
	s := &p.survey
	for {
		head, records, err := p.worker.store.Read(ctx, p.scope, memory.Position{Epoch: s.epoch, Seq: s.surveyed}, page)
		if err != nil {
			return err
		}
		if head.Epoch != s.epoch {
			return errMoved
		}
		for i := range records {
			r := &records[i]
			s.surveyed = r.Seq
			if first && r.Seq <= p.base {
				p.history.add(r)
			}
			p.note(r, first)
		}
		if len(records) < page {
			s.belief = head.Belief
			return nil
		}
	}
}

// note takes in a record of what is believed. What somebody did to an assertion
// by hand is no work of an extractor.
func (p *pass) note(r *memory.Record, first bool) {
	switch b := r.Body.(type) {
	case *memory.Assertion:
		p.sort(r.ID, b, first)
		for _, id := range b.Depends {
			p.judged[id] = true
		}
		p.judged[b.Corrects] = true
	case *memory.Association:
		x := p.worker.extractor
		version, turn, ok := AliasOf(r, x.Name())
		if ok && version != x.Version() && !(first && p.history.has(turn)) {
			p.others[turn] = append(p.others[turn], other{id: r.ID})
		}
	case *memory.Retract:
		for _, id := range b.Targets {
			if !b.Always {
				p.judged[id] = true
			}
		}
	case *memory.Settlement:
		p.judged[b.Winner] = true
		for _, id := range b.Losers {
			p.judged[id] = true
		}
	}
}

// sort sorts an assertion. What another version found in a turn is to be
// replaced when the turn is read: a turn has one reading, that of the version
// which read it last. What this one found before belongs to what comes with the
// next turns; what it finds from now on needs no looking up.
func (p *pass) sort(id memory.ID, a *memory.Assertion, first bool) {
	x := p.worker.extractor
	if a.Extractor != x.Name() || len(a.Provenance) == 0 {
		return
	}
	turn := a.Provenance[0].Episode
	_, failed := Failure(a)
	switch {
	case a.Version != x.Version():
		if !first || !p.history.has(turn) { // those that are there have been read
			p.others[turn] = append(p.others[turn], other{id, says(a), failed})
		}
	case first && !failed:
		p.history.learned(turn, finding{id, a})
	}
}

// keep leaves alone what somebody judged by hand and what is found again: the
// assertion stays with its judgement, and is not added a second time.
func (p *pass) keep(out *read) {
	p.others[out.turn] = slices.DeleteFunc(p.others[out.turn], func(o other) bool {
		i := p.foundAgain(out, o)
		if i < 0 {
			return false
		}
		out.records = slices.Delete(out.records, i, i+1)
		out.found = slices.Delete(out.found, i, i+1)
		return true
	})
	if len(p.others[out.turn]) == 0 {
		delete(p.others, out.turn)
	}
}

// foundAgain gives the place of a judged assertion among those that were found;
// -1 if it is not to be kept.
func (p *pass) foundAgain(out *read, o other) int {
	if !p.judged[o.id] {
		return -1
	}
	return slices.IndexFunc(out.found, func(f finding) bool { return says(f.Assertion) == o.says })
}

// mustKeep reports whether somebody has judged, meanwhile, what the batch is
// about to replace.
func (p *pass) mustKeep() bool {
	return slices.ContainsFunc(p.batch, func(r read) bool {
		return slices.ContainsFunc(p.others[r.turn], func(o other) bool { return p.foundAgain(&r, o) >= 0 })
	})
}
