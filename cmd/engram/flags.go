package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"engram"
	"engram/memory"
)

// name is a flag that cannot be empty: an unset variable of a shell must not
// become the default memory.
type name string

func (n *name) String() string { return string(*n) }
func (n *name) Type() string   { return "NAME" }
func (n *name) Set(s string) error {
	if s == "" {
		return errors.New("it is empty")
	}
	*n = name(s)
	return nil
}

// count is a flag that is a number from 1 on; 0 is "not given".
type count int

func (c *count) String() string {
	if *c == 0 {
		return ""
	}
	return strconv.Itoa(int(*c))
}
func (c *count) Type() string { return "N" }
func (c *count) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return errors.New("a number from 1 on was expected")
	}
	*c = count(n)
	return nil
}

// dirFlag adds --dir.
func dirFlag(cmd *cobra.Command, dir *name) {
	cmd.Flags().Var(dir, "dir", "data `DIRECTORY`")
}

// jsonFlag adds --json.
func jsonFlag(cmd *cobra.Command, on *bool) {
	cmd.Flags().BoolVar(on, "json", false, "print JSON, one object a line")
}

// target are the flags that name a memory.
type target struct{ dir, tenant, space name }

func (t *target) add(cmd *cobra.Command) { t.flags(cmd, "space (default \"default\")") }

// addOrAll is add for what spacesOf gives.
func (t *target) addOrAll(cmd *cobra.Command) { t.flags(cmd, "space (default all of the tenant)") }

func (t *target) flags(cmd *cobra.Command, space string) {
	dirFlag(cmd, &t.dir)
	cmd.Flags().Var(&t.tenant, "tenant", "tenant (default \"default\")")
	cmd.Flags().Var(&t.space, "space", space)
}

func (t *target) scope() memory.Scope {
	return memory.Scope{Tenant: string(t.tenant), Space: string(t.space)}
}

// zone is the flag --tz, in which dates without an offset are read.
type zone struct{ name name }

func (z *zone) add(cmd *cobra.Command) {
	cmd.Flags().Var(&z.name, "tz", "`ZONE` of dates without an offset: an IANA name (Asia/Shanghai) or \"local\"")
}

// location gives nil if no zone is named: dates need an offset then.
func (z *zone) location() (*time.Location, error) {
	switch z.name {
	case "":
		return nil, nil //nolint:nilnil // no zone is no error
	case "local":
		return time.Local, nil //nolint:gosmopolitan // asked for by name
	}
	loc, err := time.LoadLocation(string(z.name))
	if err != nil {
		return nil, fmt.Errorf("--tz: %q is neither an IANA zone such as Asia/Shanghai nor \"local\": %w", z.name, memory.ErrInvalid)
	}
	return loc, nil
}

// parseTime reads the value of a flag; an empty one is no time.
func parseTime(flag, value string, loc *time.Location) (memory.Time, error) {
	if value == "" {
		return memory.Time{}, nil
	}
	t, err := memory.ParseTime(value, loc)
	if err != nil {
		return memory.Time{}, fmt.Errorf("%s: %w", flag, err)
	}
	return t, nil
}

// knownFlag is --known-at: a time, or a position of digits only.
type knownFlag struct{ value name }

func (k *knownFlag) add(cmd *cobra.Command) {
	cmd.Flags().Var(&k.value, "known-at", "look with the knowledge of a `TIME` (all of that day, hour …) or of a position in the log (digits; a year is 2024Z)")
}

func (k *knownFlag) parse(loc *time.Location) (memory.Known, error) {
	if seq, err := strconv.ParseUint(string(k.value), 10, 63); err == nil {
		if seq == 0 {
			return memory.Known{}, fmt.Errorf("--known-at: positions begin at 1: %w", memory.ErrInvalid)
		}
		return memory.Known{Seq: memory.Seq(seq)}, nil
	}
	t, err := parseTime("--known-at", string(k.value), loc)
	return memory.Known{Time: t}, err
}

// withView opens a memory for a read that looks from a point of knowledge. A
// position that nothing was recorded at yet is refused: a year in digits would
// be taken for one, and everything would be known there.
func (a *app) withView(ctx context.Context, t *target, from memory.Known, zone *time.Location, do func(*engram.Space) error) error {
	return a.withSpace(ctx, t, reading, zone, func(s *engram.Space) error {
		if from.Seq > 0 {
			stats, err := s.Stats(ctx)
			if err != nil {
				return err
			}
			if from.Seq > stats.Position.Seq {
				return noPosition(from.Seq)
			}
		}
		return do(s)
	})
}

