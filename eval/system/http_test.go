package system

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/memory"
)

// fakeSystem keeps turns and shows the first one of its space that fits.
type fakeSystem struct {
	mu     sync.Mutex
	spaces map[string][]httpTurn
	bodies []string
	reply  func(w http.ResponseWriter, endpoint string) bool // true: it has answered
}

func (f *fakeSystem) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bodies = append(f.bodies, string(body))
	if f.reply != nil && f.reply(w, r.URL.Path) {
		return
	}
	switch r.URL.Path {
	case "/eval/ingest":
		var in ingestRequest
		json.Unmarshal(body, &in)
		if f.spaces == nil {
			f.spaces = map[string][]httpTurn{}
		}
		if in.Reset {
			f.spaces[in.Space] = nil
		}
		f.spaces[in.Space] = append(f.spaces[in.Space], in.Turns...)
		fmt.Fprint(w, `{}`)
	case "/eval/context":
		var in contextRequest
		json.Unmarshal(body, &in)
		out := map[string]any{"context": "", "ids": []string{}}
		if turns := f.spaces[in.Space]; len(turns) > 0 && in.Budget >= 40 {
			out = map[string]any{"context": turns[0].Text, "ids": []string{turns[0].ID}, "holding": []string{"x"}, "answerable": true, "score": 0.5}
		}
		json.NewEncoder(w).Encode(out)
	default:
		http.NotFound(w, r)
	}
}

