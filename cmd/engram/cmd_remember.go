package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

type rememberFlags struct {
	target
	zone     zone
	episode  memory.Episode
	kind     string
	source   string
	occurred name
	meta     []string
	links    []string
	only     bool // and consolidate nothing
	json     bool
}

func newRememberCommand(a *app) *cobra.Command {
	var f rememberFlags
	cmd := &cobra.Command{
		Use:     "remember [TEXT… | -]",
		Aliases: []string{"add"},
		Short:   "Keep what was said or done, word for word",
		Long: `Keep one episode, word for word. The text is taken from the arguments, or from
standard input if it is "-" or something is piped in. It is durable when its id is
printed. Then facts are read out of it, and its vectors made (see consolidate).

Prints the id and the position of the new record, separated by a tab. With --json
{"id", "seq", "duplicate"}: duplicate is true if --id-key was used before in this
space; nothing is written then, and the first record is named.`,
		Example: `  engram remember --speaker Ann "I moved to Berlin in March."
  engram remember --kind instruction 请一律用中文回答
  git log -1 | engram remember --kind observation --source tool --session build-17
  engram remember --occurred 2026-03-08T15:00 --tz Asia/Shanghai "演示定在周二"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args)
		},
	}
	f.add(cmd)
	f.zone.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.episode.Session, "session", "", "`SESSION`, the conversation or run that it belongs to")
	flags.StringVar(&f.episode.Speaker, "speaker", "", "`WHO` said or did it")
	flags.StringVar(&f.kind, "kind", "message", "`KIND`: "+kinds)
	flags.StringVar(&f.source, "source", "user", "`SOURCE`, where it comes from: "+sources)
	flags.StringVar(&f.episode.Path, "path", "", "`PATH`, a place inside the space: a/b/c")
	flags.StringVar(&f.episode.Key, "key", "", "a later text with this `KEY` replaces this one")
	flags.StringVar(&f.episode.IDKey, "id-key", "", "your own `ID`: the same one again writes nothing")
	flags.StringArrayVar(&f.meta, "meta", nil, "metadata, `KEY=VALUE` (may be repeated)")
	flags.StringArrayVar(&f.links, "link", nil, "tie to another record, `RELATION=RECORD` with caused_by, reply_to, same_task or about (may be repeated)")
	flags.Var(&f.occurred, "occurred", "`TIME` at which it was said or done (default now)")
	flags.BoolVar(&f.only, "no-consolidate", false, "leave it to consolidate to read facts out of it and to make its vectors")
	modelFlag(cmd, a)
	jsonFlag(cmd, &f.json)
	completeKinds(cmd)
	return cmd
}

func (f *rememberFlags) run(ctx context.Context, a *app, args []string) error {
	loc, err := f.zone.location()
	if err != nil {
		return err
	}
	e := &f.episode
	if e.Text, err = a.text(args); err != nil {
		return err
	}
	e.Kind, e.Source = memory.Kind(f.kind), memory.Source(f.source)
	if e.Occurred, err = parseTime("--occurred", string(f.occurred), loc); err != nil {
		return err
	}
	if e.Metadata, err = parsePairs("--meta", f.meta); err != nil {
		return err
	}
	if err := e.Validate(); err != nil { // before a data directory is made for it
		return err
	}
	return a.withSpace(ctx, &f.target, writing, loc, func(s *engram.Space) error {
		if e.Links, err = parseLinks(ctx, s, f.links); err != nil {
			return err
		}
		refs, err := s.Remember(ctx, *e)
		if err != nil {
			return err
		}
		if err := a.printRef(refs[0], f.json); err != nil || f.only {
			return err
		}
		a.learn(ctx, s)
		return nil
	})
}

func parseLinks(ctx context.Context, s *engram.Space, links []string) ([]memory.Link, error) {
	var out []memory.Link
	for _, l := range links {
		rel, to, ok := strings.Cut(l, "=")
		if !ok {
			return nil, fmt.Errorf("--link %q is not of the form relation=record: %w", l, memory.ErrInvalid)
		}
		id, err := resolveOne(ctx, s, to)
		if err != nil {
			return nil, err
		}
		out = append(out, memory.Link{Rel: memory.Relation(rel), To: id})
	}
	return out, nil
}

// refJSON is where a record went.
type refJSON struct {
	ID        memory.ID  `json:"id"`
	Seq       memory.Seq `json:"seq"`
	Duplicate bool       `json:"duplicate"`
}

// printRef says where a record went.
func (a *app) printRef(r memory.Ref, asJSON bool) error {
	if asJSON {
		return a.printJSON(refJSON{ID: r.ID, Seq: r.Seq, Duplicate: r.Duplicate})
	}
	if r.Duplicate {
		a.note("It was there already; nothing was written.")
	}
	_, err := fmt.Fprintf(a.stdout, "%s\t[%d]\n", r.ID, r.Seq)
	return err
}
