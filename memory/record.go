package memory

import (
	"fmt"
	"math"
	"slices"
)

// RecordType names what a record of the log holds.
type RecordType string

// The types of records.
const (
	TypeEpisode   RecordType = "episode"
	TypeRetract   RecordType = "retract"
	TypeLink      RecordType = "link"
	TypeFeedback  RecordType = "feedback"
	TypeErased    RecordType = "erased"
	TypeAssertion RecordType = "assertion"
	TypeVerdict   RecordType = "verdict"
)

// Record is one entry of a space's log. Records are immutable; everything else
// engram knows is folded from the active ones.
//
// Seq and Recorded are set by the store. Recorded never decreases along a log;
// an import may state it.
type Record struct {
	Seq      Seq
	Recorded int64 // transaction time, µs since 1970 UTC; 0 on append: the store's clock
	ID       ID
	IDKey    string // the caller's idempotency key, unique in the space for ever
	Body     Body   // nil if the stored record could not be decoded
	Raw      []byte // the body as it is stored, set on read; unknown fields survive in it
	Damage   string // why Body is nil
}

// Body is what a record holds: *Episode, *Retract, *Association, *Feedback or *Erased.
type Body interface {
	Type() RecordType
	// ChangesBelief reports whether appending it raises the space's belief
	// counter, against which Expect is checked.
	ChangesBelief() bool
	Validate() error
}

// NewBody gives an empty body of the type, nil for an unknown one.
func NewBody(t RecordType) Body {
	switch t {
	case TypeEpisode:
		return new(Episode)
	case TypeAssertion:
		return new(Assertion)
	case TypeRetract:
		return new(Retract)
	case TypeVerdict:
		return new(Settlement)
	case TypeLink:
		return new(Association)
	case TypeFeedback:
		return new(Feedback)
	case TypeErased:
		return new(Erased)
	}
	return nil
}

// ShareIDKey copies the record's key into a body that shows it to callers.
func (r *Record) ShareIDKey() {
	switch b := r.Body.(type) {
	case *Episode:
		b.IDKey = r.IDKey
	case *Assertion:
		b.IDKey = r.IDKey
	}
}

// Retract makes the named records inactive: undo, or a correction by hand.
// Only records before it in the log are affected. It is itself retractable.
type Retract struct {
	Targets []ID   `json:"targets"`
	Reason  string `json:"reason,omitempty"`
	Actor   string `json:"actor,omitempty"`
	// Always: not from now on, but as if it had never been said; for dropping
	// the work of an extractor, which is no news about the world.
	Always bool `json:"always,omitempty"`
}

// Association ties two records that are already in the log, or says who is who:
// with SameAs the Name means the Entity, also in what was said before, and with
// Apart the Name stands for itself again.
type Association struct {
	From   ID       `json:"from,omitzero"`
	Rel    Relation `json:"rel"`
	To     ID       `json:"to,omitzero"`
	Name   string   `json:"name,omitempty"`
	Entity string   `json:"entity,omitempty"`
}

// Feedback tells what came of an answer, or marks an episode by hand.
type Feedback struct {
	Answer   string   `json:"answer,omitempty"` // the caller's name of the answer that it is about
	Used     []ID     `json:"used,omitempty"`
	Followed []ID     `json:"followed,omitempty"`
	Helped   []ID     `json:"helped,omitempty"`
	Hurt     []ID     `json:"hurt,omitempty"`
	Reward   *float64 `json:"reward,omitempty"` // in [-1, 1]
	Pin      []ID     `json:"pin,omitempty"`    // always shown
	Unpin    []ID     `json:"unpin,omitempty"`
	Priority *int     `json:"priority,omitempty"` // of the pinned, in [-2, 2]
	Due      Time     `json:"due,omitzero"`       // of the pinned
}

