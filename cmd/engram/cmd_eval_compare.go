package main

import (
	"github.com/spf13/cobra"

	"engram/eval/report"
)

func newEvalCompareCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Show what changed between two runs, question by question",
		Long: `Show what changed from the run in directory A to that in B, for the systems that are in
both: how many rows differ apart from latencies and commits; the means of each measure, the
gain with its bootstrapped 95 % interval over the same questions, and for how many it rose and
fell, with an exact sign test; which answers turned right or wrong, with an exact McNemar test;
and every question that was measured differently.

Both runs are held to the rules of eval report.

With --json {"benchmark", "a", "b", "rows", "differing", "contexts_changed", "only_a",
"only_b", "systems": {NAME: {"rows", "differing", "contexts_changed", "missing",
"metrics": {METRIC: {"a", "b", "gain", "gain_interval", "rose", "fell", "same", "sign_p"}},
"readers": [{"reader", "a", "b", "turned_right", "turned_wrong", "mcnemar_p"}],
"questions": [{"question_id", "category", "metrics": {METRIC: [before, after]}}]}}};
"a" and "b" are the manifests of the runs; "unlike" says in what inputs they differ, and
"incomplete_a" and "incomplete_b" what is missing.`,
		Example: `  engram eval compare runs/before runs/after
  engram eval compare runs/before runs/after --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			runs, err := loadRuns(args)
			if err != nil {
				return err
			}
			c, err := report.Compare(runs[0], runs[1])
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(c)
			}
			return c.Table(a.stdout)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
