package system

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"engram"
	"engram/eval"
	"engram/memory"
	"engram/recall"
)

// Opener opens an engine over a store in the file path, which is made if it is
// not there. The engine and the store take their clock from the options, which
// are complete.
type Opener func(ctx context.Context, path string, o engram.Options) (*engram.Engine, error)

// EngramOptions say how engram is measured. Only Open must be set.
type EngramOptions struct {
	// Open chooses the store.
	Open Opener
	// Model names the one by whose vectors the engines that Open gives search
	// beside the words; an answer found without them is an error. Defaults to none.
	Model string
	// Seed of the ids, so that two runs give the same bytes. Defaults to 0.
	Seed uint64
	// Without are channels, steps and features of the read path to leave out
	// (recall.Steps). Defaults to none.
	Without []string
	// Ranker puts the candidates in order. Defaults to memory.Linear.
	Ranker memory.Ranker
	// Base is what ranks. Defaults to the weights that come with the program.
	Base *recall.Weights
	// Weights gives what ranks a history instead of Base, and how it is related
	// to it; nil weights leave it to Base. The history is named by its words
	// alone (tune.Printer): a system never learns which case it hears. It is
	// asked once for each memory, when all was heard and before any question.
	// Defaults to Base for all, and eval.Unfitted.
	Weights func(fingerprint string) (*recall.Weights, eval.Fit)
}

// Engram is engram as it comes: every turn is remembered by itself, at the time
// at which it was heard, and a question is a recall. If steps are left out or
// another ranker is used, it is named for them: "engram-no-window", "engram-rrf".
func Engram(o EngramOptions) eval.System {
	name := "engram"
	if o.Ranker != "" && o.Ranker != memory.Linear {
		name += "-" + string(o.Ranker)
	}
	for _, step := range o.Without {
		name += "-no-" + step
	}
	return o.system(name)
}

// EngramFacts is engram with its facts alone: nothing is shown word for word.
func EngramFacts(o EngramOptions) eval.System { return o.factsAlone().system("engram-facts") }

// factsAlone leaves out what shows words: the turns, and the standing
// instructions among them.
func (o EngramOptions) factsAlone() EngramOptions {
	for _, step := range []string{"turns", "pinned"} {
		if !slices.Contains(o.Without, step) {
			o.Without = append(slices.Clone(o.Without), step)
		}
	}
	return o
}

func (o EngramOptions) system(name string) eval.System {
	options := map[string]string{"seed": strconv.FormatUint(o.Seed, 10), "weights": o.weightsID(), "model": cmp.Or(o.Model, "none")}
	if o.Ranker != "" {
		options["ranker"] = string(o.Ranker)
	}
	if len(o.Without) > 0 {
		options["without"] = strings.Join(o.Without, ",")
	}
	return eval.System{Name: name, Options: options, Open: func(ctx context.Context, dir string) (eval.Memory, error) {
		return openEngram(ctx, o, dir)
	}}
}

// weightsID names what ranks, for the manifest; a run cannot go on by others.
func (o EngramOptions) weightsID() string {
	if o.Base != nil {
		return o.Base.ID
	}
	w, err := recall.Builtin()
	if err != nil {
		return "" // opening the engine says what is wrong
	}
	return w.ID
}

type engramMemory struct {
	*engine
	keys map[memory.ID]string // IDKeys of turns
}

func openEngram(ctx context.Context, o EngramOptions, dir string) (*engramMemory, error) {
	e, err := openEngine(ctx, o, dir)
	if err != nil {
		return nil, err
	}
	return &engramMemory{engine: e, keys: map[memory.ID]string{}}, nil
}

func (m *engramMemory) Ingest(ctx context.Context, s eval.Session) error {
	for i := range s.Turns {
		t := &s.Turns[i]
		// Its words, speaker, source and time: whatever else a turn carries may
		// be a label.
		m.hear(t)
		ref, err := m.remember(ctx, memory.Episode{
			Text: t.Text, Occurred: t.Occurred, Session: s.Name, Speaker: t.Speaker, Source: t.Source, IDKey: t.IDKey,
		})
		if err != nil {
			return err
		}
		if m.keys[ref.ID] != "" {
			return fmt.Errorf("the turn %q comes twice: %w", t.IDKey, memory.ErrInvalid)
		}
		m.keys[ref.ID] = t.IDKey
	}
	return nil
}

func (m *engramMemory) Context(ctx context.Context, a eval.Ask, budget int) (eval.Context, error) {
	answer, err := m.recall(ctx, a, budget)
	if err != nil {
		return eval.Context{}, err
	}
	c := m.said(&answer)
	for i := range answer.Facts {
		for _, span := range answer.Facts[i].Provenance {
			if key, ok := m.keys[span.Episode]; ok && !slices.Contains(c.Stated, key) {
				c.Stated = append(c.Stated, key)
			}
		}
	}
	if slices.Contains(m.options.Without, "turns") {
		return c, nil // no ranking
	}
	var ranked []string
	for i := range answer.Items {
		ranked = append(ranked, m.keys[answer.Items[i].ID])
	}
	c.Ranked = distinct(ranked)
	return c, nil
}

// distinct gives each key once, in the order of ranks. No keys are an empty
// ranking, which is not the same as none.
func distinct(keys []string) []string {
	return append([]string{}, eval.Distinct(keys, func(key string) string { return key })...)
}

// said gives what an answer says beside its items.
func (e *engine) said(a *memory.Answer) eval.Context {
	return eval.Context{
		Text: a.Context, Holding: holding(a.Facts), Weights: a.Weights, Fit: e.fit,
		Verdict: &eval.Verdict{Answerable: a.Verdict.Answerable, Score: a.Verdict.Score},
	}
}

// holding gives the values that facts present as holding, nil if there are no facts.
func holding(facts []memory.Fact) []string {
	if len(facts) == 0 {
		return nil
	}
	out := []string{}
	for i := range facts {
		if s := facts[i].State; s == memory.Current || s == memory.Disputed {
			out = append(out, facts[i].Object)
		}
	}
	return out
}
