package recall

import (
	"fmt"

	"github.com/tiktoken-go/tokenizer"
)

// counter counts tokens of o200k, the vocabulary of the budget.
type counter struct{ codec tokenizer.Codec }

func newCounter() (counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return counter{}, fmt.Errorf("load the o200k vocabulary: %w", err)
	}
	return counter{codec}, nil
}

func (c counter) count(s string) int {
	n, err := c.codec.Count(s)
	if err != nil {
		// The codec fails on no valid UTF-8, and nothing else is stored; a byte
		// is never less than a token.
		return len(s)
	}
	return n
}

// CountTokens counts the o200k tokens of s.
func (r *Recaller) CountTokens(s string) int { return r.tokens.count(s) }
