package main

import (
	"context"

	"github.com/spf13/cobra"

	"engram"
)

func newRebuildCommand(a *app) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Make everything that follows from the log anew",
		Long: `Make everything that follows from the log anew, of one space or, without --space, of
all spaces of the tenant, and print what they hold. The log itself is not changed.
With --json one object a line, as stats prints them, without "dir".`,
		Example: `  engram rebuild
  engram rebuild --space ann`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return a.withEngine(ctx, t.dir, reading, nil, func(e *engram.Engine) error {
				return a.rebuild(ctx, e, &t, asJSON)
			})
		},
	}
	t.addOrAll(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) rebuild(ctx context.Context, e *engram.Engine, t *target, asJSON bool) error {
	spaces, err := spacesOf(ctx, e, t)
	if err != nil {
		return err
	}
	all, err := a.rebuildSpaces(ctx, spaces)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		a.note("There are no spaces yet.")
		return nil
	}
	if !asJSON {
		dir, err := a.dataDir(string(t.dir))
		if err != nil {
			return err
		}
		return a.printStats(all, dir)
	}
	for _, s := range all {
		if err := a.printJSON(s); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) rebuildSpaces(ctx context.Context, spaces []*engram.Space) ([]engram.Stats, error) {
	bar := a.progress("rebuilding", int64(len(spaces)), false)
	defer bar.done()
	var all []engram.Stats
	for i, s := range spaces {
		stats, err := s.Rebuild(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, stats)
		bar.set(int64(i + 1))
	}
	return all, nil
}
