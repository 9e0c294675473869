package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden shows in testdata what reports of hand-made runs look like: one
// without a model, and one with two readers and two judges
// of whom some did not answer.
func TestGolden(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]*Run{"no-model": made(), "readers": made("reader-1", "reader-2").failing(t)} {
		for kind, write := range map[string]func(io.Writer, *Report) error{
			"md": func(w io.Writer, r *Report) error { return Markdown(w, r) }, "html": func(w io.Writer, r *Report) error { return HTML(w, r) },
			"txt": func(w io.Writer, r *Report) error { return r.Table(w) },
			"json": func(w io.Writer, r *Report) error {
				e := json.NewEncoder(w)
				e.SetIndent("", " ")
				return e.Encode(r)
			},
		} {
			t.Run(name+"."+kind, func(t *testing.T) {
				t.Parallel()
				loaded, err := Load(run.save(t))
				if err != nil {
					t.Fatal(err)
				}
				var got, again bytes.Buffer
				if err := write(&got, report(t, loaded)); err != nil {
					t.Fatal(err)
				}
				slices.Reverse(loaded.Rows) // as another order of asking would leave them
				if err := write(&again, report(t, loaded)); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(got.String(), again.String()); diff != "" {
					t.Errorf("two calls differ: %s", diff)
				}
				golden(t, name+"."+kind, got.Bytes())
			})
		}
	}
}

// TestGoldenComparison shows what a comparison looks like.
func TestGoldenComparison(t *testing.T) {
	t.Parallel()
	b := made("reader-1", "reader-2")
	b.at(t, "engram", "one/q00").Metrics["recall@10"] = 0.5
	for _, q := range []string{"one/q04", "two/q11"} {
		for i := range b.at(t, "engram", q).Answers[0].Verdicts {
			v := &b.at(t, "engram", q).Answers[0].Verdicts[i]
			v.Correct = !v.Correct
		}
	}
	b.at(t, "bm25", "one/q02").Context = "another"
	other := b.only("engram", "bm25")
	other.Manifest.Budget, other.Manifest.Commit = 4000, "fedc9876"
	for i := range other.Rows {
		other.Rows[i].Commit = "fedc9876"
	}
	c, err := Compare(made("reader-1", "reader-2"), other)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := c.Table(&got); err != nil {
		t.Fatal(err)
	}
	golden(t, "compare.txt", got.Bytes())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", file, diff)
	}
}

func TestThePageIsSelfContained(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := HTML(&b, report(t, made()), report(t, made("reader-1"))); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, s := range []string{"<script", "http://", "https://", "@import", "url(", "<link", "<img", "temporal <b>", "ZgotmplZ"} {
		if strings.Contains(page, s) {
			t.Errorf("the page has %q", s)
		}
	}
	for _, s := range []string{"<svg", "prefers-color-scheme: dark", "temporal &lt;b&gt;", "sha256:ab12", "0123abcd"} {
		if !strings.Contains(page, s) {
			t.Errorf("the page lacks %q", s)
		}
	}
}
