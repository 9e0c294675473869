package engram

import (
	"context"

	"engram/memory"
)

// History gives everything that was ever believed of a slot: each value with
// the interval in which it held and the interval in which that was known, by
// when it became known. Facts that are no longer believed have a KnownTo.
func (s *Space) History(ctx context.Context, subject, predicate string) ([]Fact, error) {
	st, done, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	view := st.fold.View(Known{})
	rects := view.Rectangles(subject, predicate)
	out := make([]Fact, len(rects))
	for i := range rects {
		out[i] = view.Fact(&rects[i], s.moment(memory.Time{}))
	}
	return out, nil
}
