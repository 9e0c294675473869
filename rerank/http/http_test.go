package http

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"engram/rerank"
	"engram/rerank/reranktest"
)

const key = "secret-key"

// server is a reranker on the loopback interface that scores as the fake does,
// or misbehaves as misdeed says.
type server struct {
	url     string
	misdeed http.HandlerFunc
	closing chan struct{}

	mu    sync.Mutex
	asked []asked
}

// asked is a request as it came.
type asked struct {
	path, auth string
	body       map[string]json.RawMessage
	texts      []string
}

func serve(t *testing.T, misdeed http.HandlerFunc) *server {
	s := &server{misdeed: misdeed, closing: make(chan struct{})}
	h := httptest.NewServer(s)
	s.url = h.URL
	t.Cleanup(func() {
		close(s.closing)
		h.Close()
	})
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := asked{path: r.Method + " " + r.URL.Path, auth: r.Header.Get("Authorization")}
	var query string
	texts := "documents"
	if err := json.NewDecoder(r.Body).Decode(&a.body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if a.path == "POST /rerank" {
		texts = "texts"
	}
	if json.Unmarshal(a.body["query"], &query) != nil || json.Unmarshal(a.body[texts], &a.texts) != nil {
		http.Error(w, "no query or texts", http.StatusUnprocessableEntity)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, a)
	s.mu.Unlock()
	if s.misdeed != nil {
		s.misdeed(w, r)
		return
	}
	s.answer(w, a, query)
}

// answer gives the results best first, as servers do.
func (s *server) answer(w http.ResponseWriter, a asked, query string) {
	list := []string{}
	order := make([]int, len(a.texts))
	for i := range order {
		order[i] = i
	}
	score := func(i int) float64 { return reranktest.Score(query, a.texts[i]) }
	slices.SortStableFunc(order, func(i, j int) int { return int(2 * (score(j) - score(i))) })
	for _, i := range order {
		name := "score"
		if a.path != "POST /rerank" {
			name = "relevance_score"
		}
		list = append(list, fmt.Sprintf(`{"index":%d,%q:%v,"extra":{}}`, i, name, score(i)))
	}
	all := "[" + strings.Join(list, ",") + "]"
	if a.path != "POST /rerank" {
		all = `{"id":"x","results":` + all + `,"meta":{"billed_units":{"search_units":1}}}`
	}
	fmt.Fprint(w, all)
}

func reranker(t *testing.T, o Options) *Reranker {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReranker(t *testing.T) {
	t.Parallel()
	for _, shape := range []Shape{Cohere, TEI} {
		t.Run(string(shape), func(t *testing.T) {
			reranktest.Run(t, reranker(t, Options{Shape: shape, URL: serve(t, nil).url, Model: "m"}))
		})
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	texts := []string{"a <b> heron", "汉字"}
	for _, c := range []struct {
		o          Options
		name       string
		path, auth string
		body       string
	}{
		{Options{Model: "m", Key: key}, "cohere:m", "POST /v1/rerank", "Bearer " + key,
			`{"documents":["a <b> heron","汉字"],"model":"m","query":"q","top_n":2}`},
		{Options{Shape: TEI}, "tei:default", "POST /rerank", "", `{"query":"q","texts":["a <b> heron","汉字"],"truncate":true}`},
	} {
		s := serve(t, nil)
		c.o.URL = s.url + "/"
		r := reranker(t, c.o)
		if _, err := r.Rerank(t.Context(), "q", texts); err != nil {
			t.Fatal(err)
		}
		got := s.asked[0]
		var want map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.body), &want); err != nil {
			t.Fatal(err)
		}
		if r.Name() != c.name || got.path != c.path || got.auth != c.auth || marshal(got.body) != marshal(want) {
			t.Errorf("%s was asked %s with %q\n%s\nwant\n%s", r.Name(), got.path, got.auth, marshal(got.body), marshal(want))
		}
	}
}

// marshal gives fields in order of name, and texts in one form.
func marshal(fields map[string]json.RawMessage) string {
	out, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shape     Shape
		url, want string
	}{
		{Cohere, "https://api.jina.ai", "https://api.jina.ai/v1/rerank"},
		{Cohere, "https://api.jina.ai/v1/", "https://api.jina.ai/v1/rerank"},
		{Cohere, "https://api.cohere.com/v2", "https://api.cohere.com/v2/rerank"},
		{Cohere, "https://api.cohere.com/v2/rerank", "https://api.cohere.com/v2/rerank"},
		{Cohere, "http://host/proxy?tenant=a", "http://host/proxy/v1/rerank?tenant=a"},
		{TEI, "http://localhost:8080", "http://localhost:8080/rerank"},
		{TEI, "http://localhost:8080/tei/rerank/", "http://localhost:8080/tei/rerank"},
	} {
		if got := reranker(t, Options{Shape: c.shape, URL: c.url, Model: "m"}).endpoint; got != c.want {
			t.Errorf("%s: got %s, want %s", c.url, got, c.want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{
		"Model":    {URL: "http://host"},
		"Shape":    {URL: "http://host", Model: "m", Shape: "soap"},
		"URL":      {URL: "host:80", Model: "m"},
		"Timeout":  {URL: "http://host", Model: "m", Timeout: -1},
		"MaxTexts": {URL: "http://host", Model: "m", MaxTexts: -1},
	} {
		if _, err := New(o); !errors.Is(err, rerank.ErrRejected) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestBatches(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	r := reranker(t, Options{Shape: TEI, URL: s.url, MaxTexts: 2})
	got, err := r.Rerank(t.Context(), "heron", []string{"no", "heron", "heron", "no", "heron"})
	if err != nil || !slices.Equal(got, []float64{0, 1, 1, 0, 1}) || len(s.asked) != 3 {
		t.Errorf("got %v %v after %d requests", got, err, len(s.asked))
	}
}

// TestMisdeeds has the server do wrong; no error may tell of the key, the
// question or the texts.
func TestMisdeeds(t *testing.T) {
	t.Parallel()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "private text, "+key, code) }
	}
	says := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
	}
	results := func(list string) http.HandlerFunc { return says(`{"results":[` + list + `]}`) }
	const first = `{"index":0,"relevance_score":0.5}`
	for name, c := range map[string]struct {
		misdeed http.HandlerFunc
		want    error
	}{
		"bad key":       {status(401), rerank.ErrRejected},
		"bad request":   {status(400), rerank.ErrRejected},
		"not found":     {status(404), rerank.ErrRejected},
		"too large":     {status(413), rerank.ErrRejected},
		"too many":      {status(429), rerank.ErrUnavailable},
		"failed":        {status(500), rerank.ErrUnavailable},
		"loading":       {status(503), rerank.ErrUnavailable},
		"no content":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, rerank.ErrUnavailable},
		"empty":         {says(""), rerank.ErrMalformed},
		"a page":        {says("<html>private text</html>"), rerank.ErrMalformed},
		"cut JSON":      {says(`{"results":[` + first), rerank.ErrMalformed},
		"other shape":   {says(`[{"index":0,"score":1},{"index":1,"score":0}]`), rerank.ErrMalformed},
		"an error":      {says(`{"error":"private text"}`), rerank.ErrMalformed},
		"too few":       {results(first), rerank.ErrMalformed},
		"twice":         {results(first + "," + first), rerank.ErrMalformed},
		"beyond":        {results(first + `,{"index":2,"relevance_score":0}`), rerank.ErrMalformed},
		"negative":      {results(first + `,{"index":-1,"relevance_score":0}`), rerank.ErrMalformed},
		"no index":      {results(first + `,{"relevance_score":0}`), rerank.ErrMalformed},
		"no score":      {results(first + `,{"index":1}`), rerank.ErrMalformed},
		"null score":    {results(first + `,{"index":1,"relevance_score":null}`), rerank.ErrMalformed},
		"text as score": {results(first + `,{"index":1,"relevance_score":"high"}`), rerank.ErrMalformed},
		"huge score":    {results(first + `,{"index":1,"relevance_score":1e999}`), rerank.ErrMalformed},
		"breaks off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"results":[`)
		}, rerank.ErrUnavailable},
		"hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, rerank.ErrUnavailable},
		"no end": {func(w http.ResponseWriter, _ *http.Request) {
			for range maxAnswer/1024 + 2 {
				fmt.Fprint(w, strings.Repeat(" ", 1024))
			}
		}, rerank.ErrMalformed},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/?key="+key, http.StatusTemporaryRedirect)
		}, rerank.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := reranker(t, Options{URL: serve(t, c.misdeed).url, Model: "m", Key: key})
			got, err := r.Rerank(t.Context(), "private question", []string{"private text", "b"})
			if !errors.Is(err, c.want) || got != nil {
				t.Fatalf("got %v %v, want %v", got, err, c.want)
			}
			if said := err.Error(); strings.Contains(said, "private") || strings.Contains(said, key) {
				t.Errorf("the error says %q", said)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	r := reranker(t, Options{URL: "http://127.0.0.1:1?key=" + key, Model: "m"})
	_, err := r.Rerank(t.Context(), "q", []string{"a"})
	if !errors.Is(err, rerank.ErrUnavailable) || strings.Contains(err.Error(), key) {
		t.Errorf("got %v", err)
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	var s *server
	s = serve(t, func(http.ResponseWriter, *http.Request) { <-s.closing })
	r := reranker(t, Options{URL: s.url, Model: "m", Timeout: time.Millisecond})
	_, err := r.Rerank(t.Context(), "q", []string{"a"})
	if !errors.Is(err, rerank.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("out of the time for a request: got %v", err)
	}
	r = reranker(t, Options{URL: s.url, Model: "m"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := r.Rerank(ctx, "q", []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("out of the caller's time: got %v", err)
	}
}
