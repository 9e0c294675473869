package main

import (
	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

func newSettleCommand(a *app) *cobra.Command {
	var t target
	var body memory.Settlement
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "settle WINNER LOSER…",
		Short: "Decide a dispute between assertions",
		Long: `Decide a dispute: from now on the losing assertions count no longer; an earlier
--known-at still sees them. conflicts shows what is in dispute, and the positions of
the assertions. undo takes the verdict back. ` + namesHelp + `

Prints the id and the position of the new record; with --json {"id", "seq",
"duplicate"}.`,
		Example: `  engram conflicts
  engram settle 12 15 --reason "asked her"`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return a.withSpace(ctx, &t, existing, nil, func(s *engram.Space) error {
				ids, err := resolveAssertions(ctx, s, args)
				if err != nil {
					return err
				}
				body.Winner, body.Losers = ids[0], ids[1:]
				ref, err := s.Settle(ctx, body)
				if err != nil {
					return err
				}
				return a.printRef(ref, asJSON)
			})
		},
	}
	t.add(cmd)
	cmd.Flags().StringVar(&body.Reason, "reason", "", "`WHY`, kept in the log")
	cmd.Flags().StringVar(&body.Actor, "actor", "", "`WHO` decides, kept in the log")
	jsonFlag(cmd, &asJSON)
	return cmd
}
