package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"engram/llm"
)

// Server is a model server on the loopback interface whose answers, and
// misdeeds, a function gives.
type Server struct {
	URL string // the base URL for the implementation of the protocol

	answer   func(Asked) Reply
	protocol protocol
	http     *httptest.Server
	closing  chan struct{}

	mu    sync.Mutex
	asked []Asked
}

// Asked is a request as it came to a Server.
type Asked struct {
	N       int    // which one it is, from 0
	Model   string // as the server knows it
	Key     string // that was sent with it, if any
	Stream  bool
	Request llm.Request
	Fields  map[string]json.RawMessage // the body as it is
}

// Reply is what a Server does. The zero value is a complete, empty answer.
type Reply struct {
	Text  string
	Stop  llm.Stop  // defaults to StopEnd
	Usage llm.Usage // left out of the answer if zero

	Status int         // if not 0, an error with this status and Text as its message
	Code   string      // of the error
	Param  string      // of the error
	Header http.Header // put on top of the answer
	Body   string      // if not empty, sent as it is, with Status

	NoChoice bool // the answer has nothing in it
	NoStream bool // answers in one piece, even if a stream is asked for

	// What happens after half of the answer, in which the text is, too.
	Cut     bool          // no more, and a good end
	Abort   bool          // the connection breaks
	Garbled bool          // something that is no JSON
	Fails   string        // if not empty, an error of this type; in streams only
	Hang    bool          // nothing, until the client goes away
	Held    chan struct{} // nothing, until it is closed
}

// protocol writes answers. whole and events give the bodies of an answer in one
// piece, and in pieces.
type protocol interface {
	path() string
	read(a *Asked) error // from Fields
	whole(r Reply) string
	events(r Reply, usage bool) []string
	failure(r Reply) string
}

// NewOpenAI starts a server of OpenAI's chat completions, which ends with the
// test. The function is called from many goroutines.
func NewOpenAI(t testing.TB, answer func(Asked) Reply) *Server {
	s := start(t, openAI{}, answer)
	s.URL += "/v1"
	return s
}

// NewAnthropic starts a server of Anthropic's messages, which ends with the
// test. The function is called from many goroutines.
func NewAnthropic(t testing.TB, answer func(Asked) Reply) *Server {
	return start(t, anthropic{}, answer)
}

func start(t testing.TB, p protocol, answer func(Asked) Reply) *Server {
	s := &Server{answer: answer, protocol: p, closing: make(chan struct{})}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	t.Cleanup(func() {
		close(s.closing)
		s.http.Close()
	})
	return s
}

// Asked gives the requests so far, in the order in which they came.
func (s *Server) Asked() []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != s.protocol.path() {
		http.NotFound(w, r)
		return
	}
	a, err := s.ask(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply := s.answer(a)
	for name, values := range reply.Header {
		w.Header()[name] = values
	}
	_, usage := a.Fields["stream_options"]
	switch {
	case reply.Body != "":
		s.send(w, r, reply, []string{reply.Body})
	case reply.Status != 0:
		reply.Cut, reply.Abort, reply.Garbled, reply.Hang = false, false, false, false
		s.send(w, r, reply, []string{s.protocol.failure(reply)})
	case a.Stream && !reply.NoStream:
		w.Header().Set("Content-Type", "text/event-stream")
		s.send(w, r, reply, s.protocol.events(reply, usage))
	default:
		whole := s.protocol.whole(reply)
		s.send(w, r, reply, []string{whole[:len(whole)/2], whole[len(whole)/2:]})
	}
}

func (s *Server) ask(r *http.Request) (Asked, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return Asked{}, err
	}
	a := Asked{Key: r.Header.Get("X-Api-Key")}
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		a.Key = bearer
	}
	if err := json.Unmarshal(body, &a.Fields); err != nil {
		return Asked{}, err
	}
	if err := s.protocol.read(&a); err != nil {
		return Asked{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a.N = len(s.asked)
	s.asked = append(s.asked, a)
	return a, nil
}

// send sends the pieces and does after half of them what the reply says.
func (s *Server) send(w http.ResponseWriter, r *http.Request, reply Reply, pieces []string) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
	}
	half := len(pieces) / 2
	for _, piece := range pieces[:half] {
		_, _ = io.WriteString(w, piece) // the client may have gone
	}
	if reply.Abort || reply.Hang || reply.Held != nil {
		_ = http.NewResponseController(w).Flush() // likewise
	}
	switch {
	case reply.Cut:
		return
	case reply.Abort:
		panic(http.ErrAbortHandler)
	case reply.Garbled:
		_, _ = io.WriteString(w, "event: message_stop\ndata: {\"choices\":[{\n\n")
		return
	case reply.Hang:
		s.wait(r, nil)
		return
	case reply.Held != nil:
		s.wait(r, reply.Held)
	}
	for _, piece := range pieces[half:] {
		_, _ = io.WriteString(w, piece)
	}
}

func (s *Server) wait(r *http.Request, held chan struct{}) {
	select {
	case <-held:
	case <-r.Context().Done():
	case <-s.closing:
	}
}

// split cuts a text into runes and puts them into pieces of three.
func split(text string) []string {
	var pieces []string
	for part := range slices.Chunk([]rune(text), 3) {
		pieces = append(pieces, string(part))
	}
	return pieces
}

// event is a server-sent event.
func event(name string, data any) string {
	head := ""
	if name != "" {
		head = "event: " + name + "\n"
	}
	return head + "data: " + marshal(data) + "\n\n"
}

type object = map[string]any

func marshal(data any) string {
	body, err := json.Marshal(data)
	if err != nil {
		panic(err) // the data are of this package
	}
	return string(body)
}
