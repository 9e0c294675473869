// Package engram is a memory engine for agents: words go in and are never
// lost, a question comes out as a small, dated, sourced context.
//
// A space is a log of what was said; everything else is folded from it. Open
// an Engine over a store, take a Space, Remember and Recall:
//
//	db, err := sqlite.Open(ctx, "memory.db", sqlite.Options{Now: func() int64 { return time.Now().UnixMicro() }})
//	engine, err := engram.Open(ctx, db, engram.Options{})
//	space, err := engine.Space(engram.Scope{Space: "alice"})
//	refs, err := space.Remember(ctx, engram.Episode{Text: "I live in Paris.", Speaker: "Alice"})
//	answer, err := space.Recall(ctx, engram.Query{Question: "Where does Alice live?"})
//
// This package puts the stages together: ingest writes and makes vectors,
// consolidate reads what was written and notes what it says, timeline folds,
// index searches, recall answers. It may import those, memory and the contracts, and
// chooses no implementation of a contract.
package engram

import "engram/memory"

// The words of package memory that callers need most.
type (
	Episode   = memory.Episode
	Scope     = memory.Scope
	Query     = memory.Query
	Answer    = memory.Answer
	Filter    = memory.Filter
	AsOf      = memory.AsOf
	Known     = memory.Known
	Feedback  = memory.Feedback
	Assertion = memory.Assertion
	Fact      = memory.Fact
	Receipt   = memory.Receipt
	Ref       = memory.Ref
	ID        = memory.ID
	Record    = memory.Record
)
