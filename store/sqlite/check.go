package sqlite

import (
	"context"
	"fmt"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

// Check implements store.Store.
func (s *Store) Check(ctx context.Context) (store.Report, error) {
	var report store.Report
	err := s.read(ctx, func(c *conn) error {
		err := c.each(func(st *sqlite3.Stmt) error {
			if what := st.ColumnText(0); what != "ok" {
				report.Faults = append(report.Faults, store.Fault{What: what})
			}
			return nil
		}, "PRAGMA integrity_check")
		if err != nil {
			return err
		}
		return c.checkSpaces(&report)
	})
	if err != nil {
		return store.Report{}, fmt.Errorf("check: %w", err)
	}
	return report, nil
}

func (c *conn) checkSpaces(report *store.Report) error {
	var scopes []memory.Scope
	err := c.each(func(st *sqlite3.Stmt) error {
		scopes = append(scopes, memory.Scope{Tenant: st.ColumnText(0), Space: st.ColumnText(1)})
		return nil
	}, `SELECT tenant, space FROM space ORDER BY tenant, space`)
	if err != nil {
		return err
	}
	report.Spaces = len(scopes)
	for _, scope := range scopes {
		if err := c.checkSpace(scope, report); err != nil {
			return err
		}
	}
	return nil
}

// checkSpace reads every record of a space and holds the head against them.
func (c *conn) checkSpace(scope memory.Scope, report *store.Report) error {
	fault := func(seq memory.Seq, format string, args ...any) {
		report.Faults = append(report.Faults, store.Fault{Scope: scope, Seq: seq, What: fmt.Sprintf(format, args...)})
	}
	h, err := c.head(scope)
	if err != nil {
		return err
	}
	var n, recorded int64
	err = c.each(func(st *sqlite3.Stmt) error {
		row := scan(scope, st)
		rec := row.record()
		switch {
		case rec.Damage != "":
			fault(rec.Seq, "%s", rec.Damage)
		case rec.Seq > h.Seq:
			fault(rec.Seq, "it lies behind the head of its space")
		case rec.Recorded < recorded || rec.Recorded > h.Recorded:
			fault(rec.Seq, "its recorded time is out of order")
		default:
			recorded = rec.Recorded
		}
		n++
		return nil
	}, selectAfter, scope.Tenant, scope.Space, int64(0), int64(-1))
	if err != nil {
		return err
	}
	if n != h.records {
		fault(0, "the space has %d records, its head says %d", n, h.records)
	}
	report.Records += int(n)
	return nil
}
