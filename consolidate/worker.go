package consolidate

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"engram/memory"
	"engram/store"
)

// Options of a Worker. The zero value works.
type Options struct {
	// Turns is how many turns are read into one batch. Defaults to 256.
	Turns int
	// Whole is how many assertions of another version are replaced in one batch,
	// so that readers see all of the old or all of the new ones. Above it a space
	// is replaced batch by batch, the oldest turns first. Defaults to 20,000.
	Whole int
}

// Worker reads what came into spaces since it, or another worker with the same
// extractor and version, was there last. It keeps nothing between calls and may
// be used from many goroutines; any number of workers may follow one store.
type Worker struct {
	store     store.Store
	extractor Extractor
	newID     func() (memory.ID, error)
	opts      Options
}

// maxExtractor is the longest name and version of an extractor together, so that
// the keys of what it finds stay within memory.MaxName.
const maxExtractor = 256

// New gives a Worker that makes ids with newID. An extractor without a name or
// a version, or with long ones, gives memory.ErrInvalid.
func New(s store.Store, x Extractor, newID func() (memory.ID, error), o Options) (*Worker, error) {
	if x.Name() == "" || x.Version() == "" || len(x.Name())+len(x.Version()) > maxExtractor {
		return nil, fmt.Errorf("an extractor has a name and a version, of %d bytes at most: %w", maxExtractor, memory.ErrInvalid)
	}
	o.Turns, o.Whole = cmp.Or(o.Turns, 256), cmp.Or(o.Whole, 20_000)
	return &Worker{store: s, extractor: x, newID: newID, opts: o}, nil
}

// Report counts what a call did. What it counts is durable, also beside an error.
type Report struct {
	Spaces     int `json:"spaces"` // in which there was something to read
	Turns      int `json:"turns"`  // that were read
	Assertions int `json:"assertions"`
	Aliases    int `json:"aliases"`
	Replaced   int `json:"replaced"` // assertions of another version that were retracted
	Failed     int `json:"failed"`   // turns that could not be read
}

// Progress tells how far a call has come, in records. It may be nil.
type Progress func(done, total int)

// page is how many spaces are listed, and how many records are read, at once.
const page = 512

// All reads all spaces that are behind. A space that cannot be read does not
// keep the others waiting; the errors come joined in the end.
func (w *Worker) All(ctx context.Context, progress Progress) (Report, error) {
	var report Report
	total, failed := 0, []error(nil)
	lags, err := w.lagging(ctx, memory.Scope{})
	if err != nil {
		return report, err
	}
	for _, l := range lags {
		total += l.Records
	}
	done := 0
	for _, l := range lags {
		err := w.space(ctx, l.Scope, &report, func(n int) {
			done += n
			if progress != nil {
				progress(done, max(total, done))
			}
		})
		switch {
		case ctx.Err() != nil:
			return report, ctx.Err()
		case errors.Is(err, memory.ErrClosed):
			return report, err
		case err != nil:
			failed = append(failed, err)
		}
	}
	return report, errors.Join(failed...)
}

// Space reads one space. One that is not behind, or that does not exist, is done
// at once.
func (w *Worker) Space(ctx context.Context, s memory.Scope, progress Progress) (Report, error) {
	var report Report
	lag, err := w.Lag(ctx, s)
	if err != nil || lag.Records == 0 {
		return report, err
	}
	done := 0
	err = w.space(ctx, s, &report, func(n int) {
		done += n
		if progress != nil {
			progress(done, max(lag.Records, done))
		}
	})
	return report, err
}

// errMoved: another worker went ahead, or something was erased. What was read
// since the watermark is read anew.
var errMoved = errors.New("the space has moved on")

// tries is how often a space is begun anew without getting ahead.
const tries = 100

// space reads a space until it is not behind.
func (w *Worker) space(ctx context.Context, s memory.Scope, report *Report, passed func(records int)) error {
	var last memory.Seq
	for lost, first := 0, true; ; first = false {
		lag, err := w.Lag(ctx, s)
		if err != nil || lag.Records == 0 {
			return err
		}
		if first {
			report.Spaces++
		} else if lag.Seq > last {
			lost = 0
		}
		last = lag.Seq
		p := pass{worker: w, scope: s, base: lag.Seq, at: lag.Seq, report: report, passed: passed}
		if err := p.run(ctx); err != nil && !errors.Is(err, errMoved) {
			return fmt.Errorf("consolidate %s: %w", s.Space, err)
		} else if err != nil {
			if lost++; lost == tries {
				return fmt.Errorf("consolidate %s: %w", s.Space, memory.ErrConflict)
			}
		}
	}
}
