// Package report reads runs of the scoreboard, refuses those that are not what
// they claim to be, and makes tables, pages and comparisons of the others. It
// asks nothing and measures nothing: all that it says is in the files of a run.
package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/eval"
	"engram/memory"
)

// Run is what is in the directory of a run.
type Run struct {
	Dir      string // as it was named
	Manifest eval.Manifest
	Rows     []eval.Row
	Cases    []eval.CaseRow
}

// Load reads the directory of a run, which need not be complete and may be
// archived (rows.jsonl.gz); a line that a crash cut off is left out. It gives fs.ErrNotExist if there is no run, and
// memory.ErrInvalid if there is something else. It does not verify: New and Compare do.
func Load(dir string) (*Run, error) {
	r := &Run{Dir: dir}
	var err error
	if r.Manifest, err = eval.ReadManifest(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no run, as eval run makes it: %w", dir, err)
	} else if err != nil {
		return nil, err
	}
	for _, name := range []string{eval.RowsFile, eval.IngestFile} {
		path := filepath.Join(dir, name)
		_, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			_, err = os.Stat(path + ".gz") // archived
		}
		if err != nil {
			return nil, fmt.Errorf("the run in %s has neither %s nor %s.gz: %w", dir, name, name, err)
		}
	}
	if r.Rows, err = eval.ReadLines[eval.Row](filepath.Join(dir, eval.RowsFile)); err != nil {
		return nil, err
	}
	if r.Cases, err = eval.ReadLines[eval.CaseRow](filepath.Join(dir, eval.IngestFile)); err != nil {
		return nil, err
	}
	if len(r.Rows) == 0 {
		return nil, fmt.Errorf("the run in %s has no rows yet: %w", dir, memory.ErrInvalid)
	}
	return r, nil
}

// whole reports whether a system claims to hand over the whole history.
func (r *Run) whole(system string) bool {
	return system == full || system == "engram-full" || r.Manifest.Options[system]["whole"] == "true"
}

// gold reports whether a system is told the evidence.
func (r *Run) gold(system string) bool {
	return system == "oracle" || r.Manifest.Options[system]["gold"] == "true"
}

// questions gives the questions of all rows, sorted.
func (r *Run) questions() []string {
	list := eval.Distinct(r.Rows, func(row eval.Row) string { return row.Question })
	slices.Sort(list)
	return list
}

// status is "" for a complete run, and says how many of the rows are there of
// one that is not.
func (r *Run) status() string {
	if r.Manifest.Complete {
		return ""
	}
	per, atLeast := r.Manifest.Questions, ""
	if per == 0 { // known at the end only
		per, atLeast = len(r.questions()), "at least "
	}
	return fmt.Sprintf("incomplete: %d of %s%d rows", len(r.Rows), atLeast, per*len(r.Manifest.Systems))
}

// readers gives those whose answers were judged: in the order of the manifest,
// then of their names.
func (r *Run) readers() []string {
	judged := map[string]bool{}
	for i := range r.Rows {
		for _, a := range r.Rows[i].Answers {
			if _, ok := r.Rows[i].Correct(a.Reader); ok {
				judged[a.Reader] = true
			}
		}
	}
	place := func(reader string) int {
		if at := slices.Index(r.Manifest.Readers, reader); at >= 0 {
			return at
		}
		return len(r.Manifest.Readers)
	}
	list := make([]string, 0, len(judged))
	for reader := range judged {
		list = append(list, reader)
	}
	slices.SortFunc(list, func(a, b string) int {
		if d := place(a) - place(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return list
}
