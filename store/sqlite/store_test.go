package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	sqlite3 "github.com/ncruces/go-sqlite3"
	"go.uber.org/goleak"

	"engram/memory"
	"engram/store"
	"engram/store/storetest"
)

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		os.Exit(child())
	}
	goleak.VerifyTestMain(m)
}

func TestStore(t *testing.T) { storetest.Run(t, newPlace) }

func newPlace(t *testing.T) *storetest.Place {
	dir := t.TempDir()
	path := filepath.Join(dir, "engram.db")
	open := func(ctx context.Context, o storetest.Options, change func(*Options)) (store.Store, error) {
		opts := Options{Now: o.Now, BusyTimeout: time.Minute}
		change(&opts)
		s, err := Open(ctx, path, opts)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	return &storetest.Place{
		Open: func(ctx context.Context, o storetest.Options) (store.Store, error) {
			return open(ctx, o, func(*Options) {})
		},
		OpenReadOnly: func(ctx context.Context, o storetest.Options) (store.Store, error) {
			return open(ctx, o, func(opts *Options) { opts.ReadOnly = true })
		},
		OpenLimited: func(ctx context.Context, o storetest.Options, bytes int64) (store.Store, error) {
			return open(ctx, o, func(opts *Options) { opts.MaxPages = int(bytes / 4096) })
		},
		Flip: func(t *testing.T, s memory.Scope, seq memory.Seq) {
			rewrite(t, path, s, seq, func(r *row) { r.body[len(r.body)-3] ^= 1 })
		},
		Replace: func(t *testing.T, s memory.Scope, seq memory.Seq, body []byte) {
			rewrite(t, path, s, seq, func(r *row) {
				r.body = body
				r.sum = r.checksum()
			})
		},
		FlipVector: func(t *testing.T, s memory.Scope, seq memory.Seq) {
			raw(t, path, func(c *conn) error {
				return c.exec(`UPDATE vector SET data=CAST(data || 'x' AS BLOB) WHERE tenant=? AND space=? AND seq=?`, s.Tenant, s.Space, int64(seq))
			})
		},
		MakeNewer: func(t *testing.T) {
			raw(t, path, func(c *conn) error { return c.db.Exec("PRAGMA user_version=99") })
		},
		HoldView: func(t *testing.T) func() {
			c := rawConn(t, path)
			must(t, c.db.Exec("BEGIN; SELECT count(*) FROM record"))
			return func() { must(t, c.close()) }
		},
		Files: func(t *testing.T) map[string][]byte {
			files := make(map[string][]byte)
			entries, err := os.ReadDir(dir)
			must(t, err)
			for _, e := range entries {
				files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name()))
				must(t, err)
			}
			return files
		},
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func rawConn(t testing.TB, path string) *conn {
	t.Helper()
	c, err := openConn(context.Background(), path, Options{BusyTimeout: time.Minute})
	must(t, err)
	return c
}

func raw(t testing.TB, path string, do func(*conn) error) {
	t.Helper()
	c := rawConn(t, path)
	must(t, do(c))
	must(t, c.close())
}

// rewrite changes a stored record without the store's knowledge.
func rewrite(t *testing.T, path string, s memory.Scope, seq memory.Seq, change func(*row)) {
	t.Helper()
	raw(t, path, func(c *conn) error {
		var r row
		err := c.each(func(st *sqlite3.Stmt) error {
			r = scan(s, st)
			return nil
		}, selectSeq, s.Tenant, s.Space, int64(seq))
		if err != nil {
			return err
		}
		change(&r)
		return c.exec(`UPDATE record SET body=?, sum=? WHERE tenant=? AND space=? AND seq=?`,
			text(r.body), r.sum, s.Tenant, s.Space, int64(seq))
	})
}
