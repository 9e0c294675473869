package main

import (
	"context"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

type feedbackFlags struct {
	target
	zone     zone
	answer   string
	reward   float64
	priority int
	due      name
	json     bool

	used, followed, helped, hurt, pin, unpin []string
}

func newFeedbackCommand(a *app) *cobra.Command {
	var f feedbackFlags
	cmd := &cobra.Command{
		Use:   "feedback",
		Short: "Say what came of an answer, or pin records",
		Long: `Say which records of an answer were used, followed, helped or hurt, and how well
the task went; or pin records, so that every context shows them. It changes how
records rank, never whether they exist. ` + namesHelp + `

Prints the id and the position of the new record; with --json {"id", "seq",
"duplicate"}.`,
		Example: `  engram feedback --used 12 --helped 12 --helped 15 --reward 1
  engram feedback --pin 75 --priority 2 --due 2026-03-31Z
  engram feedback --unpin 75`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), a, cmd)
		},
	}
	f.add(cmd)
	f.zone.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.answer, "answer", "", "your own `NAME` of the answer that it is about")
	flags.StringSliceVar(&f.used, "used", nil, "`RECORDS` that were used")
	flags.StringSliceVar(&f.followed, "followed", nil, "`RECORDS` that were followed")
	flags.StringSliceVar(&f.helped, "helped", nil, "`RECORDS` that helped")
	flags.StringSliceVar(&f.hurt, "hurt", nil, "`RECORDS` that misled")
	flags.StringSliceVar(&f.pin, "pin", nil, "`RECORDS` to show in every context")
	flags.StringSliceVar(&f.unpin, "unpin", nil, "`RECORDS` to pin no longer")
	flags.Float64Var(&f.reward, "reward", 0, "how well it went, a `NUMBER` from -1 to 1")
	flags.IntVar(&f.priority, "priority", 0, "of the pinned records, a `NUMBER` from -2 to 2")
	flags.Var(&f.due, "due", "`TIME` when the pinned records are due")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *feedbackFlags) run(ctx context.Context, a *app, cmd *cobra.Command) error {
	loc, err := f.zone.location()
	if err != nil {
		return err
	}
	body := memory.Feedback{Answer: f.answer}
	if cmd.Flags().Changed("reward") {
		body.Reward = &f.reward
	}
	if cmd.Flags().Changed("priority") {
		body.Priority = &f.priority
	}
	if body.Due, err = parseTime("--due", string(f.due), loc); err != nil {
		return err
	}
	return a.withSpace(ctx, &f.target, writing, loc, func(s *engram.Space) error {
		for _, named := range []struct {
			to    *[]memory.ID
			names []string
		}{
			{&body.Used, f.used}, {&body.Followed, f.followed}, {&body.Helped, f.helped},
			{&body.Hurt, f.hurt}, {&body.Pin, f.pin}, {&body.Unpin, f.unpin},
		} {
			if *named.to, err = resolve(ctx, s, named.names); err != nil {
				return err
			}
		}
		ref, err := s.Feedback(ctx, body)
		if err != nil {
			return err
		}
		return a.printRef(ref, f.json)
	})
}
