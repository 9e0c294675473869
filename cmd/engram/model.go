package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"engram/embedding"
	"engram/embedding/local"
	"engram/embedding/openai"
	"engram/memory"
)

// What --model and ENGRAM_MODEL may say, beside openai:NAME[@URL].
const (
	noModel      = "none"
	builtinModel = "use" // or its whole name
)

const modelHelp = `A model turns texts into vectors, by which what was said in other words is found. It is
--model, else ENGRAM_MODEL, else the built-in one if it is installed, else none:

  none               words alone
  use                the built-in one (engram model pull gets it)
  openai:NAME[@URL]  any server that speaks OpenAI's protocol (Ollama, llama.cpp, TEI, vLLM …);
                     URL is the address before /embeddings, else OPENAI_BASE_URL, else OpenAI's
                     own; the key is OPENAI_API_KEY`

// modelFlag adds --model to a command whose engines work with a model.
func modelFlag(cmd *cobra.Command, a *app) {
	cmd.Flags().Var(&a.model, "model", "`MODEL` of meaning: none, use or openai:NAME[@URL] (default ENGRAM_MODEL, else use if it is installed)")
	complete(cmd, "model", noModel, builtinModel)
}

// usesModel reports whether a command has --model.
func usesModel(cmd *cobra.Command) bool { return cmd.Flags().Lookup("model") != nil }

// modelSpec says which model a spec means; an empty one is the default.
func (a *app) modelSpec(spec string) string {
	if spec = cmp.Or(spec, a.getenv("ENGRAM_MODEL")); spec != "" {
		return spec
	}
	if info, err := a.builtin(); err == nil && info.Ready {
		return builtinModel
	}
	return noModel
}

// newEmbedder gives the model that a spec names, nil for none. It neither
// reads a model nor asks a server.
func (a *app) newEmbedder(spec string) (embedding.Embedder, error) {
	switch spec = a.modelSpec(spec); spec {
	case noModel:
		return nil, nil //nolint:nilnil // no model is no error
	case builtinModel, local.Name:
		dir, err := a.modelsDir()
		if err != nil {
			return nil, err
		}
		if info, err := a.builtin(); err != nil || !info.Ready {
			return nil, errors.Join(err, errAbsent)
		}
		return &lazyModel{dir: dir}, nil
	}
	rest, ok := strings.CutPrefix(spec, "openai:")
	model, url, at := cutServer(rest)
	if !ok || model == "" || at && url == "" {
		return nil, fmt.Errorf("the model %q is none of none, use, openai:NAME[@URL]: %w", spec, memory.ErrInvalid)
	}
	e, err := openai.New(openai.Options{Model: model, BaseURL: cmp.Or(url, a.getenv("OPENAI_BASE_URL")), Key: a.getenv("OPENAI_API_KEY")})
	if err != nil {
		return nil, err // not a nil *openai.Embedder in an interface
	}
	return e, nil
}

// cutServer cuts NAME@URL. A name may have an @ too, also in front.
func cutServer(s string) (name, url string, ok bool) {
	for _, scheme := range []string{"@http://", "@https://"} {
		if at := strings.Index(s, scheme); at > 0 {
			return s[:at], s[at+1:], true
		}
	}
	if at := strings.LastIndexByte(s, '@'); at > 0 {
		return s[:at], s[at+1:], true
	}
	return s, "", false
}

// chosenModel gives the model of the command, nil for none.
func (a *app) chosenModel() (embedding.Embedder, error) {
	if a.embedder == nil {
		return nil, nil //nolint:nilnil // no model is no error
	}
	return a.embedder()
}

// spec names the model of the command as --model takes it.
func (a *app) spec(model embedding.Embedder) string {
	if model == nil {
		return noModel
	}
	return a.modelSpec(string(a.model))
}

// modelName names a model, or that there is none.
func modelName(e embedding.Embedder) string {
	if e == nil {
		return noModel
	}
	return e.Name()
}

// lazyModel is the built-in model, which is read when a text is to be encoded
// (0.1 s, longer than many a command takes): most commands never do. One that
// cannot be read is tried again the next time.
type lazyModel struct {
	dir  string
	mu   sync.Mutex
	read *local.Encoder
}

func (*lazyModel) Name() string { return local.Name }

func (m *lazyModel) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e, err := m.encoder()
	if err != nil {
		return nil, err
	}
	return e.Embed(ctx, texts)
}

func (m *lazyModel) encoder() (*local.Encoder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.read == nil {
		e, err := loadModel(m.dir, 0)
		if err != nil {
			return nil, err
		}
		m.read = e
	}
	return m.read, nil
}

// builtin says of the built-in model where it is, and whether it is there.
func (a *app) builtin() (local.Info, error) {
	dir, err := a.modelsDir()
	if err != nil {
		return local.Info{}, err
	}
	list, err := local.List(dir)
	if err != nil {
		return local.Info{}, err
	}
	return list[0], nil
}

var errAbsent = fmt.Errorf("the model use is not installed: engram model pull gets it, engram model install takes it from a file: %w", memory.ErrNotFound)

// loadModel reads the built-in model; threads are all if 0.
func loadModel(dir string, threads int) (*local.Encoder, error) {
	e, err := local.Load(dir, local.Options{Threads: threads})
	switch {
	case errors.Is(err, local.ErrNotInstalled):
		return nil, errAbsent
	case err != nil:
		return nil, fmt.Errorf("engram model pull gets the model use anew: %w", err)
	}
	return e, nil
}
