package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/importer"
	"engram/memory"
)

type logFlags struct {
	target
	zone  zone
	limit count
	json  bool
}

func newLogCommand(a *app) *cobra.Command {
	var f logFlags
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show every record of the log with both of its times",
		Long: `Show every record of the log in its order: episodes, also retracted and replaced
ones, assertions, verdicts, retractions, links, feedback, and the marks of what was
erased. RECORDED is when engram came to know it, OCCURRED when it happened or was said.

With --json one object a line, as export writes them; a record that is damaged
gives {"type": "damaged", "id", "seq", "recorded", "damage"}.`,
		Example: `  engram log -n 20
  engram log --tz local
  engram log --json | jq 'select(.type == "retract")'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), a)
		},
	}
	f.add(cmd)
	cmd.Flags().Var(&f.zone.name, "tz", "show RECORDED in this `ZONE`, an IANA name or \"local\" (default UTC)")
	cmd.Flags().VarP(&f.limit, "limit", "n", "only the last N (default all)")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *logFlags) run(ctx context.Context, a *app) error {
	loc, err := f.zone.location()
	if err != nil {
		return err
	}
	return a.withSpace(ctx, &f.target, reading, loc, func(s *engram.Space) error {
		after, err := f.start(ctx, s)
		if err != nil {
			return err
		}
		n := 0
		for r, err := range s.Log(ctx, after) {
			if err != nil {
				return err
			}
			if n == 0 && !f.json {
				fmt.Fprintln(a.stdout, a.palette(a.stdout).bold(fmt.Sprintf(logFormat, "SEQ", "TYPE", "RECORDED", "OCCURRED", "WHAT")))
			}
			if err := a.printRecord(r, loc, f.json); err != nil {
				return err
			}
			n++
		}
		a.noteIfEmpty(n, s.Scope())
		return nil
	})
}

// start gives the position behind which the last records begin.
func (f *logFlags) start(ctx context.Context, s *engram.Space) (memory.Seq, error) {
	if f.limit == 0 {
		return 0, nil
	}
	var last []memory.Seq // ends with the newest limit+1
	for r, err := range s.Log(ctx, 0) {
		if err != nil {
			return 0, err
		}
		if last = append(last, r.Seq); len(last) > 2*int(f.limit)+1 {
			last = append(last[:0], last[len(last)-int(f.limit)-1:]...)
		}
	}
	if len(last) <= int(f.limit) {
		return 0, nil
	}
	return last[len(last)-int(f.limit)-1], nil
}

const logFormat = "%6v  %-9s  %-25s  %-25s  %s"

func (a *app) printRecord(r memory.Record, loc *time.Location, asJSON bool) error {
	recorded := recordedIn(r.Recorded, loc)
	if !asJSON {
		kind, occurred, what := describe(&r)
		line := fmt.Sprintf(logFormat, r.Seq, kind, when(recorded), occurred, oneLine(what))
		_, err := fmt.Fprintln(a.stdout, cut(line, a.width(a.stdout)))
		return err
	}
	if r.Body == nil {
		return a.printJSON(struct {
			Type     string      `json:"type"`
			ID       memory.ID   `json:"id"`
			Seq      memory.Seq  `json:"seq"`
			Recorded memory.Time `json:"recorded"`
			Damage   string      `json:"damage"`
		}{"damaged", r.ID, r.Seq, recorded, r.Damage})
	}
	line, err := importer.Line(r)
	if err != nil {
		return err
	}
	return a.printLine(line)
}

// describe says in a few words what a record holds.
func describe(r *memory.Record) (kind, occurred, what string) {
	if r.Body == nil {
		return "damaged", "", r.Damage
	}
	kind = string(r.Body.Type())
	switch b := r.Body.(type) {
	case *memory.Episode:
		return kind, when(b.Occurred), who(b) + ": " + b.Text
	case *memory.Retract:
		return kind, "", "takes back " + join(b.Targets) + because(b.Reason)
	case *memory.Association:
		if b.Name != "" {
			return kind, "", strings.TrimSpace(fmt.Sprintf("%s %s %s", b.Name, b.Rel, b.Entity))
		}
		return kind, "", fmt.Sprintf("%s %s %s", b.From, b.Rel, b.To)
	case *memory.Assertion:
		return kind, when(b.Said), describeAssertion(b)
	case *memory.Settlement:
		return kind, "", describeSettlement(b)
	case *memory.Feedback:
		return kind, "", describeFeedback(b)
	case *memory.Erased:
		return kind, "", counted(b.Counts) + because(b.Reason)
	}
	return kind, "", ""
}

func describeFeedback(f *memory.Feedback) string {
	var out []string
	for _, named := range []struct {
		what string
		ids  []memory.ID
	}{{"used", f.Used}, {"followed", f.Followed}, {"helped", f.Helped}, {"hurt", f.Hurt}, {"pin", f.Pin}, {"unpin", f.Unpin}} {
		if len(named.ids) > 0 {
			out = append(out, named.what+" "+join(named.ids))
		}
	}
	if f.Reward != nil {
		out = append(out, fmt.Sprintf("reward %g", *f.Reward))
	}
	return strings.Join(out, ", ")
}

// describeAssertion gives a statement with its kind of news and its interval.
func describeAssertion(a *memory.Assertion) string {
	out := a.Subject + " " + a.Predicate
	if a.Object != "" {
		out += " " + a.Object
	}
	notes := []string{string(a.News)}
	if !a.Valid.IsZero() {
		notes = append(notes, a.Valid.String())
	}
	if a.Extractor != "" {
		notes = append(notes, strings.TrimSpace("by "+a.Extractor+" "+a.Version))
	}
	return out + because(strings.Join(notes, ", "))
}

func describeSettlement(v *memory.Settlement) string {
	if v.Winner.IsZero() {
		return join(v.Losers) + " lost" + because(v.Reason)
	}
	return v.Winner.String() + " over " + join(v.Losers) + because(v.Reason)
}

func join(ids []memory.ID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.String()
	}
	return strings.Join(names, " ")
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

// counted lists counts by type, such as "3 episode, 1 feedback".
func counted(counts map[memory.RecordType]int) string {
	var out []string
	for _, t := range slices.Sorted(maps.Keys(counts)) {
		if counts[t] > 0 {
			name := string(t)
			if counts[t] > 1 && t != memory.TypeFeedback && t != memory.TypeErased {
				name += "s"
			}
			out = append(out, fmt.Sprintf("%d %s", counts[t], name))
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}
