package memory

// State says how a fact stands, seen from a point of the valid axis.
type State string

// The states of a fact.
const (
	Current  State = "current"  // holds
	Past     State = "past"     // held before
	Future   State = "future"   // begins later
	Disputed State = "disputed" // holds by one source and not by another
)

// Basis says where a date of a fact comes from.
type Basis string

// The bases of dates.
const (
	Stated  Basis = "stated"  // somebody said it
	Assumed Basis = "assumed" // when it was said, for want of a date
	Implied Basis = "implied" // by what came after it
)

// Fact is what the active assertions of a slot amount to: a value that holds
// during an interval of the world's time, as it was known during an interval of
// the memory's. Facts are never stored.
type Fact struct {
	ID            ID      `json:"id"` // of the assertion that begins it
	Subject       string  `json:"subject"`
	Predicate     string  `json:"predicate"`
	Object        string  `json:"object"`
	ValidFrom     Time    `json:"valid_at,omitzero"`
	ValidTo       Time    `json:"invalid_at,omitzero"`
	FromBasis     Basis   `json:"valid_at_basis,omitempty"`
	ToBasis       Basis   `json:"invalid_at_basis,omitempty"`
	KnownFrom     Time    `json:"created_at,omitzero"`
	KnownTo       Time    `json:"expired_at,omitzero"`
	State         State   `json:"state"`
	Boundary      bool    `json:"boundary,omitempty"` // its change is dated too coarsely to say which value holds here
	Stale         string  `json:"stale,omitempty"`    // why it may hold no longer
	Source        Source  `json:"source"`             // the most trusted
	Confidence    float64 `json:"confidence"`         // the highest stated, 1 if none
	Corroboration int     `json:"corroboration"`      // assertions that say so
	Assertions    []ID    `json:"assertions"`
	Provenance    []Span  `json:"provenance,omitempty"`
	Predecessor   ID      `json:"predecessor,omitzero"`
	Successor     ID      `json:"successor,omitzero"`
	Seq           Seq     `json:"seq"` // of the latest assertion or episode that says so, for source marks
}
