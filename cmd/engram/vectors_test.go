package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"engram/embedding"
	"engram/embedding/embeddingtest"
	"engram/memory"
)

// modelApp runs command lines with a fake model over one data directory.
type modelApp struct {
	*testing.T
	fake *embeddingtest.Fake
	dir  string
}

// run gives the exit code and what was printed.
func (m *modelApp) run(args ...string) (code int, stdout, stderr string) {
	m.Helper()
	var out, notes bytes.Buffer
	a := newApp()
	a.stdin, a.stdout, a.stderr = strings.NewReader(""), &out, &notes
	a.getenv = func(name string) string {
		return map[string]string{"ENGRAM_DIR": m.dir, "ENGRAM_RERANK_KEY": "secret"}[name]
	}
	a.now = func() time.Time { return time.Date(2026, 3, 9, 20, 0, 0, 0, time.UTC) }
	a.random = rand.NewChaCha8([32]byte{1, byte(len(args))})
	a.isTerminal = func(any) bool { return false }
	a.extractor = nil
	a.embedder = func() (embedding.Embedder, error) {
		if m.fake == nil {
			return nil, nil //nolint:nilnil // no model is no error
		}
		return m.fake, nil
	}
	code = a.run(m.Context(), args)
	return code, out.String(), notes.String()
}

func (m *modelApp) want(words string, args ...string) {
	m.Helper()
	if code, stdout, stderr := m.run(args...); code != exitOK || !strings.Contains(stdout, words) || stderr != "" {
		m.Errorf("%v: exit code %d, %q, %q, want %q", args, code, stdout, stderr, words)
	}
}

func TestVectorsOfCommands(t *testing.T) {
	t.Parallel()
	m := &modelApp{t, &embeddingtest.Fake{Same: [][]string{{"dog", "hound"}}}, t.TempDir()}
	m.want("[1]", "remember", "My dog sleeps a lot.")
	m.want(`"vector_model":"fake"`, "recall", "--json", "hound")
	m.want(`"vector_model":"fake"`, "status", "--json")
	m.want("[2]", "remember", "--no-consolidate", "The rent is due.")
	m.want("VECTORS  MODEL", "status")
	m.want(`"vectors_waiting":1`, "status", "--json")

	m.fake.Err = errors.New("the endpoint is down")
	code, stdout, stderr := m.run("consolidate")
	if code != exitInternal || stdout != "" || !strings.Contains(stderr, "the endpoint is down") {
		t.Errorf("a dead model: exit code %d, %q, %q", code, stdout, stderr)
	}
	code, stdout, stderr = m.run("remember", "Bread is out.")
	if code != exitOK || !strings.Contains(stdout, "[3]") || !strings.Contains(stderr, "have no vectors yet") {
		t.Errorf("a dead model: exit code %d, %q, %q", code, stdout, stderr)
	}

	m.fake.Err = nil
	m.want(`"vectors":2`, "consolidate", "--json")
	m.want("0 turns read", "consolidate")
	m.fake = &embeddingtest.Fake{Model: "next"}
	m.want("default has vectors of fake, which are not searched", "status")
	m.want("3 vectors", "consolidate", "--all")

	// Another model behind the same name is nothing that engram sees.
	m.fake = &embeddingtest.Fake{Model: "next", Dim: 32}
	m.want("0 turns read", "consolidate")
	m.want("the vectors of next are removed from 1 space", "model", "forget", "next")
	m.want("3 vectors", "consolidate")
	m.want("the vectors of fake are removed from 1 space", "model", "forget", "fake", "--space", "default")
	if code, _, stderr := m.run("model", "forget", "fake"); code != exitNotFound || !strings.Contains(stderr, "no vectors of fake are there") {
		t.Errorf("twice: exit code %d, %q", code, stderr)
	}

	m.fake.Refuses = func(text string) error {
		if strings.Contains(text, "long") {
			return embedding.ErrText
		}
		return nil
	}
	if code, _, stderr := m.run("remember", "A long, long text."); code != exitOK || !strings.Contains(stderr, "1 text could not be taken by the model") {
		t.Errorf("a text that is refused: exit code %d, %q", code, stderr)
	}
}

// A server puts what was found in another order; when it fails, the order stands
// and the answer says so.
func TestRerankOfRecall(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("asked with %q", r.Header.Get("Authorization"))
		}
		w.WriteHeader(status)
		fmt.Fprint(w, `{"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}`)
	}))
	defer server.Close()
	m := &modelApp{t, nil, t.TempDir()}
	m.want("[1]", "remember", "--speaker", "Ann", "The dog sleeps in the barn.")
	m.want("[2]", "remember", "--speaker", "Bo", "The dog.")
	first := func(args ...string) (string, string) {
		code, stdout, stderr := m.run(append([]string{"recall", "--json", "Where does the dog sleep?"}, args...)...)
		var a memory.Answer
		if err := json.Unmarshal([]byte(stdout), &a); code != exitOK || err != nil || len(a.Items) != 2 {
			t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
		}
		return a.Items[0].Text, strings.Join(a.Notes, " ")
	}
	spec := "cohere:some@" + server.URL
	plain, _ := first()
	if other, notes := first("--rerank", spec); other == plain || notes != "" {
		t.Errorf("first is %q, as without: %s", other, notes)
	}
	status = http.StatusBadRequest
	if same, notes := first("--rerank", spec); same != plain || notes == "" {
		t.Errorf("a failing server: first is %q, notes %q", same, notes)
	}
	if code, _, stderr := m.run("recall", "--rerank", "some", "dog"); code != exitInvalid || !strings.Contains(stderr, "cohere:MODEL@URL") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}
