package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

type conflictsFlags struct {
	target
	pointFlags
	json bool
}

func newConflictsCommand(a *app) *cobra.Command {
	var f conflictsFlags
	cmd := &cobra.Command{
		Use:   "conflicts",
		Short: "Show the facts that are in dispute",
		Long: `Show the facts that are in dispute: a source says so, and another one, later or at the
same time, something else. Both stay readable until settle decides, or until somebody
who is trusted more says more. ASSERTIONS are the positions to settle by.

` + factsHelp + `

With --json one object a line, as facts has them.`,
		Example: `  engram conflicts
  engram conflicts --known-at 2026-02Z --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), a)
		},
	}
	f.target.add(cmd)
	f.pointFlags.add(cmd)
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *conflictsFlags) run(ctx context.Context, a *app) error {
	at, loc, err := f.parse()
	if err != nil {
		return err
	}
	return a.withView(ctx, &f.target, at.Known, loc, func(s *engram.Space) error {
		facts, err := s.Conflicts(ctx, at)
		if err != nil {
			return err
		}
		if f.json {
			return a.printFactsJSON(facts)
		}
		if len(facts) == 0 {
			a.note("Nothing in the memory %q is in dispute.", s.Scope().Space)
			return nil
		}
		return a.printConflicts(ctx, s, facts)
	})
}

func (a *app) printConflicts(ctx context.Context, s *engram.Space, facts []memory.Fact) error {
	rows := make([][]string, len(facts))
	for i := range facts {
		said, err := places(ctx, s, facts[i].Assertions)
		if err != nil {
			return err
		}
		rows[i] = append(a.factCells(&facts[i]), source(&facts[i]), said)
	}
	return a.table([]string{"SUBJECT", "PREDICATE", "OBJECT", "FROM", "TO", "SOURCE", "ASSERTIONS"}, rows)
}

// places gives the positions of records, such as "[3] [5]".
func places(ctx context.Context, s *engram.Space, ids []memory.ID) (string, error) {
	out := make([]string, len(ids))
	for i, id := range ids {
		r, err := s.Record(ctx, id)
		if err != nil {
			return "", err
		}
		out[i] = fmt.Sprintf("[%d]", r.Seq)
	}
	return strings.Join(out, " "), nil
}
