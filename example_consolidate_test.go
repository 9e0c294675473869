package engram_test

import (
	"context"
	"fmt"

	"engram"
	"engram/consolidate"
)

// words is an extractor in three lines; consolidate/rules is the one that comes
// with the program.
type words struct{}

func (words) Name() string    { return "words" }
func (words) Version() string { return "1" }

func (words) Extract(_ context.Context, w consolidate.Window) (out consolidate.Findings, _ error) {
	var city string
	if n, _ := fmt.Sscanf(w.Turn.Text, "I live in %s", &city); n == 1 {
		out.Assertions = []engram.Assertion{{Subject: "user", Predicate: "lives_in", Object: city}}
	}
	return out, nil
}

// Consolidate reads facts out of the words. What is read late is known from the
// words on.
func ExampleSpace_Consolidate() {
	ctx := context.Background()
	space, at, remove := openSpaceAt(ctx)
	defer remove()

	at("2026-01-10T09:00Z")
	_, err := space.Remember(ctx, engram.Episode{Text: "I live in Paris"})
	check(err)
	at("2026-05-03T09:00Z")
	_, err = space.Remember(ctx, engram.Episode{Text: "I live in Berlin"})
	check(err)
	at("2026-06-01T09:00Z")
	report, err := space.Consolidate(ctx)
	check(err)
	fmt.Println(report.Turns, "turns,", report.Assertions, "assertions")
	for _, known := range []string{"2026-02-01Z", "2026-06-01Z"} {
		facts, err := space.Facts(ctx, engram.FactQuery{Subject: "user", AsOf: engram.AsOf{Known: engram.Known{Time: day(known)}}})
		check(err)
		fmt.Println("known on", known+":", facts[0].Object)
	}
	// Output:
	// 2 turns, 2 assertions
	// known on 2026-02-01Z: Paris
	// known on 2026-06-01Z: Berlin
}
