package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/importer"
	"engram/ingest"
	"engram/memory"
)

type importFlags struct {
	target
	zone     zone
	format   name
	recorded name
	json     bool
}

func newImportCommand(a *app) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE | DIRECTORY | -",
		Short: "Take in a history: JSON lines, LoCoMo, BEAM",
		Long: `Take in a history. Formats, guessed from the content if --format is not given:

  jsonl   one object a line, only "text" is required: {"text", "occurred", "session",
          "speaker", "kind", "source", "path", "key", "id_key", "metadata", "links"};
          a statement about the world is {"type": "assertion", "subject", "predicate",
          "object", "news", "valid": {"from", "to"}, …} (see assert); also what export
          writes, with ids and both times
  locomo  a file of the LoCoMo benchmark
  beam    a directory of BEAM chats, or that of one chat

LoCoMo and BEAM conversations go each into a space named after it, unless --space is
given, as if they had been lived through: each turn was recorded when it occurred.
--recorded changes what is stated about when a record came to be known: "stated" by
the line (else now), "occurred", or "now".

A line that is broken is reported and passed over; the rest goes in, and the exit
code is 4. What was taken in before (same id, or same id_key) is not written again.
No facts are read out of the words, and no vectors made, until you consolidate.

With --json {"added", "already_there", "refused", "errors": [{"line", "reason"}]},
errors being the first 100.`,
		Example: `  engram import history.jsonl
  engram import --tz Europe/Berlin --space ann - < notes.jsonl
  engram import locomo10.json && engram recall --space conv-26 "When did Caroline go to the support group?"
  engram export | engram import --space copy -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0])
		},
	}
	f.add(cmd)
	f.zone.add(cmd)
	cmd.Flags().Var(&f.format, "format", "`FORMAT`: jsonl, locomo or beam (default guessed)")
	cmd.Flags().Var(&f.recorded, "recorded", "`HOW`: stated, occurred or now (default stated for jsonl, occurred for the others)")
	jsonFlag(cmd, &f.json)
	complete(cmd, "format", formatJSONL, formatLoCoMo, formatBEAM)
	complete(cmd, "recorded", recordedStated, recordedOccurred, recordedNow)
	return cmd
}

const (
	formatJSONL  = "jsonl"
	formatLoCoMo = "locomo"
	formatBEAM   = "beam"

	recordedStated   = "stated"
	recordedOccurred = "occurred"
	recordedNow      = "now"
)

func (f *importFlags) run(ctx context.Context, a *app, path string) error {
	loc, err := f.zone.location()
	if err != nil {
		return err
	}
	switch f.recorded {
	case "", recordedStated, recordedOccurred, recordedNow:
	default:
		return fmt.Errorf("--recorded %q is none of stated, occurred, now: %w", f.recorded, memory.ErrInvalid)
	}
	in, err := a.openInput(path)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	if f.format == "" {
		f.format = name(in.guess())
	}
	im := importing{app: a, flags: f, loc: loc}
	switch f.format {
	case formatJSONL:
		if in.dir {
			return fmt.Errorf("%s is a directory, JSON lines are a file: %w", path, memory.ErrInvalid)
		}
		err = im.lines(ctx, in)
	case formatLoCoMo:
		err = im.histories(ctx, func() ([]importer.History, error) { return importer.LoCoMo(in.head) })
	case formatBEAM:
		if !in.dir {
			return fmt.Errorf("%s is no directory, BEAM chats are directories (such as 1/chat.json): %w", path, memory.ErrInvalid)
		}
		err = im.histories(ctx, func() ([]importer.History, error) { return importer.BEAM(path) })
	default:
		return fmt.Errorf("--format %q is none of jsonl, locomo, beam: %w", f.format, memory.ErrInvalid)
	}
	return im.finish(err)
}

// importing is one import on its way.
type importing struct {
	*app
	flags *importFlags
	loc   *time.Location
	total ingest.Report
	lag   int  // records that wait to be consolidated
	other bool // not only in the default space
}

// lines imports JSON lines. A broken line is passed over; a broken stream ends it.
func (im *importing) lines(ctx context.Context, in *input) error {
	var broken error
	records := func(yield func(memory.Record, error) bool) {
		for r, err := range importer.JSONL(in.head, im.loc) {
			var line *importer.LineError
			if err != nil && !errors.As(err, &line) {
				broken = err
				return
			}
			if !yield(r, err) {
				return
			}
		}
	}
	bar := im.progress("importing", in.size, true)
	defer bar.done()
	err := im.withSpace(ctx, &im.flags.target, writing, im.loc, func(s *engram.Space) error {
		return im.stream(ctx, s, records, recordedStated, func(ingest.Report) { bar.set(in.read.n) })
	})
	return errors.Join(err, broken)
}

// histories imports conversations, each into a space of its own.
func (im *importing) histories(ctx context.Context, read func() ([]importer.History, error)) error {
	list, err := read()
	if err != nil {
		return err
	}
	turns := 0
	for _, h := range list {
		turns += len(h.Records)
	}
	bar := im.progress("importing", int64(turns), false)
	defer bar.done()
	return im.withEngine(ctx, im.flags.dir, writing, im.loc, func(e *engram.Engine) error {
		before := 0
		for _, h := range list {
			scope := im.flags.scope()
			if scope.Space == "" {
				scope.Space = h.Name
			}
			s, err := e.Space(scope)
			if err != nil {
				return err
			}
			err = im.stream(ctx, s, each(h.Records), recordedOccurred, func(r ingest.Report) {
				bar.set(int64(before + r.Added + r.Duplicates + r.Failed))
			})
			if err != nil {
				return err
			}
			before += len(h.Records)
		}
		return nil
	})
}

// each gives records as a stream without errors.
func each(records []memory.Record) iter.Seq2[memory.Record, error] {
	return func(yield func(memory.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// stream imports records into a space and adds up what came of them.
func (im *importing) stream(ctx context.Context, s *engram.Space, records iter.Seq2[memory.Record, error], byDefault string, progress func(ingest.Report)) error {
	how := string(im.flags.recorded)
	if how == "" {
		how = byDefault
	}
	report, err := s.Import(ctx, restate(records, how, im.now().UnixMicro()), progress)
	im.total.Added += report.Added
	im.total.Duplicates += report.Duplicates
	im.total.Failed += report.Failed
	im.total.Errors = append(im.total.Errors, report.Errors...)
	im.wait(ctx, s)
	if errors.Is(err, memory.ErrInvalid) && how != recordedNow {
		return fmt.Errorf("the space %s holds records that are newer than those of the import (--recorded now takes them as new): %w", s.Scope().Space, err)
	}
	return err
}

// wait counts what waits to be consolidated. That it cannot be counted is no
// error of the import.
func (im *importing) wait(ctx context.Context, s *engram.Space) {
	if lag, err := s.Lag(ctx); err == nil && lag > 0 {
		im.lag += lag
		im.other = im.other || s.Scope() != (memory.Scope{Tenant: memory.DefaultTenant, Space: memory.DefaultSpace})
	}
}

// restate changes when records came to be known. Told as they occurred, none
// is known before the one in front of it, nor later than now.
func restate(records iter.Seq2[memory.Record, error], how string, now int64) iter.Seq2[memory.Record, error] {
	if how == recordedStated {
		return records
	}
	return func(yield func(memory.Record, error) bool) {
		var last int64
		for r, err := range records {
			if err == nil {
				r.Recorded = 0
				if e, ok := r.Body.(*memory.Episode); ok && how == recordedOccurred && !e.Occurred.IsZero() {
					last = max(last, min(e.Occurred.Micros, now))
				}
				r.Recorded = last
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// shownErrors is how many refused lines are listed.
const shownErrors = 20

// finish says what came of the import, also of one that an error ended.
func (im *importing) finish(err error) error {
	r := &im.total
	if err != nil && r.Added+r.Duplicates+r.Failed == 0 {
		return err
	}
	for _, e := range r.Errors[:min(len(r.Errors), shownErrors)] {
		im.note("%s", sentence(e, im.verbose))
	}
	if more := r.Failed - shownErrors; more > 0 {
		im.note("… and %d more", more)
	}
	if im.flags.json {
		err = errors.Join(err, im.printJSON(newImportJSON(r)))
	} else {
		fmt.Fprintf(im.stdout, "%d added, %d already there, %d refused\n", r.Added, r.Duplicates, r.Failed)
	}
	if r.Added > 0 && im.lag > 0 {
		im.noteWaiting(im.lag, !im.other)
	}
	if err != nil {
		return fmt.Errorf("the import stopped early: %w", err)
	}
	if r.Failed > 0 {
		return fmt.Errorf("%d of %d records were refused: %w", r.Failed, r.Added+r.Duplicates+r.Failed, errPartial)
	}
	return nil
}

type importJSON struct {
	Added      int           `json:"added"`
	Duplicates int           `json:"already_there"`
	Failed     int           `json:"refused"`
	Errors     []refusedJSON `json:"errors"`
}

type refusedJSON struct {
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

func newImportJSON(r *ingest.Report) importJSON {
	out := importJSON{Added: r.Added, Duplicates: r.Duplicates, Failed: r.Failed, Errors: []refusedJSON{}}
	for _, err := range r.Errors {
		refused := refusedJSON{Reason: sentence(err, false)}
		var line *importer.LineError
		if errors.As(err, &line) {
			refused = refusedJSON{Line: line.Line, Reason: sentence(line.Reason, false)}
		}
		out.Errors = append(out.Errors, refused)
	}
	return out
}
