package sqlite

import (
	"context"
	"fmt"
	"slices"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

// read gives do a connection and one consistent view of the file.
func (s *Store) read(ctx context.Context, do func(c *conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-s.closing:
		return memory.ErrClosed
	default:
	}
	var c *conn
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return memory.ErrClosed
	case c = <-s.readers:
	}
	defer func() { s.readers <- c }()
	if c == nil {
		opened, err := openConn(ctx, s.path, s.opts)
		if err == nil {
			err = opened.adapt(s.version)
		}
		if err != nil {
			_ = opened.close()
			return explain(ctx, err)
		}
		c = opened
	}
	c.db.SetInterrupt(ctx)
	defer c.db.SetInterrupt(context.Background())
	return explain(ctx, c.view(do))
}

const (
	selectAfter = `SELECT ` + columns + ` FROM record WHERE tenant=? AND space=? AND seq>? ORDER BY seq LIMIT ?`
	selectSeq   = `SELECT ` + columns + ` FROM record WHERE tenant=? AND space=? AND seq=?`
)

// Read implements store.Store.
func (s *Store) Read(ctx context.Context, scope memory.Scope, after memory.Position, limit int) (store.Head, []memory.Record, error) {
	var head store.Head
	var rows []row
	err := s.read(ctx, func(c *conn) error {
		h, err := c.head(scope)
		if err != nil {
			return err
		}
		head = h.Head
		if after.Epoch != h.Epoch || after.Seq >= h.Seq || limit <= 0 {
			return nil
		}
		return c.each(func(st *sqlite3.Stmt) error {
			rows = append(rows, scan(scope, st))
			return nil
		}, selectAfter, scope.Tenant, scope.Space, int64(after.Seq), int64(limit))
	})
	if err != nil {
		return store.Head{}, nil, fmt.Errorf("read: %w", err)
	}
	return head, decode(rows), nil
}

// decode is done when the view is closed, because an open one keeps the
// write-ahead log from being truncated.
func decode(rows []row) []memory.Record {
	if len(rows) == 0 {
		return nil
	}
	records := make([]memory.Record, len(rows))
	for i := range rows {
		records[i] = rows[i].record()
	}
	return records
}

// ReadSeqs implements store.Store.
func (s *Store) ReadSeqs(ctx context.Context, scope memory.Scope, seqs []memory.Seq) ([]memory.Record, error) {
	var rows []row
	err := s.read(ctx, func(c *conn) error {
		for _, seq := range sorted(seqs) {
			err := c.each(func(st *sqlite3.Stmt) error {
				rows = append(rows, scan(scope, st))
				return nil
			}, selectSeq, scope.Tenant, scope.Space, int64(seq))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read seqs: %w", err)
	}
	return decode(rows), nil
}

// sorted gives each place once, in order.
func sorted(seqs []memory.Seq) []memory.Seq {
	return slices.Compact(slices.Sorted(slices.Values(seqs)))
}

const selectSpaces = `SELECT space, epoch, seq, belief, recorded, records, vectors FROM space WHERE tenant=? AND space>? ORDER BY space LIMIT ?`

// Spaces implements store.Store.
func (s *Store) Spaces(ctx context.Context, tenant, after string, limit int) ([]store.Space, error) {
	var spaces []store.Space
	err := s.read(ctx, func(c *conn) error {
		return c.each(func(st *sqlite3.Stmt) error {
			spaces = append(spaces, store.Space{
				Scope: memory.Scope{Tenant: tenant, Space: st.ColumnText(0)},
				Head: store.Head{
					Position: memory.Position{Epoch: uint64(st.ColumnInt64(1)), Seq: memory.Seq(st.ColumnInt64(2))},
					Belief:   uint64(st.ColumnInt64(3)),
					Recorded: st.ColumnInt64(4),
					Vectors:  uint64(st.ColumnInt64(6)),
				},
				Records: int(st.ColumnInt64(5)),
			})
			return nil
		}, selectSpaces, tenant, after, int64(max(limit, 0)))
	})
	if err != nil {
		return nil, fmt.Errorf("list spaces: %w", err)
	}
	return spaces, nil
}

// selectLagging looks at heads and watermarks, never at records.
const selectLagging = `SELECT s.tenant, s.space, coalesce(w.seq, 0) FROM space s
	LEFT JOIN watermark w ON w.tenant=s.tenant AND w.space=s.space AND w.extractor=?
	WHERE (s.tenant, s.space) > (?, ?) AND coalesce(w.seq, 0) < s.seq
	ORDER BY s.tenant, s.space LIMIT ?`

// Lagging implements store.Store.
func (s *Store) Lagging(ctx context.Context, extractor string, after memory.Scope, limit int) ([]store.Lag, error) {
	var lags []store.Lag
	err := s.read(ctx, func(c *conn) error {
		return c.each(func(st *sqlite3.Stmt) error {
			lags = append(lags, store.Lag{
				Scope: memory.Scope{Tenant: st.ColumnText(0), Space: st.ColumnText(1)},
				Seq:   memory.Seq(st.ColumnInt64(2)),
			})
			return nil
		}, selectLagging, extractor, after.Tenant, after.Space, int64(max(limit, 0)))
	})
	if err != nil {
		return nil, fmt.Errorf("list lagging spaces: %w", err)
	}
	return lags, nil
}