// Erased is a tombstone: what an erasure removed, without content.
type Erased struct {
	Counts  map[RecordType]int `json:"counts"`
	Digests []string           `json:"digests,omitempty"` // keyed digests of the erased callers' keys, hexadecimal
	All     bool               `json:"all,omitempty"`     // the whole space
	// Reopened names the assertions that hold again because what had ended them
	// was erased; they may be out of date.
	Reopened []ID   `json:"reopened,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Actor    string `json:"actor,omitempty"`
}

// Type implements Body.
func (*Episode) Type() RecordType     { return TypeEpisode }
func (*Retract) Type() RecordType     { return TypeRetract }
func (*Association) Type() RecordType { return TypeLink }
func (*Feedback) Type() RecordType    { return TypeFeedback }
func (*Erased) Type() RecordType      { return TypeErased }

// ChangesBelief implements Body.
func (*Episode) ChangesBelief() bool     { return false }
func (*Retract) ChangesBelief() bool     { return true }
func (*Association) ChangesBelief() bool { return true }
func (*Feedback) ChangesBelief() bool    { return false }
func (*Erased) ChangesBelief() bool      { return true }

// Validate implements Body.
func (r *Retract) Validate() error {
	if len(r.Targets) == 0 || slices.Contains(r.Targets, ID{}) {
		return fmt.Errorf("a retraction names the records that it takes back: %w", ErrInvalid)
	}
	if err := validateName("reason", r.Reason); err != nil {
		return err
	}
	return validateName("actor", r.Actor)
}

// Validate implements Body.
func (a *Association) Validate() error {
	if a.Rel == SameAs || a.Rel == Apart {
		return a.validateNames()
	}
	if a.From.IsZero() {
		return fmt.Errorf("an association starts at a record: %w", ErrInvalid)
	}
	return Link{Rel: a.Rel, To: a.To}.Validate()
}

func (a *Association) validateNames() error {
	if !a.From.IsZero() || !a.To.IsZero() {
		return fmt.Errorf("%s ties names, not records: %w", a.Rel, ErrInvalid)
	}
	if err := validateTerm("name", a.Name, true); err != nil {
		return err
	}
	if a.Rel == Apart {
		return nil
	}
	return validateTerm("entity", a.Entity, true)
}

// Validate implements Body.
func (f *Feedback) Validate() error {
	if r := f.Reward; r != nil && (math.IsNaN(*r) || *r < -1 || *r > 1) {
		return fmt.Errorf("reward %v is outside [-1, 1]: %w", *r, ErrInvalid)
	}
	if p := f.Priority; p != nil && (*p < -2 || *p > 2) {
		return fmt.Errorf("priority %d is outside [-2, 2]: %w", *p, ErrInvalid)
	}
	if (f.Priority != nil || !f.Due.IsZero()) && len(f.Pin) == 0 {
		return fmt.Errorf("a priority or due time needs the episodes that it is for (pin): %w", ErrInvalid)
	}
	if err := f.Due.Validate(); err != nil {
		return fmt.Errorf("due: %w", err)
	}
	named := slices.Concat(f.Used, f.Followed, f.Helped, f.Hurt, f.Pin, f.Unpin)
	if len(named) == 0 && f.Reward == nil {
		return fmt.Errorf("feedback names no item and no reward: %w", ErrInvalid)
	}
	if slices.Contains(named, ID{}) {
		return fmt.Errorf("feedback names an item without an id: %w", ErrInvalid)
	}
	return validateName("answer", f.Answer)
}

// Validate implements Body.
func (e *Erased) Validate() error {
	if err := validateName("reason", e.Reason); err != nil {
		return err
	}
	return validateName("actor", e.Actor)
}

// Ref is where a record went.
type Ref struct {
	ID        ID    `json:"id"`
	Seq       Seq   `json:"seq"`
	Recorded  int64 `json:"-"`
	Duplicate bool  `json:"duplicate,omitempty"` // its key had been acknowledged before; this is the first acknowledgement
}

// Receipt says what an erasure did, without content.
type Receipt struct {
	Scope    Scope              `json:"scope"`
	ID       ID                 `json:"id"` // of the tombstone
	Position Position           `json:"position"`
	Counts   map[RecordType]int `json:"counts"`
	Verified bool               `json:"verified"`          // a scan found nothing that was left
	Pending  []string           `json:"pending,omitempty"` // what still holds the bytes, and until when
}

// Complete reports whether nothing is left anywhere.
func (r Receipt) Complete() bool { return r.Verified && len(r.Pending) == 0 }
