package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram"
	"engram/importer"
	"engram/memory"
)

func newGetCommand(a *app) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "get RECORD…",
		Short: "Show episodes, assertions and verdicts whole, with their state",
		Long: `Show episodes, assertions and verdicts whole, also retracted and replaced ones. ` + namesHelp + `

With --json one object each: "id", "seq", "recorded", the fields of an import line,
"active" (not retracted); of episodes also "replaced_by", "all_links", and "use"
(feedback).`,
		Example: `  engram get 75
  engram get 0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02 --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return a.withSpace(ctx, &t, reading, nil, func(s *engram.Space) error {
				return a.get(ctx, s, args, asJSON)
			})
		},
	}
	t.add(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) get(ctx context.Context, s *engram.Space, names []string, asJSON bool) error {
	ids, err := resolve(ctx, s, names)
	if err != nil {
		return err
	}
	for i, id := range ids {
		stored, err := s.Record(ctx, id)
		if err != nil {
			return err
		}
		switch stored.Body.(type) {
		case *memory.Assertion, *memory.Settlement:
			if err := a.printStored(&stored, i > 0, asJSON); err != nil {
				return err
			}
			continue
		}
		found, err := s.Get(ctx, id)
		if err != nil {
			return err
		}
		if asJSON {
			err = a.printJSON(struct {
				engram.Found
				Recorded memory.Time `json:"recorded"`
			}{found, memory.Micros(found.Recorded)})
		} else {
			err = a.printFound(&found, i > 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *app) printFound(f *engram.Found, another bool) error {
	var b strings.Builder
	row := a.rows(&b, another)
	row("id", f.ID.String())
	row("seq", fmt.Sprint(f.Seq))
	row("state", state(f))
	row("occurred", f.Occurred.String())
	row("recorded", memory.Micros(f.Recorded).String())
	row("session", f.Session)
	row("speaker", f.Speaker)
	row("kind", string(f.Kind))
	row("source", string(f.Source))
	row("path", f.Path)
	row("key", f.Key)
	row("id_key", f.Listed.IDKey)
	for _, k := range slices.Sorted(maps.Keys(f.Metadata)) {
		row("meta", k+"="+f.Metadata[k])
	}
	for _, l := range f.Links {
		row("link", string(l.Rel)+" "+l.To.String())
	}
	b.WriteString("\n" + strings.TrimRight(printable(f.Text), "\n") + "\n")
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

// rows gives a function that writes a named value on a line, if there is one.
func (a *app) rows(b *strings.Builder, another bool) func(name, value string) {
	p := a.palette(a.stdout)
	if another {
		b.WriteString("\n")
	}
	return func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "%s %s\n", p.dim(fmt.Sprintf("%-9s", name)), oneLine(value))
		}
	}
}

// printStored writes an assertion or a verdict.
func (a *app) printStored(r *engram.Stored, another, asJSON bool) error {
	if asJSON {
		line, err := importer.Line(r.Record)
		if err != nil {
			return err
		}
		return a.printLine(fmt.Appendf(line[:len(line)-1], `,"active":%t}`, r.Active))
	}
	var b strings.Builder
	row := a.rows(&b, another)
	row("id", r.ID.String())
	row("seq", fmt.Sprint(r.Seq))
	row("type", string(r.Body.Type()))
	if r.Active {
		row("state", "active")
	} else {
		row("state", "retracted")
	}
	row("recorded", memory.Micros(r.Recorded).String())
	switch body := r.Body.(type) {
	case *memory.Assertion:
		assertionRows(row, body)
	case *memory.Settlement:
		row("winner", body.Winner.String())
		for _, id := range body.Losers {
			row("loser", id.String())
		}
		row("reason", body.Reason)
		row("actor", body.Actor)
	}
	row("id_key", r.IDKey)
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

func assertionRows(row func(name, value string), b *memory.Assertion) {
	row("subject", b.Subject)
	row("predicate", b.Predicate)
	row("object", b.Object)
	row("news", string(b.News))
	row("from", b.Valid.From.String())
	row("to", b.Valid.To.String())
	row("said", b.Said.String())
	row("source", string(b.Source))
	if b.Confidence > 0 {
		row("confident", fmt.Sprint(b.Confidence))
	}
	row("extractor", strings.TrimSpace(b.Extractor+" "+b.Version))
	for _, s := range b.Provenance {
		span := s.Episode.String()
		if s.End > 0 {
			span += fmt.Sprintf(":%d-%d", s.Start, s.End)
		}
		row("evidence", span)
	}
	for _, id := range b.Depends {
		row("depends", id.String())
	}
	row("corrects", b.Corrects.String())
	row("replaces", b.Replaces)
}

func state(f *engram.Found) string {
	switch {
	case !f.Active:
		return "retracted"
	case !f.Replaced.IsZero():
		return "replaced by " + f.Replaced.String()
	}
	return "active"
}
