package main

import (
	"context"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

type listFlags struct {
	view
	limit count
	json  bool
}

func newListCommand(a *app) *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what can be seen, in the order in which it was recorded",
		Long: `List the episodes that can be seen and pass the filter, in the order in which they
were recorded. Retracted and replaced ones are left out (log shows them).

With --json one object a line: the fields of an import line with "id", "seq" and
"recorded".

` + filterHelp,
		Example: `  engram list -n 20
  engram list --kind instruction --source user
  engram list --after 2026-03Z --json | jq -r .text`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), a)
		},
	}
	f.add(cmd)
	cmd.Flags().VarP(&f.limit, "limit", "n", "only the last N (default all)")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *listFlags) run(ctx context.Context, a *app) error {
	filter, known, loc, err := f.parse()
	if err != nil {
		return err
	}
	return a.withView(ctx, &f.target, known, loc, func(s *engram.Space) error {
		list, err := s.List(ctx, filter, memory.AsOf{Known: known}, 0, 0)
		if err != nil {
			return err
		}
		a.noteIfEmpty(len(list), s.Scope())
		if n := int(f.limit); n > 0 && n < len(list) {
			list = list[len(list)-n:]
		}
		if !f.json {
			if len(list) == 0 {
				return nil
			}
			return a.printEpisodes(list)
		}
		for _, e := range list {
			if err := a.printJSON(episodeJSON{Listed: e, Recorded: recordedIn(e.Recorded, loc)}); err != nil {
				return err
			}
		}
		return nil
	})
}
