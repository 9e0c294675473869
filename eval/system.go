package eval

import "context"

// System is a way to remember that is measured.
type System struct {
	Name string
	// Options say what else made it what it is; they go into the manifest.
	Options map[string]string
	// Gold systems are told the evidence of each question (Gold in Context).
	// Only the oracle is one, and its rows say so.
	Gold bool
	// Whole systems hand over the whole history; the report holds them to it.
	Whole bool
	// Open gives an empty memory below a directory that is its own.
	Open func(ctx context.Context, dir string) (Memory, error)
}

// Memory is the memory that a system has of one case. Run calls one method at
// a time, and all of Ingest before the first Context.
type Memory interface {
	// Ingest hears a session, or the next stretch of one. Turns carry their
	// words, speaker, source and time; names of sessions and turns are numbers
	// ("s3", "s3:14"), which Context.Ranked gives back.
	Ingest(ctx context.Context, s Session) error
	// Context gives what a reader is shown for a question within a budget of
	// o200k tokens. An error counts as a wrong answer.
	Context(ctx context.Context, a Ask, budget int) (Context, error)
	// Size gives the bytes that are stored for good, 0 if nothing is.
	Size() (int64, error)
	Close() error
}

// GoldMemory is the memory of a Gold system.
type GoldMemory interface {
	Memory
	// Gold names the evidence of the question that Context is asked next.
	Gold(turns []string)
}

// Context is what a reader is shown.
type Context struct {
	Text string
	// Ranked are the turns that it holds something of, the best first; nil if
	// the system does not say. One of which Text holds nothing does not count.
	Ranked []string
	// Holding are the values that it presents as holding at the moment asked
	// about; nil if it makes no difference between what holds and what does not.
	// One that is not in Text does not count.
	Holding []string
	// Stated are the turns from which the facts in Text were learned.
	Stated []string
	// Cut is how many tokens of the history the system's own window left out.
	Cut int
	// Verdict says whether the system thinks that it holds an answer; nil if it
	// does not judge.
	Verdict *Verdict
	// Weights names the fitted weights that ranked, if any did.
	Weights string
	// Fit says how these weights are related to the case.
	Fit Fit
}

// Verdict is a system's own judgement of its context.
type Verdict struct {
	Answerable bool    `json:"answerable"`
	Score      float64 `json:"score"` // higher: more surely answerable
}

// Fit says whether what ranks has seen the case that it is measured on.
type Fit string

// How weights are related to a case.
const (
	Unfitted Fit = ""         // nothing was fitted
	Unseen   Fit = "unseen"   // fitted on other data
	HeldOut  Fit = "held-out" // fitted on everything but this case
	InFold   Fit = "in-fold"  // fitted on this case too: no result
)
