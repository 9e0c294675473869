package engram_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"engram"
	"engram/memory"
	"engram/store/sqlite"
)

// Assert states something about the world, and Facts tells what all statements
// amount to: at a time of the world, as known at a time of the memory.
func ExampleSpace_Facts() {
	ctx := context.Background()
	space, at, remove := openSpaceAt(ctx)
	defer remove()

	at("2026-01-10T09:00Z")
	_, err := space.Assert(ctx, engram.Assertion{Subject: "Ann", Predicate: "lives_in", Object: "Paris"})
	check(err)
	at("2026-05-03T09:00Z") // "I moved to Berlin in March."
	_, err = space.Assert(ctx, engram.Assertion{
		Subject: "Ann", Predicate: "lives_in", Object: "Berlin", Valid: memory.Interval{From: day("2026-03Z")},
	})
	check(err)
	look := func(valid, known string) {
		point := engram.AsOf{Valid: day(valid)}
		if known != "today" {
			point.Known.Time = day(known)
		}
		facts, err := space.Facts(ctx, engram.FactQuery{Subject: "Ann", Predicate: "lives_in", AsOf: point})
		check(err)
		for _, f := range facts {
			fmt.Printf("as of %s, known %s: %s (from %s, %s)\n", valid, known, f.Object, f.ValidFrom, f.FromBasis)
		}
	}
	look("2026-04-01Z", "2026-02-01Z")
	look("2026-04-01Z", "today")
	look("2026-02-01Z", "today")
	// Output:
	// as of 2026-04-01Z, known 2026-02-01Z: Paris (from 2026-01-10T09:00:00Z, assumed)
	// as of 2026-04-01Z, known today: Berlin (from 2026-03Z, stated)
	// as of 2026-02-01Z, known today: Paris (from 2026-01-10T09:00:00Z, assumed)
}

// day reads a time that is written in the program.
func day(s string) memory.Time {
	t, err := memory.ParseTime(s, nil)
	check(err)
	return t
}

// openSpaceAt is openSpace with a clock that stands still until it is set.
func openSpaceAt(ctx context.Context) (space *engram.Space, at func(string), remove func()) {
	dir, err := os.MkdirTemp("", "engram")
	check(err)
	now := time.UnixMicro(day("2026-01-01Z").Micros).UTC()
	clock := func() time.Time { return now }
	db, err := sqlite.Open(ctx, filepath.Join(dir, "memory.db"), sqlite.Options{Now: func() int64 { return now.UnixMicro() }})
	check(err)
	engine, err := engram.Open(ctx, db, engram.Options{Now: clock, Random: rand.NewChaCha8([32]byte{}), Extractor: words{}})
	check(err)
	space, err = engine.Space(engram.Scope{Space: "ann"})
	check(err)
	set := func(s string) { now = day(s).Std() }
	return space, set, func() {
		check(engine.Close())
		check(os.RemoveAll(dir))
	}
}
