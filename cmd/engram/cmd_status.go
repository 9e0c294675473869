package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"engram"
)

func newStatusCommand(a *app) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show how far consolidation and vectors have come",
		Long: `Show how far consolidation has come, in one space or, without --space, in all spaces
of the tenant: LAG counts the records of the log that the extractor has not come to,
PENDING the episodes among them, FAILED the episodes that could not be read. The latest
20 of those are listed with the reason. With a model for vectors, VECTORS counts the
episodes, and parts of long ones, that wait for theirs. Vectors of other models are
listed: they are kept until you remove them (engram model forget).

With --json one object a line: {"scope", "extractor", "lag", "pending", "failed",
"failures": [{"episode", "seq", "reason"}], "vector_model", "vectors_waiting",
"other_models"}.`,
		Example: `  engram status
  engram status --space ann --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return a.withEngine(ctx, t.dir, reading, nil, func(e *engram.Engine) error {
				list, err := statuses(ctx, e, &t)
				if err != nil {
					return err
				}
				return a.printStatus(list, asJSON)
			})
		},
	}
	t.addOrAll(cmd)
	modelFlag(cmd, a)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func statuses(ctx context.Context, e *engram.Engine, t *target) ([]engram.Status, error) {
	spaces, err := spacesOf(ctx, e, t)
	if err != nil {
		return nil, err
	}
	var list []engram.Status
	for _, s := range spaces {
		status, err := s.Status(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, status)
	}
	return list, nil
}

func (a *app) printStatus(list []engram.Status, asJSON bool) error {
	if len(list) == 0 {
		a.note("There are no spaces yet.")
		return nil
	}
	header, model := []string{"SPACE", "LAG", "PENDING", "FAILED", "EXTRACTOR"}, list[0].Model // that of the engine
	if model != "" {
		header = append(header, "VECTORS", "MODEL")
	}
	var rows [][]string
	for _, s := range list {
		if asJSON {
			if err := a.printJSON(s); err != nil {
				return err
			}
		}
		row := []string{oneLine(s.Scope.Space), fmt.Sprint(s.Lag), fmt.Sprint(s.Pending), fmt.Sprint(s.Failed), s.Extractor}
		if model != "" {
			row = append(row, fmt.Sprint(s.Waiting), oneLine(model))
		}
		rows = append(rows, row)
	}
	if asJSON {
		return nil
	}
	if err := a.table(header, rows); err != nil {
		return err
	}
	return a.printStatusNotes(list)
}

// printStatusNotes lists what could not be read, and what other models have made.
func (a *app) printStatusNotes(list []engram.Status) error {
	for _, s := range list {
		for _, f := range s.Failures {
			if _, err := fmt.Fprintf(a.stdout, "%s [%d] could not be read: %s\n", oneLine(s.Scope.Space), f.Seq, oneLine(f.Reason)); err != nil {
				return err
			}
		}
		for _, m := range s.Others {
			if _, err := fmt.Fprintf(a.stdout, "%s has vectors of %s, which are not searched\n", oneLine(s.Scope.Space), oneLine(m)); err != nil {
				return err
			}
		}
	}
	return nil
}
