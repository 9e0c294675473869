package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

func testOptions() Options {
	var now atomic.Int64
	return Options{Now: func() int64 { return now.Add(1) }, BusyTimeout: time.Minute}
}

func testStore(t *testing.T, path string, opts Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, opts)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func oneRecord(text string) store.Batch {
	return store.Batch{Scope: killSpace, Records: []memory.Record{{ID: memory.ID{1}, Body: &memory.Episode{Text: text}}}}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	made := func(name, sql string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, nil, 0o600))
		raw(t, path, func(c *conn) error { return c.db.Exec(sql) })
		return path
	}
	ours := fmt.Sprintf("PRAGMA application_id=%d;", applicationID)
	for _, c := range []struct {
		path     string
		readOnly bool
		want     error
		says     string
	}{
		{"", false, memory.ErrInvalid, "name of a file"},
		{dir, false, memory.ErrInvalid, "folder"},
		{filepath.Join(dir, "no", "engram.db"), false, memory.ErrNotFound, "does not exist"},
		{filepath.Join(dir, "none.db"), true, memory.ErrNotFound, "no store"},
		{file("empty.db", ""), true, memory.ErrCorrupt, "empty"},
		{file("text.db", strings.Repeat("just text ", 500)), false, memory.ErrCorrupt, "no store of engram"},
		{made("other.db", "CREATE TABLE x (y)"), false, memory.ErrCorrupt, "another program"},
		{made("bare.db", ours+"PRAGMA user_version=1"), false, memory.ErrCorrupt, "lost its schema"},
		{made("newer.db", ours+"PRAGMA user_version=3; CREATE TABLE x (y)"), false, memory.ErrNewerFormat, "format 3"},
	} {
		opts := testOptions()
		opts.ReadOnly = c.readOnly
		before, _ := os.ReadFile(c.path)
		_, err := Open(t.Context(), c.path, opts)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %v with %q", c.path, err, c.want, c.says)
		}
		if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", c.path)
		}
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "x.db"), Options{}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("without a clock: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, filepath.Join(dir, "x.db"), testOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestPath opens files whose names mean something in a URI.
func TestPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "50%.db", "q?mode=memory", "h#1.db", "ü.db", ":memory:", "file:x"} {
		s, err := Open(t.Context(), filepath.Join(dir, name), testOptions())
		must(t, err)
		must(t, s.Close())
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if info.Size() == 0 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has %d bytes, mode %v", name, info.Size(), info.Mode())
		}
	}
}

func TestNotWritable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "engram.db")
	s, err := Open(t.Context(), path, testOptions())
	must(t, err)
	must(t, s.Close())
	must(t, os.Chmod(path, 0o400))
	must(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { must(t, os.Chmod(dir, 0o700)) }) // so that it can be removed
	readOnly := testOptions()
	readOnly.ReadOnly = true
	for _, c := range []struct {
		name string
		opts Options
		says string
	}{
		{"engram.db", testOptions(), "may not be written"},
		{"new.db", testOptions(), "may not be written"},
		{"engram.db", readOnly, "-shm"},
	} {
		_, err := Open(t.Context(), filepath.Join(dir, c.name), c.opts)
		if !errors.Is(err, memory.ErrReadOnly) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, memory.ErrReadOnly, c.says)
		}
	}
}

