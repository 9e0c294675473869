package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

func newGetCommand(a *app) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "get RECORD…",
		Short: "Show episodes whole, with their state",
		Long: `Show episodes whole, also retracted and replaced ones. ` + namesHelp + `

With --json one object each: "id", "seq", "recorded", the fields of an import line,
"active" (not retracted), "replaced_by", "all_links", and "use" (feedback).`,
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
	p := a.palette(a.stdout)
	var b strings.Builder
	if another {
		b.WriteString("\n")
	}
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s %s\n", p.dim(fmt.Sprintf("%-9s", name)), oneLine(value))
		}
	}
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

func state(f *engram.Found) string {
	switch {
	case !f.Active:
		return "retracted"
	case !f.Replaced.IsZero():
		return "replaced by " + f.Replaced.String()
	}
	return "active"
}
