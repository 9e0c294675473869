package llmtest

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"engram/llm"
)

var kinds = []error{llm.ErrLimited, llm.ErrMalformed, llm.ErrRejected, llm.ErrUnavailable}

// fails asks and wants an error of this kind, and no other, without secrets.
func (w *world) fails(m llm.Model, kind error) {
	w.Helper()
	answer, err := m.Complete(w.ctx, ask(prompt))
	w.is(err, kind)
	if answer != (llm.Response{}) {
		w.Errorf("an answer with the error: %+v", answer)
	}
}

func (w *world) is(err, kind error) {
	w.Helper()
	if err == nil {
		w.Fatalf("no error, want %v", kind)
	}
	for _, k := range append(slices.Clone(kinds), w.ctx.Err()) {
		if k != nil && errors.Is(err, k) != (k == kind) {
			w.Errorf("got %v, want %v", err, kind)
		}
	}
	if s := err.Error(); strings.Contains(s, key) || strings.Contains(s, prompt) {
		w.Errorf("the error holds a secret: %s", s)
	}
}

// check wants that the server was asked so often, with these pauses between.
func (w *world) check(asked int, waits ...time.Duration) {
	w.Helper()
	if got := len(w.server.Asked()); got != asked {
		w.Errorf("the server was asked %d times, want %d", got, asked)
	}
	if waits != nil && !slices.Equal(w.waits, waits) {
		w.Errorf("waited %v, want %v", w.waits, waits)
	}
	if len(w.waits) != max(0, asked-1) {
		w.Errorf("waited %d times for %d attempts", len(w.waits), asked)
	}
}

// leak is what a server says that repeats all it was told.
const leak = "bad key " + key + " for " + prompt

// limited limits the first n requests, and then answers.
func limited(n int, header http.Header) func(Asked) Reply {
	return func(a Asked) Reply {
		if a.N < n {
			return Reply{Status: http.StatusTooManyRequests, Header: header, Text: leak}
		}
		return Reply{Text: "at last"}
	}
}

func testRateLimit(w *world) {
	m := w.serve(limited(2, http.Header{"Retry-After": {"40"}}))
	if got := w.complete(m, ask(prompt)); got.Text != "at last" {
		w.Errorf("got %+v", got)
	}
	w.check(3, 40*time.Second, 40*time.Second)
}

func testRateLimitDate(w *world) {
	w.complete(w.serve(limited(1, http.Header{
		"Date":        {"Mon, 02 Jan 2023 15:04:05 GMT"},
		"Retry-After": {"Mon, 02 Jan 2023 15:05:00 GMT"},
	})), ask(prompt))
	w.check(2, 55*time.Second)
}

func testRateLimitTooLong(w *world) {
	w.fails(w.serve(limited(1, http.Header{"Retry-After": {"3600"}})), llm.ErrLimited)
	w.check(1)
}

func testRateLimitForGood(w *world) {
	w.fails(w.serve(limited(9, nil)), llm.ErrLimited)
	w.check(4)
	w.waits = nil
	w.fails(w.serveWith(Setup{MaxRetries: -1}, limited(9, nil)), llm.ErrLimited)
	w.check(1)
	w.fails(w.serve(limited(9, http.Header{"X-Should-Retry": {"false"}})), llm.ErrLimited)
	w.check(1)
}

func testServerFails(w *world) {
	for _, status := range []int{500, 502, 503, 529} {
		w.waits = nil
		w.fails(w.serve(func(Asked) Reply { return Reply{Status: status, Text: leak} }), llm.ErrUnavailable)
		w.check(4)
	}
	w.waits = nil
	w.complete(w.serve(func(a Asked) Reply {
		if a.N == 0 { // of a proxy, and not of the model server
			return Reply{Status: 502, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<html>" + leak}
		}
		return Reply{}
	}), ask(prompt))
	w.check(2)
}

func testPauses(w *world) {
	w.fails(w.serveWith(Setup{MaxRetries: 20}, limited(99, nil)), llm.ErrLimited)
	w.check(21)
	if !slices.IsSorted(w.waits) || w.waits[0] <= 0 || w.waits[1] < 2*w.waits[0] || w.waits[19] > time.Minute {
		w.Errorf("waited %v", w.waits)
	}
}

func testRejected(w *world) {
	for _, status := range []int{400, 401, 403, 404, 413, 422} {
		w.fails(w.serve(func(Asked) Reply {
			return Reply{Status: status, Text: leak, Code: leak, Param: leak, Header: http.Header{"Retry-After": {"1"}}}
		}), llm.ErrRejected)
		w.check(1)
	}
	w.fails(w.serve(func(Asked) Reply { return Reply{Status: 401, Body: leak} }), llm.ErrRejected)
	w.check(1)
}

// malformed are answers that cannot be read.
func (w *world) malformed() map[string]Reply {
	const text = "an answer of some length"
	return map[string]Reply{
		"cut":       {Text: text, Cut: true},
		"abort":     {Text: text, Abort: true},
		"garbled":   {Text: text, Garbled: true},
		"no choice": {NoChoice: true},
		"not JSON":  {Body: "<html>" + leak, Header: http.Header{"Content-Type": {"text/html"}}},
		"half JSON": {Body: "{\"choices\": [", Header: http.Header{"Content-Type": {"application/json"}}},
	}
}

func testMalformedOnce(w *world) {
	for name, bad := range w.malformed() {
		got := w.complete(w.serve(func(a Asked) Reply {
			if a.N == 0 {
				return bad
			}
			return Reply{Text: "whole"}
		}), ask(prompt))
		if got.Text != "whole" {
			w.Errorf("%s: got %+v", name, got)
		}
	}
}

func testMalformedForGood(w *world) {
	for name, bad := range w.malformed() {
		w.Log(name)
		w.waits = nil
		m := w.serve(func(Asked) Reply { return bad })
		w.fails(m, llm.ErrMalformed)
		if len(w.waits) != 3 {
			w.Errorf("%s: waited %v", name, w.waits)
		}
	}
}

func testFailsWithin(w *world) {
	if w.whole {
		w.Skip("an answer in one piece has no error within")
	}
	for fails, kind := range map[string]error{
		"overloaded_error": llm.ErrUnavailable, "rate_limit_error": llm.ErrLimited, "invalid_request_error": llm.ErrRejected,
	} {
		w.waits = nil
		w.fails(w.serve(func(Asked) Reply { return Reply{Text: leak, Fails: fails} }), kind)
		if kind == llm.ErrRejected {
			w.check(1)
		} else {
			w.check(4)
		}
	}
}

func testNobody(w *world) {
	gone := w.p.Start(w, func(Asked) Reply { return Reply{} })
	gone.http.Close()
	w.fails(w.serveWith(Setup{URL: gone.URL, MaxRetries: 2}, nil), llm.ErrUnavailable)
	if len(w.waits) != 2 {
		w.Errorf("waited %v", w.waits)
	}
}

func testTooSlow(w *world) {
	m := w.serveWith(Setup{MaxRetries: 2, Timeout: time.Millisecond}, func(Asked) Reply { return Reply{Text: "never ends", Hang: true} })
	w.fails(m, llm.ErrUnavailable)
	if len(w.waits) != 2 {
		w.Errorf("waited %v", w.waits)
	}
}
