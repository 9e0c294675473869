package engram

import (
	"context"
	"fmt"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"engram/consolidate"
	"engram/ingest"
	"engram/memory"
	"engram/recall"
	"engram/store"
)

// Engine is a memory over one store. It starts no goroutine and may be used
// from many. Several engines, also in several processes, may share a store:
// each reads what came after its own position before it answers.
type Engine struct {
	store    store.Store
	opts     Options
	writer   *ingest.Writer
	recaller *recall.Recaller
	worker   *consolidate.Worker // nil without an extractor
	model    *model              // nil without an embedder

	mu     sync.Mutex // of folded: taking a state and making one are one step
	folded *lru.Cache[memory.Scope, *state]
}

// Open gives an Engine over an open store. The caller closes the engine, which
// closes the store.
func Open(ctx context.Context, s store.Store, opts Options) (*Engine, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	opts.setDefaults()
	recaller, err := newRecaller(&opts)
	if err != nil {
		return nil, err
	}
	folded, err := lru.New[memory.Scope, *state](opts.Spaces)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		store: s, opts: opts, recaller: recaller, folded: folded,
		writer: ingest.New(s, opts.Now, opts.Random),
	}
	if x := opts.Extractor; x != nil {
		if e.worker, err = consolidate.New(s, x, e.writer.NewID, consolidate.Options{}); err != nil {
			return nil, err
		}
	}
	if opts.Embedder != nil {
		if e.model, err = newModel(s, &opts); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func newRecaller(o *Options) (*recall.Recaller, error) {
	var err error
	words, vectors := o.Weights, o.VectorWeights
	if words == nil {
		words = new(recall.Weights)
		*words, err = recall.Builtin()
	}
	if vectors == nil && err == nil {
		vectors = new(recall.Weights)
		*vectors, err = recall.BuiltinVectors()
	}
	if err != nil {
		return nil, fmt.Errorf("read the built-in weights: %w", err)
	}
	return recall.New(*words, *vectors)
}

// Close closes the store. Calls under way end first or give memory.ErrClosed.
func (e *Engine) Close() error {
	e.folded.Purge()
	return e.store.Close()
}

// Space gives a handle on one space; an empty tenant or space name is the
// default one. The space need not exist: the first Remember makes it.
func (e *Engine) Space(s Scope) (*Space, error) {
	scope, err := memory.NewScope(s.Tenant, s.Space)
	if err != nil {
		return nil, err
	}
	return &Space{engine: e, scope: scope}, nil
}

// Spaces lists the spaces of a tenant by name, from the one after the given
// name on, at most limit.
func (e *Engine) Spaces(ctx context.Context, tenant, after string, limit int) ([]store.Space, error) {
	if tenant == "" {
		tenant = memory.DefaultTenant
	}
	return e.store.Spaces(ctx, tenant, after, limit)
}

// Check reads the whole store and reports what is damaged.
func (e *Engine) Check(ctx context.Context) (store.Report, error) { return e.store.Check(ctx) }

// CountTokens counts tokens as budgets do (o200k).
func (e *Engine) CountTokens(s string) int { return e.recaller.CountTokens(s) }

// state gives the folded state of a space, made on first use.
func (e *Engine) state(s memory.Scope) *state {
	e.mu.Lock()
	defer e.mu.Unlock()
	st, ok := e.folded.Get(s)
	if !ok {
		st = newState(*e.opts.Schema)
		e.folded.Add(s, st)
	}
	return st
}
