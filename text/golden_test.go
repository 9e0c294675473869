package text

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden shows in testdata/*.golden, for people to read, what becomes of a
// text of each language: its sentences, and under each word of them its terms.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := report(string(b))
			golden := strings.TrimSuffix(file, ".txt") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v (run go test -update)", err)
			}
			if got != string(want) {
				t.Errorf("%s differs (run go test -update and look at the diff):\n%s", golden, firstDifference(got, string(want)))
			}
		})
	}
}

// report writes one line per position: its number, the text, its terms; "*"
// marks Alt and "^" Upper.
func report(s string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "language %s, %d words, %d parts of 20 words\n", Language(s), CountWords(s), len(Parts(s, 20)))
	toks := Terms(nil, s)
	for n, sp := range Sentences(s) {
		fmt.Fprintf(&b, "\n%d. %s\n", n+1, s[sp.Start:sp.End])
		for len(toks) > 0 && toks[0].Start < sp.End {
			first := toks[0]
			fmt.Fprintf(&b, "%6d %s:", first.Pos, s[first.Start:first.End])
			for len(toks) > 0 && toks[0].Pos == first.Pos {
				fmt.Fprintf(&b, " %s", mark(toks[0]))
				toks = toks[1:]
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func mark(t Token) string {
	s := t.Term
	if t.Alt {
		s += "*"
	}
	if t.Upper {
		s += "^"
	}
	return s
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, g[i], strings.Join(w[i:min(i+1, len(w))], ""))
		}
	}
	return "the golden file is longer"
}
