package engram_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"engram"
	"engram/embedding/embeddingtest"
	"engram/store/sqlite"
)

// Embed makes vectors, by which a recall finds what was said in other words. The
// model is a fake that knows of dogs and hounds; embedding/local and
// embedding/openai are those that know more.
func ExampleSpace_Embed() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "engram")
	check(err)
	defer func() { check(os.RemoveAll(dir)) }()
	db, err := sqlite.Open(ctx, filepath.Join(dir, "memory.db"), sqlite.Options{Now: func() int64 { return time.Now().UnixMicro() }})
	check(err)
	engine, err := engram.Open(ctx, db, engram.Options{
		Embedder: &embeddingtest.Fake{Same: [][]string{{"dog", "hound"}}},
	})
	check(err)
	defer func() { check(engine.Close()) }()
	space, err := engine.Space(engram.Scope{Space: "alice"})
	check(err)

	_, err = space.Remember(ctx, engram.Episode{Text: "My dog sleeps a lot."}, engram.Episode{Text: "The rent is due."})
	check(err)
	before, err := space.Recall(ctx, engram.Query{Question: "hound", Limit: 1})
	check(err)
	fmt.Println(before.Notes[0])

	made, err := space.Embed(ctx)
	check(err)
	after, err := space.Recall(ctx, engram.Query{Question: "hound", Limit: 1})
	check(err)
	fmt.Println(made.Vectors, "vectors, found by", after.Model+":", after.Items[0].Text)
	// Output:
	// The model fake has not read enough of this memory yet (Embed or engram consolidate does it); searched by words alone.
	// 2 vectors, found by fake: My dog sleeps a lot.
}
