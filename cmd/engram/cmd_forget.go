package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

type forgetFlags struct {
	target
	filterFlags
	zone          zone
	entity        name
	all, yes      bool
	reason, actor string
	json          bool
}

func newForgetCommand(a *app) *cobra.Command {
	var f forgetFlags
	cmd := &cobra.Command{
		Use:   "forget [RECORD…] [--session … | --entity NAME | --all]",
		Short: "Erase for good, after a preview",
		Long: `Erase for good the episodes and assertions that are named, that pass a filter, or all
of a space, with the records that speak of nothing else. --entity erases what is
asserted of an entity or names it as a value, under each of its names (see alias), and
the episodes that mention one in their words, speaker, session, path, key or metadata;
reasons, actors and tombstones are not searched. In scripts without spaces a name is
found inside a longer one too, 李 in 李雷: look at what would be erased.

Without --yes it shows what would be erased and erases nothing. With --yes it prints
the receipt: counts, whether a scan found anything left, and what may still hold the
bytes. What the erased had replaced or taken back comes back; facts that hold again for
that reason are marked stale. ` + namesHelp + `

With --json the preview is {"preview": true, "scope", "counts", "episodes"} with
"episodes" a list of ids; the receipt is {"scope", "id", "position", "counts",
"verified", "pending", "complete"}.

` + filterHelp,
		Example: `  engram forget 75
  engram forget --session s7 --yes --reason "asked by the user"
  engram forget --entity "Dr. Weber"
  engram forget --all --space old-project --yes`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args)
		},
	}
	f.target.add(cmd)
	f.filterFlags.add(cmd)
	f.zone.add(cmd)
	flags := cmd.Flags()
	flags.Var(&f.entity, "entity", "everything about an entity, by any of its `NAME`s")
	flags.BoolVar(&f.all, "all", false, "the whole space")
	flags.BoolVar(&f.yes, "yes", false, "do it")
	flags.StringVar(&f.reason, "reason", "", "`WHY`, kept in the log; no content belongs into it")
	flags.StringVar(&f.actor, "actor", "", "`WHO` erases, kept in the log")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *forgetFlags) run(ctx context.Context, a *app, names []string) error {
	loc, err := f.zone.location()
	if err != nil {
		return err
	}
	sel := engram.Selection{All: f.all, Entity: string(f.entity), Reason: f.reason, Actor: f.actor}
	if sel.Filter, err = f.filter(loc); err != nil {
		return err
	}
	how := existing
	if !f.yes {
		how = reading
	}
	return a.withSpace(ctx, &f.target, how, loc, func(s *engram.Space) error {
		if sel.IDs, err = resolve(ctx, s, names); err != nil {
			return err
		}
		if !f.yes {
			return f.preview(ctx, a, s, sel)
		}
		receipt, err := s.Forget(ctx, sel)
		if err != nil {
			return err
		}
		return f.printReceipt(a, &receipt)
	})
}

// shownEpisodes is how many episodes a preview shows.
const shownEpisodes = 20

func (f *forgetFlags) preview(ctx context.Context, a *app, s *engram.Space, sel engram.Selection) error {
	plan, err := s.PlanForget(ctx, sel)
	if err != nil {
		return err
	}
	n := len(plan.Episodes)
	if n == 0 && counted(plan.Counts) == "nothing" {
		return fmt.Errorf("nothing in %s is selected: %w", s.Scope().Space, memory.ErrNotFound)
	}
	if f.json {
		ids := make([]memory.ID, n)
		for i, e := range plan.Episodes {
			ids[i] = e.ID
		}
		return a.printJSON(struct {
			Preview  bool                      `json:"preview"`
			Scope    memory.Scope              `json:"scope"`
			Counts   map[memory.RecordType]int `json:"counts"`
			Episodes []memory.ID               `json:"episodes"`
		}{true, s.Scope(), plan.Counts, ids})
	}
	if n > 0 {
		if err := a.printEpisodes(plan.Episodes[:min(n, shownEpisodes)]); err != nil {
			return err
		}
	}
	if n > shownEpisodes {
		fmt.Fprintf(a.stdout, "… and %d more\n", n-shownEpisodes)
	}
	if f.entity != "" {
		facts, err := s.Facts(ctx, engram.FactQuery{Subject: string(f.entity), All: true})
		if err != nil {
			return err
		}
		if err := a.printFacts(facts); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.stdout, "This would erase for good: %s.\n", counted(plan.Counts))
	a.note("Nothing was erased. Run it again with --yes to erase.")
	return nil
}

func (f *forgetFlags) printReceipt(a *app, r *memory.Receipt) error {
	if f.json {
		return a.printJSON(struct {
			*memory.Receipt
			Complete bool `json:"complete"`
		}{r, r.Complete()})
	}
	fmt.Fprintf(a.stdout, "Erased from %s: %s.\n", oneLine(r.Scope.Space), counted(r.Counts))
	fmt.Fprintf(a.stdout, "Receipt %s at position %s.\n", r.ID, r.Position)
	verified := "A scan found nothing left."
	if !r.Verified {
		verified = "A scan could not confirm that nothing is left."
	}
	fmt.Fprintln(a.stdout, verified)
	for _, p := range r.Pending {
		fmt.Fprintf(a.stdout, "Pending: %s.\n", p)
	}
	return nil
}
