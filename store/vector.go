package store

import (
	"fmt"
	"unicode/utf8"

	"engram/memory"
)

// Vectors are no records: they are derived from records by a model, can be
// made again, and stand in a table beside the log with positions of their own.

// VectorBatch is what one PutVectors writes.
type VectorBatch struct {
	Scope   memory.Scope
	Epoch   uint64 // of the head with which the records were read
	Model   string
	Dim     int // numbers in each vector
	Vectors []Vector
	// Through, if it is not 0, sets the model's watermark: it has seen all
	// records up to there. It is that of the extractor VectorExtractor(Model),
	// so that Lagging finds the spaces in which the model is behind.
	Through memory.Seq
}

// Vector is what a model made of a record, or of a part of a long one.
type Vector struct {
	Seq      memory.Seq
	Part     int    // 0-based place of the part in its record
	Data     []byte // the store does not look inside
	Position uint64 // given by the store, ascending within a space
}

// VectorModel is a model that has made vectors in a space.
type VectorModel struct {
	Model string
	Dim   int
	Seq   memory.Seq // its watermark
}

// VectorExtractor is the name under which the watermark of a model stands.
func VectorExtractor(model string) string { return "vectors:" + model }

// Limits of a VectorBatch.
const (
	MaxVectorDim  = 1 << 16
	MaxVectorData = 1 << 19 // bytes of one vector
)

// Validate checks a batch as far as that can be done without the space.
func (b *VectorBatch) Validate() error {
	if err := b.Scope.Validate(); err != nil {
		return err
	}
	if b.Model == "" || len(VectorExtractor(b.Model)) > memory.MaxName || !utf8.ValidString(b.Model) {
		return fmt.Errorf("a model needs a name, at most %d bytes of UTF-8: %w", memory.MaxName-len(VectorExtractor("")), memory.ErrInvalid)
	}
	if b.Dim < 1 || b.Dim > MaxVectorDim {
		return fmt.Errorf("vectors of %d dimensions: %w", b.Dim, memory.ErrInvalid)
	}
	if len(b.Vectors) == 0 && b.Through == 0 {
		return fmt.Errorf("the batch has no vectors and no watermark: %w", memory.ErrInvalid)
	}
	for i, v := range b.Vectors {
		switch {
		case v.Seq == 0 || v.Part < 0:
			return fmt.Errorf("vector %d is of no record: %w", i, memory.ErrInvalid)
		case len(v.Data) == 0:
			return fmt.Errorf("vector %d is empty: %w", i, memory.ErrInvalid)
		case len(v.Data) > MaxVectorData:
			return fmt.Errorf("vector %d has %d bytes, at most %d can be kept: %w", i, len(v.Data), MaxVectorData, memory.ErrTooLarge)
		}
	}
	return nil
}
