package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"engram/memory"
	"engram/store"
)

// The test binary runs itself as a child that appends for ever, and kills it.
// What the child has printed was acknowledged.

const (
	childEnv   = "ENGRAM_TEST_CHILD"      // the file of the store
	childName  = "ENGRAM_TEST_CHILD_NAME" // in front of its writers' names
	killRounds = 5
)

var killSpace = memory.Scope{Tenant: "acme", Space: "killed"}

// child appends from 8 goroutines, puts a vector of each record, and prints
// each acknowledged record with its vector as "writer number left seq id".
func child() int {
	var now atomic.Int64
	s, err := Open(context.Background(), os.Getenv(childEnv), Options{Now: func() int64 { return now.Add(1) }})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var out sync.Mutex
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			writer := fmt.Sprintf("%s-%d", os.Getenv(childName), i)
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			for n := 0; ; {
				records := make([]memory.Record, 1+rng.IntN(5))
				for k := range records {
					records[k] = killRecord(writer, n+k, len(records)-1-k)
				}
				ack, err := s.Append(context.Background(), store.Batch{Scope: killSpace, Records: records})
				vectors := store.VectorBatch{Scope: killSpace, Model: "fake", Dim: 1}
				for k, ref := range ack.Refs {
					vectors.Vectors = append(vectors.Vectors, killVector(ref.Seq, writer, n+k))
				}
				if err == nil {
					_, err = s.PutVectors(context.Background(), vectors)
				}
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					return
				}
				var lines strings.Builder
				for k, ref := range ack.Refs {
					fmt.Fprintf(&lines, "%s %d %d %d %s\n", writer, n+k, len(records)-1-k, ref.Seq, ref.ID)
				}
				out.Lock()
				_, err = os.Stdout.WriteString(lines.String())
				out.Unlock()
				if err != nil {
					return
				}
				n += len(records)
			}
		})
	}
	wg.Wait()
	return 1
}

// killRecord is the record number n of a writer, with so many left behind it
// in its batch. Every third has a key.
func killRecord(writer string, n, left int) memory.Record {
	id, err := memory.NewID(int64(n), strings.NewReader(fmt.Sprintf("%10.10s", writer)+"          "))
	if err != nil {
		panic(err)
	}
	r := memory.Record{ID: id, Body: &memory.Episode{Text: fmt.Sprintf("%s %d %d", writer, n, left)}}
	if n%3 == 0 {
		r.IDKey = fmt.Sprintf("%s/%d", writer, n)
	}
	return r
}

// killVector is the vector of the record number n of a writer.
func killVector(seq memory.Seq, writer string, n int) store.Vector {
	return store.Vector{Seq: seq, Data: fmt.Appendf(nil, "%s %d", writer, n)}
}

// acked is a line of a child.
type acked struct {
	writer  string
	n, left int
	seq     memory.Seq
	id      string
}

// running is a child that has been started.
type running struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	acks  []acked
}

func startChild(t *testing.T, path, name string) *running {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path, childName+"="+name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	return &running{cmd: cmd, lines: bufio.NewScanner(out)}
}

// read takes at most n acknowledgements. A line that the kill has cut counts
// as none.
func (r *running) read(n int) {
	for ; n > 0 && r.lines.Scan(); n-- {
		var a acked
		if got, _ := fmt.Sscan(r.lines.Text(), &a.writer, &a.n, &a.left, &a.seq, &a.id); got == 5 && len(a.id) == 36 {
			r.acks = append(r.acks, a)
		}
	}
}

// kill ends the child, and takes what it still had acknowledged.
func (r *running) kill(t *testing.T) {
	t.Helper()
	must(t, r.cmd.Process.Kill())
	r.read(1 << 30)
	_ = r.cmd.Wait() // "signal: killed"
}

func rounds() int {
	if os.Getenv("ENGRAM_TORTURE") == "1" {
		return 10 * killRounds
	}
	return killRounds
}

func TestKill(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "engram.db")
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range rounds() {
		c := startChild(t, path, fmt.Sprint("r", round))
		c.read(1 + rng.IntN(400))
		c.kill(t)
		checkKilled(t, path, c.acks)
	}
}

func TestKillOneOfTwo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "engram.db")
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range rounds() {
		a := startChild(t, path, fmt.Sprintf("r%da", round))
		b := startChild(t, path, fmt.Sprintf("r%db", round))
		a.read(1 + rng.IntN(200))
		a.kill(t)
		b.read(1 + rng.IntN(400)) // goes on
		b.kill(t)
		checkKilled(t, path, append(a.acks, b.acks...))
	}
}

