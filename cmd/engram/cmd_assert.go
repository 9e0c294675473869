package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/importer"
	"engram/memory"
)

const newsKinds = "change, end, correction, late, taking_back"

type assertFlags struct {
	target
	zone           zone
	assertion      memory.Assertion
	news, source   string
	from, to, said name
	evidence       []string
	depends        []string
	corrects       name
	json           bool
}

func newAssertCommand(a *app) *cobra.Command {
	var f assertFlags
	cmd := &cobra.Command{
		Use:   "assert SUBJECT PREDICATE [OBJECT] | -",
		Short: "State that something is, was, or is no longer so",
		Long: `State something about the world: that a subject has a value for a predicate. Nothing
is edited: what all statements amount to together, facts shows, and history how it came
about. --news says what a statement does to what was believed before:

  change       begins to hold, and ends what held (default)
  end          holds no longer, and nothing takes its place; without OBJECT whatever held
  correction   was never so, and this was instead
  late         held during a bounded past (--from and --to), both sides of it stay
  taking_back  never happened; what held before goes on; OBJECT may be left out

--from and --to are as exact as they are known (2026Z, 2026-03Z, 2026-03-08+08:00,
2026-03-08T15:00+08:00); one without an offset is refused unless --tz is given. Without
--from it begins when it was said: --said, else when the evidence occurred, else now.
--to is the first moment at which it holds no longer. ` + namesHelp + `

With "-" assertions are read from standard input, one JSON object a line, all of them
or none: {"subject", "predicate", "object", "news", "valid": {"from", "to"}, "said",
"source", "confidence", "extractor", "extractor_version", "provenance": [{"episode",
"start", "end"}], "depends", "corrects", "replaces", "id_key"}. (import takes such
lines with "type": "assertion" too, also many.)

Prints the id and the position of the new record, separated by a tab. With --json
{"id", "seq", "duplicate"}.`,
		Example: `  engram assert Ann lives_in Paris
  engram assert Ann lives_in Berlin --from 2026-03Z --evidence 12
  engram assert Ann works_at Acme --news end --to 2026-04-30Z
  engram assert 李雷 住在 上海 --news correction --replaces 北京`,
		Args: cobra.MaximumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, cmd, args)
		},
	}
	f.add(cmd)
	f.zone.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.news, "news", "change", "`KIND` of news: "+newsKinds)
	flags.Var(&f.from, "from", "`DATE` from which it holds (default when it was said)")
	flags.Var(&f.to, "to", "`DATE` from which it holds no longer")
	flags.Var(&f.said, "said", "`TIME` at which it was said (default now)")
	flags.StringVar(&f.source, "source", "user", "`SOURCE`, where it comes from: "+sources)
	flags.Float64Var(&f.assertion.Confidence, "confidence", 0, "a `NUMBER` in (0, 1] (default 1)")
	flags.StringVar(&f.assertion.Extractor, "extractor", "", "`NAME` of what read it out of the words")
	flags.StringVar(&f.assertion.Version, "extractor-version", "", "its `VERSION`")
	flags.StringArrayVar(&f.evidence, "evidence", nil, "`EPISODE` that says it, as a whole or EPISODE:START-END in bytes (may be repeated)")
	flags.StringArrayVar(&f.depends, "depends", nil, "`RECORD` of an assertion from which it was inferred (may be repeated)")
	flags.Var(&f.corrects, "corrects", "`RECORD` of the assertion that a correction or taking back means")
	flags.StringVar(&f.assertion.Replaces, "replaces", "", "`VALUE` that a correction or taking back takes away")
	flags.StringVar(&f.assertion.IDKey, "id-key", "", "your own `ID`: the same one again writes nothing")
	jsonFlag(cmd, &f.json)
	complete(cmd, "news", strings.Split(newsKinds, ", ")...)
	complete(cmd, "source", strings.Split(sources, ", ")...)
	return cmd
}

func (f *assertFlags) run(ctx context.Context, a *app, cmd *cobra.Command, args []string) error {
	loc, err := f.zone.location()
	if err != nil {
		return err
	}
	if len(args) == 1 && args[0] == "-" {
		return f.lines(ctx, a, cmd, loc)
	}
	if cmd.Flags().Changed("confidence") && f.assertion.Confidence == 0 {
		return fmt.Errorf("--confidence 0 is not in (0, 1]: %w", memory.ErrInvalid)
	}
	if err := f.read(args, loc); err != nil {
		return err
	}
	return a.withSpace(ctx, &f.target, writing, loc, func(s *engram.Space) error {
		as := &f.assertion
		if as.Provenance, err = parseEvidence(ctx, s, f.evidence); err != nil {
			return err
		}
		if as.Depends, err = resolveAssertions(ctx, s, f.depends); err != nil {
			return err
		}
		if f.corrects != "" {
			ids, err := resolveAssertions(ctx, s, []string{string(f.corrects)})
			if err != nil {
				return err
			}
			as.Corrects = ids[0]
		}
		refs, err := s.Assert(ctx, *as)
		if err != nil {
			return err
		}
		return a.printRef(refs[0], f.json)
	})
}

