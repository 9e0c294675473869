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
	schemaVersion = 2
	// applicationID marks a file as a store of engram: "engr".
	applicationID = 0x656e6772
)

// migrations takes a file from each version to the next; a new one takes all
// steps. Every table is keyed by (tenant, space) first. The tables are WITHOUT
// ROWID so that this key is the order on disk: the records of a space lie
// together, and no query can reach a row without naming its space.
var migrations = [schemaVersion]string{`
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
`,
	// Vectors go with their records in the file itself, so that this also holds
	// for an engram of version 1 that has the file open while it is changed.
	`
ALTER TABLE space ADD COLUMN vectors INTEGER NOT NULL DEFAULT 0;
CREATE TABLE vector_model (
	tenant TEXT NOT NULL, space TEXT NOT NULL, model TEXT NOT NULL, dim INTEGER NOT NULL,
	PRIMARY KEY (tenant, space, model)) STRICT, WITHOUT ROWID;
CREATE TABLE vector (
	tenant TEXT NOT NULL, space TEXT NOT NULL, seq INTEGER NOT NULL, model TEXT NOT NULL, part INTEGER NOT NULL,
	position INTEGER NOT NULL, sum INTEGER NOT NULL, data BLOB NOT NULL,
	PRIMARY KEY (tenant, space, seq, model, part)) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX vector_position ON vector (tenant, space, model, position);
CREATE TRIGGER vector_of_record AFTER DELETE ON record BEGIN
	DELETE FROM vector WHERE tenant=old.tenant AND space=old.space AND seq=old.seq;
END;
`,
}

// likeVersion2 makes a file of version 1, which may not be changed, look to one
// connection as if it were of version 2 and had no vectors.
const likeVersion2 = `PRAGMA temp_store=MEMORY;
CREATE TEMP VIEW space AS SELECT tenant, space, epoch, seq, belief, recorded, records, digest_key, 0 AS vectors FROM main.space;
CREATE TEMP TABLE vector_model (tenant, space, model, dim);
CREATE TEMP TABLE vector (tenant, space, seq, model, part, position, sum, data);`

// pragmas of the connection that writes. Temporary data stays in memory,
// because a file of it would keep pages that are to be erased. Keys lie
// scattered, so a larger write-ahead log (16 MiB instead of 4) writes each of
// their pages less often: batches of 1,000 keyed records 20k/s → 25k/s.
const pragmas = `PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY;
PRAGMA wal_autocheckpoint=4000; PRAGMA max_page_count=%d`

// prepareFile makes the schema in an empty file, brings that of an earlier
// version up to date, and refuses files that are not ours before anything in
// them is changed. A file that is only read keeps its version.
func (c *conn) prepareFile(ctx context.Context, opts Options) (version int, err error) {
	err = c.view(func(c *conn) (err error) { // another process may be making the schema
		version, err = c.inspect()
		return err
	})
	if err != nil {
		return 0, err
	}
	if opts.ReadOnly {
		if version == 0 {
			return 0, fmt.Errorf("the file is empty: %w", memory.ErrCorrupt)
		}
		return version, nil
	}
	if err := c.enterWAL(ctx, opts.BusyTimeout); err != nil {
		return 0, err
	}
	if err := c.db.Exec(fmt.Sprintf(pragmas, opts.MaxPages)); err != nil {
		return 0, err
	}
	if version == schemaVersion {
		return version, nil
	}
	return schemaVersion, c.change(func() error {
		// Another process may have been here since.
		version, err := c.inspect()
		if err != nil || version == schemaVersion {
			return err
		}
		for _, step := range migrations[version:] {
			if err := c.db.Exec(step); err != nil {
				return err
			}
		}
		return c.db.Exec(fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d", applicationID, schemaVersion))
	})
}

// adapt lets a connection read a file of an earlier version.
func (c *conn) adapt(version int) error {
	if version == schemaVersion {
		return nil
	}
	return c.db.Exec(likeVersion2)
}

// checkSchema finds damage of the schema, which SQLite takes for a schema of
// somebody else's.
func (c *conn) checkSchema() error {
	for _, sql := range []string{selectHead, selectSeq, selectIdem, selectLagging, selectVectors, selectModels} {
		if _, err := c.bind(sql, nil); errors.Is(err, sqlite3.ERROR) {
			return fmt.Errorf("the file's schema is damaged: %w (%w)", memory.ErrCorrupt, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// inspect gives the version of a store, 0 for an empty file; all else is an error.
func (c *conn) inspect() (int, error) {
	app, err := c.int64("PRAGMA application_id")
	if errors.Is(err, sqlite3.NOTADB) {
		return 0, fmt.Errorf("this is no store of engram: %w", memory.ErrCorrupt)
	}
	if err != nil {
		return 0, err
	}
	version, err := c.int64("PRAGMA user_version")
	if err != nil {
		return 0, err
	}
	tables, err := c.int64("SELECT count(*) FROM sqlite_schema")
	switch {
	case err != nil:
		return 0, err
	case app == 0 && version == 0 && tables == 0:
		return 0, nil
	case app != applicationID:
		return 0, fmt.Errorf("this is an SQLite file of another program, no store of engram: %w", memory.ErrCorrupt)
	case version > schemaVersion:
		return 0, fmt.Errorf("the file has format %d, this program knows formats up to %d: %w", version, schemaVersion, memory.ErrNewerFormat)
	case version < 1 || tables == 0:
		return 0, fmt.Errorf("the file has lost its schema: %w", memory.ErrCorrupt)
	}
	return int(version), nil
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
