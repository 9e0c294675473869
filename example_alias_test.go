package engram_test

import (
	"context"
	"fmt"
	"strings"

	"engram"
	"engram/memory"
)

// Alias says that a name means an entity, also in what was said before. It is a
// record like any other and can be taken back.
func ExampleSpace_Alias() {
	ctx := context.Background()
	space, remove := openSpace(ctx)
	defer remove()

	_, err := space.Assert(ctx,
		engram.Assertion{Subject: "Ann Miller", Predicate: "works_at", Object: "Acme"},
		engram.Assertion{Subject: "Annie", Predicate: "likes", Object: "jazz"})
	check(err)
	show := func(when string) {
		facts, err := space.Facts(ctx, engram.FactQuery{Subject: "Ann Miller"})
		check(err)
		var known []string
		for _, f := range facts {
			known = append(known, f.Predicate+" "+f.Object)
		}
		fmt.Println(when, strings.Join(known, ", "))
	}
	show("before:")
	alias, err := space.Alias(ctx, "Annie", "Ann Miller")
	check(err)
	show("as one:")
	_, err = space.Retract(ctx, memory.Retract{Targets: []engram.ID{alias.ID}})
	check(err)
	show("undone:")
	// Output:
	// before: works_at Acme
	// as one: likes jazz, works_at Acme
	// undone: works_at Acme
}