// read takes what can be checked before a data directory is made for it.
func (f *assertFlags) read(args []string, loc *time.Location) (err error) {
	if len(args) < 2 {
		return fmt.Errorf("an assertion has a subject, a predicate and an object: %w", memory.ErrInvalid)
	}
	as := &f.assertion
	as.Subject, as.Predicate = args[0], args[1]
	if len(args) == 3 {
		as.Object = args[2]
	}
	as.News, as.Source = memory.News(f.news), memory.Source(f.source)
	for _, stated := range []struct {
		to    *memory.Time
		flag  string
		value name
	}{{&as.Valid.From, "--from", f.from}, {&as.Valid.To, "--to", f.to}, {&as.Said, "--said", f.said}} {
		if *stated.to, err = parseTime(stated.flag, string(stated.value), loc); err != nil {
			return err
		}
	}
	return as.Validate()
}

// statedByLine are the flags that go with lines of assertions.
var statedByLine = map[string]bool{"dir": true, "tenant": true, "space": true, "tz": true, "json": true, "verbose": true}

// lines reads assertions from standard input and writes all of them or none.
func (f *assertFlags) lines(ctx context.Context, a *app, cmd *cobra.Command, loc *time.Location) error {
	if flag := changedBeside(cmd, statedByLine); flag != "" {
		return fmt.Errorf("--%s does not go with assertions from standard input, whose lines state it: %w", flag, memory.ErrInvalid)
	}
	var list []memory.Assertion
	for r, err := range importer.Assertions(a.stdin, loc) {
		if err != nil {
			var line *importer.LineError
			if errors.As(err, &line) {
				return fmt.Errorf("line %d: %w", line.Line, line.Reason)
			}
			return fmt.Errorf("read standard input: %w", err)
		}
		as, ok := r.Body.(*memory.Assertion)
		if !ok || !r.ID.IsZero() || r.Recorded != 0 {
			return fmt.Errorf("assertion %d: only assertions without an id and a recorded time go here (import takes all): %w", len(list)+1, memory.ErrInvalid)
		}
		list = append(list, *as)
	}
	if len(list) == 0 {
		return fmt.Errorf("there is no assertion on standard input: %w", memory.ErrInvalid)
	}
	return a.withSpace(ctx, &f.target, writing, loc, func(s *engram.Space) error {
		refs, err := s.Assert(ctx, list...)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if err := a.printRef(ref, f.json); err != nil {
				return err
			}
		}
		return nil
	})
}

// parseEvidence reads names of episodes, each with a span of its bytes or not.
func parseEvidence(ctx context.Context, s *engram.Space, names []string) ([]memory.Span, error) {
	var out []memory.Span
	for _, n := range names {
		record, bytes, part := strings.Cut(n, ":")
		id, err := resolveOne(ctx, s, record)
		if err != nil {
			return nil, fmt.Errorf("--evidence: %w", err)
		}
		found, err := s.Get(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("--evidence: %w", err)
		}
		span, ok := memory.Span{Episode: id}, true
		if part {
			span.Start, span.End, ok = parseSpan(bytes)
		}
		if !ok || span.End > len(found.Text) {
			return nil, fmt.Errorf("--evidence %q is not of the form episode:start-end with bytes of its %d: %w", n, len(found.Text), memory.ErrInvalid)
		}
		out = append(out, span)
	}
	return out, nil
}

// parseSpan reads "start-end", which is not empty.
func parseSpan(s string) (start, end int, ok bool) {
	from, to, _ := strings.Cut(s, "-")
	a, errA := strconv.ParseUint(from, 10, 31)
	b, errB := strconv.ParseUint(to, 10, 31)
	return int(a), int(b), errA == nil && errB == nil && a < b
}

// resolveAssertions is resolve for names of assertions.
func resolveAssertions(ctx context.Context, s *engram.Space, names []string) ([]memory.ID, error) {
	var ids []memory.ID
	for _, n := range names {
		id, err := resolveOne(ctx, s, n)
		if err != nil {
			return nil, err
		}
		r, err := s.Record(ctx, id)
		if err != nil {
			return nil, err
		}
		if _, ok := r.Body.(*memory.Assertion); !ok {
			return nil, fmt.Errorf("%s is no assertion (facts --json lists those of a fact): %w", n, memory.ErrInvalid)
		}
		ids = append(ids, id)
	}
	return ids, nil
}