func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "engram.db")
	errs := make(chan error)
	for range 8 {
		go func() {
			s, err := Open(t.Context(), path, testOptions())
			if err == nil {
				_, err = s.Append(t.Context(), oneRecord("x"))
				err = errors.Join(err, s.Close())
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// TestBusy holds the file's write lock as another process would.
func TestBusy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "engram.db")
	opts := testOptions()
	opts.BusyTimeout = 20 * time.Millisecond
	s := testStore(t, path, opts)
	holder := rawConn(t, path)
	must(t, holder.db.Exec("BEGIN IMMEDIATE"))
	if _, err := s.Append(t.Context(), oneRecord("x")); !errors.Is(err, memory.ErrBusy) {
		t.Errorf("append: %v", err)
	}
	if _, err := s.Erase(t.Context(), store.Erasure{Scope: killSpace, All: true, ID: memory.ID{1}}); !errors.Is(err, memory.ErrBusy) {
		t.Errorf("erase: %v", err)
	}
	if head, _, err := s.Read(t.Context(), killSpace, memory.Position{}, 1); err != nil || head.Seq != 0 {
		t.Errorf("read: %+v %v", head, err)
	}
	must(t, holder.db.Exec("ROLLBACK"))
	must(t, holder.close())
	ack, err := s.Append(t.Context(), oneRecord("x"))
	must(t, err)
	if ack.Refs[0].Seq != 1 {
		t.Errorf("got %+v", ack)
	}
}

// TestLeave cancels callers whose requests wait behind a held lock: they
// return although the lock is held, and nothing of theirs is written.
func TestLeave(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "engram.db")
	s := testStore(t, path, testOptions())
	holder := rawConn(t, path)
	must(t, holder.db.Exec("BEGIN IMMEDIATE"))
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error)
	for range 4 {
		go func() {
			_, err := s.Append(ctx, oneRecord("left"))
			errs <- err
		}()
	}
	cancel()
	for range 4 {
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	must(t, holder.db.Exec("ROLLBACK"))
	must(t, holder.close())
	ack, err := s.Append(t.Context(), oneRecord("x"))
	must(t, err)
	if ack.Refs[0].Seq != 1 {
		t.Errorf("got %+v", ack)
	}
}

// TestGroup puts requests into one transaction: a refused one leaves the
// others through, and all see what came before them.
func TestGroup(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "engram.db")
	s := testStore(t, path, testOptions())
	keyed := func() store.Batch {
		b := oneRecord("keyed")
		b.Records[0].IDKey = "k"
		return b
	}
	conflict := oneRecord("conflict")
	conflict.Expect = store.Belief(7)
	left := oneRecord("left")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var group []*request
	for i, b := range []store.Batch{oneRecord("a"), conflict, keyed(), left, keyed(), oneRecord("b")} {
		bodies, err := encode(b)
		must(t, err)
		r := &request{ctx: t.Context(), batch: b, bodies: bodies, done: make(chan outcome, 1)}
		if i == 3 {
			r.ctx = ctx
		}
		group = append(group, r)
	}
	c := rawConn(t, path)
	newWriter(s, c).serve(group)
	must(t, c.close())
	for i, want := range []struct {
		seq memory.Seq
		dup bool
		err error
	}{{seq: 1}, {err: memory.ErrConflict}, {seq: 2}, {err: context.Canceled}, {seq: 2, dup: true}, {seq: 3}} {
		out := <-group[i].done
		if !errors.Is(out.err, want.err) || (out.err == nil) != (want.err == nil) {
			t.Errorf("request %d: %v, want %v", i, out.err, want.err)
		} else if out.err == nil && (out.ack.Refs[0].Seq != want.seq || out.ack.Refs[0].Duplicate != want.dup) {
			t.Errorf("request %d: %+v, want %+v", i, out.ack.Refs[0], want)
		}
	}
}

// TestRot flips bytes of the file itself, at random places.
func TestRot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "engram.db")
	s, err := Open(t.Context(), path, testOptions())
	must(t, err)
	for i := range 200 {
		_, err := s.Append(t.Context(), oneRecord(strings.Repeat("z", 100+i)))
		must(t, err)
	}
	must(t, s.Close())
	data, err := os.ReadFile(path)
	must(t, err)
	flipped := 0
	for at := 0; at < len(data); at += 997 {
		bad := bytes.Clone(data)
		bad[at] ^= 0x10
		name := filepath.Join(dir, "bad.db")
		must(t, os.WriteFile(name, bad, 0o600))
		opts := testOptions()
		opts.ReadOnly = true
		s, err := Open(t.Context(), name, opts)
		if errors.Is(err, memory.ErrCorrupt) || errors.Is(err, memory.ErrNewerFormat) {
			continue
		}
		if err != nil {
			t.Errorf("byte %d: %v", at, err)
			continue
		}
		report, err := s.Check(t.Context())
		if err != nil {
			t.Errorf("byte %d: check: %v", at, err)
		}
		if data[at] == 'z' && bytes.Equal(data[at-1:at+2], []byte("zzz")) {
			flipped++
			if len(report.Faults) != 1 {
				t.Errorf("byte %d: check gave %+v", at, report.Faults)
			}
		}
		must(t, s.Close())
		must(t, errors.Join(os.RemoveAll(name+"-wal"), os.RemoveAll(name+"-shm")))
	}
	if flipped == 0 {
		t.Error("no text was hit")
	}
}

