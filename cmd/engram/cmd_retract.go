package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

func newRetractCommand(a *app) *cobra.Command {
	var t target
	var body memory.Retract
	var extractor name
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "retract RECORD… | --extractor NAME",
		Short: "Take records back; nothing is deleted",
		Long: `Make records inactive: they are no longer recalled, and what they had replaced comes
back. Nothing is deleted: an earlier --known-at still sees them, and retracting the
retraction undoes it (forget erases for good). ` + namesHelp + `

--extractor takes out everything that an extractor asserted, as if it had never done
so: no --known-at sees it. The words that it read stay.

Prints the id and the position of the new record; with --json {"id", "seq",
"duplicate"}. undo takes back one record and shows what facts come back.`,
		Example: `  engram retract 75 --reason "said by mistake"
  engram retract 80        # 80 being that retraction: 75 is back
  engram retract --extractor rules`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if (len(args) > 0) == (extractor != "") {
				return fmt.Errorf("say what to take back: records or --extractor, just one of them: %w", memory.ErrInvalid)
			}
			if extractor != "" {
				if body.Reason != "" {
					return fmt.Errorf("--reason does not go with --extractor, which is the reason: %w", memory.ErrInvalid)
				}
				return a.withSpace(ctx, &t, existing, nil, func(s *engram.Space) error {
					ref, err := a.retractExtractor(ctx, s, extractor, body.Actor)
					if err != nil {
						return err
					}
					return a.printRef(ref, asJSON)
				})
			}
			return a.withSpace(ctx, &t, existing, nil, func(s *engram.Space) (err error) {
				if body.Targets, err = resolve(ctx, s, args); err != nil {
					return err
				}
				ref, err := s.Retract(ctx, body)
				if err != nil {
					return err
				}
				return a.printRef(ref, asJSON)
			})
		},
	}
	t.add(cmd)
	cmd.Flags().StringVar(&body.Reason, "reason", "", "`WHY`, kept in the log")
	cmd.Flags().StringVar(&body.Actor, "actor", "", "`WHO` takes it back, kept in the log")
	cmd.Flags().Var(&extractor, "extractor", "everything that this extractor `NAME` asserted")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) retractExtractor(ctx context.Context, s *engram.Space, extractor name, actor string) (memory.Ref, error) {
	ref, n, err := s.RetractExtractor(ctx, string(extractor), actor)
	if err == nil {
		a.note("%d assertions of %s count no longer.", n, extractor)
	}
	return ref, err
}
