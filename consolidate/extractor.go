// Package consolidate is the second stage: it reads the episodes of a log in
// their order and appends what they say about the world, as assertions with
// their provenance. The extractor is behind a contract; consolidate/rules is
// the built-in one. It may import memory and store.
package consolidate

import (
	"context"

	"engram/memory"
)

// MaxBefore is the most earlier turns of its session that come with a turn.
const MaxBefore = 12

// MaxRecent is the most earlier assertions that come with a turn.
const MaxRecent = 64

// Extractor reads what episodes say. What it finds in a turn depends on the
// window alone, so that the same log gives the same assertions however it is
// cut into batches. It may be used from many goroutines at once.
type Extractor interface {
	// Name and Version go into every assertion. A new version replaces the
	// assertions of the old one.
	Name() string
	Version() string

	// Extract gives what the last turn of the window adds, in the order of its
	// words. Assertions have no Extractor, Version, Said or IDKey: the worker
	// sets them, and Source, which is that of the turn. Provenance names the turn
	// itself, which is what makes them known; none is all of it. An error means
	// that this turn could not be read; the worker notes it as failed and goes
	// on. One that wraps memory.ErrBusy means "not now": the worker stops there,
	// and the turn waits.
	//
	// What began at a stated time and is said to hold still is two assertions, if
	// its predicate has one value (docs/decisions/20261130-since-and-still.md).
	Extract(ctx context.Context, w Window) (Findings, error)
}

// Turn is an episode at its place in the log.
type Turn struct {
	ID  memory.ID
	Seq memory.Seq
	*memory.Episode
}

// Window is a turn with what is needed to read it. Before and Recent come from
// the last thousand places of the log; what was retracted before the turn is not
// among them, nor are long texts. Turns without a session are one session. What a
// recall had fenced is blank. Nothing in it may be changed.
type Window struct {
	Turn   Turn
	Before []Turn             // earlier turns of its session, the oldest first, at most MaxBefore
	Recent []memory.Assertion // what this extractor found before it in the space, the oldest first, at most MaxRecent
}

// Findings are what a turn adds.
type Findings struct {
	Assertions []memory.Assertion
	Aliases    []memory.Association // with Rel, Name and Entity
}
