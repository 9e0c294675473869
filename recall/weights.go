package recall

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"engram/memory"
)

// Weights are those of the linear ranker and of the verdict: one set for every
// kind of data without vectors, one with them. The files are made by "engram
// eval tune" and versioned with the code.
type Weights struct {
	Version    int                `json:"version"`
	Note       string             `json:"note,omitempty"` // how they were made
	Features   map[string]float64 `json:"features"`
	Verdict    Calibration        `json:"verdict"`
	Provenance *Provenance        `json:"provenance,omitempty"`
	ID         string             `json:"-"` // beginning of the SHA-256 of version, features and verdict

	values  [featureCount]float64
	signals [signalCount]float64
}

// Calibration turns the signals of the verdict into a probability, by the
// logistic function, and says from which one on a question is answerable.
type Calibration struct {
	Bias      float64            `json:"bias"`
	Features  map[string]float64 `json:"features"` // by SignalNames
	Threshold float64            `json:"threshold"`
}

// Provenance says what weights were fitted on and how they did.
type Provenance struct {
	Sets    []FittedSet      `json:"sets"`
	Lambda  float64          `json:"lambda"`            // penalty of the ranker's fit
	Without []string         `json:"without,omitempty"` // features that were left out
	Model   string           `json:"model,omitempty"`   // of the vectors
	Scores  map[string]Score `json:"scores,omitempty"`  // by the name of the set
	Commit  string           `json:"commit,omitempty"`
}

// FittedSet is a data set that weights have seen.
type FittedSet struct {
	Name      string     `json:"name"`
	Data      []DataFile `json:"data,omitempty"`
	Cases     int        `json:"cases"`
	Questions int        `json:"questions"`
	Prints    []string   `json:"fingerprints"` // of the cases: SHA-256 of their texts (eval/tune)
}

// DataFile is a file of a data set.
type DataFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Score holds measures by name. Only those out of fold say what the weights are
// worth on data that they have not seen.
type Score struct {
	OutOfFold map[string]float64 `json:"out_of_fold"`
	InFold    map[string]float64 `json:"in_fold,omitempty"`
}

// WeightsVersion is that of the file; it is raised when the meaning of a feature
// changes. Version 2 brought the verdict; files without it are refused.
const WeightsVersion = 2

//go:embed weights.json
var builtin []byte

//go:embed weights-vectors.json
var builtinVectors []byte

// Builtin gives the weights for words that come with the program.
func Builtin() (Weights, error) { return ParseWeights(builtin) }

// BuiltinVectors gives the weights for vectors that come with the program.
func BuiltinVectors() (Weights, error) { return ParseWeights(builtinVectors) }

// UsesVectors reports whether the weights are for spaces with vectors: they have
// a feature that only those have.
func (w *Weights) UsesVectors() bool {
	return slices.ContainsFunc(FeatureNames[fitted:fittedVectors], func(name string) bool {
		_, ok := w.Features[name]
		return ok
	})
}

// ParseWeights reads a weights file. Every fitted feature and every signal of
// the verdict must be in it, and no other name. With one feature of the vectors
// it must have all of them.
func ParseWeights(b []byte) (Weights, error) {
	var w Weights
	if err := json.Unmarshal(b, &w); err != nil {
		return w, fmt.Errorf("the weights are no JSON of engram's: %w", memory.ErrInvalid)
	}
	return w, w.Complete()
}

// Complete makes weights that were put together in Go ready to rank, as
// ParseWeights does those of a file.
func (w *Weights) Complete() error {
	if w.Version != WeightsVersion {
		return fmt.Errorf("the weights have version %d, this program ranks by version %d: %w", w.Version, WeightsVersion, memory.ErrInvalid)
	}
	w.values[fSalience] = 1 // unless it is stated
	if err := fill(w.values[:], w.Features, FeatureNames[:], fittedCount(w.UsesVectors())); err != nil {
		return err
	}
	if err := fill(w.signals[:], w.Verdict.Features, signalNames[:], len(SignalNames(w.UsesVectors()))); err != nil {
		return fmt.Errorf("the verdict: %w", err)
	}
	if t := w.Verdict.Threshold; !(t >= 0 && t <= 1) {
		return fmt.Errorf("the verdict's threshold %v is no probability: %w", t, memory.ErrInvalid)
	}
	ranking, err := json.Marshal(Weights{Version: w.Version, Features: w.Features, Verdict: w.Verdict})
	if err != nil {
		return fmt.Errorf("the weights are no numbers: %w: %w", err, memory.ErrInvalid)
	}
	sum := sha256.Sum256(ranking)
	w.ID = "linear-" + hex.EncodeToString(sum[:6])
	return nil
}

// fill puts named values at the places of their names; the first so many must be there.
func fill(values []float64, named map[string]float64, names []string, needed int) error {
	for name, v := range named {
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("the weights name an unknown feature %q: %w", name, memory.ErrInvalid)
		}
		values[i] = v
	}
	for _, name := range names[:needed] {
		if _, ok := named[name]; !ok {
			return fmt.Errorf("the weights lack the feature %q: %w", name, memory.ErrInvalid)
		}
	}
	return nil
}
