package sqlite

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

// checkpointWait bounds the time for which an erasure, and with it every
// append, waits for a reader that keeps the write-ahead log.
const checkpointWait = time.Second

// Erase implements store.Store.
func (s *Store) Erase(ctx context.Context, e store.Erasure) (memory.Receipt, error) {
	if s.writer == nil {
		return memory.Receipt{}, fmt.Errorf("erase: %w", s.notWritable())
	}
	if err := validateErasure(e); err != nil {
		return memory.Receipt{}, fmt.Errorf("erase: %w", err)
	}
	e.Seqs = sorted(e.Seqs)
	out, err := s.queue.do(ctx, &request{erasure: &e})
	if err != nil {
		return memory.Receipt{}, fmt.Errorf("erase: %w", err)
	}
	return out.receipt, nil
}

func validateErasure(e store.Erasure) error {
	if err := e.Scope.Validate(); err != nil {
		return err
	}
	if e.ID.IsZero() {
		return fmt.Errorf("the tombstone needs an id: %w", memory.ErrInvalid)
	}
	if len(e.Seqs) == 0 && !e.All {
		return fmt.Errorf("nothing is named to be erased: %w", memory.ErrInvalid)
	}
	return (&memory.Erased{Reason: e.Reason, Actor: e.Actor}).Validate()
}

// serveErasure erases in one transaction, and then takes the bytes out of the
// write-ahead log.
func (w *writer) serveErasure(r *request) {
	if err := r.ctx.Err(); err != nil { // its caller has left
		r.done <- outcome{err: err}
		return
	}
	var receipt memory.Receipt
	err := w.conn.change(func() (err error) {
		receipt, err = w.erase(r.erasure)
		return err
	})
	if err != nil {
		r.done <- outcome{err: explain(context.Background(), err)}
		return
	}
	if !w.truncateLog(min(checkpointWait, w.s.opts.BusyTimeout)) {
		receipt.Pending = append(receipt.Pending,
			"the write-ahead log still holds the bytes until the reader that keeps it has ended and the store is written to, or opened, again")
	}
	receipt.Verified = w.verify(r.erasure, receipt.Position.Seq)
	r.done <- outcome{receipt: receipt}
}

func (w *writer) erase(e *store.Erasure) (memory.Receipt, error) {
	h, err := w.conn.head(e.Scope)
	if err != nil {
		return memory.Receipt{}, err
	}
	if !h.known {
		return memory.Receipt{}, fmt.Errorf("there is no such space: %w", memory.ErrNotFound)
	}
	if !e.Expect.Holds(h.Belief) {
		return memory.Receipt{}, memory.ErrConflict
	}
	grave := &memory.Erased{All: e.All, Reopened: e.Reopened, Reason: e.Reason, Actor: e.Actor, Counts: make(map[memory.RecordType]int)}
	if e.All {
		err = w.removeAll(e.Scope, h, grave)
	} else {
		err = w.removeSeqs(e, h, grave)
	}
	if err != nil {
		return memory.Receipt{}, err
	}
	for _, n := range grave.Counts {
		h.records -= int64(n)
	}
	h.Epoch++
	tombstone := memory.Record{ID: e.ID, Body: grave}
	body, err := store.Encode(&tombstone)
	if err != nil {
		return memory.Receipt{}, err
	}
	if _, err := w.conn.put(e.Scope, h, &tombstone, body, max(h.Recorded, w.now())); err != nil {
		return memory.Receipt{}, err
	}
	receipt := memory.Receipt{Scope: e.Scope, ID: e.ID, Position: h.Position, Counts: grave.Counts}
	return receipt, w.conn.putHead(e.Scope, h)
}

// With each record the trigger vector_of_record deletes its vectors.
const (
	countTypes    = `SELECT type, count(*) FROM record WHERE tenant=? AND space=? GROUP BY type`
	deleteRecords = `DELETE FROM record WHERE tenant=? AND space=?`
	deleteIdem    = `DELETE FROM idem WHERE tenant=? AND space=?`
	deleteRecord  = `DELETE FROM record WHERE tenant=? AND space=? AND seq=?`
)

// removeAll empties a space. Without the old digest key nobody can tell
// whether a key that he guesses was ever used here.
func (w *writer) removeAll(s memory.Scope, h *head, grave *memory.Erased) (err error) {
	err = w.conn.each(func(st *sqlite3.Stmt) error {
		grave.Counts[memory.RecordType(st.ColumnText(0))] = st.ColumnInt(1)
		return nil
	}, countTypes, s.Tenant, s.Space)
	if err != nil {
		return err
	}
	for _, sql := range []string{deleteRecords, deleteIdem} {
		if err := w.conn.exec(sql, s.Tenant, s.Space); err != nil {
			return err
		}
	}
	h.digestKey, err = w.newDigestKey()
	return err
}

func (w *writer) removeSeqs(e *store.Erasure, h *head, grave *memory.Erased) error {
	for _, seq := range e.Seqs {
		var found *row
		err := w.conn.each(func(st *sqlite3.Stmt) error {
			r := scan(e.Scope, st)
			found = &r
			return nil
		}, selectSeq, e.Scope.Tenant, e.Scope.Space, int64(seq))
		if err != nil {
			return err
		}
		if found == nil || found.kind == memory.TypeErased {
			continue
		}
		if err := w.conn.exec(deleteRecord, e.Scope.Tenant, e.Scope.Space, int64(seq)); err != nil {
			return err
		}
		grave.Counts[found.kind]++
		if key := found.record().IDKey; key != "" {
			grave.Digests = append(grave.Digests, hex.EncodeToString(digest(h.digestKey, key)))
		}
	}
	slices.Sort(grave.Digests)
	return nil
}

// countBefore counts what is left in front of a tombstone.
const countBefore = `SELECT (SELECT count(*) FROM record WHERE tenant=?1 AND space=?2 AND seq<?3) +
	(SELECT count(*) FROM vector WHERE tenant=?1 AND space=?2 AND seq<?3)`

// verify reads again what must be gone.
func (w *writer) verify(e *store.Erasure, tombstone memory.Seq) bool {
	gone := true
	err := w.conn.view(func(c *conn) error {
		if e.All {
			// Another process may have appended since, but only behind the tombstone.
			n, err := c.int64(countBefore, e.Scope.Tenant, e.Scope.Space, int64(tombstone))
			gone = n == 0
			return err
		}
		for _, seq := range e.Seqs {
			err := c.each(func(st *sqlite3.Stmt) error {
				gone = gone && memory.RecordType(st.ColumnText(1)) == memory.TypeErased
				return nil
			}, selectSeq, e.Scope.Tenant, e.Scope.Space, int64(seq))
			if err != nil {
				return err
			}
			n, err := c.int64(`SELECT count(*) FROM vector WHERE tenant=? AND space=? AND seq=?`, e.Scope.Tenant, e.Scope.Space, int64(seq))
			if err != nil {
				return err
			}
			gone = gone && n == 0
		}
		return nil
	})
	return err == nil && gone
}

// truncateLog moves the write-ahead log into the file and empties it. It
// reports whether it could; if not, the writer tries again after its next
// transaction.
func (w *writer) truncateLog(wait time.Duration) bool {
	db := w.conn.db
	// The pages in memory were not scrubbed: with the next change of one its
	// unused part would come back into the log.
	err := errors.Join(db.ReleaseMemory(), db.BusyTimeout(wait))
	if err == nil {
		_, _, err = db.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE)
	}
	err = errors.Join(err, db.BusyTimeout(w.s.opts.BusyTimeout))
	w.walOwes = err != nil
	return err == nil
}
