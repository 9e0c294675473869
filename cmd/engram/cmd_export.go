package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"engram"
	"engram/importer"
	"engram/memory"
)

func newExportCommand(a *app) *cobra.Command {
	var t target
	var out name
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write a space as JSON lines that import again",
		Long: `Write the log of a space as JSON lines, one record a line, to stdout or a file:
{"v", "type", "id", "seq", "recorded", …} with the fields of the record. Imported
into an empty space it gives the same memory, with its ids and both of its times.

--out writes the file as a whole or not at all, and replaces one that is there. A
record that is damaged is left out and reported, and the exit code is 4.`,
		Example: `  engram export --space ann --out ann.jsonl
  engram export | gzip > memory.jsonl.gz`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return a.withSpace(ctx, &t, reading, nil, func(s *engram.Space) error {
				if out == "" {
					return a.export(ctx, s, a.stdout)
				}
				return writeWhole(string(out), func(w io.Writer) error { return a.export(ctx, s, w) })
			})
		},
	}
	t.add(cmd)
	cmd.Flags().VarP(&out, "out", "o", "`FILE` to write (default stdout)")
	return cmd
}

// export writes the records of a space as lines. Damaged ones give errPartial
// when the others are written.
func (a *app) export(ctx context.Context, s *engram.Space, w io.Writer) error {
	buf := bufio.NewWriterSize(w, 64<<10)
	n, damaged := 0, 0
	for r, err := range s.Log(ctx, 0) {
		if err != nil {
			return err
		}
		line, err := importer.Line(r)
		if errors.Is(err, memory.ErrCorrupt) {
			damaged++
			a.note("position %d is left out: %s", r.Seq, r.Damage)
			continue
		}
		if err != nil {
			return err
		}
		n++
		if _, err := buf.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := buf.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	a.noteIfEmpty(n+damaged, s.Scope())
	if damaged > 0 {
		return fmt.Errorf("%d of %d records are damaged and were left out: %w", damaged, n+damaged, errPartial)
	}
	return nil
}

// writeWhole writes a file beside its place and then moves it there. One that
// is done in part is kept, any other error leaves things as they were.
func writeWhole(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".engram-*")
	if err != nil {
		var at *fs.PathError // names the file beside it, of which nobody knows
		if errors.As(err, &at) {
			err = at.Err
		}
		return fmt.Errorf("write %s: %w", path, err)
	}
	partial := write(f)
	if partial != nil && !errors.Is(partial, errPartial) {
		return errors.Join(partial, f.Close(), os.Remove(f.Name()))
	}
	err = errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return partial
}
