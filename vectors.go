package engram

import (
	"context"
	"slices"
	"sort"

	"engram/index/vectors"
	"engram/memory"
	"engram/store"
)

// vectorsWait reports whether the store may have vectors that the state lacks.
func (s *Space) vectorsWait(st *state, head store.Head) bool {
	return s.engine.model != nil && head.Vectors != st.seen
}

// catchVectors takes in the vectors that were put since the last time. behind
// means that some are of records which are still to be folded.
func (s *Space) catchVectors(ctx context.Context, st *state) (behind bool, err error) {
	if !s.vectorsWait(st, st.head) {
		return false, nil
	}
	// The watermark first: what it covers is then among the vectors.
	made, err := s.made(ctx)
	if err != nil {
		return false, err
	}
	if made == nil || made.Seq < st.through || st.vectors != nil && st.vectors.Dim() != made.Dim { // somebody dropped them
		st.dropVectors()
	}
	if made == nil {
		st.seen = st.head.Vectors
		return false, nil
	}
	if st.vectors == nil {
		st.vectors = vectors.New(made.Model, made.Dim)
	}
	for {
		head, page, err := s.engine.store.Vectors(ctx, s.scope, made.Model, st.at, pageSize)
		if err != nil {
			return false, err
		}
		if head.Epoch != st.head.Epoch || slices.ContainsFunc(page, func(v store.Vector) bool { return v.Seq > st.head.Seq }) {
			return true, nil
		}
		for i := range page {
			st.putVector(&page[i])
			st.at = page[i].Position
		}
		if len(page) < pageSize {
			st.seen, st.through = head.Vectors, made.Seq
			return false, nil
		}
	}
}

// made gives what the configured model has made here; nil for nothing.
func (s *Space) made(ctx context.Context) (*store.VectorModel, error) {
	models, err := s.engine.store.VectorModels(ctx, s.scope)
	if err != nil {
		return nil, err
	}
	for i := range models {
		if models[i].Model == s.engine.model.Name() {
			return &models[i], nil
		}
	}
	return nil, nil //nolint:nilnil // nothing is no error
}

func (st *state) dropVectors() { st.vectors, st.through, st.at = nil, 0, 0 }

// putVector gives a document its vector. One that cannot be read, or that is of
// no document, is passed over: words find the document.
func (st *state) putVector(v *store.Vector) {
	episode := st.upTo(v.Seq) - 1
	if episode < 0 || st.fold.Entry(episode).Seq != v.Seq {
		return
	}
	from, to := st.index.DocsOf(episode)
	if from+v.Part >= to {
		return
	}
	if decoded, err := vectors.Decode(v.Data); err == nil {
		_ = st.vectors.Put(from+v.Part, decoded) // of another dimension: a hole
	}
}

// upTo is the number of episodes up to a place in the log.
func (st *state) upTo(seq memory.Seq) int {
	return sort.Search(st.fold.Len(), func(i int) bool { return st.fold.Entry(i).Seq > seq })
}

// embedded is the last episode up to which all have their vectors; 0 for none.
func (st *state) embedded() memory.Seq {
	if n := st.upTo(st.through); n > 0 {
		return st.fold.Entry(n - 1).Seq
	}
	return 0
}
