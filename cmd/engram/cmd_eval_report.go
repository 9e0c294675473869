package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"engram/eval/report"
)

// reportFlags are the flags of eval report.
type reportFlags struct {
	html, markdown name
	asJSON         bool
}

func newEvalReportCommand(a *app) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report DIR…",
		Short: "Report runs of benchmarks",
		Long: `Report runs that eval run left in directories. Runs of the same questions by different
systems become one report; others are reported one after the other.

A run is refused (exit code 2) if a row is there twice or missing, was made by another
commit or with another seed, or was ranked by weights fitted on its own case, or if a
whole history was truncated without saying so. One that is not complete is marked.

Shares of right answers have Wilson's 95 % interval, other means a bootstrapped one. Each
system is tested against the system "full" on the same questions: the exact McNemar test
of right answers or, without a model, of all evidence covered. An error is a wrong answer.

With --json {"benchmark", "questions", "incomplete", "main", "systems": {NAME: {"metrics",
"by_category", "intervals", "vs_full": {"on", "questions", "gained", "lost", "mcnemar_p",
"gain", "gain_interval"}, "readers", "abstention", "latency_ms", "bytes", …}}, "runs"};
an array of these if there are several reports. Intervals are {"low", "high"}.`,
		Example: `  engram eval report runs/locomo
  engram eval report runs/locomo --json
  engram eval report runs/locomo runs/locomo-dense --html report.html --markdown report.md`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.evalReport(args, &f)
		},
	}
	cmd.Flags().Var(&f.html, "html", "write a page with plots to this `FILE`; it needs no other file")
	cmd.Flags().Var(&f.markdown, "markdown", "write the tables in Markdown to this `FILE`")
	jsonFlag(cmd, &f.asJSON)
	return cmd
}

func (a *app) evalReport(dirs []string, f *reportFlags) error {
	runs, err := loadRuns(dirs)
	if err != nil {
		return err
	}
	reports, err := report.New(runs...)
	if err != nil {
		return err
	}
	if err := a.writeReport(string(f.html), reports, report.HTML); err != nil {
		return err
	}
	if err := a.writeReport(string(f.markdown), reports, report.Markdown); err != nil {
		return err
	}
	if f.asJSON {
		if len(reports) == 1 {
			return a.printJSON(reports[0])
		}
		return a.printJSON(reports)
	}
	if f.html != "" || f.markdown != "" {
		return nil
	}
	for i, r := range reports {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := r.Table(a.stdout); err != nil {
			return err
		}
	}
	return nil
}

func loadRuns(dirs []string) ([]*report.Run, error) {
	runs := make([]*report.Run, len(dirs))
	for i, dir := range dirs {
		var err error
		if runs[i], err = report.Load(dir); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// writeReport writes reports to a file; an empty name is none.
func (a *app) writeReport(file string, reports []*report.Report, write func(io.Writer, ...*report.Report) error) error {
	if file == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b, reports...); err != nil {
		return err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil { //nolint:gosec // a scoreboard is no secret
		return fmt.Errorf("write the report: %w", err)
	}
	a.note("Report written: %s", file)
	return nil
}
