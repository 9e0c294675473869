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
	extractor     name
	json          bool
}

func newUndoCommand(a *app) *cobra.Command {
	var f undoFlags
	cmd := &cobra.Command{
		Use:   "undo RECORD | --extractor NAME",
		Short: "Take back a record, or an extractor's work, and show what that changes",
		Long: `Take one record back, as retract does, and show what that changes: the facts that are
true again ("+") and those that are no longer ("-"), past and coming ones too. Nothing is
deleted, and undoing the undo brings it back. ` + namesHelp + `

--extractor takes out everything that an extractor asserted, as if it had never done so.

Prints the id and the position of the new record, then the facts; with --json {"id",
"seq", "duplicate", "back": […], "gone": […]} with facts as facts --json has them.`,
		Example: `  engram undo 12
  engram undo 13           # 13 being that undo: 12 counts again
  engram undo --extractor rules`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch {
			case (len(args) > 0) == (f.extractor != ""):
				return fmt.Errorf("say what to take back: a record or --extractor, just one of them: %w", memory.ErrInvalid)
			case f.extractor != "" && f.reason != "":
				return fmt.Errorf("--reason does not go with --extractor, which is the reason: %w", memory.ErrInvalid)
			}
			return a.withSpace(ctx, &f.target, existing, nil, func(s *engram.Space) error {
				if f.extractor != "" {
					return f.show(ctx, a, s, func() (memory.Ref, error) { return a.retractExtractor(ctx, s, f.extractor, f.actor) })
				}
				return f.run(ctx, a, s, args[0])
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.reason, "reason", "", "`WHY`, kept in the log")
	cmd.Flags().StringVar(&f.actor, "actor", "", "`WHO` takes it back, kept in the log")
	cmd.Flags().Var(&f.extractor, "extractor", "everything that this extractor `NAME` asserted")
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
	if !r.Active {
		a.note("It was already taken back.")
	}
	return f.show(ctx, a, s, func() (memory.Ref, error) {
		return s.Retract(ctx, memory.Retract{Targets: []memory.ID{id}, Reason: f.reason, Actor: f.actor})
	})
}

// show takes something back, and prints the facts that change by it.
func (f *undoFlags) show(ctx context.Context, a *app, s *engram.Space, retract func() (memory.Ref, error)) error {
	// All at one moment, so that what an undo changes is not what time does.
	q := engram.FactQuery{AsOf: memory.AsOf{Valid: memory.At(a.now())}, All: true}
	before, err := s.Facts(ctx, q)
	if err != nil {
		return err
	}
	ref, err := retract()
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
	type shown struct {
		subject, predicate, object string
		from, to                   memory.Time
		state                      memory.State
		stale                      string
		boundary                   bool
	}
	key := func(f *memory.Fact) shown {
		return shown{f.Subject, f.Predicate, f.Object, f.ValidFrom, f.ValidTo, f.State, f.Stale, f.Boundary}
	}
	has := make(map[shown]bool, len(other))
	for i := range other {
		has[key(&other[i])] = true
	}
	return slices.DeleteFunc(slices.Clone(facts), func(f memory.Fact) bool { return has[key(&f)] })
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
