package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Filter narrows a read. It is applied before the best are taken. The fields
// are joined by "and", the values of one field by "or"; an empty field lets
// everything through.
type Filter struct {
	Sessions []string          `json:"sessions,omitempty"`
	Speakers []string          `json:"speakers,omitempty"`
	Kinds    []Kind            `json:"kinds,omitempty"`
	Sources  []Source          `json:"sources,omitempty"`
	Path     string            `json:"path,omitempty"`     // prefix of whole path elements
	Metadata map[string]string `json:"metadata,omitempty"` // all of them
	Occurred Interval          `json:"occurred,omitzero"`
}

// IsZero reports whether the filter lets everything through.
func (f *Filter) IsZero() bool {
	return len(f.Sessions)+len(f.Speakers)+len(f.Kinds)+len(f.Sources)+len(f.Metadata) == 0 &&
		f.Path == "" && f.Occurred.IsZero()
}

// Validate refuses kinds and sources that do not exist and inverted ranges.
func (f *Filter) Validate() error {
	for _, k := range f.Kinds {
		if !slices.Contains(kinds, k) {
			return fmt.Errorf("filter: kind %q is none of %s: %w", k, join(kinds), ErrInvalid)
		}
	}
	for _, s := range f.Sources {
		if !slices.Contains(sources, s) {
			return fmt.Errorf("filter: source %q is none of %s: %w", s, join(sources), ErrInvalid)
		}
	}
	return f.Occurred.Validate()
}

// Match reports whether the filter lets e through. An episode occurred where
// it began; one that does not say when is in no range.
func (f *Filter) Match(e *Episode) bool {
	if !oneOf(f.Sessions, e.Session) || !oneOf(f.Speakers, e.Speaker) ||
		!oneOf(f.Kinds, cmp.Or(e.Kind, Message)) || !oneOf(f.Sources, cmp.Or(e.Source, User)) {
		return false
	}
	if f.Path != "" && !underPath(e.Path, f.Path) {
		return false
	}
	for k, v := range f.Metadata {
		if got, ok := e.Metadata[k]; !ok || got != v {
			return false
		}
	}
	return f.Occurred.IsZero() || !e.Occurred.IsZero() && f.Occurred.Contains(e.Occurred.Micros)
}

func oneOf[T comparable](allowed []T, v T) bool {
	return len(allowed) == 0 || slices.Contains(allowed, v)
}

// underPath reports whether path is prefix or below it: "a/b" holds "a/b/c"
// and not "a/bc"; "/" holds everything.
func underPath(path, prefix string) bool {
	prefix = strings.TrimRight(prefix, "/")
	return prefix == "" || path == prefix || strings.HasPrefix(path, prefix+"/")
}
