package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"engram/embedding"
	"engram/embedding/local"
	"engram/memory"
)

// errWrongModel: a model's vectors are not what they should be.
var errWrongModel = errors.New("the model is not what it should be")

func newModelTestCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test [MODEL]",
		Short: "See whether a model works",
		Long: `Encode a question and a few other sentences, and show how near they are in meaning: the
same in other words must be nearer than something else. The built-in model must give the
known cosines, too. MODEL is as --model takes it.

With --json {"model", "dims", "ok", "sentences": [{"text", "cosine", "known"}]}; known is
missing for other models than the built-in one.`,
		Example: `  engram model test
  engram model test openai:bge-m3@http://localhost:11434/v1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := a.namedModel(args)
			if err != nil {
				return err
			}
			return a.testModel(cmd.Context(), e, asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// namedModel gives the model that is the only argument, else the default or,
// since none cannot be tried, the built-in one.
func (a *app) namedModel(args []string) (embedding.Embedder, error) {
	spec := a.modelSpec(strings.Join(args, ""))
	if spec == noModel && len(args) == 0 {
		spec = builtinModel
	}
	e, err := a.newEmbedder(spec)
	if err == nil && e == nil {
		err = fmt.Errorf("%q is no model to try: %w", spec, memory.ErrInvalid)
	}
	return e, err
}

// The sentences of model test: a question, the same in other words, and, behind
// those of other languages, something else. known are the built-in model's
// cosines to the question.
const (
	tryQuestion = "When will we show the chatbot to the customer?"
	tryAgain    = 0     // of tries: the same in other words
	tryDistance = 0.002 // most that a known cosine may be off
)

var tries = []struct {
	text  string
	known float64
}{
	{"On which day does the client get to see the assistant?", 0.4983},
	{"我们什么时候给客户演示聊天机器人？", 0.7244},
	{"Wann zeigen wir dem Kunden den Chatbot?", 0.905},
	{"I bought bread and two kilos of apples this morning.", -0.0218},
}

type triedJSON struct {
	Model     string          `json:"model"`
	Dims      int             `json:"dims"`
	OK        bool            `json:"ok"`
	Sentences []triedSentence `json:"sentences"`
}

type triedSentence struct {
	Text   string   `json:"text"`
	Cosine float64  `json:"cosine"`
	Known  *float64 `json:"known,omitempty"`
}

func (a *app) testModel(ctx context.Context, e embedding.Embedder, asJSON bool) error {
	texts := []string{tryQuestion}
	for _, t := range tries {
		texts = append(texts, t.text)
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return fmt.Errorf("the model %s cannot be used: %w: %w", e.Name(), err, errWrongModel)
	}
	if len(vectors) != len(texts) {
		return fmt.Errorf("%s gave %d vectors for %d texts: %w", e.Name(), len(vectors), len(texts), errWrongModel)
	}
	out := triedJSON{Model: e.Name(), Dims: len(vectors[0]), OK: true}
	for i := range tries {
		s := triedSentence{Text: tries[i].text, Cosine: math.Round(1e4*cosine(vectors[0], vectors[i+1])) / 1e4}
		if e.Name() == local.Name {
			s.Known = &tries[i].known
			out.OK = out.OK && math.Abs(s.Cosine-*s.Known) <= tryDistance
		}
		out.Sentences = append(out.Sentences, s)
	}
	last := len(tries) - 1
	out.OK = out.OK && out.Sentences[tryAgain].Cosine > out.Sentences[last].Cosine
	if err := a.printTried(&out, asJSON); err != nil || out.OK {
		return err
	}
	return fmt.Errorf("%s does not find near what is near in meaning, or not as near as it should: %w", e.Name(), errWrongModel)
}

func (a *app) printTried(t *triedJSON, asJSON bool) error {
	if asJSON {
		return a.printJSON(t)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d dimensions\n       %s\n", oneLine(t.Model), t.Dims, tryQuestion)
	for _, s := range t.Sentences {
		fmt.Fprintf(&b, "%6.3f %s\n", s.Cosine, s.Text)
	}
	if t.OK {
		b.WriteString("ok\n")
	}
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

// cosine of two vectors; 0 if they have not the same dimensions or one is zero.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	dot, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+float64(x*y), aa+float64(x*x), bb+float64(y*y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(float64(aa*bb))
}