func noPosition(seq memory.Seq) error {
	const firstYear, lastYear = 1000, 9999 // of four digits
	if seq < firstYear || seq > lastYear {
		return fmt.Errorf("--known-at: there is no position %d yet: %w", seq, memory.ErrInvalid)
	}
	return fmt.Errorf("--known-at: there is no position %d yet; for the year write %[1]dZ: %w", seq, memory.ErrInvalid)
}

// parsePairs reads the values of a repeated flag of the form key=value.
func parsePairs(flag string, pairs []string) (map[string]string, error) {
	if len(pairs) == 0 {
		return nil, nil //nolint:nilnil // no pairs are no error
	}
	out := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		k, v, ok := strings.Cut(pair, "=")
		if !ok || k == "" {
			return nil, fmt.Errorf("%s %q is not of the form key=value: %w", flag, pair, memory.ErrInvalid)
		}
		if _, twice := out[k]; twice {
			return nil, fmt.Errorf("%s names %q twice: %w", flag, k, memory.ErrInvalid)
		}
		out[k] = v
	}
	return out, nil
}

const filterHelp = `Filters are joined by "and", the values of one repeated filter by "or". --after
and --before make a half-open range of when things occurred: --after includes
what occurred from the beginning of its date on, --before excludes its date
("--after 2026-03-08Z --before 2026-03-09Z" is one day). Dates are ISO 8601 as
exact as they are known (2026Z, 2026-03Z, 2026-03-08+08:00,
2026-03-08T15:00+08:00); one without an offset is refused unless --tz is given.`

// filterFlags narrow a read.
type filterFlags struct {
	sessions, speakers, kinds, sources, meta []string
	path                                     string
	after, before                            name
}

func (f *filterFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.sessions, "session", nil, "only this `SESSION` (may be repeated)")
	flags.StringArrayVar(&f.speakers, "speaker", nil, "only this `SPEAKER` (may be repeated)")
	flags.StringArrayVar(&f.kinds, "kind", nil, "only this `KIND`: "+kinds+" (may be repeated)")
	flags.StringArrayVar(&f.sources, "source", nil, "only this `SOURCE`: "+sources+" (may be repeated)")
	flags.StringVar(&f.path, "path", "", "only this `PATH` and what is below it")
	flags.StringArrayVar(&f.meta, "meta", nil, "only with this metadata, `KEY=VALUE` (may be repeated)")
	flags.Var(&f.after, "after", "only what occurred from this `DATE` on")
	flags.Var(&f.before, "before", "only what occurred before this `DATE`")
	completeKinds(cmd)
}

func (f *filterFlags) filter(loc *time.Location) (memory.Filter, error) {
	out := memory.Filter{Sessions: f.sessions, Speakers: f.speakers, Path: f.path}
	for _, k := range f.kinds {
		out.Kinds = append(out.Kinds, memory.Kind(k))
	}
	for _, s := range f.sources {
		out.Sources = append(out.Sources, memory.Source(s))
	}
	var err error
	if out.Metadata, err = parsePairs("--meta", f.meta); err != nil {
		return out, err
	}
	if out.Occurred.From, err = parseTime("--after", string(f.after), loc); err != nil {
		return out, err
	}
	if out.Occurred.To, err = parseTime("--before", string(f.before), loc); err != nil {
		return out, err
	}
	return out, out.Validate()
}

// view are the flags of a read: which memory, seen from where, narrowed to what.
type view struct {
	target
	filterFlags
	zone  zone
	known knownFlag
}

func (v *view) add(cmd *cobra.Command) {
	v.target.add(cmd)
	v.filterFlags.add(cmd)
	v.known.add(cmd)
	v.zone.add(cmd)
}

// parse gives what the flags say; the zone may be nil.
func (v *view) parse() (f memory.Filter, k memory.Known, loc *time.Location, err error) {
	if loc, err = v.zone.location(); err != nil {
		return f, k, nil, err
	}
	if f, err = v.filter(loc); err != nil {
		return f, k, nil, err
	}
	k, err = v.known.parse(loc)
	return f, k, loc, err
}

const (
	kinds   = "message, instruction, action, observation, document"
	sources = "user, tool, assistant, import, web"
)

func completeKinds(cmd *cobra.Command) {
	complete(cmd, "kind", strings.Split(kinds, ", ")...)
	complete(cmd, "source", strings.Split(sources, ", ")...)
}

// changedBeside names a flag that was given and is not among those that may be.
func changedBeside(cmd *cobra.Command, allowed map[string]bool) string {
	var out string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !allowed[f.Name] {
			out = f.Name
		}
	})
	return out
}

// complete gives the values that a shell offers for a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist
	}
}
