// Package tokens counts o200k tokens, the unit of every budget. It may import
// the tokenizer only.
package tokens

import (
	"fmt"

	"github.com/tiktoken-go/tokenizer"
)

// Counter counts the tokens of o200k. It may be used from many goroutines at once.
type Counter struct{ codec tokenizer.Codec }

// New loads the vocabulary, which comes with the program.
func New() (Counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return Counter{}, fmt.Errorf("load the o200k vocabulary: %w", err)
	}
	return Counter{codec}, nil
}

// Count gives the number of tokens of s.
func (c Counter) Count(s string) int {
	n, err := c.codec.Count(s)
	if err != nil {
		// The codec fails on no valid UTF-8, and nothing else is stored; a byte
		// is never less than a token.
		return len(s)
	}
	return n
}

// Ends gives the number of tokens of s and, for each of the budgets, how many
// bytes of s its first so many tokens cover.
func (c Counter) Ends(s string, budgets ...int) (tokens int, ends []int) {
	_, words, err := c.codec.Encode(s)
	ends = make([]int, len(budgets))
	for i, budget := range budgets {
		if err != nil {
			ends[i] = min(len(s), budget)
			continue
		}
		for _, w := range words[:min(budget, len(words))] {
			ends[i] += len(w)
		}
	}
	if err != nil {
		return len(s), ends
	}
	return len(words), ends
}
