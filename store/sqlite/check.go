package sqlite

import (
	"context"
	"errors"
	"fmt"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

// Check implements store.Store. A page that SQLite cannot read is a fault of
// what lies on it, and the rest is checked all the same.
func (s *Store) Check(ctx context.Context) (store.Report, error) {
	k := new(check)
	err := s.read(ctx, func(c *conn) error {
		k.conn = c
		if err := k.tolerate(memory.Scope{}, k.integrity()); err != nil {
			return err
		}
		return k.spaces()
	})
	if err != nil {
		return store.Report{}, fmt.Errorf("check: %w", err)
	}
	return k.report, nil
}

// check is a check that is under way.
type check struct {
	conn   *conn
	report store.Report
}

func (k *check) fault(s memory.Scope, seq memory.Seq, format string, args ...any) {
	k.report.Faults = append(k.report.Faults, store.Fault{Scope: s, Seq: seq, What: fmt.Sprintf(format, args...)})
}

// tolerate turns the error of a damaged page into a fault.
func (k *check) tolerate(s memory.Scope, err error) error {
	if errors.Is(err, sqlite3.CORRUPT) {
		k.fault(s, 0, "the file cannot be read in part: %v", err)
		return nil
	}
	return err
}

// integrity lets SQLite check its own structures.
func (k *check) integrity() error {
	return k.conn.each(func(st *sqlite3.Stmt) error {
		if what := st.ColumnText(0); what != "ok" {
			k.fault(memory.Scope{}, 0, "%s", what)
		}
		return nil
	}, "PRAGMA integrity_check")
}

func (k *check) spaces() error {
	var scopes []memory.Scope
	err := k.conn.each(func(st *sqlite3.Stmt) error {
		scopes = append(scopes, memory.Scope{Tenant: st.ColumnText(0), Space: st.ColumnText(1)})
		return nil
	}, `SELECT tenant, space FROM space ORDER BY tenant, space`)
	if err := k.tolerate(memory.Scope{}, err); err != nil {
		return err
	}
	k.report.Spaces = len(scopes)
	for _, s := range scopes {
		if err := k.tolerate(s, k.space(s)); err != nil {
			return err
		}
	}
	return nil
}

// space reads every record of a space and holds the head against them.
func (k *check) space(s memory.Scope) error {
	h, err := k.conn.head(s)
	if err != nil {
		return err
	}
	var n, recorded int64
	err = k.conn.each(func(st *sqlite3.Stmt) error {
		row := scan(s, st)
		rec := row.record()
		switch {
		case rec.Damage != "":
			k.fault(s, rec.Seq, "%s", rec.Damage)
		case rec.Seq > h.Seq:
			k.fault(s, rec.Seq, "it lies behind the head of its space")
		case rec.Recorded < recorded || rec.Recorded > h.Recorded:
			k.fault(s, rec.Seq, "its recorded time is out of order")
		default:
			recorded = rec.Recorded
		}
		n++
		return nil
	}, selectAfter, s.Tenant, s.Space, int64(0), int64(-1))
	k.report.Records += int(n)
	if err == nil && n != h.records {
		k.fault(s, 0, "the space has %d records, its head says %d", n, h.records)
	}
	if err != nil {
		return err
	}
	return k.vectors(s, h)
}

const checkVectors = `SELECT seq, model, part, position, sum, data,
	EXISTS (SELECT 1 FROM record r WHERE r.tenant=v.tenant AND r.space=v.space AND r.seq=v.seq)
	FROM vector v WHERE tenant=? AND space=? ORDER BY seq, model, part`

// vectors reads every vector of a space.
func (k *check) vectors(s memory.Scope, h *head) error {
	return k.conn.each(func(st *sqlite3.Stmt) error {
		v := store.Vector{Seq: memory.Seq(st.ColumnInt64(0)), Part: st.ColumnInt(2), Data: st.ColumnBlob(5, nil)}
		model := st.ColumnText(1)
		what := ""
		switch {
		case vectorSum(s, model, &v) != st.ColumnInt64(4):
			what = "does not match its checksum"
		case uint64(st.ColumnInt64(3)) > h.Vectors:
			what = "has a position behind the head of its space"
		case !st.ColumnBool(6):
			what = "is of a record that is not there"
		}
		if what != "" {
			k.fault(s, v.Seq, "the vector of part %d by %s %s", v.Part, model, what)
		}
		k.report.Vectors++
		return nil
	}, checkVectors, s.Tenant, s.Space)
}
