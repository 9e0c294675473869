package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/embedding"
	"engram/memory"
)

// fake is a server of embeddings that notes what it is asked.
type fake struct {
	mu      sync.Mutex
	batches [][]string
	keys    []string
	answer  func(w http.ResponseWriter, call int, texts []string) // nil: lengths
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model          string   `json:"model"`
		Input          []string `json:"input"`
		EncodingFormat string   `json:"encoding_format"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/embeddings" || in.Model != "tiny" || in.EncodingFormat != "float" {
		http.Error(w, "bad", http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	f.batches = append(f.batches, in.Input)
	f.keys = append(f.keys, r.Header.Get("Authorization"))
	call := len(f.batches)
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if f.answer != nil {
		f.answer(w, call, in.Input)
		return
	}
	vectors(w, in.Input)
}

// vectors answers with (length, 1), the last text first.
func vectors(w http.ResponseWriter, texts []string) {
	var items []string
	for i := len(texts) - 1; i >= 0; i-- {
		items = append(items, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,1]}`, i, len(texts[i])))
	}
	fmt.Fprintf(w, `{"object":"list","model":"tiny","data":[%s],"usage":{"prompt_tokens":1,"total_tokens":1}}`, strings.Join(items, ","))
}

func setup(t *testing.T, f *fake, o Options) *Embedder {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	o.Model, o.BaseURL = "tiny", server.URL+"/v1"
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEmbedAsksInBatchesAndKeepsTheOrder(t *testing.T) {
	t.Parallel()
	f := &fake{}
	e := setup(t, f, Options{Key: "secret", BatchSize: 2})
	got, err := e.Embed(t.Context(), []string{"a", "bb", "ccc", "dddd", "eeeee"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"a", "bb"}, {"ccc", "dddd"}, {"eeeee"}}, f.batches); diff != "" {
		t.Error(diff)
	}
	if f.keys[0] != "Bearer secret" {
		t.Errorf("key %q", f.keys[0])
	}
	if e.Name() != "openai:tiny" {
		t.Errorf("name %q", e.Name())
	}
	if got, err := e.Embed(t.Context(), nil); err != nil || len(got) != 0 || len(f.batches) != 3 {
		t.Errorf("no texts gave %v, %v and %d requests", got, err, len(f.batches))
	}
}

func TestEmbedTriesAgain(t *testing.T) {
	t.Parallel()
	f := &fake{answer: func(w http.ResponseWriter, call int, texts []string) {
		if call < 3 {
			w.Header().Set("Retry-After-Ms", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		vectors(w, texts)
	}}
	got, err := setup(t, f, Options{}).Embed(t.Context(), []string{"four"})
	if err != nil || len(got) != 1 || len(f.batches) != 3 {
		t.Errorf("%v, %v after %d requests", got, err, len(f.batches))
	}
}

func TestEmbedSaysWhatWentWrong(t *testing.T) {
	t.Parallel()
	plain := func(body string) func(http.ResponseWriter, int, []string) {
		return func(w http.ResponseWriter, _ int, _ []string) { fmt.Fprint(w, body) }
	}
	status := func(code int) func(http.ResponseWriter, int, []string) {
		return func(w http.ResponseWriter, _ int, texts []string) {
			w.WriteHeader(code)
			fmt.Fprintf(w, `{"error":{"message":"no %s"}}`, texts[0])
		}
	}
	tests := []struct {
		name   string
		answer func(http.ResponseWriter, int, []string)
		want   string
	}{
		{"too few", plain(`{"data":[{"index":0,"embedding":[1,2]}]}`), "1 vectors for 2 texts"},
		{"one twice", plain(`{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}`), "index 0 twice"},
		{"dimensions", plain(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1,2,3]}]}`), "3 dimensions after one of 2"},
		{"empty vector", plain(`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`), "without dimensions"},
		{"too large a number", plain(`{"data":[{"index":0,"embedding":[1e300]},{"index":1,"embedding":[1]}]}`), "no number of 32 bits"},
		{"no JSON", plain(`vectors? what vectors?`), "embed by openai:tiny"},
		{"wrong key", status(http.StatusUnauthorized), "does not take the key (status 401)"},
		{"wrong model", status(http.StatusNotFound), "does not know the model"},
		{"limits", status(http.StatusTooManyRequests), "limits its use"},
		{"broken", status(http.StatusInternalServerError), "refused with status 500"},
		{"too long", status(http.StatusRequestEntityTooLarge), "refused with status 413: " + embedding.ErrText.Error()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := setup(t, &fake{answer: test.answer}, Options{MaxRetries: -1, Key: "hidden-key"}).Embed(t.Context(), []string{"private words", "b"})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want %q", err, test.want)
			}
			if strings.Contains(err.Error(), "private") || strings.Contains(err.Error(), "hidden-key") {
				t.Errorf("the error tells too much: %v", err)
			}
		})
	}
}

// Servers that want a version in the query get it.
func TestTheQueryOfTheAddressIsSent(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.URL.String())
		w.Header().Set("Content-Type", "application/json")
		vectors(w, []string{"a"})
	}))
	t.Cleanup(server.Close)
	e, err := New(Options{Model: "tiny", BaseURL: server.URL + "/v1?api-version=1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil || !cmp.Equal(got, []string{"/v1/embeddings?api-version=1"}) {
		t.Errorf("asked %q, %v", got, err)
	}
}

func TestEmbedRemembersTheDimensions(t *testing.T) {
	t.Parallel()
	f := &fake{answer: func(w http.ResponseWriter, call int, _ []string) {
		fmt.Fprintf(w, `{"data":[{"index":0,"embedding":[%s]}]}`, strings.Repeat("1,", call)+"1")
	}}
	e := setup(t, f, Options{})
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "3 dimensions after one of 2") {
		t.Errorf("error %v", err)
	}
}

func TestEmbedEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{answer: func(w http.ResponseWriter, _ int, texts []string) {
		cancel()
		vectors(w, texts)
	}}
	if _, err := setup(t, f, Options{BatchSize: 1}).Embed(ctx, []string{"a", "b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestTimeoutBoundsAnAttempt(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	f := &fake{answer: func(http.ResponseWriter, int, []string) { <-release }}
	e := setup(t, f, Options{Timeout: time.Millisecond, MaxRetries: -1})
	t.Cleanup(func() { close(release) }) // before the server closes
	if _, err := e.Embed(t.Context(), []string{"a"}); err == nil {
		t.Error("no error")
	}
}

func TestNewRefusesWhatCannotBeRight(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {Model: "m", BaseURL: "localhost:80"}, {Model: "m", BaseURL: "ftp://host"}} {
		if _, err := New(o); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%+v gave %v", o, err)
		}
	}
}
