package system

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"engram/eval"
	"engram/internal/tokens"
	"engram/memory"
)

// EngramChunks remembers history as the usual prototype does, in chunks, and
// looks for them as engram does: each session is written out as "speaker: text"
// and cut every size tokens, wherever that is and without overlap, and each
// chunk is one document. It shows what it is worth to remember turn by turn;
// the chunks know neither who speaks in them nor, but for the first turn, when.
func EngramChunks(o EngramOptions, size int) eval.System {
	s := o.system("engram-chunks")
	s.Options["tokens"] = strconv.Itoa(size)
	s.Open = func(ctx context.Context, dir string) (eval.Memory, error) {
		if size <= 0 {
			return nil, fmt.Errorf("chunks of %d tokens: %w", size, memory.ErrInvalid)
		}
		count, err := tokens.New()
		if err != nil {
			return nil, err
		}
		e, err := openEngine(ctx, o, dir)
		if err != nil {
			return nil, err
		}
		return &chunksMemory{engine: e, size: size, count: count, chunks: map[memory.Seq]*chunk{}}, nil
	}
	return s
}

type chunksMemory struct {
	*engine
	size   int
	count  tokens.Counter
	chunks map[memory.Seq]*chunk
}

// chunk is a stretch of a session that is remembered as one document.
type chunk struct {
	text   string
	pieces []piece // at least one
}

// piece is where a turn stands in a chunk, in bytes. Its beginning may be
// before the chunk, its end behind it.
type piece struct {
	at         int // of the turn in its session
	key        string
	start, end int
}

func (m *chunksMemory) Ingest(ctx context.Context, s eval.Session) error {
	heard := 0
	for _, c := range m.cut(s) {
		if strings.TrimSpace(c.text) == "" {
			continue
		}
		// A chunk is known once its last turn was heard.
		for ; heard <= c.pieces[len(c.pieces)-1].at; heard++ {
			m.hear(&s.Turns[heard])
		}
		ref, err := m.remember(ctx, memory.Episode{
			Text: c.text, Occurred: s.Turns[c.pieces[0].at].Occurred, Session: s.Name, Kind: memory.Document,
			IDKey: fmt.Sprintf("chunk-%d", len(m.chunks)+1),
		})
		if err != nil {
			return err
		}
		m.chunks[ref.Seq] = c
	}
	return nil
}

// cut writes a session out and cuts it.
func (m *chunksMemory) cut(s eval.Session) []*chunk {
	var b strings.Builder
	var pieces []piece
	for i := range s.Turns {
		start := b.Len()
		b.WriteString(said(&s.Turns[i]))
		pieces = append(pieces, piece{i, s.Turns[i].IDKey, start, b.Len()})
		b.WriteByte('\n')
	}
	whole := b.String()
	var budgets []int
	for n, all := m.size, m.count.Count(whole); n < all; n += m.size {
		budgets = append(budgets, n)
	}
	var out []*chunk
	start := 0
	_, ends := m.count.Ends(whole, budgets...)
	for _, end := range append(ends, len(whole)) {
		for end < len(whole) && !utf8.RuneStart(whole[end]) {
			end-- // a token may end inside a character
		}
		if end <= start {
			continue
		}
		c := &chunk{text: whole[start:end]}
		for _, p := range pieces {
			if p.start < end && start < p.end {
				c.pieces = append(c.pieces, piece{p.at, p.key, p.start - start, p.end - start})
			}
		}
		if len(c.pieces) > 0 {
			out = append(out, c)
		}
		start = end
	}
	return out
}

func (m *chunksMemory) Context(ctx context.Context, a eval.Ask, budget int) (eval.Context, error) {
	answer, err := m.recall(ctx, a, budget)
	if err != nil {
		return eval.Context{}, err
	}
	var ranked []string
	for i := range answer.Items {
		item := &answer.Items[i]
		c := m.chunks[item.Seq]
		start := max(strings.Index(c.text, item.Text), 0)
		for _, p := range c.pieces {
			if p.start < start+len(item.Text) && start < p.end {
				ranked = append(ranked, p.key)
			}
		}
	}
	out := m.said(&answer)
	out.Ranked = distinct(ranked)
	return out, nil
}
