package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/eval/bitemporal"
	"engram/memory"
)

// errWrongBelief: facts were not what was true.
var errWrongBelief = errors.New("facts are wrong")

// bitemporalFlags are the flags of eval bitemporal.
type bitemporalFlags struct {
	assertions     bool
	worlds, points count
	seed           uint64
	lang           string
	failures       count
	dump           name
	asJSON         bool
}

func newBitemporalCommand(a *app) *cobra.Command {
	f := bitemporalFlags{worlds: 200, points: 20_000}
	cmd := &cobra.Command{
		Use:   "bitemporal",
		Short: "Measure facts on two axes in made-up worlds whose truth is known",
		Long: `Measure facts on two axes in made-up worlds whose truth is known. Each world is a life
with its projects, 50 to 5,000 turns of talk in English or Chinese, in which changes are
told in time, late, out of order, twice, with coarse dates or none, wrongly and then
corrected, as plans, as ended, and taken back. What a careful listener would believe of
every moment, at every place of the log, is worked out by itself and not by the engine.

The words of each world are imported into a store of its own and consolidated. Then facts
are read at random moments as known at random places, half of them at the borders of dates
and tellings, and compared with what a careful listener takes from the words: guesses and
assistants say nothing, and "I" on a page is not the user.

With --assertions the statements of the tellings are imported too and nothing is read out
of words. Then all must be the truth; if a point is not, the first ones are shown and the
exit code is 1.

--failures shows points that are not the truth, with the words heard last, and the shares
by how things were told and by predicate.

--dump writes each world to a file of DIRECTORY, one JSON object a line: what was true, the
log with the words, and the truth as a table.

With --json {"worlds", "points", "correct_share", "by_language", "by_news_kind"}; the kind
of a point is that of the latest news known there.`,
		Example: `  engram eval bitemporal --assertions
  engram eval bitemporal --worlds 20 --points 2000 --failures 40
  engram eval bitemporal --assertions --worlds 20 --points 2000 --seed 7 --lang zh --json
  engram eval bitemporal --assertions --worlds 3 --points 30 --dump worlds`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.evalBitemporal(cmd.Context(), &f)
		},
	}
	cmd.Flags().BoolVar(&f.assertions, "assertions", false, "tell the statements themselves, not only their words")
	cmd.Flags().Var(&f.failures, "failures", "show the first `N` points of each language that are not the truth (default 20 with --assertions, else none)")
	cmd.Flags().Var(&f.worlds, "worlds", "`N` worlds of each language")
	cmd.Flags().Var(&f.points, "points", "`N` points of each language, spread over its worlds")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "`SEED` of the worlds and points")
	cmd.Flags().StringVar(&f.lang, "lang", "both", "`LANGUAGE`: en, zh or both")
	cmd.Flags().Var(&f.dump, "dump", "write the worlds to this `DIRECTORY`")
	jsonFlag(cmd, &f.asJSON)
	complete(cmd, "lang", "en", "zh", "both")
	return cmd
}

func (f *bitemporalFlags) langs() ([]bitemporal.Lang, error) {
	switch f.lang {
	case "en":
		return []bitemporal.Lang{bitemporal.English}, nil
	case "zh":
		return []bitemporal.Lang{bitemporal.Chinese}, nil
	case "both":
		return []bitemporal.Lang{bitemporal.English, bitemporal.Chinese}, nil
	}
	return nil, fmt.Errorf("--lang %q is none of en, zh, both: %w", f.lang, memory.ErrInvalid)
}

func (f *bitemporalFlags) validate(a *app) error {
	switch {
	case !f.assertions && a.extractor == nil:
		return fmt.Errorf("eval bitemporal needs --assertions: this program reads no facts out of words: %w", memory.ErrInvalid)
	case f.points < f.worlds:
		return fmt.Errorf("--points %d is less than one for each of %d worlds: %w", f.points, f.worlds, memory.ErrInvalid)
	}
	return nil
}

func (a *app) evalBitemporal(ctx context.Context, f *bitemporalFlags) error {
	if err := f.validate(a); err != nil {
		return err
	}
	langs, err := f.langs()
	if err != nil {
		return err
	}
	run := bitemporal.Measure{Worlds: int(f.worlds), Points: int(f.points), Seed: f.seed, Langs: langs, Failures: int(f.failures)}
	if !f.assertions {
		run.Learn = learnWords
	}
	if f.dump != "" {
		if err := os.MkdirAll(string(f.dump), 0o755); err != nil { //nolint:gosec // made-up lives are no secret
			return fmt.Errorf("make the directory of the worlds: %w", err)
		}
		run.Dump = f.dumpWorld
	}
	dir, err := os.MkdirTemp("", "engram-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory that cannot be removed harms nobody
	bar := a.progress("living", int64(int(f.worlds)*len(langs)), false)
	run.Progress = counting(bar)
	start := a.now()
	report, err := run.Run(ctx, a.worldOpener(dir))
	bar.done()
	if err != nil {
		return err
	}
	return a.printBitemporal(report, a.now().Sub(start), f)
}

// learnWords reads facts out of what a space was told.
func learnWords(ctx context.Context, s *engram.Space) error {
	_, err := s.Consolidate(ctx)
	return err
}

// worldOpener keeps each world in a file of its own below dir.
func (a *app) worldOpener(dir string) bitemporal.WorldOpener {
	return func(ctx context.Context, name string, now time.Time) (*engram.Engine, error) {
		return a.openEngine(ctx, filepath.Join(dir, name+".db"), engram.Options{Now: func() time.Time { return now }})
	}
}

func (f *bitemporalFlags) dumpWorld(w *bitemporal.World) (err error) {
	file, err := os.Create(filepath.Join(string(f.dump), w.Name+".jsonl"))
	if err != nil {
		return fmt.Errorf("write the world %s: %w", w.Name, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return w.Dump(file)
}

func (a *app) printBitemporal(r *bitemporal.Report, took time.Duration, f *bitemporalFlags) error {
	if f.asJSON {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else if err := bitemporalTable(a.stdout, r, took, f.failures > 0); err != nil {
		return err
	}
	if f.assertions || f.failures > 0 {
		for i := range r.Failures {
			a.note("%s", &r.Failures[i])
		}
	}
	if f.assertions && r.Share < 1 {
		wrong := 0
		for _, s := range r.ByLanguage {
			wrong += s.Points - s.Correct
		}
		return fmt.Errorf("%d of %d points are not the truth: %w", wrong, r.Points, errWrongBelief)
	}
	return nil
}

// bitemporalTable writes the report for people.
func bitemporalTable(w io.Writer, r *bitemporal.Report, took time.Duration, details bool) error {
	_, err := fmt.Fprintf(w, "%d worlds, %d turns, %d tellings in %s\n%-16s %8s  %9s\n", r.Worlds, r.Turns, r.Tellings, took.Round(time.Millisecond), "", "points", "correct")
	if err != nil {
		return err
	}
	line := func(name string, points int, share float64) {
		if err == nil {
			_, err = fmt.Fprintf(w, "%-16s %8d  %8.3f%%\n", name, points, 100*share)
		}
	}
	lines := r.Lines()
	if details {
		lines = append(lines, r.Details()...)
	}
	for _, s := range lines {
		line(s.Name, s.Points, s.Share)
	}
	line("all", r.Points, r.Share)
	return err
}
