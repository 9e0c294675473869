package system

import (
	"context"
	"strconv"

	"engram/eval"
)

// Full gives a reader the whole history, whatever is asked and whatever the
// budget. With a window above 0 the oldest turns beyond so many tokens are left
// out, and every context says how many tokens these were.
func Full(window int) eval.System {
	return eval.System{
		Name: "full", Whole: true, Options: map[string]string{"window": strconv.Itoa(window)},
		Open: func(context.Context, string) (eval.Memory, error) { return newFull(window) },
	}
}

type fullMemory struct {
	*history
	window   int
	rendered *eval.Context // shared by all questions
}

func newFull(window int) (*fullMemory, error) {
	h, err := newHistory()
	return &fullMemory{history: h, window: window}, err
}

func (m *fullMemory) Ingest(_ context.Context, s eval.Session) error {
	m.rendered = nil
	return m.add(s)
}

func (m *fullMemory) Context(context.Context, eval.Ask, int) (eval.Context, error) {
	if m.rendered == nil {
		c := m.render()
		m.rendered = &c
	}
	return *m.rendered, nil
}

func (m *fullMemory) render() eval.Context {
	n := len(m.turns)
	whole := m.history.render(span(0, n))
	if m.window <= 0 {
		return eval.Context{Text: whole}
	}
	all := m.count.Count(whole)
	if all <= m.window {
		return eval.Context{Text: whole}
	}
	text, _, tokens := m.latest(n, m.window)
	return eval.Context{Text: text, Cut: all - tokens}
}

// Size gives 0: nothing is stored.
func (m *fullMemory) Size() (int64, error) { return 0, nil }

func (m *fullMemory) Close() error { return nil }
