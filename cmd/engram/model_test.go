package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/embedding/local"
	"engram/memory"
)

// newVectorServer speaks OpenAI's protocol: texts with the word apples have one
// vector, all others the other one.
func newVectorServer(t *testing.T, apples, others []float64) *httptest.Server {
	t.Helper()
	type item struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/v1/embeddings" || asked.Model != "tiny" {
			t.Errorf("asked %s for the model %q: %v", r.URL, asked.Model, err)
		}
		if got := r.Header.Get("Authorization"); got != "Bearer secret" {
			t.Errorf("the key is %q", got)
		}
		var data []item
		for i, text := range asked.Input {
			v := others
			if strings.Contains(text, "apples") {
				v = apples
			}
			data = append(data, item{i, v})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	return s
}

func TestCutServer(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string][3]string{
		"m":                               {"m", "", "false"},
		"m@http://host/v1":                {"m", "http://host/v1", "true"},
		"m@":                              {"m", "", "true"},
		"@cf/baai/bge-m3":                 {"@cf/baai/bge-m3", "", "false"},
		"@cf/baai/bge-m3@https://host/v1": {"@cf/baai/bge-m3", "https://host/v1", "true"},
		"m@http://me:a@b@host/v1":         {"m", "http://me:a@b@host/v1", "true"},
		"m@host":                          {"m", "host", "true"},
	} {
		name, url, ok := cutServer(spec)
		if got := [3]string{name, url, fmt.Sprint(ok)}; got != want {
			t.Errorf("%q: %q, want %q", spec, got, want)
		}
	}
}

// A model that was damaged and is mended is read the next time.
func TestTheBuiltInModelIsTriedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := &lazyModel{dir: dir}
	if err := os.MkdirAll(filepath.Dir(local.Path(dir)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(local.Path(dir), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Embed(t.Context(), []string{"a"}); !errors.Is(err, local.ErrDamaged) {
		t.Errorf("damaged: %v", err)
	}
	if err := os.Remove(local.Path(dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Embed(t.Context(), []string{"a"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("removed: %v", err)
	}
}

// A model of a server is tried by its name and address.
func TestModelOfAServer(t *testing.T) {
	t.Parallel()
	run := func(s *httptest.Server, env map[string]string, args ...string) (code int, stdout, stderr string) {
		t.Helper()
		var out, notes bytes.Buffer
		a := newApp()
		a.stdout, a.stderr = &out, &notes
		env["OPENAI_API_KEY"] = "secret"
		a.getenv = func(name string) string { return env[name] }
		code = a.run(t.Context(), args)
		return code, out.String(), strings.ReplaceAll(notes.String(), s.URL, "URL")
	}
	good := newVectorServer(t, []float64{0, 1, 0}, []float64{2, 0, 0})
	code, stdout, stderr := run(good, map[string]string{}, "model", "test", "openai:tiny@"+good.URL+"/v1")
	if code != exitOK || !strings.HasPrefix(stdout, "openai:tiny, 3 dimensions\n") || !strings.HasSuffix(stdout, " 0.000 "+tries[len(tries)-1].text+"\nok\n") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	code, stdout, stderr = run(good, map[string]string{"ENGRAM_MODEL": "openai:tiny", "OPENAI_BASE_URL": good.URL + "/v1"}, "model", "bench", "--json")
	if code != exitOK || strings.Count(stdout, `{"model":"openai:tiny","batch":`) != 2 || strings.Contains(stdout, "gflops") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	code, stdout, stderr = run(good, map[string]string{}, "model", "test", "openai:tiny@")
	if code != exitInvalid || !strings.Contains(stderr, "openai:NAME[@URL]") { // not OpenAI's own, with these texts
		t.Errorf("without the address: exit code %d, %s%s", code, stdout, stderr)
	}
	flat := newVectorServer(t, []float64{1, 1}, []float64{1, 1})
	code, stdout, stderr = run(flat, map[string]string{}, "model", "test", "openai:tiny@"+flat.URL+"/v1")
	if code != exitInternal || strings.Contains(stdout, "ok") || stderr != "engram: openai:tiny does not find near what is near in meaning, or not as near as it should\n" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}
