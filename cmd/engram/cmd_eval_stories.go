package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram"
	told "engram/eval/stories"
)

func newEvalStoriesCommand(a *app) *cobra.Command {
	var failures, asJSON bool
	cmd := &cobra.Command{
		Use:   "stories FILE",
		Short: "Measure what is known after short conversations",
		Long: `Measure what is known after short conversations. Each story of FILE (one JSON object a
line) is told into a store of its own as its clock goes, consolidated, and asked at the
end: which facts hold at some time, as known at some time, what replaced what, what is
disputed, what must not have been learned, and what recall answers.

Facts, history and disputes together are the knowledge score; what must not be learned and
recall are beside it, since who knows nothing passes most of those.

--failures shows each check that did not pass, with what was found instead. The exit code
is 0 however many there are.

With --json {"knowledge_share", "no_fact_share", "recall_share", "by_type", "by_category",
"by_language"}; the parts have {"share", "checks", "passed"}. With --failures the failures go
to stderr then.`,
		Example: `  engram eval stories stories.jsonl --failures
  engram eval stories stories.jsonl --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.evalStories(cmd.Context(), args[0], failures, asJSON)
		},
	}
	cmd.Flags().BoolVar(&failures, "failures", false, "show each check that did not pass")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) evalStories(ctx context.Context, path string, failures, asJSON bool) error {
	list, err := readStories(path)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "engram-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory that cannot be removed harms nobody
	bar := a.progress("telling", int64(len(list)), false)
	report, err := told.Measure(ctx, list, a.storyOpener(dir), counting(bar))
	bar.done()
	if err != nil {
		return err
	}
	if asJSON {
		err = a.printJSON(report)
	} else {
		err = report.Table(a.stdout)
	}
	if err != nil || !failures {
		return err
	}
	if asJSON {
		for i := range report.Failures {
			a.note("%s", &report.Failures[i])
		}
		return nil
	}
	var b strings.Builder
	for i := range report.Failures {
		b.WriteString(oneLine(report.Failures[i].String()) + "\n")
	}
	_, err = fmt.Fprint(a.stdout, b.String())
	return err
}

func readStories(path string) ([]told.Story, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the stories: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	list, err := told.Read(file)
	if err != nil {
		return nil, fmt.Errorf("read the stories of %s: %w", filepath.Base(path), err)
	}
	return list, nil
}

// storyOpener keeps each story in a file of its own below dir. Names of stories
// need not be names of files.
func (a *app) storyOpener(dir string) told.Opener {
	n := 0
	return func(ctx context.Context, _ string, now func() time.Time) (*engram.Engine, error) {
		n++
		return a.openEngine(ctx, filepath.Join(dir, fmt.Sprintf("%d.db", n)), engram.Options{Now: now, Random: a.random})
	}
}
