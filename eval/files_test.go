package eval

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

func TestReadLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var archived bytes.Buffer
	z := gzip.NewWriter(&archived)
	if _, err := z.Write([]byte("{\"case\":\"a\"}\n{\"case\":\"b\"}\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"whole": "{\"case\":\"a\"}\n{\"case\":\"b\"}\n", "cut": "{\"case\":\"a\"}\n{\"case\":\"b\"}\n{\"ca", "broken": "{\"ca\n{\"case\":\"b\"}\n", "archived.gz": archived.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []CaseRow{{Case: "a"}, {Case: "b"}}
	for _, name := range []string{"whole", "cut", "archived"} {
		got, err := ReadLines[CaseRow](filepath.Join(dir, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got, err := ReadLines[CaseRow](filepath.Join(dir, "none")); got != nil || err != nil {
		t.Errorf("no file gives %v, %v", got, err)
	}
	if _, err := ReadLines[CaseRow](filepath.Join(dir, "broken")); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a broken line gives %v", err)
	}
}
