package engram_test

import (
	"context"
	"fmt"
	"strings"

	"engram/importer"
)

// Import takes a stream of records. Broken lines are reported, the others go
// in; a line with an id_key that was seen before is not written again.
func ExampleSpace_Import() {
	ctx := context.Background()
	space, remove := openSpace(ctx)
	defer remove()

	lines := `{"text": "I moved to Berlin.", "speaker": "Ann", "occurred": "2026-03-01Z", "id_key": "m1"}
{"text": "我下周二给客户演示。", "occurred": "2026-03-08T15:04+08:00", "id_key": "m2"}
{"text": "  "}
{"text": "I moved to Berlin.", "id_key": "m1"}`
	report, err := space.Import(ctx, importer.JSONL(strings.NewReader(lines), nil), nil)
	check(err)
	fmt.Printf("%d added, %d known, %d refused\n", report.Added, report.Duplicates, report.Failed)
	for _, refused := range report.Errors {
		fmt.Println(refused)
	}
	// Output:
	// 2 added, 1 known, 1 refused
	// line 3: the text is blank: invalid input
}
