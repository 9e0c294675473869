// Package recall answers a question from one space: it finds candidates by
// words, vectors, session, speaker and time, ranks them, and packs the facts in
// question and the best of the words into a small fenced context. The steps are
// files: parse, channels, vectors, features, rank, rerank, facts, pin, pack,
// verdict. It reads the fold and the indexes and changes neither; it may import
// memory, text, when, timeline, index and index/vectors, rerank and the token
// counter.
package recall

import (
	"fmt"

	"engram/index"
	"engram/index/vectors"
	"engram/internal/tokens"
	"engram/memory"
	"engram/timeline"
)

// Space is what a recall reads. The caller keeps it from changing meanwhile.
type Space struct {
	Scope memory.Scope
	Head  memory.Position // of the log that is read
	View  timeline.View   // what is known at the point from which the question looks
	Fold  *timeline.Fold
	Index *index.Index
	Said  *index.Index // of assertions

	Vectors *vectors.Set    // of documents; nil: none
	Meaning *vectors.Vector // the question's, of the same model; nil: none
	Model   string          // the model's name

	Reranked *Reranked // of the question's Shortlist; nil: the ranker's order stands
}

// Recaller answers questions. It has no state but its weights and the token
// counter, and may be used from many goroutines at once.
type Recaller struct {
	words, vectors Weights
	tokens         tokens.Counter
}

// New gives a Recaller with two sets of weights: words ranks where there are no
// vectors, vectors where the question has one and at least nine in ten of the
// documents that can be seen. A set of the other kind gives memory.ErrInvalid.
func New(words, vectors Weights) (*Recaller, error) {
	if words.UsesVectors() || !vectors.UsesVectors() {
		return nil, fmt.Errorf("the weights %s and %s are not one set for words and one for vectors: %w", words.ID, vectors.ID, memory.ErrInvalid)
	}
	c, err := tokens.New()
	if err != nil {
		return nil, err
	}
	return &Recaller{words: words, vectors: vectors, tokens: c}, nil
}

// CountTokens counts the o200k tokens of s.
func (r *Recaller) CountTokens(s string) int { return r.tokens.Count(s) }

// WordsID names the weights where there are no vectors.
func (r *Recaller) WordsID() string { return r.words.ID }

// VectorsID names the weights where there are vectors.
func (r *Recaller) VectorsID() string { return r.vectors.ID }

// search is one question on its way through the steps.
type search struct {
	r     *Recaller
	space Space
	view  timeline.View
	query memory.Query
	now   memory.Time
	docs  int // documents of the view

	question question
	words    index.Query
	meaning  *meaning // nil without vectors
	weights  *Weights // of the ranker
	judge    *Weights // of the verdict
}

// Recall answers q, which has been resolved, as seen at now.
func (r *Recaller) Recall(s Space, q memory.Query, now memory.Time) memory.Answer {
	se := r.begin(s, q, now)
	pool := se.candidates()
	se.rank(pool)
	kept, same := se.novel(pool)
	se.rerank(kept)
	if se.without(stepTurns) {
		kept = nil
	}
	if q.Limit > 0 && len(kept) > q.Limit {
		kept = kept[:q.Limit]
	}
	facts := se.facts()
	p := se.pack(kept, se.pinned(), facts)
	a := memory.Answer{
		Context: p.context, Tokens: p.tokens, Facts: p.facts, Items: se.items(p, same), Verdict: se.verdict(p.facts, kept),
		Position: memory.Position{Epoch: s.Head.Epoch, Seq: s.View.Seq()}, Head: s.Head.Seq,
		Scope: s.Scope, Query: q, Now: now, Weights: se.weights.ID, Notes: p.notes,
	}
	if se.view.Count() == 0 && se.view.Assertions() == 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("The memory %q holds nothing at this point.", s.Scope.Space))
	}
	return a
}

// begin reads the question against the state of the space.
func (r *Recaller) begin(s Space, q memory.Query, now memory.Time) *search {
	se := &search{r: r, space: s, view: s.View, query: q, now: now, docs: s.Index.Len(s.View.Len())}
	anchor := now
	if !q.Valid.IsZero() {
		anchor = q.Valid
	}
	se.question = parse(q.Question, anchor, s.Index, se.docs)
	if se.without(stepDates) {
		se.question.dates = nil
	}
	asked := q.Question
	if se.without(stepWords) {
		asked = ""
	}
	se.words = s.Index.Parse(asked, se.docs)
	se.findMeaning()
	return se
}

// allows reports whether a document may be seen at all: known and active at
// the view, and let through by the filter. Everything else counts as if it
// were not there, so that a filter narrows before the best are taken.
func (se *search) allows(doc int) bool {
	e := int(se.space.Index.Doc(doc).Episode)
	return se.view.Visible(e) && (se.query.Filter.IsZero() || se.query.Filter.Match(se.space.Fold.Entry(e).Episode))
}

func (se *search) entry(doc int) *timeline.Entry {
	return se.space.Fold.Entry(int(se.space.Index.Doc(doc).Episode))
}

func (se *search) text(doc int) string {
	d := se.space.Index.Doc(doc)
	return se.entry(doc).Episode.Text[d.Start:d.End]
}

// items lists what the context holds: what was ranked, in that order, then
// what is pinned and no channel found.
func (se *search) items(p packed, same map[int][]memory.Seq) []memory.Item {
	out := make([]memory.Item, 0, len(p.chosen)+len(p.pins))
	ranked := map[int]bool{}
	for _, c := range p.chosen {
		item := se.item(c.doc)
		item.Score, item.Excerpt, item.Same = c.score, c.cut, same[c.doc]
		item.Pinned = p.pinnedDoc(c.doc)
		if se.query.Explain {
			item.Explanation = se.explain(c)
		}
		ranked[c.doc] = true
		out = append(out, item)
	}
	for _, pin := range p.pins {
		if ranked[pin.doc] {
			continue
		}
		item := se.item(pin.doc)
		item.Pinned, item.Excerpt = true, !pin.whole
		if se.query.Explain {
			item.Explanation = &memory.Explanation{Why: []string{pin.why}}
		}
		out = append(out, item)
	}
	return out
}

func (se *search) item(doc int) memory.Item {
	d, e := se.space.Index.Doc(doc), se.entry(doc)
	item := memory.Item{
		Kind: e.Episode.Kind, ID: e.ID, Seq: e.Seq, Text: e.Episode.Text[d.Start:d.End],
		Session: e.Episode.Session, Speaker: e.Episode.Speaker, Source: e.Episode.Source,
		Occurred: e.Episode.Occurred, Path: e.Episode.Path,
	}
	if d.Parts > 1 {
		item.Part, item.Parts = int(d.Part), int(d.Parts)
	}
	return item
}
