package eval

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"engram/memory"
)

// The files of a run.
const (
	ManifestFile = "manifest.json"
	RowsFile     = "rows.jsonl"
	IngestFile   = "ingest.jsonl"
)

// ReadManifest reads the manifest of a run.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	b, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		return m, fmt.Errorf("read the run: %w", err)
	}
	if err := json.Unmarshal(b, &m); err != nil || m.Format != ManifestFormat {
		return m, fmt.Errorf("%s is no manifest of format %d: %w", filepath.Join(dir, ManifestFile), ManifestFormat, memory.ErrInvalid)
	}
	return m, nil
}

// ReadLines reads the objects of a JSON-lines file of a run, or of path.gz, as
// which runs are archived; none if there is neither. A last line that was cut
// off by a crash is left out; a broken line before that is an error.
func ReadLines[T any](path string) ([]T, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = readArchived(path + ".gz")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the run: %w", err)
	}
	var list []T
	for n := 1; len(b) > 0; n++ {
		line, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole {
			break
		}
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("%s: line %d is broken: %w", path, n, memory.ErrInvalid)
		}
		list, b = append(list, v), rest
	}
	return list, nil
}

func readArchived(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it is only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, err, memory.ErrInvalid)
	}
	return io.ReadAll(z)
}

// sameInputs reports whether a run may go on under a manifest.
func (m Manifest) sameInputs(o Manifest) bool {
	m.Started, m.Questions, m.Complete, m.Command, m.Go, m.Processors = o.Started, o.Questions, o.Complete, o.Command, o.Go, o.Processors
	a, err := json.Marshal(m)
	b, errB := json.Marshal(o)
	return err == nil && errB == nil && bytes.Equal(a, b)
}

func writeManifest(dir string, m Manifest) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	temp := filepath.Join(dir, ManifestFile+".new")
	if err := os.WriteFile(temp, append(b, '\n'), 0o644); err != nil { //nolint:gosec // a scoreboard is no secret
		return fmt.Errorf("write the manifest: %w", err)
	}
	return os.Rename(temp, filepath.Join(dir, ManifestFile))
}

// lines appends JSON objects to a file, each in one write, so that a crash
// leaves at most one of them cut off.
type lines struct{ *os.File }

// rewrite makes a file of the given objects and opens it behind them.
func rewrite[T any](path string, list []T) (*lines, error) {
	f, err := os.Create(path + ".new")
	if err != nil {
		return nil, fmt.Errorf("write the run: %w", err)
	}
	l := &lines{f}
	for i := range list {
		if err = l.write(&list[i]); err != nil {
			break
		}
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

func (l *lines) write(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	if _, err := l.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the run: %w", err)
	}
	return nil
}
