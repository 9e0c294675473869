package consolidate

import (
	"context"
	"strings"
	"unicode/utf8"

	"engram/memory"
)

// Mark is the name of the watermark of an extractor. A new version has one of
// its own, which begins at 0: it reads everything.
func Mark(x Extractor) string { return x.Name() + "/" + x.Version() }

// Lag is how far a space is behind.
type Lag struct {
	Scope   memory.Scope
	Seq     memory.Seq // what has been read
	Records int        // places behind it
}

// Lag tells how far one space is behind; one that is not has no Records.
func (w *Worker) Lag(ctx context.Context, s memory.Scope) (Lag, error) {
	// The store lists spaces behind a name. This one's without its last letter
	// is before it, and few are in between.
	after := memory.Scope{Tenant: s.Tenant, Space: s.Space}
	_, size := utf8.DecodeLastRuneInString(after.Space)
	after.Space = after.Space[:len(after.Space)-size]
	for {
		lags, err := w.store.Lagging(ctx, Mark(w.extractor), after, page)
		if err != nil {
			return Lag{}, err
		}
		for _, l := range lags {
			if l.Scope == s {
				return w.measure(ctx, s, l.Seq)
			}
			if l.Scope.Tenant != s.Tenant || strings.Compare(l.Scope.Space, s.Space) > 0 {
				return Lag{Scope: s}, nil
			}
			after = l.Scope
		}
		if len(lags) < page {
			return Lag{Scope: s}, nil
		}
	}
}

// lagging lists all spaces that are behind, from the one after the given on.
func (w *Worker) lagging(ctx context.Context, after memory.Scope) ([]Lag, error) {
	var out []Lag
	for {
		lags, err := w.store.Lagging(ctx, Mark(w.extractor), after, page)
		if err != nil {
			return nil, err
		}
		for _, l := range lags {
			lag, err := w.measure(ctx, l.Scope, l.Seq)
			if err != nil {
				return nil, err
			}
			out = append(out, lag)
			after = l.Scope
		}
		if len(lags) < page {
			return out, nil
		}
	}
}

func (w *Worker) measure(ctx context.Context, s memory.Scope, mark memory.Seq) (Lag, error) {
	head, _, err := w.store.Read(ctx, s, memory.Position{}, 0)
	return Lag{Scope: s, Seq: mark, Records: int(head.Seq - mark)}, err
}
