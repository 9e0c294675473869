package recall

import (
	"cmp"
	"container/heap"
	"slices"

	"engram/index"
	"engram/index/vectors"
	"engram/memory"
	"engram/when"
)

// poolSize is how many candidates are ranked: 600 instead of 300 lift covered@4k
// by 0.7 points on LoCoMo and 0.2 on BEAM (docs/evaluation.md).
const poolSize = 600

// candidate is a document on its way to the answer.
type candidate struct {
	doc      int
	features [featureCount]float64
	score    float64
	worth    float64 // by which it is packed
	channels map[string]int
	shown    bool // in the context
	cut      bool
	held     float64 // sum of the idf of the question's words that it has
	cosine   float64 // to the question, if near says that there is one
	near     bool
}

// matchesTaken is how many of the documents that match best by their own words
// are looked at closely, with the turns beside them.
const matchesTaken = poolSize

// candidates takes the union of the channels: words, the turns beside a match,
// the sessions that match best, time, and what is nearest in meaning. A question without a searchable word,
// or one about everything or a certain time, looks at the newest too.
func (se *search) candidates() []*candidate {
	x := se.space.Index
	gate := se.gate()
	scores := x.Search(&se.words, gate)
	defer scores.Release()
	matches := topK{limit: matchesTaken}
	for _, d := range scores.Touched() {
		matches.add(int(d), scores.Of(d))
	}
	u := union{se: se, scores: &scores, best: topK{limit: poolSize}, seen: make(map[int]bool, 3*matchesTaken)}
	taken := matches.take()
	beside := !se.without(stepNeighbours)
	for _, m := range taken {
		d := x.Doc(m.doc)
		if beside {
			u.add(int(d.Prev))
		}
		u.add(m.doc)
		if beside {
			u.add(int(d.Next))
		}
	}
	priors := se.sessionPriors(taken)
	if !se.without(stepSessions) {
		u.addSessions(priors)
	}
	if !se.without(stepNewest) && (len(se.question.dates) > 0 || !se.query.Filter.IsZero() || se.words.Bare || se.overall()) {
		u.addNewest()
	}
	pool := u.pool(se.meaning.nearest(se, gate))
	if se.question.wantsOrder && !se.without(stepSpoken) {
		pool = se.onlySpoken(pool)
	}
	se.features(pool, &scores, priors)
	se.meaning.features(se, pool, gate)
	se.blank(pool)
	return pool
}

// gate is allows, or nil if everything is allowed.
func (se *search) gate() func(int) bool {
	if se.query.Filter.IsZero() && se.view.Count() == se.view.Len() {
		return nil
	}
	return se.allows
}

// union collects the candidates of all channels, each once.
type union struct {
	se     *search
	scores *index.Scores
	best   topK
	seen   map[int]bool
}

func (u *union) add(doc int) {
	if doc == index.None || doc >= u.se.docs || u.seen[doc] {
		return
	}
	u.seen[doc] = true
	if u.scores.Of(int32(doc)) > 0 || u.se.allows(doc) {
		u.best.add(doc, u.se.promise(u.scores, doc))
	}
}

// pool gives the most promising, then those nearest in meaning that are not
// among them: words promise nothing of what they do not find.
func (u *union) pool(nearest []vectors.Hit) []*candidate {
	pool := make([]*candidate, 0, poolSize+len(nearest))
	in := make(map[int]bool, poolSize)
	for _, h := range u.best.take() {
		pool = append(pool, &candidate{doc: h.doc})
		in[h.doc] = true
	}
	for _, h := range nearest {
		if !in[h.Doc] {
			pool = append(pool, &candidate{doc: h.Doc})
		}
	}
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
		p = (s.Of(int32(doc)) + float64(0.5*(s.Of(d.Prev)+s.Of(d.Next)))) / s.Max
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
// lets through, or those at the question's dates.
func (u *union) addNewest() {
	se := u.se
	onlyDates := len(se.question.dates) > 0 && se.query.Filter.IsZero() && !se.words.Bare && !se.overall()
	for d, left := se.docs-1, 4*poolSize; d >= 0 && left > 0; d-- {
		if u.seen[d] || !se.allows(d) || onlyDates && se.dateMatch(d) == 0 {
			continue
		}
		u.add(d)
		left--
	}
}

// sessionsTaken is how many of the sessions that match best enter the pool as a
// whole; more than a third of the evidence for questions that need several
// turns shares no word with them (docs/evaluation.md).
const sessionsTaken = 10

func (u *union) addSessions(priors map[int32]float64) {
	top := topK{limit: sessionsTaken}
	for id, prior := range priors {
		top.add(int(id), prior)
	}
	for _, session := range top.take() {
		members := u.se.space.Index.Session(int32(session.doc))
		for _, d := range members[:min(len(members), 4*poolSize)] {
			u.add(int(d))
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
	hits  []hit // a heap with the worst on top, once it is full
}

type hit struct {
	doc   int
	score float64
}

// less is the order from worst to best.
func (a hit) less(b hit) bool { return a.score < b.score || a.score == b.score && a.doc > b.doc }

func (t *topK) Len() int           { return len(t.hits) }
func (t *topK) Less(i, j int) bool { return t.hits[i].less(t.hits[j]) }
func (t *topK) Swap(i, j int)      { t.hits[i], t.hits[j] = t.hits[j], t.hits[i] }
func (t *topK) Push(any)           {} // the heap never grows: add appends or replaces
func (t *topK) Pop() any           { return nil }

func (t *topK) add(doc int, score float64) {
	h := hit{doc, score}
	switch {
	case len(t.hits) < t.limit:
		t.hits = append(t.hits, h)
		if len(t.hits) == t.limit {
			heap.Init(t)
		}
	case t.hits[0].less(h):
		t.hits[0] = h
		heap.Fix(t, 0)
	}
}

// take gives the best first.
func (t *topK) take() []hit {
	slices.SortFunc(t.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
	})
	return t.hits
}
