package engram_test

import (
	"context"
	"fmt"
	"time"

	"engram"
	"engram/memory"
)

// A filter narrows before the best are taken, and may stand without a
// question: which instructions did the user give yesterday after three?
func ExampleSpace_Recall_filter() {
	ctx := context.Background()
	space, remove := openSpace(ctx)
	defer remove()

	at := func(hour int) memory.Time {
		return memory.At(time.Date(2026, 3, 7, hour, 0, 0, 0, time.FixedZone("", 8*60*60)))
	}
	_, err := space.Remember(ctx,
		engram.Episode{Occurred: at(10), Kind: memory.Instruction, Text: "先做登录页面"},
		engram.Episode{Occurred: at(16), Kind: memory.Instruction, Text: "请一律用中文回答"},
		engram.Episode{Occurred: at(17), Text: "今天天气不错"})
	check(err)
	answer, err := space.Recall(ctx, engram.Query{Filter: engram.Filter{
		Kinds:    []memory.Kind{memory.Instruction},
		Occurred: memory.Interval{From: at(15), To: at(24)},
	}})
	check(err)
	for _, item := range answer.Items {
		fmt.Println(item.Occurred, item.Text)
	}
	// Output:
	// 2026-03-07T16:00:00+08:00 请一律用中文回答
}
