// Package sqlite keeps the logs of spaces in one SQLite file: the store for
// one machine, embedded in the program and shared by its processes. Schema and
// bodies are described in docs/log-format.md. It may import memory, store and
// the SQLite library only.
package sqlite

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	sqlite3 "github.com/ncruces/go-sqlite3"

	"engram/memory"
	"engram/store"
)

// Options configures Open. Only Now must be set.
type Options struct {
	// Now is the store's clock, µs since 1970 UTC. It is called by one
	// goroutine at a time. There is no default: the program has one clock, and
	// chooses it.
	Now func() int64
	// Random is where digest keys come from; read by one goroutine at a time.
	// Defaults to crypto/rand.Reader.
	Random io.Reader
	// BusyTimeout is how long a write waits for another process. Defaults to 10 s.
	BusyTimeout time.Duration
	// ReadOnly opens an existing file without the right to write to it.
	// Defaults to false.
	ReadOnly bool
	// MaxPages is the largest size of the file in pages of 4 KiB. Defaults to
	// 2^25-1 (128 GiB), and is never more.
	MaxPages int
	// Readers is how many reads may run at once; the others wait. Defaults to 4.
	Readers int
}

func (o *Options) setDefaults() error {
	if o.Now == nil {
		return fmt.Errorf("options: Now must be set: %w", memory.ErrInvalid)
	}
	if o.BusyTimeout < 0 || o.MaxPages < 0 || o.Readers < 0 {
		return fmt.Errorf("options: BusyTimeout, MaxPages and Readers cannot be negative: %w", memory.ErrInvalid)
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.BusyTimeout == 0 {
		o.BusyTimeout = 10 * time.Second
	}
	if o.MaxPages == 0 || o.MaxPages > maxPages {
		o.MaxPages = maxPages
	}
	if o.Readers == 0 {
		o.Readers = 4
	}
	return nil
}

// Store is an open file. It implements store.Store.
type Store struct {
	path    string
	opts    Options
	queue   queue
	readers chan *conn // as many as may read at once; nil: not opened yet
	writer  *writer    // nil if the store is read-only
	closing chan struct{}
	close   func() error
	version int // of the file; an earlier one only if the store is read-only
}

var _ store.Store = (*Store)(nil)

// Open opens the file at path, and makes it if there is none and opts does not
// say ReadOnly. The folder must exist. A file of a newer engram gives
// memory.ErrNewerFormat, one that is no store of engram memory.ErrCorrupt, one
// that cannot be written memory.ErrReadOnly.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	if err := opts.setDefaults(); err != nil {
		return nil, err
	}
	path, err := checkPath(path, opts.ReadOnly)
	if err != nil {
		return nil, err
	}
	s := &Store{
		path:    path,
		opts:    opts,
		queue:   queue{wake: make(chan struct{}, 1)},
		readers: make(chan *conn, opts.Readers),
		closing: make(chan struct{}),
	}
	first, err := openConn(ctx, path, opts)
	if err == nil {
		s.version, err = first.prepareFile(ctx, opts)
	}
	if err == nil {
		err = first.adapt(s.version)
	}
	if err == nil {
		err = first.checkSchema()
	}
	if err != nil {
		_ = first.close() // err says why it is no use
		if opts.ReadOnly && errors.Is(err, sqlite3.READONLY) {
			err = fmt.Errorf("to be read, the file needs its -wal and -shm beside it, or a folder where they can be made: %w", err)
		}
		return nil, fmt.Errorf("open %s: %w", path, explain(ctx, err))
	}
	s.close = sync.OnceValue(s.shutdown)
	if !opts.ReadOnly {
		s.writer = newWriter(s, first)
		go s.writer.run()
		first = nil
	}
	s.readers <- first
	for range opts.Readers - 1 {
		s.readers <- nil
	}
	return s, nil
}

// checkPath turns what goes wrong most often into a sentence, before SQLite
// says "unable to open database file". The file is made here, so that nobody
// but its owner can read it.
func checkPath(path string, readOnly bool) (string, error) {
	if path == "" {
		return "", fmt.Errorf("the store needs the name of a file: %w", memory.ErrInvalid)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find the store: %w", err)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s is a folder, not the file of a store: %w", path, memory.ErrInvalid)
	}
	flags := os.O_RDWR | os.O_CREATE
	if readOnly {
		flags = os.O_RDONLY
	}
	f, err := os.OpenFile(path, flags, 0o600)
	switch {
	case err == nil:
		return path, f.Close()
	case errors.Is(err, fs.ErrNotExist) && readOnly:
		return "", fmt.Errorf("there is no store at %s: %w", path, memory.ErrNotFound)
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("the folder of %s does not exist: %w", path, memory.ErrNotFound)
	case errors.Is(err, fs.ErrPermission) && !readOnly:
		return "", fmt.Errorf("%s may not be written: %w", path, memory.ErrReadOnly)
	}
	return "", fmt.Errorf("open the store: %w", err)
}

// Close implements store.Store.
func (s *Store) Close() error { return s.close() }

func (s *Store) shutdown() error {
	close(s.closing)
	s.queue.close()
	var errs []error
	if s.writer != nil {
		<-s.writer.ended
		errs = append(errs, s.writer.closed)
	}
	for range cap(s.readers) {
		r := <-s.readers // waits for the reads that are under way
		errs = append(errs, r.close())
	}
	return errors.Join(errs...)
}
