package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/ingest"
	"engram/memory"
)

func newConsolidateCommand(a *app) *cobra.Command {
	var t target
	var all, watch, asJSON bool
	cmd := &cobra.Command{
		Use:   "consolidate",
		Short: "Read facts out of the words that came in, and make their vectors",
		Long: `Read facts out of the episodes that came in since the last time, of one space or,
with --all, of all spaces of all tenants. It is safe at any time: what is interrupted
goes on where it was, several processes share the work, and nothing is learned twice.
remember does it for its own space; import leaves it to you.

An episode that cannot be read is noted (see status) and keeps nothing waiting. A new
version of the extractor reads everything anew and replaces what the old one asserted.
What was taken out with "retract --extractor" stays out until that is retracted, or
until a new version comes.

With a model for vectors, it then makes those that are missing. A new model makes all of
them anew, while words go on serving, and those of the old one stay until you remove
them (engram model forget). Of vectors several processes make the same, so let one do it.

--watch stays and looks again every two seconds; Ctrl-C ends it.

Prints what was done; with --json {"spaces", "turns", "assertions", "aliases",
"replaced", "failed", "vectors", "vectors_refused"}. With --watch, a line each time there
was something to do.`,
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
				var did consolidated
				var err error
				if did.Consolidated, err = a.consolidate(ctx, e, o); err == nil {
					err = a.embed(ctx, e, o.Scope, &did)
				}
				if err != nil && did == (consolidated{}) {
					return err
				}
				if printed := a.printConsolidated(did, asJSON); err == nil {
					err = printed
				}
				return err
			})
		},
	}
	t.add(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "all spaces of all tenants")
	cmd.Flags().BoolVar(&watch, "watch", false, "stay, and look again every two seconds")
	modelFlag(cmd, a)
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

// consolidated is what a command did to catch up.
type consolidated struct {
	engram.Consolidated
	Vectors int `json:"vectors,omitempty"`
	Refused int `json:"vectors_refused,omitempty"` // texts that the model does not take
}

// embed makes the vectors that are missing.
func (a *app) embed(ctx context.Context, e *engram.Engine, scope *engram.Scope, did *consolidated) error {
	var bar *progress
	report, err := e.Embed(ctx, engram.EmbedOptions{Scope: scope, Progress: func(done, total int) {
		if bar == nil {
			bar = a.progress("making vectors", int64(total), false)
		}
		bar.set(int64(done))
	}})
	if bar != nil {
		bar.done()
	}
	did.Vectors, did.Refused = report.Vectors, report.Refused
	return err
}

// watch prints what each look found; what another process holds is said and
// waits for the next.
func (a *app) watch(ctx context.Context, e *engram.Engine, o engram.ConsolidateOptions, asJSON bool) error {
	var printed error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	say := func(did consolidated, something bool, err error) {
		if err != nil {
			a.note("engram: %s", sentence(err, a.verbose))
		}
		if something && printed == nil {
			if printed = a.printConsolidated(did, asJSON); printed != nil {
				stop()
			}
		}
	}
	err := e.Watch(ctx, engram.WatchOptions{
		ConsolidateOptions: o,
		Looked: func(r engram.Consolidated, err error) {
			say(consolidated{Consolidated: r}, r.Turns > 0, err)
		},
		Embedded: func(r engram.Embedded, err error) {
			say(consolidated{Vectors: r.Vectors, Refused: r.Refused}, r.Vectors > 0, err)
		},
	})
	if err == nil {
		err = printed
	}
	return err
}

func (a *app) printConsolidated(r consolidated, asJSON bool) error {
	if r.Failed > 0 {
		a.note("%s could not be read; engram status says why.", number(r.Failed, "turn"))
	}
	if r.Refused > 0 {
		a.noteRefused(r.Refused)
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
	if r.Vectors > 0 {
		parts = append(parts, number(r.Vectors, "vector"))
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
	inDefault := s.Scope() == memory.Scope{Tenant: memory.DefaultTenant, Space: memory.DefaultSpace}
	lag, err := s.Lag(ctx)
	if lag > soon {
		a.noteWaiting(lag, inDefault)
		return
	}
	if err == nil {
		_, err = s.Consolidate(ctx)
	}
	if err != nil {
		a.note("The words are kept, but not consolidated yet: %s", sentence(err, a.verbose))
	}
	if lag, err = s.EmbedLag(ctx); lag > soon { // all of a memory, perhaps, by a new model
		a.noteWaiting(lag, inDefault)
		return
	}
	var made engram.Embedded
	if err == nil {
		made, err = embedSoon(ctx, s)
	}
	if made.Refused > 0 {
		a.noteRefused(made.Refused)
	}
	if err != nil {
		a.note("The words are kept, but have no vectors yet: %s", sentence(err, a.verbose))
	}
}

// embedWait bounds what a command waits for vectors that it makes by the way.
const embedWait = 10 * time.Second

func embedSoon(ctx context.Context, s *engram.Space) (engram.Embedded, error) {
	limited, cancel := context.WithTimeout(ctx, embedWait)
	defer cancel()
	made, err := s.Embed(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("the model took longer than %v; engram consolidate waits for it: %w", embedWait, ingest.ErrModel)
	}
	return made, err
}

func (a *app) noteRefused(texts int) {
	a.note("%s could not be taken by the model; words find them.", number(texts, "text"))
}

// noteWaiting says what is to be done about records that are not consolidated.
func (a *app) noteWaiting(records int, inDefault bool) {
	command := "engram consolidate --all"
	if inDefault {
		command = "engram consolidate"
	}
	a.note("%s wait to be consolidated: %s", number(records, "record"), command)
}
