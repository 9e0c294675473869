package memory

import "fmt"

// Budget is the size of a context in tokens where the question names none: at
// 8,000 tokens a strong reader answers as well as from the whole history
// (docs/evaluation.md).
const Budget = 8000

// Ranker names a way to order what the channels found.
type Ranker string

// The rankers.
const (
	Linear Ranker = "linear" // fitted weights over all features; the default
	Fixed  Ranker = "fixed"  // the query's own Weights
	RRF    Ranker = "rrf"    // reciprocal rank fusion of the channels, k = 60
)

// Query is a question to a memory and how it is to be answered. The zero value
// of every field but Question is usable.
type Query struct {
	Question string `json:"question"`
	AsOf
	Filter  Filter             `json:"filter,omitzero"`
	Budget  int                `json:"budget,omitempty"`  // tokens of the context (o200k). Defaults to Budget
	Limit   int                `json:"limit,omitempty"`   // most ranked items, what is pinned not counted. Defaults to 0, what the budget holds
	Ranker  Ranker             `json:"ranker,omitempty"`  // Defaults to Linear
	Weights map[string]float64 `json:"weights,omitempty"` // of Fixed: semantic, recency, salience. Defaults to 1, 0, 0
	Explain bool               `json:"explain,omitempty"` // fill Item.Explanation
	Without []string           `json:"without,omitempty"` // channels, steps and features to leave out, for experiments (recall.Steps)
}

// Answer is the result of a recall.
type Answer struct {
	Context  string   `json:"context"`         // what to hand to the model, fenced
	Tokens   int      `json:"tokens"`          // of Context, o200k
	Facts    []Fact   `json:"facts,omitempty"` // that the context states, in its order
	Items    []Item   `json:"items"`           // the evidence, in order of rank; then what is pinned and no channel found
	Verdict  Verdict  `json:"verdict"`
	Position Position `json:"position"` // from which the answer looks
	Head     Seq      `json:"head"`     // of the log when the answer was given
	Scope    Scope    `json:"scope"`
	Query    Query    `json:"query"`                  // as it was answered, with all defaults filled in
	Now      Time     `json:"now"`                    // the read's now
	Weights  string   `json:"ranker_weights"`         // id of the ranker's weights
	Model    string   `json:"vector_model,omitempty"` // by whose vectors was searched beside the words
	Embedded Seq      `json:"vector_seq,omitempty"`   // the last record whose vectors were searched
	Reranker string   `json:"reranker,omitempty"`     // who put the best items in order, if not the ranker alone
	Notes    []string `json:"notes,omitempty"`
}

// Item is one piece of evidence in an answer: an episode, or a part of a long one.
type Item struct {
	Kind        Kind         `json:"kind"`
	ID          ID           `json:"id"`
	Seq         Seq          `json:"seq"`
	Part        int          `json:"part,omitempty"`  // 0-based
	Parts       int          `json:"parts,omitempty"` // if the episode has more than one
	Text        string       `json:"text"`            // word for word
	Session     string       `json:"session,omitempty"`
	Speaker     string       `json:"speaker,omitempty"`
	Source      Source       `json:"source,omitempty"`
	Occurred    Time         `json:"occurred,omitzero"`
	Path        string       `json:"path,omitempty"`
	Score       float64      `json:"score"`
	Pinned      bool         `json:"pinned,omitempty"`  // a standing instruction or pinned by hand
	Excerpt     bool         `json:"excerpt,omitempty"` // the context shows only some sentences of Text
	Same        []Seq        `json:"same,omitempty"`    // episodes that say the same word for word and were left out
	Explanation *Explanation `json:"explanation,omitempty"`
}

// Explanation says why an item is where it is.
type Explanation struct {
	Why      []string       `json:"why"`
	Channels map[string]int `json:"channels"` // rank per channel, from 1
	Features []Contribution `json:"features"`
	Replaces []Seq          `json:"replaces,omitempty"` // earlier versions of its key
}

// Contribution is what one feature adds to an item's score.
type Contribution struct {
	Feature string  `json:"feature"`
	Value   float64 `json:"value"`
	Weight  float64 `json:"weight"`
}

// Verdict says how well the memory can answer. What it can tell, and what it
// cannot, is in docs/evaluation.md.
type Verdict struct {
	Answerable bool    `json:"answerable"` // Score reaches the threshold of the weights
	Score      float64 `json:"score"`      // probability that the answer is there, if half of all questions have one
	Why        string  `json:"why"`
}

// Resolve fills in the defaults and refuses what cannot be answered.
func (q *Query) Resolve() error {
	if isBlank(q.Question) && q.Filter.IsZero() {
		return fmt.Errorf("the question is blank and no filter is set: %w", ErrInvalid)
	}
	if err := validateUTF8("the question", q.Question); err != nil {
		return err
	}
	if len(q.Question) > MaxQuestion {
		return fmt.Errorf("the question is %d bytes long, the limit is %d: %w", len(q.Question), MaxQuestion, ErrTooLarge)
	}
	if q.Budget == 0 {
		q.Budget = Budget
	}
	if q.Budget < 0 || q.Limit < 0 {
		return fmt.Errorf("budget %d and limit %d cannot be negative: %w", q.Budget, q.Limit, ErrInvalid)
	}
	switch q.Ranker {
	case "":
		q.Ranker = Linear
	case Linear, Fixed, RRF:
	default:
		return fmt.Errorf("ranker %q is none of linear, fixed, rrf: %w", q.Ranker, ErrInvalid)
	}
	for name := range q.Weights {
		switch name {
		case "semantic", "recency", "salience":
		default:
			return fmt.Errorf("weight %q is none of semantic, recency, salience: %w", name, ErrInvalid)
		}
	}
	if err := q.AsOf.Validate(); err != nil {
		return err
	}
	return q.Filter.Validate()
}

// MaxQuestion is the longest question, in bytes.
const MaxQuestion = 64 << 10
