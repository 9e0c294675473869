// Command engram keeps a memory for agents in one file and answers questions
// from it. Each command is a file, cmd_*.go; this one alone chooses the store,
// the clock and the source of randomness.
package main

import (
	"context"
	"crypto/rand"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
	_ "time/tzdata" // --tz works on machines without a zone database

	"golang.org/x/term"

	"engram/consolidate"
	"engram/consolidate/rules"
	"engram/embedding"
	"engram/store"
	"engram/store/sqlite"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := newApp().run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// newApp is the program as users run it.
func newApp() *app {
	a := &app{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		getenv: os.Getenv, now: time.Now, random: rand.Reader,
		isTerminal: func(stream any) bool {
			f, ok := stream.(*os.File)
			return ok && term.IsTerminal(int(f.Fd()))
		},
		openStore: func(ctx context.Context, path string, now func() time.Time, readOnly bool) (store.Store, error) {
			s, err := sqlite.Open(ctx, path, sqlite.Options{
				Now: func() int64 { return now().UnixMicro() }, Random: rand.Reader, ReadOnly: readOnly,
			})
			if err != nil {
				return nil, err // not a nil *sqlite.Store in an interface
			}
			return s, nil
		},
		extractor: sync.OnceValues(func() (consolidate.Extractor, error) { return rules.New() }),
	}
	a.embedder = sync.OnceValues(func() (embedding.Embedder, error) { return a.newEmbedder(string(a.model)) })
	return a
}
