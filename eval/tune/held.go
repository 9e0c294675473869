package tune

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"engram/eval"
	"engram/memory"
	"engram/recall"
)

// Held are the weights with which a run on data that its own weights have seen
// is no cheat: for each case those fitted without it.
type Held struct {
	Weights string                    `json:"weights"` // id of the weights that were fitted on all cases
	Cases   map[string]recall.Weights `json:"cases"`   // by the fingerprint of the case
}

//go:embed heldout.json
var builtin []byte

//go:embed heldout-vectors.json
var builtinVectors []byte

// Builtin gives the held-out weights to the weights for words, or for vectors,
// that come with the program.
func Builtin(vectors bool) (*Held, error) {
	if vectors {
		return ParseHeld(builtinVectors)
	}
	return ParseHeld(builtin)
}

// ParseHeld reads a file of held-out weights. What cannot be read gives
// memory.ErrInvalid.
func ParseHeld(b []byte) (*Held, error) {
	var h Held
	if err := json.Unmarshal(b, &h); err != nil || h.Weights == "" {
		return nil, fmt.Errorf("the held-out weights are no JSON of engram's: %w", memory.ErrInvalid)
	}
	for _, print := range slices.Sorted(maps.Keys(h.Cases)) {
		w := h.Cases[print]
		if err := w.Complete(); err != nil {
			return nil, fmt.Errorf("the held-out weights of %s: %w", print, err)
		}
		h.Cases[print] = w
	}
	return &h, nil
}

// HeldOut gives what is to rank a case, by its fingerprint, where a run ranks
// by weights: nil if they have not seen it, the weights fitted without it if
// the program has some (eval.HeldOut), and nil with eval.InFold if it has none.
// Nil weights are the built-in ones for words. The function may be used from
// many goroutines at once.
func HeldOut(weights *recall.Weights) (func(fingerprint string) (*recall.Weights, eval.Fit), error) {
	if weights == nil {
		w, err := recall.Builtin()
		if err != nil {
			return nil, err
		}
		weights = &w
	}
	held, err := Builtin(weights.UsesVectors())
	if err != nil {
		return nil, err
	}
	return held.For(weights), nil
}

// For is HeldOut with held-out weights of one's own.
func (h *Held) For(weights *recall.Weights) func(fingerprint string) (*recall.Weights, eval.Fit) {
	return func(print string) (*recall.Weights, eval.Fit) {
		// By their numbers first: what a file says of its provenance anybody can change.
		if w, ok := h.Cases[print]; ok && h.Weights == weights.ID {
			return &w, eval.HeldOut
		}
		if !saw(weights, print) {
			return nil, eval.Unseen
		}
		return nil, eval.InFold
	}
}

// MarshalJSON leaves out of the weights what the file says once.
func (h *Held) MarshalJSON() ([]byte, error) {
	type plain Held
	bare := plain{Weights: h.Weights, Cases: map[string]recall.Weights{}}
	for print, w := range h.Cases {
		w.Note, w.Provenance = "", nil
		bare.Cases[print] = w
	}
	return json.Marshal(bare)
}
