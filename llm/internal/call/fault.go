package call

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"engram/llm"
)

// Error is why an attempt failed. Its text holds what is known to be harmless:
// servers are free to repeat keys and prompts in their messages, so these are
// not in it.
type Error struct {
	Kind   error         // of llm
	Detail string        // what happened, in some words
	After  time.Duration // not earlier than this, says the server
	Final  bool          // a retry is known to be useless

	status         int
	param, message string // for Unsupported
}

func (f *Error) Error() string { return fmt.Sprintf("%v: %s", f.Kind, f.Detail) }

// Unwrap gives the error of llm.
func (f *Error) Unwrap() error { return f.Kind }

func (f *Error) retry() bool {
	return f.Kind != llm.ErrRejected && !f.Final && f.After <= maxAfter
}

// Malformed is an answer that cannot be read.
func Malformed(detail string) *Error { return &Error{Kind: llm.ErrMalformed, Detail: detail} }

// FromHTTP reads what went wrong with a request from its response, which is nil
// if there was none, and the error of the client. It reads the body if the
// status is one of an error.
func FromHTTP(res *http.Response, err error) *Error {
	switch {
	case res == nil:
		return &Error{Kind: llm.ErrUnavailable, Detail: connection(err)}
	case res.StatusCode < 300:
		return unreadable(err)
	}
	f := &Error{Kind: kindOfStatus(res.StatusCode), After: retryAfter(res.Header), status: res.StatusCode}
	f.Detail = strings.TrimSpace(fmt.Sprintf("%d %s", res.StatusCode, http.StatusText(res.StatusCode)))
	f.Final = res.Header.Get("X-Should-Retry") == "false"
	body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20)) // best effort: the status says enough
	f.describe(body)
	return f
}

// FromEvent reads an error that came within a stream, after the status.
func FromEvent(data []byte) *Error {
	f := &Error{Kind: llm.ErrUnavailable, Detail: "error within the answer"}
	r := f.describe(data)
	if status, err := r.Code.Int64(); err == nil && status >= 300 {
		f.Kind = kindOfStatus(int(status))
	}
	switch r.kind() {
	case "rate_limit_error", "rate_limit_exceeded", "insufficient_quota":
		f.Kind = llm.ErrLimited
	case "invalid_request_error", "authentication_error", "permission_error", "not_found_error", "request_too_large", "billing_error":
		f.Kind = llm.ErrRejected
	}
	return f
}

func kindOfStatus(status int) error {
	switch {
	case status == http.StatusTooManyRequests:
		return llm.ErrLimited
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		return llm.ErrUnavailable
	}
	return llm.ErrRejected
}

// connection says why a server was not reached, without the address as it was
// written, which may hold a password or a key.
func connection(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if err == nil {
		return "no response"
	}
	return err.Error()
}

func unreadable(err error) *Error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return Malformed("cut off")
	case errors.As(err, &syntax):
		return Malformed("broken JSON")
	}
	return Malformed("not what the protocol says")
}

// reason is what servers say about an error.
type reason struct {
	Type    string `json:"type"`
	Code    code   `json:"code"`
	Param   string `json:"param"`
	Message string `json:"message"`
}

// code is a string or a number.
type code struct{ json.Number }

func (c *code) UnmarshalJSON(data []byte) error {
	c.Number = json.Number(strings.Trim(string(data), `"`))
	return nil
}

// kind is the code where it is a word, and the type otherwise.
func (r reason) kind() string {
	if c := r.Code.String(); harmless.MatchString(c) && c != "null" {
		return c
	}
	return r.Type
}

// harmless are names as protocols have them.
var harmless = regexp.MustCompile(`^[a-z][a-z_]{2,47}$`)

// describe reads the body of an error: {"error": {…}} of OpenAI and Anthropic,
// {"error": "…"} of some, {"detail": [{"loc": […], "msg": "…"}]} of others.
func (f *Error) describe(body []byte) reason {
	var said struct {
		Error  json.RawMessage `json:"error"`
		Detail []struct {
			Loc []any  `json:"loc"`
			Msg string `json:"msg"`
		} `json:"detail"`
	}
	_ = json.Unmarshal(body, &said) // what cannot be read says nothing
	var r reason
	if json.Unmarshal(said.Error, &r) != nil {
		_ = json.Unmarshal(said.Error, &r.Message)
	}
	if len(said.Detail) > 0 {
		r.Message = said.Detail[0].Msg
		if loc := said.Detail[0].Loc; len(loc) > 0 {
			r.Param, _ = loc[len(loc)-1].(string)
		}
	}
	for _, word := range []string{r.kind(), r.Param} {
		if harmless.MatchString(word) {
			f.Detail += ", " + word
		}
	}
	switch r.kind() {
	case "insufficient_quota", "billing_error":
		f.Final = true
	}
	f.param, f.message = r.Param, r.Message
	return r
}

var unsupported = regexp.MustCompile(`(?i)unsupported|not support|not permitted|not allowed|unknown|unrecognized|unexpected|deprecated`)

// Unsupported tells whether the server rejected the request because it does not
// know the named field, or not this value of it.
func (f *Error) Unsupported(field string) bool {
	if f.status != http.StatusBadRequest && f.status != http.StatusUnprocessableEntity {
		return false
	}
	named := f.param == field
	if f.param == "" {
		named = regexp.MustCompile(`\b` + regexp.QuoteMeta(field) + `\b`).MatchString(f.message)
	}
	return named && unsupported.MatchString(f.message)
}
