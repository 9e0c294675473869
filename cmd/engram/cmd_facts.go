package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

// pointFlags say from where a read of facts looks on both axes.
type pointFlags struct {
	zone  zone
	known knownFlag
	valid name
}

func (p *pointFlags) add(cmd *cobra.Command) {
	cmd.Flags().Var(&p.valid, "as-of", "look at what holds at a `TIME` (its beginning; default now)")
	p.known.add(cmd)
	p.zone.add(cmd)
}

func (p *pointFlags) parse() (at memory.AsOf, loc *time.Location, err error) {
	if loc, err = p.zone.location(); err != nil {
		return at, nil, err
	}
	if at.Valid, err = parseTime("--as-of", string(p.valid), loc); err != nil {
		return at, nil, err
	}
	at.Known, err = p.known.parse(loc)
	return at, loc, err
}

const factsHelp = `FROM is inclusive, TO exclusive, both as exactly as they were said; "~" marks a date
that nobody stated (it was said then), "-" an open end. STATE is current, past, future
or disputed, with the marks boundary (the change is dated too coarsely to say which
value holds) and stale (why it may hold no longer). SOURCE ends with the position of
the record that says it.`

const schemaHelp = `How many values a predicate has at a time is said by a schema: one, many, or event. A
predicate that it does not know has many. The file schema.txt in the data directory
extends it, one rule a line, "#" begins a comment:

  one lives_in works_at         # a new value ends the old one
  many likes owns               # values end only if somebody says so
  event visited bought          # holds on its day, nothing contradicts it
  authority tool server_state   # there the tool is believed above the user`

type factsFlags struct {
	target
	pointFlags
	predicate, object name
	all               bool
	limit             count
	json              bool
}

func newFactsCommand(a *app) *cobra.Command {
	var f factsFlags
	cmd := &cobra.Command{
		Use:   "facts [SUBJECT [PREDICATE]]",
		Short: "Show what is true at a time, as known at a time",
		Long: `Show the facts that hold, of one subject or of all; --as-of asks for another time,
--known-at for what was known then. --all adds what is past or yet to come.

` + factsHelp + `

` + schemaHelp + `

With --json one object a line: {"id", "subject", "predicate", "object", "valid_at",
"invalid_at", "valid_at_basis", "invalid_at_basis", "created_at", "expired_at", "state",
"boundary", "stale", "source", "confidence", "corroboration", "assertions",
"provenance", "predecessor", "successor", "seq"}.`,
		Example: `  engram facts Ann
  engram facts Ann lives_in --as-of 2024-04Z
  engram facts --predicate 住在 --known-at 2026-02Z
  engram facts --object Berlin --all --json`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args)
		},
	}
	f.target.add(cmd)
	f.pointFlags.add(cmd)
	flags := cmd.Flags()
	flags.Var(&f.predicate, "predicate", "only of this `PREDICATE`")
	flags.Var(&f.object, "object", "only with this `VALUE`")
	flags.BoolVar(&f.all, "all", false, "also what is past or yet to come")
	flags.VarP(&f.limit, "limit", "n", "only the first N (default all)")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *factsFlags) run(ctx context.Context, a *app, args []string) error {
	at, loc, err := f.parse()
	if err != nil {
		return err
	}
	q := engram.FactQuery{AsOf: at, Object: string(f.object), Predicate: string(f.predicate), All: f.all, Limit: int(f.limit)}
	if len(args) > 0 {
		if q.Subject = args[0]; strings.TrimSpace(q.Subject) == "" {
			return fmt.Errorf("the subject is blank: %w", memory.ErrInvalid)
		}
	}
	if len(args) > 1 {
		if q.Predicate != "" {
			return fmt.Errorf("the predicate is named twice, %q and --predicate %q: %w", args[1], q.Predicate, memory.ErrInvalid)
		}
		if q.Predicate = args[1]; strings.TrimSpace(q.Predicate) == "" {
			return fmt.Errorf("the predicate is blank: %w", memory.ErrInvalid)
		}
	}
	return a.withView(ctx, &f.target, at.Known, loc, func(s *engram.Space) error {
		facts, err := s.Facts(ctx, q)
		if err != nil {
			return err
		}
		if len(facts) == 0 {
			a.note("No such fact in the memory %q can be seen from here.", s.Scope().Space)
		}
		if f.json {
			return a.printFactsJSON(facts)
		}
		return a.printFacts(facts)
	})
}

func (a *app) printFactsJSON(facts []memory.Fact) error {
	for i := range facts {
		if err := a.printJSON(&facts[i]); err != nil {
			return err
		}
	}
	return nil
}

// printFacts writes a table of facts, nothing if there are none.
func (a *app) printFacts(facts []memory.Fact) error {
	if len(facts) == 0 {
		return nil
	}
	rows := make([][]string, len(facts))
	for i := range facts {
		f := &facts[i]
		rows[i] = append(a.factCells(f), marks(f), source(f))
	}
	return a.table([]string{"SUBJECT", "PREDICATE", "OBJECT", "FROM", "TO", "STATE", "SOURCE"}, rows)
}

// objectColumns is how wide a value is shown in the tables of a terminal.
const objectColumns = 32

// factCells gives the cells that tables of facts begin with.
func (a *app) factCells(f *memory.Fact) []string {
	object := oneLine(f.Object)
	if a.width(a.stdout) > 0 {
		object = cut(object, objectColumns)
	}
	return []string{oneLine(f.Subject), oneLine(f.Predicate), object, end(f.ValidFrom, f.FromBasis), end(f.ValidTo, f.ToBasis)}
}

// end shows an end of a fact as exactly as it was said.
func end(t memory.Time, b memory.Basis) string {
	switch {
	case t.IsZero():
		return "-"
	case b == memory.Assumed:
		return "~" + when(t)
	}
	return when(t)
}

// marks gives the state of a fact with its marks.
func marks(f *memory.Fact) string {
	out := string(f.State)
	if f.Boundary {
		out += ", boundary"
	}
	if f.Stale != "" {
		out += ", stale: " + f.Stale
	}
	return out
}

// source says who a fact comes from, and where to look.
func source(f *memory.Fact) string {
	out := string(cmp.Or(f.Source, memory.User))
	if f.Corroboration > 1 {
		out += fmt.Sprintf(" ×%d", f.Corroboration)
	}
	return fmt.Sprintf("%s [%d]", out, f.Seq)
}
