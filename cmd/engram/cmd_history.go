package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
	"engram/timeline"
)

type historyFlags struct {
	target
	zone  zone
	draw  bool
	width count
	json  bool
}

func newHistoryCommand(a *app) *cobra.Command {
	var f historyFlags
	cmd := &cobra.Command{
		Use:   "history SUBJECT PREDICATE",
		Short: "Show all that was ever believed of one thing, and draw it",
		Long: `Show everything that was ever believed of a subject's predicate, in the order in which
it became known: each value with the interval in which it held and the interval in
which that was known, and what it came after and before.

--draw draws it: when it held across, what was known down. Each box is one belief; read
a row to see what was believed at that time. What is open has no edge. Values that hold
at once are drawn below one another.

` + factsHelp + `

With --json one object a line, as facts has them.`,
		Example: `  engram history Ann lives_in
  engram history Ann lives_in --draw
  engram history 李雷 住在 --draw --tz Asia/Shanghai`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0], args[1])
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.draw, "draw", false, "draw it")
	flags.Var(&f.width, "width", fmt.Sprintf("`COLUMNS` of the drawing, %d at least (default those of the terminal, or 80)", minWidth))
	flags.Var(&f.zone.name, "tz", "show when it was known in this `ZONE`, an IANA name or \"local\" (default UTC)")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *historyFlags) run(ctx context.Context, a *app, subject, predicate string) error {
	loc, err := f.zone.location()
	if err != nil {
		return err
	}
	if f.draw && f.json {
		return fmt.Errorf("--draw and --json do not go together: %w", memory.ErrInvalid)
	}
	if f.width > 0 && f.width < minWidth {
		return fmt.Errorf("--width %d is too narrow, a drawing takes %d columns at least: %w", f.width, minWidth, memory.ErrInvalid)
	}
	schema, err := a.schema(f.dir)
	if err != nil {
		return err
	}
	return a.withSpace(ctx, &f.target, reading, loc, func(s *engram.Space) error {
		facts, err := s.History(ctx, subject, predicate)
		if err != nil {
			return err
		}
		switch {
		case f.json:
			return a.printFactsJSON(facts)
		case len(facts) == 0:
			a.note("Nothing was ever believed of %q %q in the memory %q.", subject, predicate, s.Scope().Space)
			return nil
		case !f.draw:
			return a.printHistory(facts, loc)
		}
		d := drawing{
			facts: facts, single: schema.Cardinality(predicate) == timeline.One, zone: cmp.Or(loc, time.UTC), now: a.now().UnixMicro(),
			width: cmp.Or(int(f.width), a.width(a.stdout), 80), palette: a.palette(a.stdout),
		}
		_, err = io.WriteString(a.stdout, d.draw())
		return err
	})
}

func (a *app) printHistory(facts []memory.Fact, loc *time.Location) error {
	values := make(map[memory.ID]string, len(facts))
	for _, f := range facts {
		values[f.ID] = oneLine(f.Object)
	}
	rows := make([][]string, len(facts))
	for i := range facts {
		f := &facts[i]
		state := marks(f)
		if !f.KnownTo.IsZero() {
			state = "no longer believed"
		}
		rows[i] = append(a.factCells(f)[2:], known(f.KnownFrom, loc), known(f.KnownTo, loc), state,
			cmp.Or(values[f.Predecessor], "-"), cmp.Or(values[f.Successor], "-"), source(f))
	}
	fmt.Fprintf(a.stdout, "%s %s\n", oneLine(facts[0].Subject), oneLine(facts[0].Predicate))
	return a.table([]string{"OBJECT", "FROM", "TO", "KNOWN FROM", "KNOWN TO", "STATE", "AFTER", "BEFORE", "SOURCE"}, rows)
}

func known(t memory.Time, loc *time.Location) string {
	if t.IsZero() {
		return "-"
	}
	return when(recordedIn(t.Micros, loc))
}
