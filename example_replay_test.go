package engram_test

import (
	"context"
	"errors"
	"fmt"

	"engram"
	"engram/memory"
)

// Replay gives an earlier answer again, byte for byte, whatever was added
// since. Once something was erased it cannot.
func ExampleSpace_Replay() {
	ctx := context.Background()
	space, remove := openSpace(ctx)
	defer remove()

	refs, err := space.Remember(ctx, engram.Episode{Text: "The demo is on Tuesday."})
	check(err)
	answer, err := space.Recall(ctx, engram.Query{Question: "When is the demo?"})
	check(err)
	_, err = space.Remember(ctx, engram.Episode{Text: "The demo moves to Thursday."})
	check(err)
	again, err := space.Replay(ctx, answer)
	check(err)
	fmt.Println("the same:", again.Context == answer.Context)
	_, err = space.Forget(ctx, engram.Selection{IDs: []engram.ID{refs[0].ID}})
	check(err)
	_, err = space.Replay(ctx, answer)
	fmt.Println("erased since:", errors.Is(err, memory.ErrErased))
	// Output:
	// the same: true
	// erased since: true
}
