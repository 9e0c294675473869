package tune

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram"
	"engram/embedding/embeddingtest"
	"engram/eval"
	"engram/memory"
	"engram/recall"
	"engram/store/sqlite"
)

// opener opens each case in a file of its own, below a directory of the test.
func opener(t *testing.T) Opener { return openerWith(t, nil) }

// openerWith opens them with a model, if it is not nil.
func openerWith(t *testing.T, model *embeddingtest.Fake) Opener {
	t.Helper()
	dir := t.TempDir()
	return func(ctx context.Context, name string, weights *recall.Weights, now time.Time) (*engram.Engine, error) {
		s, err := sqlite.Open(ctx, filepath.Join(dir, strings.ReplaceAll(name, "/", "_")+".db"), sqlite.Options{Now: func() int64 { return now.UnixMicro() }})
		if err != nil {
			return nil, err
		}
		o := engram.Options{Now: func() time.Time { return now }, Random: rand.NewChaCha8([32]byte{1})}
		if model != nil {
			o.Embedder = model
		}
		Rank(&o, weights)
		return engram.Open(ctx, s, o)
	}
}

func said(key, session, text string) eval.Turn {
	return eval.Turn{Episode: memory.Episode{
		IDKey: key, Text: text, Session: session, Speaker: "Ann", Kind: memory.Message, Source: memory.User,
		Occurred: memory.At(time.Date(2025, 3, 1, 10, 0, 0, 0, time.UTC)),
	}}
}

func asked(id, category, text, answer string, evidence ...string) eval.Question {
	return eval.Question{ID: id, Category: category, Ask: eval.Ask{Text: text}, Answer: answer, Evidence: evidence, Unanswerable: len(evidence) == 0}
}

// tiny is a benchmark of which the metrics can be worked out by hand. The
// question "long" asks for what its words do not find: the answer stands in the
// last of many parts.
func tiny() []eval.Case {
	long := strings.Repeat("The heron manual says how herons stand in water. ", 10)
	for i := range 24 {
		long += strings.Repeat(fmt.Sprintf("Chapter %d goes on about ponds, reeds and boats at length. ", i), 11)
	}
	long += "At the very end it names the warden Xaver."
	return []eval.Case{
		{
			Name: "one",
			Turns: []eval.Turn{
				said("one/1", "s1", "The heron nests in the north."), said("one/2", "s2", "We painted the kitchen yellow."),
				said("one/3", "s3", "My flute teacher moved away."), said("one/4", "s4", "The otter likes the river."), said("one/5", "s1", "It is windy there."),
			},
			Questions: []eval.Question{
				asked("one/first", "easy", "Where does the heron nest?", "north", "one/1"),
				asked("one/half", "hard", "Which colour has the kitchen?", "yellow", "one/2", "one/3"),
				asked("one/none", "hard", "quetzal?", "river", "one/4"),
				asked("one/never", "never", "Which zebra did the quetzal paint?", ""),
			},
		},
		{
			Name: "two",
			Turns: []eval.Turn{
				said("two/1", "s1", long), said("two/2", "s2", "The otter is in the boat."), said("two/3", "s2", "It sleeps."),
			},
			Questions: []eval.Question{
				asked("two/long", "hard", "What does the manual say of herons?", "warden Xaver", "two/1"),
				asked("two/otter", "easy", "Where is the otter?", "boat", "two/2"),
			},
		},
	}
}

func told(t *testing.T, name string, cases []eval.Case, open Opener) *Bench {
	t.Helper()
	b, err := Tell(t.Context(), eval.Of(name, cases, eval.File{Name: name + ".json", SHA256: "00"}), open, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func gathered(t *testing.T, o Options, benches ...*Bench) *Data {
	t.Helper()
	d, err := Gather(t.Context(), benches, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func builtinWeights(t *testing.T) *recall.Weights {
	t.Helper()
	w, err := recall.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return &w
}
