package stories

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram"
	"engram/memory"
)

// Opener opens an engine over a fresh store for the story of an id, with the
// extractor that is measured. now is its clock, which moves with the story. The
// engine is closed when the story was checked.
type Opener func(ctx context.Context, id string, now func() time.Time) (*engram.Engine, error)

// Measure tells each story into an engine of its own, consolidates it and makes
// its checks. after, if not nil, is called after each story.
func Measure(ctx context.Context, list []Story, open Opener, after func()) (*Report, error) {
	r := newReport()
	for i := range list {
		if err := list[i].measure(ctx, open, r); err != nil {
			return nil, fmt.Errorf("story %s: %w", list[i].ID, err)
		}
		if after != nil {
			after()
		}
	}
	r.finish()
	return r, nil
}

func (s *Story) measure(ctx context.Context, open Opener, r *Report) (err error) {
	clock := s.Episodes[0].Recorded.Std()
	engine, err := open(ctx, s.ID, func() time.Time { return clock })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	space, err := engine.Space(engram.Scope{Space: "eval"})
	if err != nil {
		return err
	}
	for i := range s.Episodes {
		e := &s.Episodes[i]
		clock = e.Recorded.Std()
		if _, err := space.Remember(ctx, e.episode()); err != nil {
			return fmt.Errorf("remember episode %d: %w", i+1, err)
		}
	}
	clock = s.Now.Std()
	if _, err := space.Consolidate(ctx); err != nil {
		return fmt.Errorf("consolidate: %w", err)
	}
	w, err := listen(ctx, s, space)
	if err != nil {
		return err
	}
	for i := range s.Checks {
		found, ok, err := w.check(ctx, &s.Checks[i])
		if err != nil {
			return fmt.Errorf("check %d: %w", i+1, err)
		}
		r.count(s, i, ok, found)
	}
	return nil
}

func (e *Episode) episode() memory.Episode {
	return memory.Episode{
		Text: e.Text, Occurred: e.Occurred.Time, Session: e.Session, Speaker: e.Speaker, Source: sources[e.Role], IDKey: e.ID,
	}
}
