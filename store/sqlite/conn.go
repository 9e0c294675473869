package sqlite

import (
	"context"
	"fmt"

	sqlite3 "github.com/ncruces/go-sqlite3"
)

// conn is one connection with the statements that it has prepared. It is used
// by one goroutine at a time.
type conn struct {
	db    *sqlite3.Conn
	stmts map[string]*sqlite3.Stmt
}

// openConn gives a connection also on an error, for the caller to close.
func openConn(ctx context.Context, path string, opts Options) (*conn, error) {
	flags := sqlite3.OPEN_READWRITE
	if opts.ReadOnly {
		flags = sqlite3.OPEN_READONLY
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	db, err := sqlite3.OpenFlags(uri(path), flags|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	return &conn{db: db, stmts: make(map[string]*sqlite3.Stmt)}, db.BusyTimeout(opts.BusyTimeout)
}

func (c *conn) close() error {
	if c == nil {
		return nil
	}
	for _, st := range c.stmts {
		_ = st.Close() // its error is that of its last step, which was reported
	}
	return c.db.Close()
}

// bind prepares sql the first time, and binds args.
func (c *conn) bind(sql string, args []any) (*sqlite3.Stmt, error) {
	st := c.stmts[sql]
	if st == nil {
		var err error
		if st, _, err = c.db.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT); err != nil {
			return nil, err
		}
		c.stmts[sql] = st
	}
	for i, arg := range args {
		var err error
		switch v := arg.(type) {
		case string:
			err = st.BindText(i+1, v)
		case text:
			err = st.BindRawText(i+1, v)
		case []byte:
			err = st.BindBlob(i+1, v)
		case int64:
			err = st.BindInt64(i+1, v)
		default:
			panic(fmt.Sprintf("argument %d is a %T", i+1, arg))
		}
		if err != nil {
			return nil, err
		}
	}
	return st, nil
}

// text is bound as TEXT.
type text []byte

// exec runs a statement that gives no rows.
func (c *conn) exec(sql string, args ...any) error {
	st, err := c.bind(sql, args)
	if err != nil {
		return err
	}
	return st.Exec()
}

// each calls row for each row of the result.
func (c *conn) each(row func(*sqlite3.Stmt) error, sql string, args ...any) error {
	st, err := c.bind(sql, args)
	if err != nil {
		return err
	}
	for err == nil && st.Step() {
		err = row(st)
	}
	if err == nil {
		err = st.Err()
	}
	if reset := st.Reset(); err == nil {
		err = reset
	}
	return err
}

// int64 gives the number in the only row of the result.
func (c *conn) int64(sql string, args ...any) (n int64, err error) {
	err = c.each(func(st *sqlite3.Stmt) error {
		n = st.ColumnInt64(0)
		return nil
	}, sql, args...)
	return n, err
}

// view runs do on one consistent view of the file. It ends in a rollback, as a
// commit would fail once do has met a damaged page.
func (c *conn) view(do func(*conn) error) error {
	if err := c.exec("BEGIN"); err != nil {
		return err
	}
	return c.rollback(do(c))
}

// change runs do in a transaction that holds the file's write lock; what do
// has changed is taken back on an error.
func (c *conn) change(do func() error) error {
	if err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := do()
	if err == nil {
		err = c.exec("COMMIT")
	}
	if c.db.GetAutocommit() { // committed, or rolled back by SQLite itself
		return err
	}
	return c.rollback(err)
}

// rollback ends a transaction in which err has happened.
func (c *conn) rollback(err error) error {
	c.db.SetInterrupt(context.Background()) // it may be what has happened
	if failed := c.exec("ROLLBACK"); err == nil {
		err = failed
	}
	return err
}
