package memory

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// MaxText is the longest text of one episode, in bytes. Longer material is
// a document of several episodes.
const MaxText = 4 << 20

// MaxMetadata is the largest sum of an episode's metadata keys and values, in bytes.
const MaxMetadata = 64 << 10

// Kind says what sort of thing happened; it sets the salience at which an
// episode starts.
type Kind string

// The kinds of episodes.
const (
	Message     Kind = "message" // the default
	Instruction Kind = "instruction"
	Action      Kind = "action"
	Observation Kind = "observation"
	Document    Kind = "document"
)

var kinds = []Kind{Message, Instruction, Action, Observation, Document}

// ParseKind reads a kind; "" is Message.
func ParseKind(s string) (Kind, error) {
	if s == "" {
		return Message, nil
	}
	if k := Kind(s); slices.Contains(kinds, k) {
		return k, nil
	}
	return "", fmt.Errorf("kind %q is none of %s: %w", s, join(kinds), ErrInvalid)
}

// Source says who an episode comes from, and so how far it is trusted:
// user > tool > assistant > import > web.
type Source string

// The sources, in order of trust.
const (
	User      Source = "user" // the default
	Tool      Source = "tool"
	Assistant Source = "assistant"
	Import    Source = "import"
	Web       Source = "web"
)

var sources = []Source{User, Tool, Assistant, Import, Web}

// ParseSource reads a source; "" is User.
func ParseSource(s string) (Source, error) {
	if s == "" {
		return User, nil
	}
	if src := Source(s); slices.Contains(sources, src) {
		return src, nil
	}
	return "", fmt.Errorf("source %q is none of %s: %w", s, join(sources), ErrInvalid)
}

// Relation names how one episode is tied to another.
type Relation string

// The relations between episodes.
const (
	CausedBy Relation = "caused_by"
	ReplyTo  Relation = "reply_to"
	SameTask Relation = "same_task"
	About    Relation = "about"
)

// The relations between names.
const (
	SameAs Relation = "same_as"
	Apart  Relation = "apart"
)

var relations = []Relation{CausedBy, ReplyTo, SameTask, About}

// Link ties the episode that carries it to another one.
type Link struct {
	Rel Relation `json:"rel"`
	To  ID       `json:"to"`
}

// Validate refuses an unknown relation and a link to nothing.
func (l Link) Validate() error {
	if !slices.Contains(relations, l.Rel) {
		return fmt.Errorf("relation %q is none of %s: %w", l.Rel, join(relations), ErrInvalid)
	}
	if l.To.IsZero() {
		return fmt.Errorf("a %s link names no episode: %w", l.Rel, ErrInvalid)
	}
	return nil
}

// Episode is what happened, word for word: a turn, an action, an observation
// or a part of a document. Episodes are never edited: one with the same Key
// replaces an earlier one in the present view, and both stay in the log.
type Episode struct {
	Text     string            `json:"text"`               // never blank, at most MaxText bytes of UTF-8
	Occurred Time              `json:"occurred,omitzero"`  // event time; when it was said or done
	Session  string            `json:"session,omitempty"`  // one conversation or run
	Speaker  string            `json:"speaker,omitempty"`  // who said or did it
	Kind     Kind              `json:"kind,omitempty"`     // Message if empty
	Source   Source            `json:"source,omitempty"`   // User if empty
	Path     string            `json:"path,omitempty"`     // slash-separated place inside the space
	Key      string            `json:"key,omitempty"`      // a later episode with this key replaces this one
	IDKey    string            `json:"-"`                  // the caller's idempotency key; kept in the record's header
	Metadata map[string]string `json:"metadata,omitempty"` // the caller's own fields
	Links    []Link            `json:"links,omitempty"`
}

// Validate reports the first field that cannot be kept. It changes nothing.
func (e *Episode) Validate() error {
	if len(e.Text) > MaxText {
		return fmt.Errorf("the text is %d bytes long, the limit is %d: %w", len(e.Text), MaxText, ErrTooLarge)
	}
	if err := validateUTF8("the text", e.Text); err != nil {
		return err
	}
	if isBlank(e.Text) {
		return fmt.Errorf("the text is blank: %w", ErrInvalid)
	}
	for _, f := range []struct{ field, value string }{
		{"session", e.Session}, {"speaker", e.Speaker}, {"path", e.Path}, {"key", e.Key}, {"id_key", e.IDKey},
	} {
		if err := validateName(f.field, f.value); err != nil {
			return err
		}
	}
	if err := e.Occurred.Validate(); err != nil {
		return fmt.Errorf("occurred: %w", err)
	}
	if _, err := ParseKind(string(e.Kind)); err != nil {
		return err
	}
	if _, err := ParseSource(string(e.Source)); err != nil {
		return err
	}
	for _, l := range e.Links {
		if err := l.Validate(); err != nil {
			return err
		}
	}
	return validateMetadata(e.Metadata)
}

func validateMetadata(m map[string]string) error {
	size := 0
	for _, k := range slices.Sorted(maps.Keys(m)) {
		v := m[k]
		if k == "" {
			return fmt.Errorf("metadata has an empty key: %w", ErrInvalid)
		}
		if err := validateName("metadata key", k); err != nil {
			return err
		}
		if err := validateUTF8("metadata "+k, v); err != nil {
			return err
		}
		size += len(k) + len(v)
	}
	if size > MaxMetadata {
		return fmt.Errorf("metadata is %d bytes, the limit is %d: %w", size, MaxMetadata, ErrTooLarge)
	}
	return nil
}

// isBlank reports whether nothing in s can be seen: white space, control and
// format characters, fillers and variation selectors only.
func isBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	}) < 0
}

func join[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}
