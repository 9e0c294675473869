// Package store is the contract of what keeps the log: append, read, erase,
// check. storetest is its definition in tests; sqlite implements it. It may
// import memory and the standard library only.
package store

import (
	"context"

	"engram/memory"
)

// Store keeps the logs of many spaces. Scopes are the first part of every key,
// so that nothing of one space can be reached through another.
//
// All methods may be called at once from many goroutines, and several
// processes may have the same store open. After Close all of them give
// memory.ErrClosed. A call whose context ends gives the context's error; an
// Append that was already handed to the disk may have happened all the same,
// which is why callers who retry give their records an IDKey.
type Store interface {
	// Append writes all records of the batch or none, durably, and then
	// acknowledges. Records whose IDKey was acknowledged before in this space,
	// also before an erasure, are not written again: their Ref is the first
	// one, marked Duplicate. Two equal keys in one batch count likewise.
	//
	// Recorded becomes the later of the record before it and the store's
	// clock, or the stated time if there is one; a stated time before that of
	// the last record gives memory.ErrInvalid, and so does a Watermark beyond
	// the head. If Expect names a belief other than the space's own, it gives
	// memory.ErrConflict, unless every record is a duplicate: that is a retry.
	// memory.ErrFull, memory.ErrBusy and memory.ErrReadOnly also mean that
	// nothing was written. The first append makes the space.
	Append(ctx context.Context, b Batch) (Ack, error)

	// Read gives the head and at most limit records behind after, in order, as
	// one consistent view; limit 0 gives the head alone. If after is of another epoch, it gives the head
	// alone: the caller drops what it has folded and reads from the start
	// (Position{head.Epoch, 0}). Erased records leave gaps in the order. An
	// unknown space gives the zero Head and no records. A record that cannot
	// be decoded comes with a nil Body and its Damage.
	Read(ctx context.Context, s memory.Scope, after memory.Position, limit int) (Head, []memory.Record, error)

	// ReadSeqs gives the records at the named places in order of place; places
	// that hold nothing are left out.
	ReadSeqs(ctx context.Context, s memory.Scope, seqs []memory.Seq) ([]memory.Record, error)

	// Spaces lists the spaces of a tenant by name, from the one after the
	// given name on.
	Spaces(ctx context.Context, tenant, after string, limit int) ([]Space, error)

	// Lagging lists spaces, by tenant and name from the one after the given
	// scope on, in which the watermark of the extractor is behind the head. It
	// reads no records.
	Lagging(ctx context.Context, extractor string, after memory.Scope, limit int) ([]Lag, error)

	// Erase removes records for good in one transaction: their bytes leave the
	// files, a tombstone is appended and the epoch raised. The digests of their
	// keys stay, so that a late retry does not bring them back, and their
	// vectors go with them; erasing all of
	// a space destroys the digest key and the digests with it, and so earlier
	// tombstones too. Otherwise tombstones, and places that hold nothing, are
	// passed over. Watermarks stay. An unknown space gives memory.ErrNotFound.
	Erase(ctx context.Context, e Erasure) (memory.Receipt, error)

	// PutVectors writes what a model made of records, all or nothing, durably,
	// and gives the new head. A vector that the model made of the same part
	// before is replaced. If the batch was computed in another epoch than the
	// space's own, it gives memory.ErrConflict, so that nothing that was erased
	// meanwhile leaves a trace: the caller reads the space anew. A Seq that holds
	// no record or a tombstone, a Dim other than the model has in this space,
	// and a Through beyond the head give memory.ErrInvalid; an unknown space
	// gives memory.ErrNotFound.
	PutVectors(ctx context.Context, b VectorBatch) (Head, error)

	// Vectors gives the head and at most limit vectors of the model behind the
	// position after, in order of position, as one consistent view. Who has the
	// last position is up to date until Head.Vectors rises. Positions hold
	// across epochs, but vectors of erased records are gone: who sees a new
	// epoch begins at 0. A vector whose bytes are damaged is left out, as if
	// there were none. Unknown spaces and models have no vectors.
	Vectors(ctx context.Context, s memory.Scope, model string, after uint64, limit int) (Head, []Vector, error)

	// VectorModels lists the models that have made vectors in a space, by name.
	VectorModels(ctx context.Context, s memory.Scope) ([]VectorModel, error)

	// DropVectors removes all vectors of a model and its watermark, so that it
	// lags again. It works in pieces, between which other calls are served; if
	// it ends with an error, some may be left, and it may be called again.
	// Nothing to remove is no error.
	DropVectors(ctx context.Context, s memory.Scope, model string) error

	// Check reads everything and reports what is damaged.
	Check(ctx context.Context) (Report, error)

	// Close waits for what was handed over, then closes. A second call does nothing.
	Close() error
}

// Batch is what one Append writes.
type Batch struct {
	Scope     memory.Scope
	Records   []memory.Record // Seq unset; may be empty if there is a Watermark
	Expect    Expect
	Watermark *Watermark // set in the same transaction
}

// Expect is a condition on the space's belief counter. The zero value is Any.
type Expect struct {
	set    bool
	belief uint64
}

// Any sets no condition: for episodes and feedback.
var Any = Expect{}

// Belief lets the write through only while the space's counter is n: for
// consolidation, undo and erasure.
func Belief(n uint64) Expect { return Expect{set: true, belief: n} }

// Holds reports whether the condition is met.
func (e Expect) Holds(belief uint64) bool { return !e.set || e.belief == belief }

// Watermark is how far an extractor has read a log. It never goes back.
type Watermark struct {
	Extractor string
	Seq       memory.Seq
}

// Lag is a space of which an extractor has not read all.
type Lag struct {
	Scope memory.Scope
	Seq   memory.Seq // its watermark; 0 if it has none
}

// Ack is what an Append acknowledges: a Ref for each record in its order.
type Ack struct {
	Refs []memory.Ref
	Head Head
}

// Head is the state of a space's log.
type Head struct {
	memory.Position
	Belief   uint64 // raised by every record that changes beliefs
	Recorded int64  // of the last record, µs since 1970 UTC
	Vectors  uint64 // the last position of a vector; raised with each that is put, and by DropVectors
}

// Space is a row of the list of spaces.
type Space struct {
	Scope   memory.Scope
	Head    Head
	Records int // that are still there
}

// Erasure says what to erase.
type Erasure struct {
	Scope  memory.Scope
	Seqs   []memory.Seq // ignored if All
	All    bool
	ID     memory.ID // of the tombstone
	Reason string
	Actor  string
	Expect Expect
	// Reopened goes into the tombstone: assertions that hold again.
	Reopened []memory.ID
}

// Report is the result of a check.
type Report struct {
	Spaces  int
	Records int
	Vectors int
	Faults  []Fault
}

// Fault is one damaged record or one of its vectors, or a damage of the store
// as a whole (zero Seq).
type Fault struct {
	Scope memory.Scope
	Seq   memory.Seq
	What  string
}
