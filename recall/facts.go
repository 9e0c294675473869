package recall

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"engram/index"
	"engram/memory"
	"engram/text"
	"engram/timeline"
)

// Words gives the words by which an assertion is found.
func Words(a *memory.Assertion) string {
	return strings.Join([]string{a.Subject, readable(a.Predicate), a.Object, a.Replaces}, " ")
}

func readable(predicate string) string { return strings.ReplaceAll(predicate, "_", " ") }

// factsTaken is the most facts that a context states; factFloor the share of
// the best match below which a fact is about something else. Both are untuned
// (docs/evaluation.md).
const (
	factsTaken = 12
	factFloor  = 0.5
)

var (
	asksPast = regexp.MustCompile(`(?i)\b(used to|before|previous\w*|former\w*|earlier|original\w*|in the past|was|were|did|history|changed?|ever)\b|以前|之前|曾经|原来|过去|当时|变化|改过|换过`)
	asksSelf = regexp.MustCompile(`(?i)\b(I|I'm|I've|my|me|mine|we|our)\b|我|咱`)
)

// facts gives the facts that the question is about: those that hold at the
// point of view, and what they replaced if the question asks for the past.
func (se *search) facts() []memory.Fact {
	slots := se.factSlots()
	var out []memory.Fact
	for _, i := range slots {
		for _, f := range se.view.FactsLike(i, se.moment()) {
			if se.wantsFact(&f) && !slices.ContainsFunc(out, func(o memory.Fact) bool { return o.ID == f.ID && o.ValidFrom == f.ValidFrom }) {
				out = append(out, f)
			}
		}
	}
	return out[:min(len(out), factsTaken)]
}

// factSlots gives an assertion of each slot that matches the question, best first.
func (se *search) factSlots() []int {
	x, n := se.space.Said, se.space.Said.Len(se.view.Assertions())
	q := x.Parse(se.query.Question, n)
	scores := x.Search(&q, nil)
	defer scores.Release()
	best := topK{limit: 4 * factsTaken}
	self := asksSelf.MatchString(se.query.Question)
	for _, d := range scores.Touched() {
		score := scores.Of(d)
		if self && se.view.Subject(int(x.Doc(int(d)).Episode)) == "user" {
			score += float64(0.3 * scores.Max)
		}
		best.add(int(d), score)
	}
	hits := best.take()
	about := slices.ContainsFunc(hits, func(h hit) bool { return se.matchesBeyondSubject(&q, h.doc) })
	var out []int
	for _, h := range hits {
		if h.score >= float64(factFloor*hits[0].score) && (!about || se.matchesBeyondSubject(&q, h.doc)) {
			out = append(out, int(x.Doc(h.doc).Episode))
		}
	}
	return out
}

// matchesBeyondSubject reports whether the question shares more with an
// assertion than the name of its subject.
func (se *search) matchesBeyondSubject(q *index.Query, doc int) bool {
	subject := se.view.Subject(int(se.space.Said.Doc(doc).Episode))
	named := text.Terms(nil, subject)
	for _, w := range se.space.Said.Text(doc) {
		i := q.Place(w.Term())
		if i >= 0 && !slices.ContainsFunc(named, func(t text.Token) bool { return t.Term == q.Words[i].Text }) {
			return true
		}
	}
	return false
}

// moment is the point of valid time from which facts are seen. A date in the
// question moves it only if it is explicit and the caller names no other.
func (se *search) moment() int64 {
	if !se.query.Valid.IsZero() {
		return se.query.Valid.Micros
	}
	if from, to, ok := se.asked(); ok {
		if to < se.now.Micros {
			return max(from, to-1)
		}
		return from
	}
	return se.now.Micros
}

// asked gives the one explicit and bounded time that the question names.
func (se *search) asked() (from, to int64, ok bool) {
	if !se.query.Valid.IsZero() || len(se.question.dates) != 1 || !se.question.dates[0].Explicit {
		return 0, 0, false
	}
	iv := se.question.dates[0].Interval
	if iv.From.IsZero() || iv.To.IsZero() {
		return 0, 0, false
	}
	from, to = iv.Bounds()
	return from, to, true
}

// wantsFact keeps what holds at the point of view or within the time asked for,
// and what is past if the past is asked for; a filter lets a fact through by
// the words that it comes from.
func (se *search) wantsFact(f *memory.Fact) bool {
	if !se.query.Filter.IsZero() && !slices.ContainsFunc(f.Provenance, func(s memory.Span) bool {
		at, ok := se.space.Fold.Find(s.Episode)
		return ok && at.Ordinal >= 0 && se.query.Filter.Match(se.space.Fold.Entry(at.Ordinal).Episode)
	}) {
		return false
	}
	if f.State == memory.Current || f.State == memory.Disputed {
		return true
	}
	if from, to, ok := se.asked(); ok {
		begins, ends := timeline.Bounds(f)
		return begins < to && from < ends
	}
	return f.State == memory.Past && se.question.asksPast
}

// factLine renders a fact.
//
//	[12] Ann · lives in: Berlin (since 2026-03)
func factLine(f *memory.Fact) string {
	var notes []string
	from, to := dateOnly(dayAtMost(f.ValidFrom)), ""
	if !f.ValidTo.IsZero() {
		to = dateOnly(dayAtMost(f.ValidTo))
	}
	switch {
	case f.State == memory.Future:
		notes = append(notes, "from "+from)
	case f.FromBasis == memory.Assumed && to == "":
		notes = append(notes, "said "+from)
	case to == "":
		notes = append(notes, "since "+from)
	case f.State == memory.Past:
		notes = append(notes, "was, "+from+" to "+to)
	default:
		notes = append(notes, from+" to "+to)
	}
	if f.Boundary {
		notes = append(notes, "the change is not dated exactly enough to say")
	}
	if f.State == memory.Disputed {
		notes = append(notes, "disputed, by "+string(cmp.Or(f.Source, memory.User)))
	}
	if f.Stale != "" {
		notes = append(notes, "may be out of date: "+f.Stale)
	}
	return "[" + seqMark(f.Seq) + "] " + safe(f.Subject) + " · " + safe(readable(f.Predicate)) + ": " + safe(f.Object) +
		" (" + strings.Join(notes, "; ") + ")\n"
}

func dayAtMost(t memory.Time) memory.Time {
	t.Gran = min(t.Gran, memory.Day)
	return t
}
