package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
)

const (
	// schemaVersion is the user_version of the files that this package writes.
	schemaVersion = 1
	// applicationID marks a file as a store of engram: "engr".
	applicationID = 0x656e6772
)

// schema keys every table by (tenant, space) first. The tables are WITHOUT
// ROWID so that this key is the order on disk: the records of a space lie
// together, and no query can reach a row without naming its space.
const schema = `
CREATE TABLE space (
	tenant TEXT NOT NULL, space TEXT NOT NULL,
	epoch INTEGER NOT NULL, seq INTEGER NOT NULL, belief INTEGER NOT NULL, recorded INTEGER NOT NULL,
	records INTEGER NOT NULL, digest_key BLOB NOT NULL,
	PRIMARY KEY (tenant, space)) STRICT, WITHOUT ROWID;
CREATE TABLE record (
	tenant TEXT NOT NULL, space TEXT NOT NULL, seq INTEGER NOT NULL,
	type TEXT NOT NULL, id BLOB NOT NULL, recorded INTEGER NOT NULL, sum INTEGER NOT NULL, body TEXT NOT NULL,
	PRIMARY KEY (tenant, space, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE idem (
	tenant TEXT NOT NULL, space TEXT NOT NULL, digest BLOB NOT NULL,
	seq INTEGER NOT NULL, id BLOB NOT NULL, recorded INTEGER NOT NULL,
	PRIMARY KEY (tenant, space, digest)) STRICT, WITHOUT ROWID;
CREATE TABLE watermark (
	tenant TEXT NOT NULL, space TEXT NOT NULL, extractor TEXT NOT NULL, seq INTEGER NOT NULL,
	PRIMARY KEY (tenant, space, extractor)) STRICT, WITHOUT ROWID;
`

// pragmas of the connection that writes. Temporary data stays in memory,
// because a file of it would keep pages that are to be erased. Keys lie
// scattered, so a larger write-ahead log (16 MiB instead of 4) writes each of
// their pages less often: batches of 1,000 keyed records 20k/s → 25k/s.
const pragmas = `PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY;
PRAGMA wal_autocheckpoint=4000; PRAGMA max_page_count=%d`

// prepareFile makes the schema in an empty file and refuses files that are not
// ours before anything in them is changed.
func (c *conn) prepareFile(ctx context.Context, opts Options) error {
	var empty bool
	err := c.view(func(c *conn) (err error) { // another process may be making the schema
		empty, err = c.inspect()
		return err
	})
	if err != nil {
		return err
	}
	if opts.ReadOnly {
		if empty {
			return fmt.Errorf("the file is empty: %w", memory.ErrCorrupt)
		}
		return nil
	}
	if err := c.enterWAL(ctx, opts.BusyTimeout); err != nil {
		return err
	}
	if err := c.db.Exec(fmt.Sprintf(pragmas, opts.MaxPages)); err != nil {
		return err
	}
	if !empty {
		return nil
	}
	return c.change(func() error {
		// Another process may have been here since.
		if empty, err := c.inspect(); err != nil || !empty {
			return err
		}
		return c.db.Exec(schema + fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d", applicationID, schemaVersion))
	})
}

// inspect tells an empty file from a store of this version; all else is an error.
func (c *conn) inspect() (empty bool, err error) {
	app, err := c.int64("PRAGMA application_id")
	if errors.Is(err, sqlite3.NOTADB) {
		return false, fmt.Errorf("this is no store of engram: %w", memory.ErrCorrupt)
	}
	if err != nil {
		return false, err
	}
	version, err := c.int64("PRAGMA user_version")
	if err != nil {
		return false, err
	}
	tables, err := c.int64("SELECT count(*) FROM sqlite_schema")
	switch {
	case err != nil:
		return false, err
	case app == 0 && version == 0 && tables == 0:
		return true, nil
	case app != applicationID:
		return false, fmt.Errorf("this is an SQLite file of another program, no store of engram: %w", memory.ErrCorrupt)
	case version > schemaVersion:
		return false, fmt.Errorf("the file has format %d, this program knows formats up to %d: %w", version, schemaVersion, memory.ErrNewerFormat)
	case version < 1 || tables == 0:
		return false, fmt.Errorf("the file has lost its schema: %w", memory.ErrCorrupt)
	}
	return false, nil
}

// enterWAL asks again while another process opens the file: SQLite does not
// wait for the lock that the change of the journal mode needs.
func (c *conn) enterWAL(ctx context.Context, patience time.Duration) error {
	const pause = 5 * time.Millisecond
	for {
		err := c.each(func(st *sqlite3.Stmt) error {
			if st.ColumnText(0) != "wal" {
				return errors.New("this file system cannot share memory between processes, which the write-ahead log needs")
			}
			return nil
		}, "PRAGMA journal_mode=WAL")
		if patience -= pause; !errors.Is(err, sqlite3.BUSY) || patience <= 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