func overHTTP(t *testing.T, f *fakeSystem) eval.System {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	s, err := HTTP(HTTPOptions{Base: server.URL + "/eval/"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHTTPSaysWhatIsDocumented(t *testing.T) {
	t.Parallel()
	f := &fakeSystem{}
	sessions := []eval.Session{{Name: "s1", Turns: []eval.Turn{
		{Episode: memory.Episode{Text: "Hello.", Speaker: "Ada", IDKey: "s1:1", Occurred: at(t, "2026-03-02+01:00")}},
		{Episode: memory.Episode{Text: "Hi!", Source: memory.Assistant, IDKey: "s1:2"}, Recorded: at(t, "2026-03-05T10:00Z").Micros},
	}}}
	m := told(t, overHTTP(t, f), sessions)
	c := asked(t, m, eval.Ask{Text: "Who?"}, 100)
	want := eval.Context{Text: "Hello.", Ranked: []string{"s1:1"}, Holding: []string{"x"}, Verdict: &eval.Verdict{Answerable: true, Score: 0.5}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	asked(t, m, eval.Ask{Text: "Then?", At: at(t, "2026-04-01T00:00Z"), Valid: at(t, "2025Z"), Known: at(t, "2026-03-03Z")}, 100)
	bodies := []string{
		`{"space":"space-1","reset":true,"turns":[]}`,
		`{"space":"space-1","session":"s1","turns":[` +
			`{"id":"s1:1","speaker":"Ada","role":"user","text":"Hello.","occurred":"2026-03-02T00:00:00+01:00","heard":"2026-03-01T23:00:00Z"},` +
			`{"id":"s1:2","role":"assistant","text":"Hi!","heard":"2026-03-05T10:00:00Z"}]}`,
		`{"space":"space-1","question":"Who?","at":"2026-03-06T10:00:00Z","budget":100}`,
		`{"space":"space-1","question":"Then?","at":"2026-04-01T00:00:00Z","valid_at":"2025-01-01T00:00:00Z","known_at":"2026-03-03T00:00:00Z","budget":100}`,
	}
	if diff := cmp.Diff(bodies, f.bodies); diff != "" {
		t.Error(diff)
	}
}

func TestHTTPKeepsCasesApart(t *testing.T) {
	t.Parallel()
	s := overHTTP(t, &fakeSystem{})
	sessions := small(t)
	a, b := told(t, s, sessions[:1]), told(t, s, sessions[1:2])
	if x, y := asked(t, a, eval.Ask{Text: "?"}, 100), asked(t, b, eval.Ask{Text: "?"}, 100); x.Ranked[0] != "s1:1" || y.Ranked[0] != "s2:1" {
		t.Errorf("%v, %v", x.Ranked, y.Ranked)
	}
}

func TestHTTPRefusesWhatIsNotDocumented(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		status     int
		want       string
		is         error
	}{
		{"no JSON", `context: none`, 200, "no JSON", memory.ErrInvalid},
		{"a list", `[]`, 200, "no JSON", memory.ErrInvalid},
		{"another type", `{"context": 7}`, 200, "no JSON", memory.ErrInvalid},
		{"no context", `{}`, 200, "without a context", memory.ErrInvalid},
		{"over budget", `{"context":"one two three four five six seven eight nine ten eleven"}`, 200, "has 11 tokens, the budget is 10", memory.ErrTooLarge},
		{"a foreign turn", `{"context":"a","ids":["s1:1","s7:1"]}`, 200, `a turn "s7:1"`, memory.ErrInvalid},
		{"an error", "out of\n memory " + strings.Repeat("x", 500), 500, "status 500: out of memory xxx", nil},
		{"not found", ``, 404, "status 404", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := &fakeSystem{reply: func(w http.ResponseWriter, endpoint string) bool {
				if endpoint != "/eval/context" {
					return false
				}
				w.WriteHeader(test.status)
				fmt.Fprint(w, test.body)
				return true
			}}
			_, err := told(t, overHTTP(t, f), small(t)).Context(t.Context(), eval.Ask{Text: "?"}, 10)
			if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v", err)
			}
			if err != nil && len(err.Error()) > 400 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestHTTPOfASystemThatIsNotThere(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "localhost:80", "ftp://host"} {
		if _, err := HTTP(HTTPOptions{Base: base}); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v", base, err)
		}
	}
	server := httptest.NewServer(http.NotFoundHandler())
	s, err := HTTP(HTTPOptions{Base: server.URL, Name: "other"})
	if err != nil || s.Name != "other" {
		t.Fatal(s.Name, err)
	}
	if _, err := s.Open(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "status 404") {
		t.Errorf("error %v", err)
	}
	server.Close()
	if _, err := s.Open(t.Context(), ""); err == nil {
		t.Error("nobody listens, and there is no error")
	}
}

// TestAdapter holds a running adapter to the endpoints:
//
//	uv run eval/adapters/chroma.py --port 8001
//	ENGRAM_ADAPTER_URL=http://localhost:8001 go test ./eval/system -run TestAdapter -v
func TestAdapter(t *testing.T) {
	base := os.Getenv("ENGRAM_ADAPTER_URL")
	if base == "" {
		t.Skip("ENGRAM_ADAPTER_URL names no running adapter (eval/adapters/README.md)")
	}
	s, err := HTTP(HTTPOptions{Base: base})
	if err != nil {
		t.Fatal(err)
	}
	sessions := small(t)
	m, other := told(t, s, sessions), told(t, s, nil)
	a := eval.Ask{Text: "Who lent Ada the brass telescope?"}
	c := asked(t, m, a, 1000)
	t.Logf("ranked %v\n%s", c.Ranked, c.Text)
	if len(c.Ranked) != 10 || c.Ranked[0] != "s1:1" && c.Ranked[0] != "s3:1" {
		t.Errorf("not all turns, the ones about the telescope first: %v", c.Ranked)
	}
	if !strings.Contains(c.Text, "Ada: The lighthouse keeper lent me a brass telescope.") {
		t.Error("the words are not there")
	}
	if c := asked(t, m, a, 40); len(c.Ranked) == 0 || len(c.Ranked) > 3 {
		t.Errorf("in 40 tokens: %v", c.Ranked)
	}
	a.Known = at(t, "2026-03-05Z")
	if c := asked(t, m, a, 1000); len(c.Ranked) != 3 || slices.ContainsFunc(c.Ranked, func(key string) bool { return !strings.HasPrefix(key, "s1:") }) {
		t.Errorf("known on 5 March: %v", c.Ranked)
	}
	if c := asked(t, other, eval.Ask{Text: a.Text}, 1000); c.Text != "" || len(c.Ranked) > 0 {
		t.Errorf("an empty space holds %q", c.Text)
	}
	again, err := HTTP(HTTPOptions{Base: base})
	if err != nil {
		t.Fatal(err)
	}
	if c := asked(t, told(t, again, nil), eval.Ask{Text: a.Text}, 1000); c.Text != "" {
		t.Errorf("an earlier run is still there: %q", c.Text)
	}
}
