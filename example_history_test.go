package engram_test

import (
	"cmp"
	"context"
	"fmt"

	"engram"
	"engram/memory"
)

// History gives all that was ever believed of a subject's predicate. A
// correction replaces over the same time; what was wrong stays visible to an
// earlier known_at.
func ExampleSpace_History() {
	ctx := context.Background()
	space, at, remove := openSpaceAt(ctx)
	defer remove()

	at("2026-01-10T09:00Z")
	_, err := space.Assert(ctx, engram.Assertion{Subject: "李雷", Predicate: "住在", Object: "北京", Valid: memory.Interval{From: day("2019+08:00")}})
	check(err)
	at("2026-02-01T09:00Z")
	_, err = space.Assert(ctx, engram.Assertion{Subject: "李雷", Predicate: "住在", Object: "上海", Valid: memory.Interval{From: day("2024-09+08:00")}})
	check(err)
	at("2026-03-01T09:00Z")
	_, err = space.Assert(ctx, engram.Assertion{Subject: "李雷", Predicate: "住在", Object: "杭州", News: memory.Correction, Replaces: "上海"})
	check(err)
	history, err := space.History(ctx, "李雷", "住在")
	check(err)
	date := func(t memory.Time) string {
		if t.IsZero() {
			return "now on"
		}
		return t.Std().Format("2006-01-02")
	}
	for _, f := range history {
		fmt.Printf("%s from %s to %s; believed from %s to %s\n", f.Object,
			f.ValidFrom, cmp.Or(f.ValidTo.String(), "now on"), date(f.KnownFrom), date(f.KnownTo))
	}
	// Output:
	// 北京 from 2019+08:00 to now on; believed from 2026-01-10 to 2026-02-01
	// 北京 from 2019+08:00 to 2024-09+08:00; believed from 2026-02-01 to now on
	// 上海 from 2024-09+08:00 to now on; believed from 2026-02-01 to 2026-03-01
	// 杭州 from 2024-09+08:00 to now on; believed from 2026-03-01 to now on
}
