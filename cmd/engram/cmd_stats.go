package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"engram"
)

func newStatsCommand(a *app) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count what a space holds",
		Long: `Count what a space holds, and say where it lies. With --json {"scope", "position",
"episodes", "visible", "damaged", "sessions", "terms", "assertions", "dir"}: episodes in
the log, visible ones (neither retracted nor replaced), distinct terms of the index, and
assertions in the log.`,
		Example: `  engram stats
  engram stats --space ann --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return a.withSpace(ctx, &t, reading, nil, func(s *engram.Space) error {
				stats, err := s.Stats(ctx)
				if err != nil {
					return err
				}
				dir, err := a.dataDir(string(t.dir))
				if err != nil {
					return err
				}
				a.noteIfEmpty(stats.Visible+stats.Assertions, s.Scope())
				if asJSON {
					return a.printJSON(struct {
						engram.Stats
						Dir string `json:"dir"`
					}{stats, dir})
				}
				return a.printStats([]engram.Stats{stats}, dir)
			})
		},
	}
	t.add(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) printStats(list []engram.Stats, dir string) error {
	rows := make([][]string, len(list))
	for i, s := range list {
		rows[i] = []string{
			oneLine(s.Scope.Space), s.Position.String(), fmt.Sprint(s.Episodes), fmt.Sprint(s.Visible), fmt.Sprint(s.Assertions),
			fmt.Sprint(s.Damaged), fmt.Sprint(s.Sessions), fmt.Sprint(s.Words), dir,
		}
	}
	return a.table([]string{"SPACE", "POSITION", "EPISODES", "VISIBLE", "ASSERTIONS", "DAMAGED", "SESSIONS", "TERMS", "DIRECTORY"}, rows)
}
