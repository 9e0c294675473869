package system

import (
	"context"
	"slices"

	"engram/eval"
)

// Recent gives the last turns that fit into the budget, whatever is asked.
func Recent() eval.System {
	return eval.System{
		Name: "recent",
		Open: func(context.Context, string) (eval.Memory, error) {
			h, err := newHistory()
			return &recentMemory{plainMemory{h}}, err
		},
	}
}

type recentMemory struct{ plainMemory }

// Context ranks the turns by how late they were heard.
func (m *recentMemory) Context(_ context.Context, a eval.Ask, budget int) (eval.Context, error) {
	n := m.until(a.Known)
	text, from, _ := m.latest(n, budget)
	if text == "" && n > 0 {
		return m.beginning([]int{n - 1}, budget), nil
	}
	turns := span(from, n)
	slices.Reverse(turns)
	return eval.Context{Text: text, Ranked: m.keys(turns)}, nil
}

// plainMemory keeps turns in memory and stores nothing.
type plainMemory struct{ *history }

func (m plainMemory) Ingest(_ context.Context, s eval.Session) error { return m.add(s) }

func (m plainMemory) Size() (int64, error) { return 0, nil }

func (m plainMemory) Close() error { return nil }
