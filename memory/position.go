package memory

import (
	"cmp"
	"fmt"
)

// Seq is the place of a record in the log of its space, counted from 1 without
// gaps as records are appended. 0 is before the first.
type Seq uint64

// Position is a place in the log of a space. Epoch is raised by every erasure:
// positions of different epochs cannot be compared.
type Position struct {
	Epoch uint64 `json:"epoch"`
	Seq   Seq    `json:"seq"`
}

// String gives "epoch.seq".
func (p Position) String() string { return fmt.Sprintf("%d.%d", p.Epoch, p.Seq) }

// Known is the point in the history of a memory's knowledge from which a read
// looks: a position, or a time (records stored at or before it). The zero
// value is the head of the log.
type Known struct {
	Seq  Seq  `json:"seq,omitempty"`
	Time Time `json:"time,omitzero"`
}

// AsOf is the point from which a read looks on both axes. Every read takes one
// and applies it before it takes the best. The zero value is now and the head.
type AsOf struct {
	Valid Time  `json:"as_of,omitzero"`    // the moment in the world's time; zero: the read's now
	Known Known `json:"known_at,omitzero"` // what was known then
}

// Validate refuses a Known that states both a position and a time, and times
// that cannot be said.
func (a AsOf) Validate() error {
	if a.Known.Seq != 0 && !a.Known.Time.IsZero() {
		return fmt.Errorf("known_at is either a position or a time, not both: %w", ErrInvalid)
	}
	return cmp.Or(a.Valid.Validate(), a.Known.Time.Validate())
}
