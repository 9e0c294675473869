package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/eval"
	"engram/eval/judge"
)

// finished says what a run left, and writes the answers of each reader from each
// system's contexts.
func (a *app) finished(dir string) error {
	rows, err := eval.ReadLines[eval.Row](filepath.Join(dir, eval.RowsFile))
	if err != nil {
		return err
	}
	failed := 0
	var done []string
	for i := range rows {
		if rows[i].Failed() {
			failed++
		}
		for _, answer := range rows[i].Answers {
			name := rows[i].System + "." + strings.NewReplacer("/", "-", ":", "-", "@", "-").Replace(answer.Reader) + ".jsonl"
			if slices.Contains(done, name) {
				continue
			}
			done = append(done, name)
			if err := writeHypotheses(filepath.Join(dir, "hypotheses", name), rows, rows[i].System, answer.Reader); err != nil {
				return fmt.Errorf("write the answers: %w", err)
			}
		}
	}
	a.note("%d rows are in %s (engram eval report %s).", len(rows), dir, dir)
	if failed > 0 {
		a.note("%d of them have an error and count as wrong; --resume makes these again.", failed)
	}
	return nil
}

func writeHypotheses(path string, rows []eval.Row, system, reader string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // answers to a benchmark are no secret
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	return judge.Hypotheses(file, rows, system, reader)
}
