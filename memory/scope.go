package memory

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Names used where the caller gives none.
const (
	DefaultTenant = "default"
	DefaultSpace  = "default"
)

// MaxName is the longest name of a tenant, space, session, speaker or path, in bytes.
const MaxName = 512

// Scope names one memory: a space of a tenant. It is the unit of isolation,
// order, erasure and caching, and the first part of every key.
type Scope struct {
	Tenant string `json:"tenant"`
	Space  string `json:"space"`
}

// NewScope checks both names; an empty one becomes the default.
func NewScope(tenant, space string) (Scope, error) {
	if tenant == "" {
		tenant = DefaultTenant
	}
	if space == "" {
		space = DefaultSpace
	}
	s := Scope{Tenant: tenant, Space: space}
	return s, s.Validate()
}

// Validate reports the first name that cannot be used.
func (s Scope) Validate() error {
	if s.Tenant == "" || s.Space == "" {
		return fmt.Errorf("tenant and space need a name: %w", ErrInvalid)
	}
	if err := validateName("tenant", s.Tenant); err != nil {
		return err
	}
	return validateName("space", s.Space)
}

// String gives "tenant/space".
func (s Scope) String() string { return s.Tenant + "/" + s.Space }

// validateName checks a short name: at most MaxName bytes, valid UTF-8 and no
// control characters, so that it can be shown and typed.
func validateName(field, name string) error {
	if len(name) > MaxName {
		return fmt.Errorf("%s is %d bytes long, the limit is %d: %w", field, len(name), MaxName, ErrTooLarge)
	}
	if err := validateUTF8(field, name); err != nil {
		return err
	}
	for i, r := range name {
		if unicode.IsControl(r) {
			return fmt.Errorf("%s has a control character at byte %d: %w", field, i, ErrInvalid)
		}
	}
	return nil
}

// validateUTF8 names the offset of the first invalid byte. Lone surrogates are
// invalid in UTF-8 and are found here too.
func validateUTF8(field, s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return fmt.Errorf("%s is no valid UTF-8 at byte %d: %w", field, i, ErrInvalid)
		}
		i += n
	}
	return nil
}
