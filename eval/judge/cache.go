package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"engram/llm"
)

// Cached is a model whose answers are kept in a directory by the content of the
// request: the same request to the model of the same name is made once. Errors
// are not kept. It may be used from many goroutines, and processes, at once.
type Cached struct {
	llm.Model
	dir string

	mu    sync.Mutex
	spent Spent
}

// Spent is what a model was asked.
type Spent struct {
	Calls  int `json:"calls"`  // that were answered
	Cached int `json:"cached"` // of these from the cache
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"` // of the calls that were not
}

// NewCached keeps the answers of a model below a directory.
func NewCached(m llm.Model, dir string) *Cached { return &Cached{Model: m, dir: dir} }

// Spent gives what was asked so far.
func (c *Cached) Spent() Spent {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spent
}

// Complete implements llm.Model.
func (c *Cached) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	path, err := c.path(r)
	if err != nil {
		return llm.Response{}, err
	}
	var answer llm.Response
	if b, err := os.ReadFile(path); err == nil && json.Unmarshal(b, &answer) == nil {
		c.count(Spent{Calls: 1, Cached: 1})
		return answer, nil
	}
	answer, err = c.Model.Complete(ctx, r)
	if err != nil {
		return answer, err
	}
	c.count(Spent{Calls: 1, Input: answer.Usage.Input, Output: answer.Usage.Output})
	return answer, c.keep(path, answer)
}

func (c *Cached) count(s Spent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spent.Calls += s.Calls
	c.spent.Cached += s.Cached
	c.spent.Input += s.Input
	c.spent.Output += s.Output
}

func (c *Cached) path(r llm.Request) (string, error) {
	b, err := json.Marshal(struct {
		Model   string
		Request llm.Request
	}{c.Name(), r})
	if err != nil {
		return "", fmt.Errorf("key of a request: %w", err)
	}
	sum := sha256.Sum256(b)
	key := hex.EncodeToString(sum[:])
	return filepath.Join(c.dir, key[:2], key+".json"), nil
}

// keep writes an answer as a whole or not at all.
func (c *Cached) keep(path string, r llm.Response) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // answers to a benchmark are no secret
		return fmt.Errorf("keep an answer: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}
