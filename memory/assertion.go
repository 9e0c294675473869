package memory

import (
	"fmt"
	"math"
	"slices"
)

// News says what an assertion does to what was believed before.
type News string

// The kinds of news (docs/model.md).
const (
	Change     News = "change"      // begins to hold and ends what held; the default
	End        News = "end"         // holds no longer, and nothing takes its place
	Correction News = "correction"  // was never so, and this was instead
	Late       News = "late"        // held during a bounded past; both sides of it stay
	TakingBack News = "taking_back" // never happened; what held before goes on
)

var news = []News{Change, End, Correction, Late, TakingBack}

// ParseNews reads a kind of news; "" is Change.
func ParseNews(s string) (News, error) {
	if s == "" {
		return Change, nil
	}
	if n := News(s); slices.Contains(news, n) {
		return n, nil
	}
	return "", fmt.Errorf("news %q is none of %s: %w", s, join(news), ErrInvalid)
}

// MaxObject is the longest subject, predicate or object, in bytes.
const MaxObject = 4 << 10

// Assertion is one statement about the world, as somebody made it. Assertions
// are never edited: what they amount to together is a Fact.
type Assertion struct {
	Subject   string   `json:"subject"`
	Predicate string   `json:"predicate"`
	Object    string   `json:"object,omitempty"` // the value; may be empty for End and TakingBack: whatever holds
	News      News     `json:"news,omitempty"`   // Change if empty
	Valid     Interval `json:"valid,omitzero"`   // as stated; without a From it begins when it was said
	Said      Time     `json:"said,omitzero"`    // when it was said; the store's clock if not set
	Source    Source   `json:"source,omitempty"` // User if empty
	// Confidence is in (0, 1]; 0 means not stated, which counts as 1.
	Confidence float64 `json:"confidence,omitempty"`
	Extractor  string  `json:"extractor,omitempty"` // what read it out of the words; empty: asserted directly
	Version    string  `json:"extractor_version,omitempty"`
	Provenance []Span  `json:"provenance,omitempty"` // the words that say it, each enough by itself
	Depends    []ID    `json:"depends,omitempty"`    // assertions that it was inferred from or is conditional on
	Corrects   ID      `json:"corrects,omitzero"`    // the assertion that Correction or TakingBack means; else the value it names or what held
	Replaces   string  `json:"replaces,omitempty"`   // the value that Correction or TakingBack takes away
	IDKey      string  `json:"-"`                    // the caller's idempotency key; kept in the record's header
}

// Span is a place in the words of an episode, in bytes; 0, 0 is all of it.
type Span struct {
	Episode ID  `json:"episode"`
	Start   int `json:"start,omitempty"`
	End     int `json:"end,omitempty"`
}

// Type implements Body.
func (*Assertion) Type() RecordType { return TypeAssertion }

// ChangesBelief implements Body.
func (*Assertion) ChangesBelief() bool { return true }

// Validate implements Body.
func (a *Assertion) Validate() error {
	for _, f := range []struct {
		field, value string
		required     bool
	}{
		{"subject", a.Subject, true},
		{"predicate", a.Predicate, true},
		{"object", a.Object, a.News != End && a.News != TakingBack},
		{"replaces", a.Replaces, false},
	} {
		if err := validateTerm(f.field, f.value, f.required); err != nil {
			return err
		}
	}
	if _, err := ParseNews(string(a.News)); err != nil {
		return err
	}
	if _, err := ParseSource(string(a.Source)); err != nil {
		return err
	}
	if math.IsNaN(a.Confidence) || a.Confidence < 0 || a.Confidence > 1 {
		return fmt.Errorf("confidence %v is outside (0, 1]: %w", a.Confidence, ErrInvalid)
	}
	if a.News == Late && (a.Valid.From.IsZero() || a.Valid.To.IsZero()) {
		return fmt.Errorf("late news needs both ends of its past (valid from and to): %w", ErrInvalid)
	}
	if (!a.Corrects.IsZero() || a.Replaces != "") && a.News != Correction && a.News != TakingBack {
		return fmt.Errorf("only a correction or taking back names what it replaces: %w", ErrInvalid)
	}
	for _, s := range a.Provenance {
		if s.Episode.IsZero() || s.Start < 0 || s.End < s.Start {
			return fmt.Errorf("provenance names an episode and a span of its bytes: %w", ErrInvalid)
		}
	}
	if err := a.Said.Validate(); err != nil {
		return err
	}
	for _, f := range []struct{ field, value string }{{"extractor", a.Extractor}, {"extractor_version", a.Version}, {"id_key", a.IDKey}} {
		if err := validateName(f.field, f.value); err != nil {
			return err
		}
	}
	return a.Valid.Validate()
}

func validateTerm(field, value string, required bool) error {
	if len(value) > MaxObject {
		return fmt.Errorf("%s is %d bytes long, the limit is %d: %w", field, len(value), MaxObject, ErrTooLarge)
	}
	if err := validateUTF8(field, value); err != nil {
		return err
	}
	if required && isBlank(value) {
		return fmt.Errorf("%s is blank: %w", field, ErrInvalid)
	}
	return nil
}

// Settlement settles a dispute: from it on the losers count no longer. Its
// record type is "verdict". It is retractable.
type Settlement struct {
	Winner ID     `json:"winner,omitzero"`
	Losers []ID   `json:"losers"`
	Reason string `json:"reason,omitempty"`
	Actor  string `json:"actor,omitempty"`
}

// Type implements Body.
func (*Settlement) Type() RecordType { return TypeVerdict }

// ChangesBelief implements Body.
func (*Settlement) ChangesBelief() bool { return true }

// Validate implements Body.
func (s *Settlement) Validate() error {
	if len(s.Losers) == 0 || slices.Contains(s.Losers, ID{}) || slices.Contains(s.Losers, s.Winner) {
		return fmt.Errorf("a verdict names the assertions that lose, and another that wins: %w", ErrInvalid)
	}
	if err := validateName("reason", s.Reason); err != nil {
		return err
	}
	return validateName("actor", s.Actor)
}
