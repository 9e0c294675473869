package system

import (
	"context"
	"strconv"

	"engram/eval"
)

// factsShare is the part of the budget that facts may take in front of the
// history: as much as engram's own contexts give them.
const factsShare = 4

// EngramFull puts engram's facts in front of the whole history, rendered and
// cut as Full does. It is a system of its own: it shows what facts add, and it
// is no full history.
func EngramFull(o EngramOptions, window int) eval.System {
	o = o.factsAlone()
	s := o.system("engram-full")
	s.Whole = true
	s.Options["window"] = strconv.Itoa(window)
	s.Open = func(ctx context.Context, dir string) (eval.Memory, error) {
		full, err := newFull(window)
		if err != nil {
			return nil, err
		}
		m, err := openEngram(ctx, o, dir)
		if err != nil {
			return nil, err
		}
		return &engramFullMemory{engramMemory: m, full: full}, nil
	}
	return s
}

type engramFullMemory struct {
	*engramMemory
	full *fullMemory
}

func (m *engramFullMemory) Ingest(ctx context.Context, s eval.Session) error {
	if err := m.full.Ingest(ctx, s); err != nil {
		return err
	}
	return m.engramMemory.Ingest(ctx, s)
}

func (m *engramFullMemory) Context(ctx context.Context, a eval.Ask, budget int) (eval.Context, error) {
	facts, err := m.engramMemory.Context(ctx, a, max(budget/factsShare, 1))
	if err != nil {
		return eval.Context{}, err
	}
	c, err := m.full.Context(ctx, a, budget)
	if err != nil {
		return eval.Context{}, err
	}
	// No verdict: it would be about the facts alone.
	c.Text, c.Holding, c.Stated, c.Weights, c.Fit = facts.Text+c.Text, facts.Holding, facts.Stated, facts.Weights, facts.Fit
	return c, nil
}
