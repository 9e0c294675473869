package engram_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"engram"
	"engram/memory"
)

// The test binary runs itself as a process of its own, which has the space in
// memory while this one erases.

const (
	forgetChild = "ENGRAM_TEST_FORGET_CHILD" // the file of the store
	childReady  = "ready"
	childDone   = "done"
)

// TestForgetChild is that process: at each line of its input, and once before,
// it prints all that it sees of the space.
func TestForgetChild(t *testing.T) {
	path := os.Getenv(forgetChild)
	if path == "" {
		t.Skip("runs only in TestForgetInAnotherProcess")
	}
	s := space(t, open(t, path, newClock(), 2), "ann")
	printSeen(t, s)
	fmt.Println(childReady)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		printSeen(t, s)
		fmt.Println(childDone)
	}
}

// printSeen reads the space in each way that there is.
func printSeen(t *testing.T, s *engram.Space) {
	t.Helper()
	for _, f := range factsOf(t, s, engram.FactQuery{All: true}) {
		fmt.Printf("fact %+v\n", f)
	}
	for _, question := range secrets {
		a := ask(t, s, question)
		fmt.Printf("recall %q\n", a.Context)
		for _, it := range a.Items {
			fmt.Printf("item %+v\n", it)
		}
	}
	list, err := s.List(context.Background(), engram.Filter{}, engram.AsOf{}, 0, 0)
	check(err)
	for i := range list {
		fmt.Printf("episode %+v\n", list[i])
	}
	for _, r := range logOf(t, s) {
		fmt.Printf("record %s\n", r.Raw)
	}
}

// reader is the running child.
type reader struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

func startReader(t *testing.T, path string) *reader {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestForgetChild$")
	cmd.Env = append(os.Environ(), forgetChild+"="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	check(err)
	out, err := cmd.StdoutPipe()
	check(err)
	check(cmd.Start())
	r := &reader{cmd: cmd, stdin: in, lines: bufio.NewScanner(out)}
	r.lines.Buffer(nil, 1<<20)
	return r
}

// until gives what the child prints before a line.
func (r *reader) until(t *testing.T, end string) string {
	t.Helper()
	var seen strings.Builder
	for r.lines.Scan() {
		if r.lines.Text() == end {
			return seen.String()
		}
		seen.WriteString(r.lines.Text() + "\n")
	}
	t.Fatalf("the child ended before %q: %v\n%s", end, r.lines.Err(), &seen)
	return ""
}

func TestForgetInAnotherProcess(t *testing.T) {
	t.Parallel()
	for name, sel := range map[string]engram.Selection{"entity": {Entity: "林黛玉"}, "all": {All: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "memory.db")
			s := space(t, open(t, path, newClock(), 1), "ann")
			secretLife(t, s)
			child := startReader(t, path)
			before := child.until(t, childReady)
			for _, secret := range secrets {
				if !strings.Contains(before, secret) {
					t.Errorf("before the erasure the child does not see %q", secret)
				}
			}

			receipt := forget(t, s, sel)
			if receipt.Counts[memory.TypeEpisode] < 3 {
				t.Errorf("erased %v", receipt.Counts)
			}
			wantNothingLeft(t, dir, secrets...) // while it runs
			_, err := fmt.Fprintln(child.stdin, "again")
			check(err)
			after := child.until(t, childDone)
			for _, secret := range secrets {
				if strings.Contains(after, secret) {
					t.Errorf("after the erasure the child still sees %q:\n%s", secret, after)
				}
			}
			if name == "entity" && !strings.Contains(after, "Nanjing") {
				t.Errorf("the child does not see what was not erased:\n%s", after)
			}
			check(child.stdin.Close())
			child.until(t, "PASS")
			check(child.cmd.Wait())
			wantNothingLeft(t, dir, secrets...) // and after it has closed the store
		})
	}
}
