package system

import (
	"context"
	"fmt"

	"engram/eval"
	"engram/memory"
)

// Oracle is told the evidence of each question and shows nothing else: the
// most that a perfect search could give. It is no system that anybody could
// have, and its rows say so.
func Oracle() eval.System {
	return eval.System{
		Name: "oracle", Gold: true,
		Open: func(context.Context, string) (eval.Memory, error) {
			h, err := newHistory()
			return &oracleMemory{plainMemory: plainMemory{h}}, err
		},
	}
}

var _ eval.GoldMemory = (*oracleMemory)(nil)

type oracleMemory struct {
	plainMemory
	gold []string
	told bool
}

func (m *oracleMemory) Gold(turns []string) { m.gold, m.told = turns, true }

// Context shows the evidence as far as the budget holds it.
func (m *oracleMemory) Context(_ context.Context, _ eval.Ask, budget int) (eval.Context, error) {
	if !m.told {
		return eval.Context{}, fmt.Errorf("the oracle was not told the evidence: %w", memory.ErrInvalid)
	}
	var turns []int
	for _, key := range m.gold {
		at, ok := m.place[key]
		if !ok {
			return eval.Context{}, fmt.Errorf("the evidence names a turn %q that was never heard: %w", key, memory.ErrNotFound)
		}
		turns = append(turns, at)
	}
	return m.pack(turns, budget), nil
}
