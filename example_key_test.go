package engram_test

import (
	"context"
	"fmt"

	"engram"
	"engram/memory"
)

// A later episode with the same key replaces the earlier one in the present
// view. Taking it back brings the earlier one back.
func ExampleSpace_Remember_key() {
	ctx := context.Background()
	space, remove := openSpace(ctx)
	defer remove()

	_, err := space.Remember(ctx, engram.Episode{Kind: memory.Document, Key: "plan.md", Text: "The first version has file upload."})
	check(err)
	refs, err := space.Remember(ctx, engram.Episode{Kind: memory.Document, Key: "plan.md", Text: "The first version has chat alone; file upload comes later."})
	check(err)
	show := func() {
		answer, err := space.Recall(ctx, engram.Query{Question: "Does the first version have file upload?"})
		check(err)
		for _, item := range answer.Items {
			fmt.Println(item.Text)
		}
	}
	show()
	_, err = space.Retract(ctx, memory.Retract{Targets: []engram.ID{refs[0].ID}, Reason: "decided too early"})
	check(err)
	show()
	// Output:
	// The first version has chat alone; file upload comes later.
	// The first version has file upload.
}
