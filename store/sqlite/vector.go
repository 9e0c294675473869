package sqlite

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

// PutVectors implements store.Store.
func (s *Store) PutVectors(ctx context.Context, b store.VectorBatch) (store.Head, error) {
	if s.writer == nil {
		return store.Head{}, fmt.Errorf("put vectors: %w", s.notWritable())
	}
	if err := b.Validate(); err != nil {
		return store.Head{}, fmt.Errorf("put vectors: %w", err)
	}
	// A caller that leaves may use its slices again while the writer reads them.
	b.Vectors = slices.Clone(b.Vectors)
	for i := range b.Vectors {
		b.Vectors[i].Data = slices.Clone(b.Vectors[i].Data)
	}
	out, err := s.queue.do(ctx, &request{vectors: &b})
	if err != nil {
		return store.Head{}, fmt.Errorf("put vectors: %w", err)
	}
	return out.ack.Head, nil
}

const (
	selectDim    = `SELECT dim FROM vector_model WHERE tenant=? AND space=? AND model=?`
	insertModel  = `INSERT INTO vector_model (tenant, space, model, dim) VALUES (?,?,?,?) ON CONFLICT DO NOTHING`
	recordExists = `SELECT count(*) FROM record WHERE tenant=? AND space=? AND seq=? AND type<>'erased'`
	upsertVector = `INSERT INTO vector (tenant, space, seq, model, part, position, sum, data) VALUES (?,?,?,?,?,?,?,?)
		ON CONFLICT (tenant, space, seq, model, part) DO UPDATE SET position=excluded.position, sum=excluded.sum, data=excluded.data`
)

// putVectors writes one batch inside the writer's transaction. It gives a
// refusal only before it has changed anything.
func (w *writer) putVectors(b *store.VectorBatch, heads map[memory.Scope]*head) (store.Head, error) {
	s := b.Scope
	h, err := w.headOf(s, heads)
	if err != nil {
		return store.Head{}, err
	}
	if err := w.mayPut(b, h); err != nil {
		return store.Head{}, err
	}
	h.changed = true
	if err := w.conn.exec(insertModel, s.Tenant, s.Space, b.Model, int64(b.Dim)); err != nil {
		return store.Head{}, err
	}
	for i := range b.Vectors {
		v := &b.Vectors[i]
		h.Vectors++
		err := w.conn.exec(upsertVector, s.Tenant, s.Space, int64(v.Seq), b.Model, int64(v.Part),
			int64(h.Vectors), vectorSum(s, b.Model, v), v.Data)
		if err != nil {
			return store.Head{}, err
		}
	}
	if b.Through > 0 {
		if err := w.conn.exec(upsertMark, s.Tenant, s.Space, store.VectorExtractor(b.Model), int64(b.Through)); err != nil {
			return store.Head{}, err
		}
	}
	return h.Head, nil
}

func (w *writer) mayPut(b *store.VectorBatch, h *head) error {
	switch {
	case !h.known && !h.changed:
		return refuse("there is no such space: %w", memory.ErrNotFound)
	case b.Epoch != h.Epoch:
		return refuse("records were erased since the vectors were made: %w", memory.ErrConflict)
	case b.Through > h.Seq:
		return refuse("the watermark is behind the end of the log: %w", memory.ErrInvalid)
	}
	dim := int64(b.Dim)
	err := w.conn.each(func(st *sqlite3.Stmt) error {
		dim = st.ColumnInt64(0)
		return nil
	}, selectDim, b.Scope.Tenant, b.Scope.Space, b.Model)
	if err != nil {
		return err
	}
	if dim != int64(b.Dim) {
		return refuse("the vectors have %d dimensions, the model's have %d here: %w", b.Dim, dim, memory.ErrInvalid)
	}
	last := memory.Seq(0) // parts of a record follow each other
	for i := range b.Vectors {
		seq := b.Vectors[i].Seq
		if seq == last {
			continue
		}
		n, err := w.conn.int64(recordExists, b.Scope.Tenant, b.Scope.Space, int64(seq))
		if err != nil {
			return err
		}
		if n == 0 {
			return refuse("vector %d is of place %d, which holds no record: %w", i, seq, memory.ErrInvalid)
		}
		last = seq
	}
	return nil
}

// vectorSum covers the key too, like the checksum of a record.
func vectorSum(s memory.Scope, model string, v *store.Vector) int64 {
	buf := make([]byte, 0, 256)
	for _, name := range []string{s.Tenant, s.Space, model} {
		buf = binary.AppendUvarint(buf, uint64(len(name)))
		buf = append(buf, name...)
	}
	buf = binary.BigEndian.AppendUint64(buf, uint64(v.Seq))
	buf = binary.BigEndian.AppendUint64(buf, uint64(v.Part))
	return int64(crc32.Update(crc32.Checksum(buf, castagnoli), castagnoli, v.Data))
}

