package http

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"engram/rerank"
)

// maxAnswer bounds what is read of an answer, in bytes: a thousand scores are
// some 60 KB, and servers that send the texts back send no more than they got.
const maxAnswer = 32 << 20

func (r *Reranker) post(ctx context.Context, query string, texts []string) ([]float64, error) {
	body, err := json.Marshal(r.shape.request(r.o.Model, query, texts))
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%w: URL is no address of HTTP", rerank.ErrRejected)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if r.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+r.o.Key)
	}
	resp, err := r.o.Client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", rerank.ErrUnavailable, withoutURL(err))
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		// What the body says of it may repeat the texts.
		return nil, fmt.Errorf("%w: status %d", kind(resp.StatusCode), resp.StatusCode)
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, fmt.Errorf("%w: the answer broke off: %w", rerank.ErrUnavailable, err)
	}
	if len(answer) > maxAnswer {
		return nil, fmt.Errorf("%w: it has more than %d bytes", rerank.ErrMalformed, maxAnswer)
	}
	list, err := r.shape.results(answer)
	if err != nil {
		return nil, fmt.Errorf("%w: it is no JSON of this shape", rerank.ErrMalformed)
	}
	return scores(list, len(texts))
}

// withoutURL takes the address, which may hold a key, out of an error.
func withoutURL(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// kind tells what may pass from what will not.
func kind(status int) error {
	switch {
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status < 300:
		return rerank.ErrUnavailable
	}
	return rerank.ErrRejected
}
