package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
	"engram/store"
)

func newSpacesCommand(a *app) *cobra.Command {
	var dir, tenant name
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "spaces",
		Short: "List the spaces of a tenant",
		Long: `List the spaces of a tenant by name, with the number of their records, the position
of the log, and when something was last recorded. With --json one object a line:
{"tenant", "space", "records", "position", "recorded"}.`,
		Example: `  engram spaces
  engram spaces --tenant acme --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return a.withEngine(ctx, dir, reading, nil, func(e *engram.Engine) error {
				list, err := allSpaces(ctx, e, string(tenant))
				if err != nil {
					return err
				}
				return a.printSpaces(list, asJSON)
			})
		},
	}
	dirFlag(cmd, &dir)
	cmd.Flags().Var(&tenant, "tenant", "tenant (default \"default\")")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// allSpaces lists the spaces of a tenant, page by page.
func allSpaces(ctx context.Context, e *engram.Engine, tenant string) ([]store.Space, error) {
	const page = 1000
	var list []store.Space
	for after := ""; ; {
		some, err := e.Spaces(ctx, tenant, after, page)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
		if len(some) < page {
			return list, nil
		}
		after = some[len(some)-1].Scope.Space
	}
}

// spacesOf gives the space that the flags name or, if they name none, all spaces
// of the tenant.
func spacesOf(ctx context.Context, e *engram.Engine, t *target) ([]*engram.Space, error) {
	scopes := []engram.Scope{t.scope()}
	if t.space == "" {
		list, err := allSpaces(ctx, e, string(t.tenant))
		if err != nil {
			return nil, err
		}
		scopes = scopes[:0]
		for _, s := range list {
			scopes = append(scopes, s.Scope)
		}
	}
	spaces := make([]*engram.Space, len(scopes))
	for i, scope := range scopes {
		var err error
		if spaces[i], err = e.Space(scope); err != nil {
			return nil, err
		}
	}
	return spaces, nil
}

func (a *app) printSpaces(list []store.Space, asJSON bool) error {
	if len(list) == 0 {
		a.note("There are no spaces yet.")
		return nil
	}
	var rows [][]string
	for _, s := range list {
		recorded := memory.Micros(s.Head.Recorded)
		if asJSON {
			err := a.printJSON(struct {
				memory.Scope
				Records  int             `json:"records"`
				Position memory.Position `json:"position"`
				Recorded memory.Time     `json:"recorded"`
			}{s.Scope, s.Records, s.Head.Position, recorded})
			if err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{oneLine(s.Scope.Space), fmt.Sprint(s.Records), s.Head.Position.String(), when(recorded)})
	}
	if asJSON {
		return nil
	}
	return a.table([]string{"SPACE", "RECORDS", "POSITION", "LAST RECORDED"}, rows)
}
