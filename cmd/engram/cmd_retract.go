package main

import (
	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

func newRetractCommand(a *app) *cobra.Command {
	var t target
	var body memory.Retract
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "retract RECORD…",
		Short: "Take records back; nothing is deleted",
		Long: `Make records inactive: they are no longer recalled, and what they had replaced comes
back. Nothing is deleted: an earlier --known-at still sees them, and retracting the
retraction undoes it (forget erases for good). ` + namesHelp + `

Prints the id and the position of the new record; with --json {"id", "seq",
"duplicate"}.`,
		Example: `  engram retract 75 --reason "said by mistake"
  engram retract 80        # 80 being that retraction: 75 is back`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
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
	jsonFlag(cmd, &asJSON)
	return cmd
}
