package engram

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/index/vectors"
	"engram/memory"
	"engram/recall"
)

// meaning is by what a recall looks beside words.
type meaning struct {
	vector  *vectors.Vector // of the question; nil: words alone
	through memory.Seq      // the vectors of the records up to there
	gap     *gap            // why it is words alone, if a model is configured
}

// gap is why a model does not help.
type gap struct {
	note  string
	cause error
}

// Each of these is the first note of an answer, of the form that isGap knows.
const (
	noteBegin   = "The model "
	noteEnd     = "; searched by words alone."
	noteUnasked = noteBegin + "%s could not be asked" + noteEnd
	noteBehind  = noteBegin + "%s has not read enough of this memory yet (Embed or engram consolidate does it)" + noteEnd
	noteOther   = noteBegin + "%s gives vectors of %d dimensions, those of this memory have %d" + noteEnd
)

func isGap(note string) bool {
	return strings.HasPrefix(note, noteBegin) && strings.HasSuffix(note, noteEnd)
}

func (m *model) unasked(err error) *gap {
	return &gap{fmt.Sprintf(noteUnasked, m.Name()), err}
}

func (m *model) behind() *gap {
	return &gap{fmt.Sprintf(noteBehind, m.Name()), memory.ErrBusy}
}

// withoutVectors is the step that a query leaves out to go by words alone.
const withoutVectors = "vectors"

// look is read, with the meaning of the question. The state is not held while the
// model is asked, which may take its time. past is the answer that is to be given
// again, if there is one.
func (s *Space) look(ctx context.Context, q *Query, past *Answer) (st *state, done func(), m meaning, err error) {
	if st, done, err = s.read(ctx); err != nil {
		return nil, nil, m, err
	}
	wants := false
	if wants, m.gap = s.wantsVector(st, q, past); !wants {
		return st, done, m, nil
	}
	v, ok := s.engine.model.known(q.Question)
	if !ok {
		done()
		if v, m.gap, err = s.askModel(ctx, q.Question); err != nil {
			return nil, nil, m, err
		}
		if st, done, err = s.read(ctx); err != nil || m.gap != nil {
			return st, done, m, err
		}
	}
	return st, done, s.meaning(st, &v, past), nil
}

// wantsVector reports whether the vector of the question would be of use.
func (s *Space) wantsVector(st *state, q *Query, past *Answer) (bool, *gap) {
	model := s.engine.model
	if model == nil || strings.TrimSpace(q.Question) == "" || slices.Contains(q.Without, withoutVectors) {
		return false, nil
	}
	if past != nil {
		return past.Model != "", nil
	}
	n := st.fold.View(q.Known).Count()
	if n > 0 && !st.mayCover(n) {
		return false, model.behind()
	}
	return n > 0, nil
}

// askModel gives the vector of a question, or why there is none. An error is
// that of the caller's context.
func (s *Space) askModel(ctx context.Context, question string) (vectors.Vector, *gap, error) {
	model := s.engine.model
	v, err := model.ask(ctx, question)
	if err == nil {
		return v, nil, nil
	}
	if ctx.Err() != nil {
		return v, nil, ctx.Err()
	}
	return v, model.unasked(err), nil
}

// meaning ties the vector of a question to those of a state.
func (s *Space) meaning(st *state, v *vectors.Vector, past *Answer) (m meaning) {
	if v.Scale == 0 { // the question has no words
		return m
	}
	model := s.engine.model
	m.through = st.embedded()
	if past != nil {
		m.through = past.Embedded
	}
	switch {
	case st.vectors == nil || m.through > st.through:
		m.gap = model.behind()
	case st.vectors.Dim() != len(v.Values):
		m.gap = &gap{fmt.Sprintf(noteOther, model.Name(), len(v.Values), st.vectors.Dim()), memory.ErrInvalid}
	default:
		m.vector = v
	}
	return m
}

// mayCover reports whether so many vectors are there that the recall may use
// them, for there are at least as many documents as episodes. It spares asking
// the model in vain.
func (st *state) mayCover(episodes int) bool {
	return st.vectors != nil && recall.Covered(st.vectors.Len(), episodes)
}

// replayable refuses an answer that this engine would give otherwise.
func (s *Space) replayable(a *Answer) error {
	ours, name := s.engine.recaller.WordsID(), ""
	if a.Model != "" {
		ours = s.engine.recaller.VectorsID()
		if s.engine.model != nil {
			name = s.engine.model.Name()
		}
		if name == "" {
			return fmt.Errorf("the answer was found by the vectors of %s, this engine has no model: %w", a.Model, memory.ErrInvalid)
		}
		if name != a.Model {
			return fmt.Errorf("the answer was found by the vectors of %s, this engine has those of %s: %w", a.Model, name, memory.ErrInvalid)
		}
	}
	if a.Weights != ours {
		return fmt.Errorf("the answer was ranked by %s, this engine ranks by %s: %w", a.Weights, ours, memory.ErrInvalid)
	}
	return nil
}

// say completes an answer: by which vectors it was found, or why by none.
func (m *meaning) say(a *Answer, e *Engine, past *Answer) {
	if m.vector != nil && a.Weights == e.recaller.VectorsID() {
		a.Model, a.Embedded = e.model.Name(), m.through
		return
	}
	if m.vector != nil {
		m.gap = e.model.behind()
	}
	note := ""
	switch {
	case past != nil && len(past.Notes) > 0 && isGap(past.Notes[0]):
		note = past.Notes[0] // the state of a model is not part of the log
	case past == nil && m.gap != nil:
		note = m.gap.note
	}
	if note != "" {
		a.Notes = append([]string{note}, a.Notes...)
	}
}

// recallSpace is what a recall of a state looks at.
func (s *Space) recallSpace(st *state, head memory.Seq, known Known, m *meaning) recall.Space {
	head = min(head, st.fold.Head())
	out := recall.Space{
		Scope: s.scope, Head: memory.Position{Epoch: st.head.Epoch, Seq: head},
		View: st.fold.ViewOf(head, known), Fold: st.fold, Index: st.index, Said: st.said,
	}
	if m.vector != nil {
		out.Meaning, out.Vectors, out.Model = m.vector, st.vectors.First(st.index.Len(st.upTo(m.through))), s.engine.model.Name()
	}
	return out
}
