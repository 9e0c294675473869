package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
	"engram/rerank/http"
)

const rerankHelp = `--rerank lets a cross-encoder behind a server put the best 50 items in order, for which it has two
seconds: cohere:MODEL@URL (Cohere, Jina, vLLM, llama.cpp) or tei:MODEL@URL; URL is the address
before /v1/rerank (tei: /rerank), or up to the version, or the whole; the key is
ENGRAM_RERANK_KEY. If it fails, the order stands, and a note says so.`

// rerankFlag adds --rerank to a command.
func rerankFlag(cmd *cobra.Command, a *app) {
	cmd.Flags().Var(&a.rerank, "rerank", "`SHAPE:MODEL@URL` of what puts the best items in order (default none)")
}

// newReranker gives the server that a spec names.
func (a *app) newReranker(spec string) (*http.Reranker, error) {
	shape, rest, _ := strings.Cut(spec, ":")
	model, url, ok := cutServer(rest)
	if !ok || url == "" {
		return nil, fmt.Errorf("the reranker %q is none of cohere:MODEL@URL, tei:MODEL@URL: %w", spec, memory.ErrInvalid)
	}
	r, err := http.New(http.Options{Shape: http.Shape(shape), Model: model, URL: url, Key: a.getenv("ENGRAM_RERANK_KEY")})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, memory.ErrInvalid)
	}
	return r, nil
}
