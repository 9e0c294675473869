package main

import (
	"context"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

const aliasHelp = `
Prints the id and the position of the new record; with --json {"id", "seq",
"duplicate"}.`

func newAliasCommand(a *app) *cobra.Command {
	return newNamesCommand(a, &cobra.Command{
		Use:   "alias NAME ENTITY",
		Short: "Say that a name means an entity",
		Long: `Say that a name means an entity, also in what was said before: facts of both are
shown together, under one subject or as one value. apart undoes all of a name's
aliases, undo one of them.
` + aliasHelp,
		Example: `  engram alias Annie Ann
  engram alias 小李 李雷`,
		Args: cobra.ExactArgs(2),
	}, func(ctx context.Context, s *engram.Space, args []string) (memory.Ref, error) {
		return s.Alias(ctx, args[0], args[1])
	})
}

func newApartCommand(a *app) *cobra.Command {
	return newNamesCommand(a, &cobra.Command{
		Use:   "apart NAME",
		Short: "Say that a name stands for itself again",
		Long: `Say that a name stands for itself again: every earlier alias of it counts no longer.
` + aliasHelp,
		Example: `  engram apart Annie`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *engram.Space, args []string) (memory.Ref, error) {
		return s.Apart(ctx, args[0])
	})
}

// newNamesCommand completes a command that says who is who.
func newNamesCommand(a *app, cmd *cobra.Command, say func(context.Context, *engram.Space, []string) (memory.Ref, error)) *cobra.Command {
	var t target
	var asJSON bool
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		return a.withSpace(ctx, &t, writing, nil, func(s *engram.Space) error {
			ref, err := say(ctx, s, args)
			if err != nil {
				return err
			}
			return a.printRef(ref, asJSON)
		})
	}
	t.add(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}
