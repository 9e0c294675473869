package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

func newConsolidateCommand(a *app) *cobra.Command {
	var t target
	var all, watch, asJSON bool
	cmd := &cobra.Command{
		Use:   "consolidate",
		Short: "Read facts out of the words that came in",
		Long: `Read facts out of the episodes that came in since the last time, of one space or,
with --all, of all spaces of all tenants. It is safe at any time: what is interrupted
goes on where it was, several processes share the work, and nothing is learned twice.
remember does it for its own space; import leaves it to you.

An episode that cannot be read is noted (see status) and keeps nothing waiting. A new
version of the extractor reads everything anew and replaces what the old one asserted.
What was taken out with "retract --extractor" stays out until that is retracted, or
until a new version comes.

--watch stays and looks again every two seconds; Ctrl-C ends it.

Prints what was done; with --json {"spaces", "turns", "assertions", "aliases",
"replaced", "failed"}. With --watch, a line each time there was something to read.`,
		Example: `  engram consolidate --space ann
  engram consolidate --all --watch`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if all && (t.space != "" || t.tenant != "") {
				return fmt.Errorf("--all goes with neither --space nor --tenant: %w", memory.ErrInvalid)
			}
			ctx := cmd.Context()
			how := existing
			if watch {
				how = writing // the store may come later
			}
			return a.withEngine(ctx, t.dir, how, nil, func(e *engram.Engine) error {
				var o engram.ConsolidateOptions
				if !all {
					scope := t.scope()
					o.Scope = &scope
				}
				if watch {
					return a.watch(ctx, e, o, asJSON)
				}
				report, err := a.consolidate(ctx, e, o)
				if err != nil && report == (engram.Consolidated{}) {
					return err
				}
				if printed := a.printConsolidated(report, asJSON); err == nil {
					err = printed
				}
				return err
			})
		},
	}
	t.add(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "all spaces of all tenants")
	cmd.Flags().BoolVar(&watch, "watch", false, "stay, and look again every two seconds")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) consolidate(ctx context.Context, e *engram.Engine, o engram.ConsolidateOptions) (engram.Consolidated, error) {
	var bar *progress
	o.Progress = func(done, total int) {
		if bar == nil {
			bar = a.progress("consolidating", int64(total), false)
		}
		bar.set(int64(done))
	}
	report, err := e.Consolidate(ctx, o)
	if bar != nil {
		bar.done()
	}
	return report, err
}

// watch prints what each look found; what another process holds is said and
// waits for the next.
func (a *app) watch(ctx context.Context, e *engram.Engine, o engram.ConsolidateOptions, asJSON bool) error {
	var printed error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := e.Watch(ctx, engram.WatchOptions{ConsolidateOptions: o, Looked: func(report engram.Consolidated, err error) {
		if err != nil {
			a.note("engram: %s", sentence(err, a.verbose))
		}
		if report.Turns > 0 {
			if printed = a.printConsolidated(report, asJSON); printed != nil {
				stop()
			}
		}
	}})
	if err == nil {
		err = printed
	}
	return err
}

func (a *app) printConsolidated(r engram.Consolidated, asJSON bool) error {
	if r.Failed > 0 {
		a.note("%s could not be read; engram status says why.", number(r.Failed, "turn"))
	}
	if asJSON {
		return a.printJSON(r)
	}
	parts := []string{number(r.Turns, "turn") + " read", number(r.Assertions, "assertion")}
	if r.Aliases > 0 {
		parts = append(parts, fmt.Sprintf("%d of who is who", r.Aliases))
	}
	if r.Replaced > 0 {
		parts = append(parts, fmt.Sprintf("%d of another version replaced", r.Replaced))
	}
	_, err := fmt.Fprintln(a.stdout, strings.Join(parts, ", "))
	return err
}

// number says how many there are of something.
func number(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// soon is the most records that a command which only added some reads by the way.
const soon = 1000

// learn reads what a command has added. The words are safe already, so an error
// is no error of the command.
func (a *app) learn(ctx context.Context, s *engram.Space) {
	lag, err := s.Lag(ctx)
	if lag > soon {
		a.noteWaiting(lag, s.Scope() == memory.Scope{Tenant: memory.DefaultTenant, Space: memory.DefaultSpace})
		return
	}
	if err == nil {
		_, err = s.Consolidate(ctx)
	}
	if err != nil {
		a.note("The words are kept, but not consolidated yet: %s", sentence(err, a.verbose))
	}
}

// noteWaiting says what is to be done about records that are not consolidated.
func (a *app) noteWaiting(records int, inDefault bool) {
	command := "engram consolidate --all"
	if inDefault {
		command = "engram consolidate"
	}
	a.note("%s wait to be consolidated: %s", number(records, "record"), command)
}