// checkKilled opens the store again: what was acknowledged is there once,
// batches are whole, writers are in order, and appends go on.
func checkKilled(t *testing.T, path string, acks []acked) {
	t.Helper()
	var now int64
	s, err := Open(t.Context(), path, Options{Now: func() int64 { now++; return now }})
	must(t, err)
	defer func() { must(t, s.Close()) }()
	report, err := s.Check(t.Context())
	must(t, err)
	if len(report.Faults) > 0 {
		t.Fatalf("the check found %+v", report.Faults)
	}
	head, records, err := s.Read(t.Context(), killSpace, memory.Position{}, 1<<30)
	must(t, err)
	if len(records) != int(head.Seq) || len(acks) == 0 {
		t.Fatalf("%d records up to place %d, %d acknowledged", len(records), head.Seq, len(acks))
	}
	checkWriters(t, records)
	_, list, err := s.Vectors(t.Context(), killSpace, "fake", 0, 1<<30)
	must(t, err)
	vectors := make(map[memory.Seq]string)
	for _, v := range list {
		vectors[v.Seq] = string(v.Data)
	}
	for _, a := range acks {
		if want := killVector(a.seq, a.writer, a.n); vectors[a.seq] != string(want.Data) {
			t.Fatalf("a vector was acknowledged for place %d, there is %q", a.seq, vectors[a.seq])
		}
		r := records[a.seq-1]
		want := fmt.Sprintf("%s %d %d", a.writer, a.n, a.left)
		if got := r.Body.(*memory.Episode).Text; got != want || r.ID.String() != a.id || r.Seq != a.seq {
			t.Fatalf("place %d was acknowledged for %q, it holds %q", a.seq, want, got)
		}
	}
	// The caller that does not know sends again.
	last := acks[len(acks)-1]
	again := killRecord(last.writer, last.n-last.n%3, 0)
	again.IDKey = fmt.Sprintf("%s/%d", last.writer, last.n-last.n%3)
	ack, err := s.Append(t.Context(), store.Batch{Scope: killSpace, Records: []memory.Record{again}})
	must(t, err)
	if !ack.Refs[0].Duplicate || ack.Head != head {
		t.Fatalf("a retry gave %+v", ack)
	}
	ack, err = s.Append(t.Context(), store.Batch{Scope: killSpace, Records: []memory.Record{
		killRecord(fmt.Sprint("parent", head.Seq), 0, 0)}})
	must(t, err)
	if ack.Refs[0].Seq != head.Seq+1 {
		t.Fatalf("the next append got %+v behind %+v", ack.Refs[0], head)
	}
}

// checkWriters expects each writer to count up from 0 and to end with a whole
// batch; so each record is there once.
func checkWriters(t *testing.T, records []memory.Record) {
	t.Helper()
	next, left := make(map[string]int), make(map[string]int)
	for _, r := range records {
		var writer string
		var n, l int
		if _, err := fmt.Sscan(r.Body.(*memory.Episode).Text, &writer, &n, &l); err != nil {
			t.Fatal(err)
		}
		if n != next[writer] || (left[writer] > 0 && l != left[writer]-1) {
			t.Fatalf("place %d holds number %d of %s with %d left, want number %d", r.Seq, n, writer, l, next[writer])
		}
		next[writer], left[writer] = n+1, l
	}
	for writer, l := range left {
		if l != 0 {
			t.Fatalf("%d records of the last batch of %s are missing", l, writer)
		}
	}
}

// TestTornLog cuts the write-ahead log, or spoils its end, as a loss of power
// may: what is left is the beginning of the log, in whole batches.
func TestTornLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "engram.db")
	s := testStore(t, path, testOptions())
	rng := rand.New(rand.NewPCG(5, 6))
	total := 0
	for total < 300 {
		records := make([]memory.Record, 1+rng.IntN(5))
		for k := range records {
			records[k] = killRecord("w", total+k, len(records)-1-k)
		}
		_, err := s.Append(t.Context(), store.Batch{Scope: killSpace, Records: records})
		must(t, err)
		total += len(records)
	}
	file, err := os.ReadFile(path)
	must(t, err)
	log, err := os.ReadFile(path + "-wal")
	must(t, err)
	lengths := make(map[int]bool)
	for i := range 40 {
		torn := log[:rng.IntN(len(log)+1)]
		if i%2 == 0 {
			torn = slices.Clone(log)
			for at := rng.IntN(len(log)); at < len(log); at += 1 + rng.IntN(4096) {
				torn[at] ^= 0x55
			}
		}
		copied := filepath.Join(dir, fmt.Sprintf("torn%d.db", i))
		must(t, os.WriteFile(copied, file, 0o600))
		must(t, os.WriteFile(copied+"-wal", torn, 0o600))
		lengths[checkTorn(t, copied)] = true
	}
	if len(lengths) < 10 {
		t.Errorf("the cuts left logs of these lengths only: %v", lengths)
	}
}

func checkTorn(t *testing.T, path string) int {
	t.Helper()
	s, err := Open(t.Context(), path, testOptions())
	must(t, err)
	defer func() { must(t, s.Close()) }()
	report, err := s.Check(t.Context())
	must(t, err)
	head, records, err := s.Read(t.Context(), killSpace, memory.Position{}, 1<<30)
	must(t, err)
	if len(report.Faults) > 0 || len(records) != int(head.Seq) {
		t.Fatalf("%d records up to place %d, faults %+v", len(records), head.Seq, report.Faults)
	}
	checkWriters(t, records)
	ack, err := s.Append(t.Context(), oneRecord("goes on"))
	must(t, err)
	if ack.Refs[0].Seq != head.Seq+1 {
		t.Fatalf("the next append got %+v behind %+v", ack.Refs[0], head)
	}
	return len(records)
}
