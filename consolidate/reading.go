package consolidate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"engram/memory"
)

// read is what one turn adds to the log.
type read struct {
	turn    memory.ID
	records []memory.Record // assertions, then aliases
	found   []finding       // of the assertions
	failed  bool
}

// read gives what a turn adds: what the extractor finds in it, or the note that
// it could not be read. An error means that the turn has to wait.
func (w *Worker) read(ctx context.Context, win Window) (read, error) {
	out := read{turn: win.Turn.ID}
	if strings.TrimSpace(win.Turn.Text) == "" { // all of it was fenced
		return out, nil
	}
	findings, err := w.extract(ctx, win)
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if err == nil {
		err = w.take(&out, win, findings)
	}
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, memory.ErrBusy):
		return out, err
	}
	out = read{turn: win.Turn.ID, failed: true}
	return out, w.add(&out, "failed", w.failure(win.Turn.ID, err))
}

// extract asks the extractor. A panic over one text is a turn that could not be
// read, and no end of everything.
func (w *Worker) extract(ctx context.Context, win Window) (f Findings, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the extractor broke: %v", p)
		}
	}()
	return w.extractor.Extract(ctx, win)
}

// take makes records of findings. One that cannot be kept refuses them all.
func (w *Worker) take(out *read, win Window, f Findings) error {
	for i := range f.Assertions {
		a := f.Assertions[i]
		if err := w.complete(&a, win.Turn); err != nil {
			return fmt.Errorf("assertion %d: %w", i, err)
		}
		if err := w.add(out, strconv.Itoa(i), &a); err != nil {
			return err
		}
		out.found = append(out.found, finding{out.records[len(out.records)-1].ID, &a})
	}
	for i := range f.Aliases {
		a := f.Aliases[i]
		err := a.Validate()
		if err == nil && a.Rel != memory.SameAs && a.Rel != memory.Apart {
			err = fmt.Errorf("%s ties no names: %w", a.Rel, memory.ErrInvalid)
		}
		if err != nil {
			return fmt.Errorf("alias %d: %w", i, err)
		}
		if err := w.add(out, aliasPlace+strconv.Itoa(i), &a); err != nil {
			return err
		}
	}
	return nil
}

// complete fills in what an assertion has from its turn. Whose word it is, and
// from when on it is known, is never the extractor's choice.
func (w *Worker) complete(a *memory.Assertion, t Turn) error {
	a.Extractor, a.Version, a.IDKey = w.extractor.Name(), w.extractor.Version(), ""
	a.Said, a.Source = t.Occurred, cmp.Or(t.Source, memory.User)
	a.News = cmp.Or(a.News, memory.Change)
	if len(a.Provenance) == 0 {
		a.Provenance = []memory.Span{{Episode: t.ID}}
	}
	for _, s := range a.Provenance {
		if s.Episode != t.ID || s.End > len(t.Text) {
			return fmt.Errorf("provenance is a place in the turn that was read: %w", memory.ErrInvalid)
		}
	}
	return a.Validate()
}

// add adds a record whose key says where it was found: found again there, it is
// not written again.
func (w *Worker) add(out *read, place string, body memory.Body) error {
	id, err := w.newID()
	if err != nil {
		return err
	}
	out.records = append(out.records, memory.Record{ID: id, IDKey: Mark(w.extractor) + "/" + out.turn.String() + "/" + place, Body: body})
	return nil
}

const aliasPlace = "alias/"

// AliasOf gives the version and the turn of an alias that an extractor found. An
// alias does not name its extractor; its key does.
func AliasOf(r *memory.Record, extractor string) (version string, turn memory.ID, ok bool) {
	if _, alias := r.Body.(*memory.Association); !alias {
		return "", turn, false
	}
	key, ok := strings.CutPrefix(r.IDKey, extractor+"/")
	at := strings.LastIndex(key, "/"+aliasPlace)
	if !ok || at < 0 {
		return "", turn, false
	}
	cut := strings.LastIndex(key[:at], "/")
	if cut < 0 {
		return "", turn, false
	}
	turn, err := memory.ParseID(key[cut+1 : at])
	return key[:cut], turn, err == nil
}
