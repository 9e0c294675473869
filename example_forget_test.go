package engram_test

import (
	"context"
	"fmt"

	"engram"
	"engram/memory"
)

// Forget erases for good. The plan shows what would go, the receipt what went.
func ExampleSpace_Forget() {
	ctx := context.Background()
	space, remove := openSpace(ctx)
	defer remove()

	_, err := space.Remember(ctx,
		engram.Episode{Session: "doctor", Text: "My blood type is AB."},
		engram.Episode{Session: "doctor", Text: "The next appointment is in May."},
		engram.Episode{Session: "garden", Text: "The tomatoes are ripe."})
	check(err)
	selection := engram.Selection{Filter: engram.Filter{Sessions: []string{"doctor"}}, Reason: "asked by the user"}
	plan, err := space.PlanForget(ctx, selection)
	check(err)
	fmt.Println("would erase", len(plan.Episodes), "episodes")
	receipt, err := space.Forget(ctx, selection)
	check(err)
	fmt.Println("erased", receipt.Counts[memory.TypeEpisode], "episodes; nothing left:", receipt.Complete())
	list, err := space.List(ctx, engram.Filter{}, engram.AsOf{}, 0, 0)
	check(err)
	for _, e := range list {
		fmt.Println(e.Text)
	}
	// Output:
	// would erase 2 episodes
	// erased 2 episodes; nothing left: true
	// The tomatoes are ripe.
}