// modelOf names a model of a space.
type modelOf struct {
	scope memory.Scope
	model string
}

// dropPiece is how many vectors are removed in one transaction.
const dropPiece = maxGroup

// DropVectors implements store.Store.
func (s *Store) DropVectors(ctx context.Context, scope memory.Scope, model string) error {
	if s.writer == nil {
		return fmt.Errorf("drop vectors: %w", s.notWritable())
	}
	for more := true; more; {
		out, err := s.queue.do(ctx, &request{drop: &modelOf{scope, model}})
		if err != nil {
			return fmt.Errorf("drop vectors: %w", err)
		}
		more = out.more
	}
	return nil
}

const (
	deleteMark   = `DELETE FROM watermark WHERE tenant=? AND space=? AND extractor=?`
	deleteModel  = `DELETE FROM vector_model WHERE tenant=? AND space=? AND model=?`
	deleteVector = `DELETE FROM vector WHERE tenant=?1 AND space=?2 AND (seq, model, part) IN
		(SELECT seq, model, part FROM vector WHERE tenant=?1 AND space=?2 AND model=?3 ORDER BY position LIMIT ?4)`
)

// dropVectors removes one piece. The watermark goes first and the name of the
// model last, so that nobody takes what is left for all.
func (w *writer) dropVectors(m *modelOf, heads map[memory.Scope]*head) (more bool, err error) {
	h, err := w.headOf(m.scope, heads)
	if err != nil || !h.known {
		return false, err
	}
	tenant, space := m.scope.Tenant, m.scope.Space
	if err := w.conn.exec(deleteMark, tenant, space, store.VectorExtractor(m.model)); err != nil {
		return false, err
	}
	if err := w.conn.exec(deleteVector, tenant, space, m.model, int64(dropPiece)); err != nil {
		return false, err
	}
	gone := w.conn.db.Changes()
	if more = gone == dropPiece; !more {
		if err := w.conn.exec(deleteModel, tenant, space, m.model); err != nil {
			return false, err
		}
		gone += w.conn.db.Changes()
	}
	if gone > 0 {
		h.Vectors++
		h.changed = true
	}
	return more, nil
}

const selectVectors = `SELECT seq, part, position, sum, data FROM vector
	WHERE tenant=? AND space=? AND model=? AND position>? ORDER BY position LIMIT ?`

// Vectors implements store.Store.
func (s *Store) Vectors(ctx context.Context, scope memory.Scope, model string, after uint64, limit int) (store.Head, []store.Vector, error) {
	var head store.Head
	var list []store.Vector
	err := s.read(ctx, func(c *conn) error {
		h, err := c.head(scope)
		if err != nil {
			return err
		}
		head = h.Head
		for more := after < h.Vectors; more && len(list) < limit; {
			more = false
			err := c.each(func(st *sqlite3.Stmt) error {
				more = true
				v := store.Vector{
					Seq: memory.Seq(st.ColumnInt64(0)), Part: st.ColumnInt(1), Position: uint64(st.ColumnInt64(2)),
					Data: st.ColumnBlob(4, nil),
				}
				after = v.Position
				if vectorSum(scope, model, &v) == st.ColumnInt64(3) {
					list = append(list, v)
				}
				return nil
			}, selectVectors, scope.Tenant, scope.Space, model, int64(after), int64(limit-len(list)))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return store.Head{}, nil, fmt.Errorf("read vectors: %w", err)
	}
	return head, list, nil
}

const selectModels = `SELECT m.model, m.dim, coalesce(w.seq, 0) FROM vector_model m
	LEFT JOIN watermark w ON w.tenant=m.tenant AND w.space=m.space AND w.extractor=? || m.model
	WHERE m.tenant=? AND m.space=? ORDER BY m.model`

// VectorModels implements store.Store.
func (s *Store) VectorModels(ctx context.Context, scope memory.Scope) ([]store.VectorModel, error) {
	var models []store.VectorModel
	err := s.read(ctx, func(c *conn) error {
		return c.each(func(st *sqlite3.Stmt) error {
			models = append(models, store.VectorModel{Model: st.ColumnText(0), Dim: st.ColumnInt(1), Seq: memory.Seq(st.ColumnInt64(2))})
			return nil
		}, selectModels, store.VectorExtractor(""), scope.Tenant, scope.Space)
	})
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	return models, nil
}
