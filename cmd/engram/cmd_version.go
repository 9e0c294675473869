package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"engram/recall"
	"engram/store"
)

// release is set by the linker (-X main.release=v1.2.3).
var release = "dev"

// version names the release, and the commit that it was built from.
func version() string {
	commit, changed := "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = "-" + s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = "+changed"
			}
		}
	}
	return release + commit + changed
}

func newVersionCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Long: `Say which version this is, which format of the log it writes, and by which weights it
ranks. With --json {"version", "go", "platform", "log_format", "weights"}.`,
		Example: `  engram version --json`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			weights, err := recall.Builtin()
			if err != nil {
				return err
			}
			platform := runtime.GOOS + "/" + runtime.GOARCH
			if asJSON {
				return a.printJSON(struct {
					Version  string `json:"version"`
					Go       string `json:"go"`
					Platform string `json:"platform"`
					Format   int    `json:"log_format"`
					Weights  string `json:"weights"`
				}{version(), runtime.Version(), platform, store.FormatVersion, weights.ID})
			}
			_, err = fmt.Fprintf(a.stdout, "engram %s (%s, %s), log format %d, weights %s\n", version(), runtime.Version(), platform, store.FormatVersion, weights.ID)
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
