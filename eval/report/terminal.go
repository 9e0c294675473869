package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table writes the report for a terminal: a line a system, and one for each of
// its readers if there were errors of readers or judges.
func (r *Report) Table(w io.Writer) error {
	m := &r.Runs[0]
	head := fmt.Sprintf("%s: %d questions, budget %d tokens, seed %d, commit %s", r.title(), r.Questions, m.Budget, m.Seed, commit(r.Runs))
	if r.Incomplete != "" {
		head += " – " + r.Incomplete
	}
	if _, err := fmt.Fprintln(w, head); err != nil {
		return err
	}
	t := r.overview()
	if err := t.plain(w); err != nil || !r.failed() {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	t = r.readerTable()
	return t.plain(w)
}

// failed reports whether a reader or judge had an error.
func (r *Report) failed() bool {
	return slices.ContainsFunc(r.order, func(name string) bool {
		ofReaders, ofJudges := r.Systems[name].failures()
		return ofReaders+ofJudges > 0
	})
}

// plain writes the lines of a table in columns, the first one to the left.
func (t *table) plain(w io.Writer) error {
	widths := make([]int, len(t.Header))
	all := append([][]string{t.Header}, t.Rows...)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range all {
		var line strings.Builder
		for i, cell := range row {
			blank := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line.WriteString(cell + blank)
				continue
			}
			line.WriteString("  " + blank + cell)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}
