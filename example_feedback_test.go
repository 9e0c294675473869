package engram_test

import (
	"context"
	"fmt"

	"engram"
)

// Feedback tells what came of an answer. A pin shows an episode whatever is asked.
func ExampleSpace_Feedback() {
	ctx := context.Background()
	space, remove := openSpace(ctx)
	defer remove()

	refs, err := space.Remember(ctx,
		engram.Episode{Speaker: "Ann", Text: "The customer is Nordwind in Hamburg."},
		engram.Episode{Speaker: "Ann", Text: "The service runs in containers."})
	check(err)
	reward := 1.0
	_, err = space.Feedback(ctx, engram.Feedback{Used: []engram.ID{refs[1].ID}, Helped: []engram.ID{refs[1].ID}, Reward: &reward})
	check(err)
	_, err = space.Feedback(ctx, engram.Feedback{Pin: []engram.ID{refs[0].ID}})
	check(err)
	answer, err := space.Recall(ctx, engram.Query{Question: "How is the service deployed?"})
	check(err)
	for _, item := range answer.Items {
		fmt.Println(item.Text, "pinned:", item.Pinned)
	}
	// Output:
	// The service runs in containers. pinned: false
	// The customer is Nordwind in Hamburg. pinned: true
}
