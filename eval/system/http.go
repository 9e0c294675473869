package system

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"engram/eval"
	"engram/internal/tokens"
	"engram/memory"
)

// HTTPOptions say which other system is measured. Only Base must be set.
type HTTPOptions struct {
	// Base is the address before "/ingest" and "/context".
	Base string
	// Name of the system in rows. Defaults to "http".
	Name string
	// Timeout of a request. Defaults to 10 minutes: some systems ask a language
	// model for each turn.
	Timeout time.Duration
}

// HTTP is any other system behind two endpoints, which eval/adapters/README.md
// describes. What does not keep to them is an error, and so is a context over
// the budget: to cut it here would be to choose for the system what it shows.
// Nothing is asked twice.
func HTTP(o HTTPOptions) (eval.System, error) {
	base, err := url.Parse(strings.TrimRight(o.Base, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return eval.System{}, fmt.Errorf("the address of the system is no address of HTTP: %w", memory.ErrInvalid)
	}
	if o.Name == "" {
		o.Name = "http"
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Minute
	}
	client := &http.Client{Timeout: o.Timeout}
	var spaces atomic.Int64
	return eval.System{
		Name: o.Name, Options: map[string]string{"base": base.Redacted()},
		Open: func(ctx context.Context, _ string) (eval.Memory, error) {
			count, err := tokens.New()
			if err != nil {
				return nil, err
			}
			m := &httpMemory{base: base.String(), client: client, count: count, heard: map[string]bool{}, space: fmt.Sprintf("space-%d", spaces.Add(1))}
			// What an earlier run left there is forgotten.
			if err := m.ingest(ctx, ingestRequest{Space: m.space, Reset: true, Turns: []httpTurn{}}); err != nil {
				return nil, err
			}
			return m, nil
		},
	}, nil
}

type httpMemory struct {
	base, space string
	client      *http.Client
	count       tokens.Counter
	clock       clock
	heard       map[string]bool // IDKeys
}

// The requests and answers, as eval/adapters/README.md has them.
type (
	ingestRequest struct {
		Space   string     `json:"space"`
		Reset   bool       `json:"reset,omitempty"`
		Session string     `json:"session,omitempty"`
		Turns   []httpTurn `json:"turns"`
	}
	httpTurn struct {
		ID       string `json:"id"`
		Speaker  string `json:"speaker,omitempty"`
		Role     string `json:"role"`
		Text     string `json:"text"`
		Occurred string `json:"occurred,omitempty"`
		Heard    string `json:"heard"`
	}
	contextRequest struct {
		Space    string `json:"space"`
		Question string `json:"question"`
		At       string `json:"at"`
		ValidAt  string `json:"valid_at,omitempty"`
		KnownAt  string `json:"known_at,omitempty"`
		Budget   int    `json:"budget"`
	}
	contextAnswer struct {
		Context    *string  `json:"context"`
		IDs        []string `json:"ids"`
		Holding    []string `json:"holding"`
		Answerable *bool    `json:"answerable"`
		Score      float64  `json:"score"`
	}
)

func (m *httpMemory) Ingest(ctx context.Context, s eval.Session) error {
	r := ingestRequest{Space: m.space, Session: s.Name, Turns: []httpTurn{}}
	for i := range s.Turns {
		t := &s.Turns[i]
		m.clock.hear(t)
		m.heard[t.IDKey] = true
		r.Turns = append(r.Turns, httpTurn{
			ID: t.IDKey, Speaker: t.Speaker, Role: string(sourceOf(t)), Text: t.Text,
			Occurred: rfc3339(t.Occurred), Heard: rfc3339(memory.Micros(m.clock.us)),
		})
	}
	return m.ingest(ctx, r)
}

func (m *httpMemory) ingest(ctx context.Context, r ingestRequest) error {
	var out struct{}
	return m.post(ctx, "/ingest", r, &out)
}

func (m *httpMemory) Context(ctx context.Context, a eval.Ask, budget int) (eval.Context, error) {
	var out contextAnswer
	err := m.post(ctx, "/context", contextRequest{
		Space: m.space, Question: a.Text, Budget: budget,
		At: rfc3339(m.clock.askedAt(a)), ValidAt: rfc3339(a.Valid), KnownAt: rfc3339(a.Known),
	}, &out)
	if err != nil {
		return eval.Context{}, err
	}
	if out.Context == nil {
		return eval.Context{}, fmt.Errorf("/context answered without a context: %w", memory.ErrInvalid)
	}
	if n := m.count.Count(*out.Context); n > budget {
		return eval.Context{}, fmt.Errorf("the context has %d tokens, the budget is %d: %w", n, budget, memory.ErrTooLarge)
	}
	for _, id := range out.IDs {
		if !m.heard[id] {
			return eval.Context{}, fmt.Errorf("/context names a turn %q that it never heard: %w", id, memory.ErrInvalid)
		}
	}
	c := eval.Context{Text: *out.Context, Holding: out.Holding}
	if out.IDs != nil {
		c.Ranked = distinct(out.IDs)
	}
	if out.Answerable != nil {
		c.Verdict = &eval.Verdict{Answerable: *out.Answerable, Score: out.Score}
	}
	return c, nil
}

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 64 << 20

// post sends a request and reads its answer.
func (m *httpMemory) post(ctx context.Context, endpoint string, in, out any) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("ask the system: %w", err)
		}
	}()
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.base+endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := m.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // it was read, or it does not matter
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered with status %d: %s", endpoint, response.StatusCode, oneLine(answer))
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s answered with no JSON of the kind that is expected: %w", endpoint, memory.ErrInvalid)
	}
	return nil
}

// oneLine gives the beginning of what a system said, for an error.
func oneLine(b []byte) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "")), " ")
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + " …"
	}
	return s
}

// rfc3339 gives the beginning of a time, "" if it is not set.
func rfc3339(t memory.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Std().Format(time.RFC3339Nano)
}

// Size gives 0: what the system stores cannot be seen from here.
func (m *httpMemory) Size() (int64, error) { return 0, nil }

func (m *httpMemory) Close() error {
	m.client.CloseIdleConnections()
	return nil
}
