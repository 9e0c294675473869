package memory

import (
	"encoding/hex"
	"fmt"
	"io"
)

// ID names one record for ever: a UUID of version 7 (RFC 9562), so that ids
// sort by the time at which they were made. The zero ID names nothing.
type ID [16]byte

// NewID makes an ID from a time in Unix microseconds and 10 random bytes read
// from random. It is written here because the clock and the source are
// injected, which the uuid libraries do not offer.
func NewID(micros int64, random io.Reader) (ID, error) {
	var id ID
	if _, err := io.ReadFull(random, id[6:]); err != nil {
		return ID{}, fmt.Errorf("read randomness for an id: %w", err)
	}
	ms := uint64(micros / 1000)
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6] = id[6]&0x0f | 0x70 // version 7
	id[8] = id[8]&0x3f | 0x80 // variant of RFC 9562
	return id, nil
}

// ParseID reads the canonical form of 36 characters.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return ID{}, fmt.Errorf("%q is no id (36 characters, such as 0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02): %w", s, ErrInvalid)
	}
	packed := s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	if _, err := hex.Decode(id[:], []byte(packed)); err != nil {
		return ID{}, fmt.Errorf("%q is no id (hexadecimal digits expected): %w", s, ErrInvalid)
	}
	return id, nil
}

// IsZero reports whether id names nothing.
func (id ID) IsZero() bool { return id == ID{} }

// String gives the canonical form; the zero ID gives "".
func (id ID) String() string {
	if id.IsZero() {
		return ""
	}
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// MarshalText implements encoding.TextMarshaler.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler; an empty text is the zero ID.
func (id *ID) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*id = ID{}
		return nil
	}
	parsed, err := ParseID(string(b))
	*id = parsed
	return err
}
