package engram_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram"
	"engram/consolidate"
	"engram/memory"
)

// The test binary runs itself as processes that consolidate, and kills them.

const (
	consolidateChild = "ENGRAM_TEST_CONSOLIDATE_CHILD" // the file of the store
	consolidateSeed  = "ENGRAM_TEST_CONSOLIDATE_SEED"
)

// loudReader prints a line every few turns.
type loudReader struct {
	cityReader
	mu *sync.Mutex
	n  *int
}

func (r loudReader) Extract(ctx context.Context, w consolidate.Window) (consolidate.Findings, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if *r.n++; *r.n%10 == 0 {
		fmt.Println(*r.n)
	}
	return r.cityReader.Extract(ctx, w)
}

func TestConsolidateChild(t *testing.T) {
	path := os.Getenv(consolidateChild)
	if path == "" {
		t.Skip("runs only in TestKilledWorkersLoseNothing")
	}
	var seed byte
	_, err := fmt.Sscan(os.Getenv(consolidateSeed), &seed)
	check(err)
	x := loudReader{cityReader{"1"}, new(sync.Mutex), new(int)}
	_, err = openReader(t, path, newClock(), seed, engram.Options{Extractor: x}).Consolidate(t.Context(), engram.ConsolidateOptions{})
	check(err)
}

// A run of such processes, each killed after some of its lines.
func killedWorkers(t *testing.T, path string, rng *rand.Rand, seed int) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range 3 {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestConsolidateChild$")
		cmd.Env = append(os.Environ(), consolidateChild+"="+path, fmt.Sprintf("%s=%d", consolidateSeed, seed+i))
		out, err := cmd.StdoutPipe()
		check(err)
		check(cmd.Start())
		left := rng.IntN(60)
		wg.Go(func() {
			for lines := bufio.NewScanner(out); left > 0 && lines.Scan(); left-- {
			}
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
		})
	}
	wg.Wait()
}

// life fills two spaces with turns, the same ones at each call.
func tellTwo(t *testing.T, path string) {
	t.Helper()
	e := openReader(t, path, newClock(), 1, engram.Options{})
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"a", "b"} {
		for range 8 {
			turns := make([]engram.Episode, 100)
			for i := range turns {
				turns[i] = engram.Episode{Session: fmt.Sprint(rng.IntN(3)), Text: fmt.Sprintf("Ann lives_in City%c, Bo likes Thing%c", 'A'+rng.IntN(26), 'a'+rng.IntN(26))}
				if rng.IntN(50) == 0 {
					turns[i].Text = "unreadable"
				}
			}
			remember(t, space(t, e, name), turns...)
		}
	}
}

// readings lists what was learned by its key.
func readings(t *testing.T, s *engram.Space) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, r := range logOf(t, s) {
		if a, ok := r.Body.(*memory.Assertion); ok {
			raw, err := json.Marshal(a)
			check(err)
			if _, twice := out[r.IDKey]; twice {
				t.Errorf("%s is there twice", r.IDKey)
			}
			out[r.IDKey] = string(raw)
		}
	}
	return out
}

func TestKilledWorkersLoseNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts and kills processes")
	}
	calm, killed := filepath.Join(t.TempDir(), "memory.db"), filepath.Join(t.TempDir(), "memory.db")
	tellTwo(t, calm)
	tellTwo(t, killed)
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1)) // any kill point will do
	for round := range 5 {
		killedWorkers(t, killed, rng, 10+3*round)
	}
	for _, path := range []string{calm, killed} {
		_, err := openReader(t, path, newClock(), 3, engram.Options{}).Consolidate(t.Context(), engram.ConsolidateOptions{})
		check(err)
	}
	for _, name := range []string{"a", "b"} {
		want := readings(t, space(t, open(t, calm, newClock(), 4), name))
		if len(want) < 1500 {
			t.Fatalf("only %d were learned", len(want))
		}
		got := readings(t, space(t, open(t, killed, newClock(), 4), name))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}
