package engram

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/memory"
	"engram/recall"
)

// Each of these is the last note of an answer whose best items no reranker has
// put in order though there is one; isUnranked knows the form.
const (
	rankNoteBegin  = "The reranker "
	rankNoteEnd    = "; the ranker's order stands."
	noteLate       = rankNoteBegin + "%s did not answer in time" + rankNoteEnd
	noteFailed     = rankNoteBegin + "%s could not be asked" + rankNoteEnd
	noteOvertaken  = rankNoteBegin + "%s was overtaken by an erasure" + rankNoteEnd
	stepNoReranker = "rerank" // what a query leaves out to keep the ranker's order
)

func isUnranked(note string) bool {
	return strings.HasPrefix(note, rankNoteBegin) && strings.HasSuffix(note, rankNoteEnd)
}

// reranks reports whether the best items are put in order by a reranker.
func (e *Engine) reranks(q *Query, past *Answer) bool {
	return e.opts.Reranker != nil && !slices.Contains(q.Without, stepNoReranker) && (past == nil || past.Reranker != "")
}

// rerank asks the reranker within its time; the state must not be held, since
// that may be long. If it gives nothing, the note says why.
func (e *Engine) rerank(ctx context.Context, list *recall.Shortlist) (order *recall.Reranked, note string, err error) {
	if list.Len() == 0 {
		return nil, "", nil
	}
	by, late := e.opts.Reranker, ctx
	late, cancel := context.WithTimeout(late, e.opts.RerankTime)
	defer cancel()
	if order, err = list.Rerank(late, by); err == nil {
		return order, "", nil
	}
	e.opts.Logger.WarnContext(ctx, "not reranked", "reranker", by.Name(), "error", err)
	if late.Err() != nil {
		return nil, fmt.Sprintf(noteLate, by.Name()), err
	}
	return nil, fmt.Sprintf(noteFailed, by.Name()), err
}

// rerankable refuses an answer in whose order this engine has no say.
func (s *Space) rerankable(a *Answer) error {
	name := ""
	if r := s.engine.opts.Reranker; r != nil {
		name = r.Name()
	}
	if a.Reranker != "" && a.Reranker != name {
		return fmt.Errorf("the answer was put in order by %s, this engine has %q: %w", a.Reranker, name, memory.ErrInvalid)
	}
	return nil
}

// sayReranked completes an answer: who put it in order, or why nobody did.
func (e *Engine) sayReranked(a *Answer, order *recall.Reranked, note string, past *Answer) {
	if order != nil {
		a.Reranker = e.opts.Reranker.Name()
	}
	if past != nil && len(past.Notes) > 0 && isUnranked(past.Notes[len(past.Notes)-1]) {
		note = past.Notes[len(past.Notes)-1] // that it was late is not part of the log
	}
	if note != "" {
		a.Notes = append(a.Notes, note)
	}
}
