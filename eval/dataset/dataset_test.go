package dataset

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/importer"
	"engram/memory"
)

func TestCase(t *testing.T) {
	t.Parallel()
	e := memory.Episode{Text: "hello", Session: "s", IDKey: "c/1"}
	got := Case(importer.History{Name: "c", Records: []memory.Record{{IDKey: "c/1", Recorded: 7, Body: &e}}})
	want := eval.Case{Name: "c", Turns: []eval.Turn{{Episode: e, Recorded: 7}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	// The digest of "abc" is that of FIPS 180-2, appendix B.1.
	want := eval.File{Name: "x.json", SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
	if got := File("x.json", []byte("abc")); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"a \"word\""`: `a "word"`, `3`: "3", `2.50`: "2.50", `["a"]`: `["a"]`, `null`: "", ``: "",
	} {
		if got := Plain(json.RawMessage(raw)); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}
