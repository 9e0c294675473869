package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
	"engram/store"
)

func newCheckCommand(a *app) *cobra.Command {
	var dir name
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Read the whole store and report what is damaged",
		Long: `Read the whole store, of all tenants and spaces, and report what is damaged. The exit
code is 6 if something is. With --json {"spaces", "records", "faults": [{"tenant",
"space", "seq", "what"}]}.`,
		Example: `  engram check
  engram check --json | jq .faults`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return a.withEngine(ctx, dir, reading, nil, func(e *engram.Engine) error {
				bar := a.progress("checking", -1, false)
				report, err := e.Check(ctx)
				bar.done()
				if err != nil {
					return err
				}
				return a.printReport(&report, asJSON)
			})
		},
	}
	dirFlag(cmd, &dir)
	jsonFlag(cmd, &asJSON)
	return cmd
}

type faultJSON struct {
	memory.Scope
	Seq  memory.Seq `json:"seq,omitempty"`
	What string     `json:"what"`
}

func (a *app) printReport(r *store.Report, asJSON bool) error {
	faults := make([]faultJSON, len(r.Faults))
	for i, f := range r.Faults {
		faults[i] = faultJSON{f.Scope, f.Seq, f.What}
	}
	if asJSON {
		err := a.printJSON(struct {
			Spaces  int         `json:"spaces"`
			Records int         `json:"records"`
			Faults  []faultJSON `json:"faults"`
		}{r.Spaces, r.Records, faults})
		if err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.stdout, "%d spaces, %d records, %d faults\n", r.Spaces, r.Records, len(faults))
		for _, f := range faults {
			fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("%s at %d: %s", f.Scope, f.Seq, f.What)))
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d faults: %w", len(faults), memory.ErrCorrupt)
	}
	return nil
}
