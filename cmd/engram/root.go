package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// commands are what engram can do, in the order of the help. A new command is
// a file cmd_NAME.go and a line here.
var commands = []struct {
	group string
	make  func(*app) *cobra.Command
}{
	{"use", newRememberCommand},
	{"use", newRecallCommand},
	{"use", newGetCommand},
	{"use", newListCommand},
	{"use", newLogCommand},
	{"use", newFeedbackCommand},
	{"use", newRetractCommand},
	{"use", newForgetCommand},
	{"facts", newConsolidateCommand},
	{"facts", newAssertCommand},
	{"facts", newFactsCommand},
	{"facts", newHistoryCommand},
	{"facts", newConflictsCommand},
	{"facts", newSettleCommand},
	{"facts", newAliasCommand},
	{"facts", newApartCommand},
	{"facts", newUndoCommand},
	{"move", newImportCommand},
	{"move", newExportCommand},
	{"care", newSpacesCommand},
	{"care", newStatsCommand},
	{"care", newStatusCommand},
	{"care", newCheckCommand},
	{"care", newRebuildCommand},
	{"care", newModelCommand},
	{"look", newDemoCommand},
	{"look", newEvalCommand},
	{"look", newVersionCommand},
}

func init() { cobra.EnableCommandSorting = false } // the order above

func newRootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "engram",
		Short: "A memory for agents: words go in and are never lost, a small dated context comes out",
		Long: fmt.Sprintf(`engram keeps what an agent lived through and answers questions with a small,
dated, sourced context. No model, service or network is needed.

A memory is a space of a tenant (--space, --tenant; both "default" if not given).

%s

Results go to stdout, everything else to stderr. With --json each line of stdout
is one JSON object; lists are one object a line. Colours and progress bars show
in a terminal only; NO_COLOR and TERM=dumb turn colours off.

%s`, dirHelp, exitHelp),
		Example: `  engram remember --speaker Ann "I moved to Berlin in March."
  engram recall "Where does Ann live?"
  engram demo`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			a.started = true
			if !usesModel(cmd) {
				a.embedder = nil // a model that is not there must not stop a command that needs none
			}
		},
	}
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "show the cause of errors, and a log on stderr")
	root.AddGroup(
		&cobra.Group{ID: "use", Title: "Remember and recall:"},
		&cobra.Group{ID: "facts", Title: "What is true, and since when:"},
		&cobra.Group{ID: "move", Title: "Move in and out:"},
		&cobra.Group{ID: "care", Title: "Look after the store:"},
		&cobra.Group{ID: "look", Title: "Get to know:"},
	)
	root.SetHelpCommandGroupID("look")
	root.SetCompletionCommandGroupID("look")
	for _, c := range commands {
		cmd := c.make(a)
		cmd.GroupID = c.group
		root.AddCommand(cmd)
	}
	return root
}
