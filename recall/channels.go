package recall

import (
	"cmp"
	"slices"

	"engram/index"
	"engram/memory"
	"engram/when"
)

// poolSize is how many candidates are ranked. The evidence of LoCoMo and BEAM
// questions lies within the first 300 (docs/evaluation.md).
const poolSize = 300

// candidate is a document on its way to the answer.
type candidate struct {
	doc      int
	bm       float64 // BM25 by itself ÷ the best
	near     float64 // how promising it looked to the channels
	features [featureCount]float64
	score    float64
	channels map[string]int
	cut      bool
}

// candidates takes the union of the channels: words, their neighbours in the
// session, and time. A question without a searchable word, or one whose words
// occur nowhere while a filter or date narrows the view, looks at the newest.
func (se *search) candidates() []*candidate {
	x := se.space.Index
	scores := x.Search(&se.words, se.allows)
	defer scores.Release()
	best := topK{limit: poolSize}
	for _, d := range scores.Touched() {
		best.add(int(d), se.promise(&scores, int(d)))
	}
	if len(se.question.dates) > 0 || !se.query.Filter.IsZero() || se.words.Bare || se.overall() {
		se.addNewest(&best, &scores)
	}
	sessions := se.sessionPriors(&scores)
	se.addSessions(&best, &scores, sessions)
	pool := make([]*candidate, 0, poolSize)
	for _, h := range best.take() {
		pool = append(pool, &candidate{doc: h.doc, near: h.score})
	}
	if se.question.wantsOrder {
		pool = se.onlySpoken(pool)
	}
	se.features(pool, &scores, sessions)
	return pool
}

// overall reports whether the question asks about everything, whatever its words.
func (se *search) overall() bool { return se.question.wantsOrder || se.question.wantsDigest }

// promise orders candidates before they are ranked: their own words, those of
// their neighbours, and what is cheap to see. The constants only decide who
// enters the pool and are not tuned.
func (se *search) promise(s *index.Scores, doc int) float64 {
	d := se.space.Index.Doc(doc)
	p := 0.0
	if s.Max > 0 {
		p = (s.Of(int32(doc)) + float64(0.5*(s.Of(d.Prev)+s.Of(d.Next)))) / s.Max //nolint:gosec // documents fit int32
	}
	if se.question.speaker != index.None && d.Speaker == se.question.speaker {
		p += 0.3
	}
	if d.Signals.Source == memory.Assistant && !se.question.wantsDigest {
		p -= 0.2
	}
	return p + float64(0.5*se.dateMatch(doc))
}

// addNewest lets in documents that no word found: the newest that the filter
// lets through, those at the question's dates first.
func (se *search) addNewest(best *topK, s *index.Scores) {
	for d, left := se.docs-1, 4*poolSize; d >= 0 && left > 0; d-- {
		if s.Seen(int32(d)) || !se.allows(d) { //nolint:gosec // documents fit int32
			continue
		}
		if len(se.question.dates) > 0 && se.dateMatch(d) == 0 && se.query.Filter.IsZero() && !se.words.Bare && !se.overall() {
			continue
		}
		best.add(d, se.promise(s, d))
		left--
	}
}

// sessionsTaken is how many of the sessions that match best enter the pool as a
// whole; more than a third of the evidence for questions that need several
// turns shares no word with them (docs/evaluation.md).
const sessionsTaken = 10

func (se *search) addSessions(best *topK, s *index.Scores, priors []float64) {
	top := topK{limit: sessionsTaken}
	for id, prior := range priors {
		if prior > 0 {
			top.add(id, prior)
		}
	}
	for _, session := range top.take() {
		members := se.space.Index.Session(int32(session.doc)) //nolint:gosec // sessions fit int32
		for _, d := range members[:min(len(members), 4*poolSize)] {
			if int(d) < se.docs && !s.Seen(d) && se.allows(int(d)) {
				best.add(int(d), se.promise(s, int(d)))
			}
		}
	}
}

// onlySpoken keeps what people said: for the order in which things were brought
// up, the model's answers only stand in the way.
func (se *search) onlySpoken(pool []*candidate) []*candidate {
	spoken := slices.DeleteFunc(slices.Clone(pool), func(c *candidate) bool {
		return !se.space.Index.Doc(c.doc).Signals.Spoken()
	})
	if len(spoken) == 0 {
		return pool
	}
	return spoken
}

// dateMatch says how well the time of a document fits the dates in the
// question: 2 on the day or within the stated time, 1 in its month, 0 else.
func (se *search) dateMatch(doc int) float64 {
	if len(se.question.dates) == 0 {
		return 0
	}
	at := se.entry(doc).Episode.Occurred
	best := 0.0
	for _, m := range se.question.dates {
		best = max(best, dateFit(m, at))
	}
	return best
}

const dayMicros = 24 * 60 * 60 * 1e6

func dateFit(m when.Match, at memory.Time) float64 {
	from, to := m.Interval.Bounds()
	inside := from <= at.Micros && at.Micros < to
	switch half := to/2 - from/2; { // halves, since open ends would overflow
	case half > 20*dayMicros: // more than a month
		if inside {
			return 0.5
		}
	case half > 7*dayMicros: // a month
		if inside {
			return 1
		}
	default:
		// What happened on a day is often told a day or two later.
		if inside || (m.Explicit && from <= at.Micros && at.Micros < to+2*dayMicros) {
			return 2
		}
		if m.Explicit && !m.Interval.From.IsZero() && sameMonth(m.Interval.From, at) {
			return 1
		}
	}
	return 0
}

func sameMonth(a, b memory.Time) bool {
	ya, ma, _ := a.Std().Date()
	yb, mb, _ := b.Std().Date()
	return ya == yb && ma == mb
}

// topK keeps the best documents; ties go to the earlier one.
type topK struct {
	limit int
	hits  []hit
	floor float64
	full  bool
}

type hit struct {
	doc   int
	score float64
}

func (t *topK) add(doc int, score float64) {
	if t.full && score < t.floor {
		return
	}
	t.hits = append(t.hits, hit{doc, score})
	if len(t.hits) >= 4*t.limit {
		t.cut()
	}
}

func (t *topK) cut() {
	slices.SortFunc(t.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
	})
	if len(t.hits) >= t.limit {
		t.hits = t.hits[:t.limit]
		t.floor, t.full = t.hits[t.limit-1].score, true
	}
}

func (t *topK) take() []hit {
	t.cut()
	return t.hits
}
