package sqlite

import (
	"context"
	"errors"
	"fmt"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
)

// explain puts the sentinel of memory in front of an error of SQLite. The
// text of such an error names tables, never content.
func explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var sentinel error
	switch {
	case errors.Is(err, sqlite3.INTERRUPT):
		sentinel = ctx.Err()
	case errors.Is(err, sqlite3.BUSY), errors.Is(err, sqlite3.LOCKED):
		sentinel = memory.ErrBusy
	case errors.Is(err, sqlite3.FULL), errors.Is(err, sqlite3.IOERR_WRITE): // a full disk gives either
		sentinel = memory.ErrFull
	case errors.Is(err, sqlite3.READONLY):
		sentinel = memory.ErrReadOnly
	case errors.Is(err, sqlite3.NOTADB), errors.Is(err, sqlite3.CORRUPT):
		sentinel = memory.ErrCorrupt
	case errors.Is(err, sqlite3.TOOBIG):
		sentinel = memory.ErrTooLarge
	}
	if sentinel == nil {
		return err
	}
	return fmt.Errorf("%w (%w)", sentinel, err)
}
