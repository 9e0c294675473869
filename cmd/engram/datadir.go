package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"engram/memory"
	"engram/store"
	"engram/timeline"
)

const (
	databaseName = "memory.db"
	schemaName   = "schema.txt"
)

const dirHelp = `The data directory is --dir, else ENGRAM_DIR, else XDG_DATA_HOME/engram, else
~/.local/share/engram (macOS: ~/Library/Application Support/engram, Windows:
%LocalAppData%\engram). Its file memory.db holds everything, schema.txt may
extend what is known of predicates (see facts --help). It is made by the first command
that writes; commands that read find an empty memory until then.`

// dataDir gives the directory that the flag or else the environment names.
func (a *app) dataDir(flag string) (string, error) {
	for _, dir := range []string{flag, a.getenv("ENGRAM_DIR")} {
		if dir != "" {
			return filepath.Abs(dir)
		}
	}
	dir := a.userDir("XDG_DATA_HOME", ".local/share", "Library/Application Support")
	if dir == "" {
		return "", fmt.Errorf("there is no home directory to keep the memory in: name a data directory with --dir or ENGRAM_DIR: %w", memory.ErrInvalid)
	}
	return dir, nil
}

// modelsDir gives the directory of models: of a cache, since they can be had again.
func (a *app) modelsDir() (string, error) {
	if dir := a.getenv("ENGRAM_MODELS"); dir != "" {
		return filepath.Abs(dir)
	}
	dir := a.userDir("XDG_CACHE_HOME", ".cache", "Library/Caches")
	if dir == "" {
		return "", fmt.Errorf("there is no home directory to keep models in: name a directory with ENGRAM_MODELS: %w", memory.ErrInvalid)
	}
	return filepath.Join(dir, "models"), nil
}

// userDir gives engram's directory of a kind: below what an XDG variable names,
// else where the system keeps such things; "" if there is no home directory.
func (a *app) userDir(xdg, below, belowMac string) string {
	if dir := a.getenv(xdg); filepath.IsAbs(dir) {
		return filepath.Join(dir, "engram")
	}
	base := a.getenv("HOME")
	switch runtime.GOOS {
	case "darwin":
		below = belowMac
	case "windows":
		base, below = a.getenv("LocalAppData"), ""
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, below, "engram")
}

// schema gives what is known of predicates: what comes with the program, and
// above it the file schema.txt of the data directory, if there is one.
func (a *app) schema(flag name) (timeline.Schema, error) {
	builtin := timeline.BuiltinSchema()
	dir, err := a.dataDir(string(flag))
	if err != nil {
		return builtin, err
	}
	path := filepath.Join(dir, schemaName)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return builtin, nil
	case err != nil:
		return builtin, fmt.Errorf("read the schema: %w", err)
	}
	out, err := timeline.ParseSchema(bytes.NewReader(text), builtin)
	if err != nil {
		return builtin, fmt.Errorf("%s: %w: %w", path, err, memory.ErrInvalid)
	}
	return out, nil
}

// open opens the store of a data directory. One that was never written to is
// empty for those who read, and is made for those who write.
func (a *app) open(ctx context.Context, flag string, how access) (store.Store, error) {
	dir, err := a.dataDir(flag)
	if err != nil {
		return nil, err
	}
	if err := checkDir(dir, how); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, databaseName)
	if how != writing {
		switch info, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist), err == nil && info.Size() == 0:
			return emptyStore{}, nil
		case err != nil:
			return nil, fmt.Errorf("find the store: %w", err)
		}
	}
	s, err := a.openStore(ctx, path, a.now, false)
	if how == reading && errors.Is(err, memory.ErrReadOnly) {
		// Only now: a reader that opens the file while another process makes
		// the store would take it for a damaged one.
		return a.openStore(ctx, path, a.now, true)
	}
	return s, err
}

func checkDir(dir string, how access) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, syscall.ENOTDIR), err == nil && !info.IsDir():
		return fmt.Errorf("the data directory %s is a file: %w", dir, memory.ErrInvalid)
	case err == nil, errors.Is(err, fs.ErrNotExist) && how != writing:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		err = os.MkdirAll(dir, 0o700)
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return fmt.Errorf("make the data directory %s: %w (%w)", dir, memory.ErrReadOnly, err)
		}
	}
	if err != nil {
		return fmt.Errorf("find the data directory: %w", err)
	}
	return nil
}

// emptyStore stands for a store that nobody has written to yet.
type emptyStore struct{}

var _ store.Store = emptyStore{}

var errNoStore = fmt.Errorf("there is no store yet: %w", memory.ErrNotFound)

func (emptyStore) Append(context.Context, store.Batch) (store.Ack, error) {
	return store.Ack{}, errNoStore
}

func (emptyStore) Read(context.Context, memory.Scope, memory.Position, int) (store.Head, []memory.Record, error) {
	return store.Head{}, nil, nil
}

func (emptyStore) ReadSeqs(context.Context, memory.Scope, []memory.Seq) ([]memory.Record, error) {
	return nil, nil
}

func (emptyStore) Spaces(context.Context, string, string, int) ([]store.Space, error) {
	return nil, nil
}

func (emptyStore) Lagging(context.Context, string, memory.Scope, int) ([]store.Lag, error) {
	return nil, nil
}

func (emptyStore) Erase(context.Context, store.Erasure) (memory.Receipt, error) {
	return memory.Receipt{}, errNoStore
}

func (emptyStore) PutVectors(context.Context, store.VectorBatch) (store.Head, error) {
	return store.Head{}, errNoStore
}

func (emptyStore) Vectors(context.Context, memory.Scope, string, uint64, int) (store.Head, []store.Vector, error) {
	return store.Head{}, nil, nil
}

func (emptyStore) VectorModels(context.Context, memory.Scope) ([]store.VectorModel, error) {
	return nil, nil
}

func (emptyStore) DropVectors(context.Context, memory.Scope, string) error { return nil }

func (emptyStore) Check(context.Context) (store.Report, error) { return store.Report{}, nil }

func (emptyStore) Close() error { return nil }
