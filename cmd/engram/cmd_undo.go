package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

type undoFlags struct {
	target
	reason, actor string
	json          bool
}

func newUndoCommand(a *app) *cobra.Command {
	var f undoFlags
	cmd := &cobra.Command{
		Use:   "undo RECORD",
		Short: "Take one record back, and show what that changes",
		Long: `Take one record back, as retract does, and show what that changes: the facts that hold
again ("+") and those that hold no longer ("-"), now. Nothing is deleted, and undoing
the undo brings it back. ` + namesHelp + `

Prints the id and the position of the new record, then the facts; with --json {"id",
"seq", "duplicate", "back": […], "gone": […]} with facts as facts --json has them.`,
		Example: `  engram undo 12
  engram undo 13           # 13 being that undo: 12 counts again`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return a.withSpace(ctx, &f.target, existing, nil, func(s *engram.Space) error {
				return f.run(ctx, a, s, args[0])
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.reason, "reason", "", "`WHY`, kept in the log")
	cmd.Flags().StringVar(&f.actor, "actor", "", "`WHO` takes it back, kept in the log")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *undoFlags) run(ctx context.Context, a *app, s *engram.Space, record string) error {
	id, err := resolveOne(ctx, s, record)
	if err != nil {
		return err
	}
	r, err := s.Record(ctx, id)
	if err != nil {
		return err
	}
	if r.Body != nil && r.Body.Type() == memory.TypeErased {
		return fmt.Errorf("what was erased is gone for good: %w", memory.ErrInvalid)
	}
	// All at one moment, so that what an undo changes is not what time does.
	q := engram.FactQuery{AsOf: memory.AsOf{Valid: memory.At(a.now())}}
	if as, ok := r.Body.(*memory.Assertion); ok {
		q.Subject, q.Predicate = as.Subject, as.Predicate
	}
	before, err := s.Facts(ctx, q)
	if err != nil {
		return err
	}
	ref, err := s.Retract(ctx, memory.Retract{Targets: []memory.ID{id}, Reason: f.reason, Actor: f.actor})
	if err != nil {
		return err
	}
	after, err := s.Facts(ctx, q)
	if err != nil {
		return err
	}
	return f.print(a, ref, without(after, before), without(before, after))
}

// without gives the facts that another list does not have.
func without(facts, other []memory.Fact) []memory.Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f memory.Fact) bool {
		return slices.ContainsFunc(other, func(g memory.Fact) bool {
			return f.Subject == g.Subject && f.Predicate == g.Predicate && f.Object == g.Object &&
				f.ValidFrom == g.ValidFrom && f.ValidTo == g.ValidTo && f.State == g.State
		})
	})
}

func (f *undoFlags) print(a *app, ref memory.Ref, back, gone []memory.Fact) error {
	if f.json {
		return a.printJSON(struct {
			refJSON
			Back []memory.Fact `json:"back"`
			Gone []memory.Fact `json:"gone"`
		}{refJSON{ref.ID, ref.Seq, ref.Duplicate}, append([]memory.Fact{}, back...), append([]memory.Fact{}, gone...)})
	}
	if err := a.printRef(ref, false); err != nil {
		return err
	}
	p := a.palette(a.stdout)
	for _, change := range []struct {
		facts []memory.Fact
		paint func(string) string
		sign  string
	}{{back, p.good, "+"}, {gone, p.bad, "-"}} {
		for i := range change.facts {
			f := &change.facts[i]
			line := fmt.Sprintf("%s %s %s %s, %s to %s, %s, %s", change.sign, f.Subject, f.Predicate, f.Object,
				end(f.ValidFrom, f.FromBasis), end(f.ValidTo, f.ToBasis), marks(f), source(f))
			if _, err := fmt.Fprintln(a.stdout, change.paint(oneLine(line))); err != nil {
				return err
			}
		}
	}
	if len(back)+len(gone) == 0 {
		a.note("No fact changes by it.")
	}
	return nil
}
