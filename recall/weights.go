package recall

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"engram/memory"
)

// Weights are those of the linear ranker: one set for every kind of data. The
// file is made by "engram eval … --fit-weights" and versioned with the code.
type Weights struct {
	Version  int                `json:"version"`
	Note     string             `json:"note,omitempty"` // how they were made
	Features map[string]float64 `json:"features"`
	ID       string             `json:"-"` // beginning of the file's SHA-256

	values [featureCount]float64
}

// WeightsVersion is that of the file; it is raised when the meaning of a feature changes.
const WeightsVersion = 1

//go:embed weights.json
var builtin []byte

// Builtin gives the weights that come with the program.
func Builtin() (Weights, error) { return ParseWeights(builtin) }

// ParseWeights reads a weights file. Every fitted feature must be in it, and no other name.
func ParseWeights(b []byte) (Weights, error) {
	var w Weights
	if err := json.Unmarshal(b, &w); err != nil {
		return w, fmt.Errorf("the weights are no JSON of engram's: %w", memory.ErrInvalid)
	}
	if w.Version != WeightsVersion {
		return w, fmt.Errorf("the weights have version %d, this program ranks by version %d: %w", w.Version, WeightsVersion, memory.ErrInvalid)
	}
	for name, v := range w.Features {
		i := featureIndex(name)
		if i < 0 {
			return w, fmt.Errorf("the weights name an unknown feature %q: %w", name, memory.ErrInvalid)
		}
		w.values[i] = v
	}
	for i, name := range FeatureNames {
		if _, ok := w.Features[name]; !ok && i < fitted {
			return w, fmt.Errorf("the weights lack the feature %q: %w", name, memory.ErrInvalid)
		}
	}
	sum := sha256.Sum256(b)
	w.ID = "linear-" + hex.EncodeToString(sum[:6])
	if _, ok := w.Features[FeatureNames[fSalience]]; !ok {
		w.values[fSalience] = 1
	}
	return w, nil
}
