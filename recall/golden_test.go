package recall

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"engram/memory"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestContexts shows in testdata/contexts/*.txt, for people to read, which
// context a question gets from a small conversation: a change of ranking or
// rendering shows there. A file holds the episodes, the query, and what came
// back: the context, the places of its items in order of rank, the verdict.
func TestContexts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/contexts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w, q := world(t), memory.Query{}
			var kept []txtar.File
			for _, f := range archive.Files {
				switch f.Name {
				case "episodes.jsonl":
					for l := range bytes.Lines(f.Data) {
						var e memory.Episode
						decode(t, l, &e)
						w.tell(&e)
					}
				case "query.json":
					decode(t, f.Data, &q)
				default:
					continue
				}
				kept = append(kept, f)
			}
			a := w.recall(q)
			check(t, w, a)
			archive.Files = append(kept, txtar.File{Name: "context", Data: []byte(a.Context)}, txtar.File{Name: "answer", Data: []byte(outline(a))})
			got := txtar.Format(archive)
			if *update {
				if err := os.WriteFile(file, got, 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s differs (run go test -update and look at the diff):\n%s", file, diff)
			}
		})
	}
}

func decode(t *testing.T, b []byte, v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
}

// outline says what an answer holds beside its context. Scores are left out:
// they change with every fit.
func outline(a memory.Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "tokens: %d of %d\nrank:", a.Tokens, a.Query.Budget)
	for _, it := range a.Items {
		fmt.Fprintf(&b, " %d", it.Seq)
		if it.Parts > 1 {
			fmt.Fprintf(&b, ".%d", it.Part)
		}
		if it.Pinned {
			b.WriteString("*")
		}
		if len(it.Same) > 0 {
			fmt.Fprintf(&b, "=%v", it.Same)
		}
	}
	fmt.Fprintf(&b, "\nverdict: %.2f %s\n", a.Verdict.Score, a.Verdict.Why)
	for _, n := range a.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return b.String()
}