// TestVersion1 opens a file of version 1, as engram made it before there were
// vectors: first to read it alone, then to bring it up to date.
func TestVersion1(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "engram.db")
	must(t, os.WriteFile(path, nil, 0o600))
	old := rawConn(t, path)
	t.Cleanup(func() { must(t, old.close()) })
	body := text(`{"v":1,"type":"episode","id":"01000000-0000-0000-0000-000000000000","text":"old"}`)
	r := row{scope: killSpace, seq: 1, kind: memory.TypeEpisode, id: memory.ID{1}, recorded: 5, body: body}
	must(t, errors.Join(
		old.db.Exec("PRAGMA journal_mode=WAL;"+migrations[0]+fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=1", applicationID)),
		old.exec(`INSERT INTO space VALUES (?,?,0,1,0,5,1,?)`, killSpace.Tenant, killSpace.Space, make([]byte, 32)),
		old.exec(insertRecord, killSpace.Tenant, killSpace.Space, int64(1), "episode", r.id[:], int64(5), r.checksum(), body)))
	opts := testOptions()
	opts.ReadOnly = true
	reader := testStore(t, path, opts)
	version := func() (n int64) {
		raw(t, path, func(c *conn) (err error) { n, err = c.int64("PRAGMA user_version"); return err })
		return n
	}
	want := func(s *Store, vectors int) {
		t.Helper()
		head, records, err := s.Read(t.Context(), killSpace, memory.Position{}, 10)
		must(t, err)
		if head.Position != (memory.Position{Seq: 1}) || head.Recorded != 5 || len(records) != 1 || records[0].Damage != "" {
			t.Errorf("read %+v %+v", head, records)
		}
		_, list, err := s.Vectors(t.Context(), killSpace, "fake", 0, 10)
		must(t, err)
		models, err := s.VectorModels(t.Context(), killSpace)
		must(t, err)
		report, err := s.Check(t.Context())
		must(t, err)
		if len(list) != vectors || len(models) != vectors || report.Records != 1 || report.Vectors != vectors || len(report.Faults) > 0 {
			t.Errorf("%d vectors by %v, checked %+v", len(list), models, report)
		}
	}
	want(reader, 0)
	if v := version(); v != 1 {
		t.Fatalf("a reader made it version %d", v)
	}
	s := testStore(t, path, testOptions())
	if v := version(); v != schemaVersion {
		t.Fatalf("it has version %d", v)
	}
	want(s, 0)
	_, err := s.PutVectors(t.Context(), store.VectorBatch{Scope: killSpace, Model: "fake", Dim: 1,
		Vectors: []store.Vector{{Seq: 1, Data: []byte("v")}}})
	must(t, err)
	want(s, 1)
	want(reader, 0) // until it is opened again
	want(testStore(t, path, opts), 1)
	// An engram of version 1 that had it open erases the vectors too.
	must(t, old.exec(deleteRecord, killSpace.Tenant, killSpace.Space, int64(1)))
	if _, list, err := s.Vectors(t.Context(), killSpace, "fake", 0, 10); err != nil || len(list) != 0 {
		t.Errorf("left are %v %v", list, err)
	}
}

// TestQueryPlans holds the queries that must not scan to the keys.
func TestQueryPlans(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "engram.db")
	testStore(t, path, testOptions())
	raw(t, path, func(c *conn) error {
		for _, sql := range []string{selectHead, selectAfter, selectSeq, selectIdem, selectSpaces, selectLagging, deleteRecords, deleteIdem, countTypes,
			selectDim, recordExists, selectVectors, selectModels, deleteVector, checkVectors, countBefore} {
			err := c.each(func(st *sqlite3.Stmt) error {
				if step := st.ColumnText(3); (strings.Contains(step, "record") || strings.Contains(step, "vector")) && !strings.Contains(step, "tenant=? AND space=?") || strings.HasPrefix(step, "SCAN") && step != "SCAN CONSTANT ROW" {
					t.Errorf("%s: %s", sql, step)
				}
				return nil
			}, "EXPLAIN QUERY PLAN "+sql)
			if err != nil {
				return err
			}
		}
		return nil
	})
}
