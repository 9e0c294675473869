package http

import (
	"encoding/json"
	"fmt"
	"math"

	"engram/rerank"
)

// shape is one way to write requests and answers.
type shape interface {
	version() string // of the interface, in the path
	maxTexts() int
	request(model, query string, texts []string) any
	results(answer []byte) ([]result, error)
}

// result is the score of one text. Both must be there: a zero that nobody sent
// is no score.
type result struct {
	index *int
	score *float64
}

type cohere struct{}

func (cohere) version() string { return "/v1" }
func (cohere) maxTexts() int   { return 1000 }

func (cohere) request(model, query string, texts []string) any {
	// Without top_n some servers give the best few only.
	return struct {
		Model     string   `json:"model"`
		Query     string   `json:"query"`
		Documents []string `json:"documents"`
		TopN      int      `json:"top_n"`
	}{model, query, texts, len(texts)}
}

func (cohere) results(answer []byte) ([]result, error) {
	var body struct {
		Results []struct {
			Index *int     `json:"index"`
			Score *float64 `json:"relevance_score"`
		} `json:"results"`
	}
	err := json.Unmarshal(answer, &body)
	list := make([]result, len(body.Results))
	for i, r := range body.Results {
		list[i] = result{r.Index, r.Score}
	}
	return list, err
}

type tei struct{}

func (tei) version() string { return "" }
func (tei) maxTexts() int   { return 32 }

func (tei) request(_, query string, texts []string) any {
	return struct {
		Query    string   `json:"query"`
		Texts    []string `json:"texts"`
		Truncate bool     `json:"truncate"` // long texts are refused without it
	}{query, texts, true}
}

func (tei) results(answer []byte) ([]result, error) {
	var body []struct {
		Index *int     `json:"index"`
		Score *float64 `json:"score"`
	}
	err := json.Unmarshal(answer, &body)
	list := make([]result, len(body))
	for i, r := range body {
		list[i] = result{r.Index, r.Score}
	}
	return list, err
}

// scores puts the results, which come best first, into the order of n texts.
func scores(list []result, n int) ([]float64, error) {
	if len(list) != n {
		return nil, fmt.Errorf("%w: %d scores for %d texts", rerank.ErrMalformed, len(list), n)
	}
	out, seen := make([]float64, n), make([]bool, n)
	for _, r := range list {
		switch {
		case r.index == nil || r.score == nil:
			return nil, fmt.Errorf("%w: a result has no index or no score", rerank.ErrMalformed)
		case *r.index < 0 || *r.index >= n || seen[*r.index]:
			return nil, fmt.Errorf("%w: the index %d is of no text, or came twice", rerank.ErrMalformed, *r.index)
		case math.IsNaN(*r.score) || math.IsInf(*r.score, 0):
			return nil, fmt.Errorf("%w: a score is no number", rerank.ErrMalformed)
		}
		out[*r.index], seen[*r.index] = *r.score, true
	}
	return out, nil
}
