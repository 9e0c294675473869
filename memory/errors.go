package memory

import "errors"

// The sentinels by which a program tells errors apart with errors.Is. The text
// in front of them is a sentence for a person.
var (
	// ErrInvalid: the input was refused before anything was changed.
	ErrInvalid = errors.New("invalid input")
	// ErrTooLarge: the input is above a limit, which the message names.
	ErrTooLarge = errors.New("too large")
	// ErrNotFound: nothing has this id in the space.
	ErrNotFound = errors.New("not found")
	// ErrConflict: another process changed the beliefs of the space since they
	// were read. Read again, decide again, retry.
	ErrConflict = errors.New("beliefs have changed meanwhile")
	// ErrErased: something was erased since the answer was given, so it cannot
	// be given again.
	ErrErased = errors.New("erased since")
	// ErrClosed: the engine or store has been closed.
	ErrClosed = errors.New("closed")
	// ErrBusy: another process held the store longer than the busy timeout.
	// Nothing was written; the call may be retried.
	ErrBusy = errors.New("the store is busy")
	// ErrFull: no room is left. Nothing was written.
	ErrFull = errors.New("the store is full")
	// ErrReadOnly: the store cannot be written.
	ErrReadOnly = errors.New("the store is read-only")
	// ErrCorrupt: stored bytes do not match their checksum or are no store.
	ErrCorrupt = errors.New("the store is damaged")
	// ErrNewerFormat: the store was written by a newer version of engram.
	ErrNewerFormat = errors.New("written by a newer version of engram")
)
