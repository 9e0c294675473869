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

// Words gives the words by which an assertion is found: its own, and those by
// which questions ask for its predicate.
func Words(a *memory.Assertion, schema timeline.Schema) string {
	return strings.Join([]string{a.Subject, readable(a.Predicate), schema.Asked(a.Predicate), a.Object, a.Replaces}, " ")
}

func readable(predicate string) string { return strings.ReplaceAll(predicate, "_", " ") }

// factsTaken is the most facts that a context states, slotTaken the most of one
// slot where several are asked about; factFloor is the share of the best match
// below which an assertion is about something else. They are untuned
// (docs/evaluation.md).
const (
	factsTaken = 8
	slotTaken  = 6
	factFloor  = 0.5
)

var (
	asksPast = regexp.MustCompile(`(?i)\b(used to|before|previous\w*|former\w*|earlier|original\w*|in the past|was|were|did|has|have|history|changed?|ever|still)\b|以前|之前|曾经|原来|过去|当时|变化|改过|换过|还`)
	asksSelf = regexp.MustCompile(`(?i)\b(I|I'm|I've|my|me|mine|we|our)\b|我|咱`)
)

// facts gives the facts that the question is about: those that hold at the
// point of view, and what they replaced if the question asks for the past.
func (se *search) facts() []memory.Fact {
	if se.without(stepFacts) {
		return nil
	}
	slots := se.factSlots()
	most := factsTaken
	if len(slots) > 1 {
		most = slotTaken
	}
	var out []memory.Fact
	for _, m := range slots {
		slot := se.view.Slot(m.id, se.moment())
		out = append(out, se.slotFacts(&slot, m.values, min(most, factsTaken-len(out)))...)
		if len(out) == factsTaken {
			break
		}
	}
	return out
}

// slotMatch is a slot that the question is about.
type slotMatch struct {
	id     timeline.SlotID
	values map[string]float64 // how well an assertion of a value matches
}

// factSlots gives the slots of the assertions that match the question, best
// first. What the view does not know or count is not looked at.
func (se *search) factSlots() []slotMatch {
	x := se.space.Said
	q := x.Parse(se.withNames(), x.Len(se.view.Assertions()))
	scores := x.Search(&q, func(doc int) bool { return se.view.Counts(int(x.Doc(doc).Episode)) })
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
	var out []slotMatch
	for _, h := range hits {
		if h.score < float64(factFloor*hits[0].score) || about && !se.matchesBeyondSubject(&q, h.doc) {
			continue
		}
		assertion := int(x.Doc(h.doc).Episode)
		id := se.view.SlotID(assertion)
		at := slices.IndexFunc(out, func(m slotMatch) bool { return m.id == id })
		if at < 0 {
			at = len(out)
			out = append(out, slotMatch{id, map[string]float64{}})
		}
		value := se.view.Value(assertion)
		out[at].values[value] = max(out[at].values[value], h.score)
	}
	return out
}

// withNames gives the question with all names of those whom it calls by an alias.
func (se *search) withNames() string {
	out, folded := se.query.Question, timeline.Key(se.query.Question)
	if se.without(stepAliases) {
		return out
	}
	for _, alias := range se.view.Aliases() {
		if text.HasName(folded, alias) {
			out += " " + strings.Join(se.view.NamesOf(alias), " ")
		}
	}
	return out
}

// matchesBeyondSubject reports whether the question shares more with an
// assertion than the name of its subject.
func (se *search) matchesBeyondSubject(q *index.Query, doc int) bool {
	named := text.Terms(nil, se.view.Subject(int(se.space.Said.Doc(doc).Episode)))
	for _, w := range se.space.Said.Text(doc) {
		i := q.Place(w.Term())
		if i >= 0 && !slices.ContainsFunc(named, func(t text.Token) bool { return t.Term == q.Words[i].Text }) {
			return true
		}
	}
	return false
}

// pickedFact is a rectangle that may be stated.
type pickedFact struct {
	rect  *timeline.Rectangle
	holds bool
	score float64
}

// slotFacts states at most so many facts of a slot, by when they begin: first
// those that hold, then those whose value matches best, then the latest.
func (se *search) slotFacts(slot *timeline.SlotView, values map[string]float64, most int) []memory.Fact {
	var picked []pickedFact
	for _, rect := range slot.Rectangles {
		state := slot.State(rect)
		p := pickedFact{rect: rect, holds: state == memory.Current || state == memory.Disputed, score: values[rect.Value]}
		if se.wantsRectangle(slot, &p, state) {
			picked = append(picked, p)
		}
	}
	slices.SortFunc(picked, func(a, b pickedFact) int {
		return cmp.Or(-compareBool(a.holds, b.holds), cmp.Compare(b.score, a.score), cmp.Compare(b.rect.From, a.rect.From), cmp.Compare(a.rect.Value, b.rect.Value))
	})
	var out []memory.Fact
	for _, p := range picked {
		if f := slot.Fact(p.rect); se.passes(&f) {
			if out = append(out, f); len(out) == most {
				break
			}
		}
	}
	slices.SortStableFunc(out, func(a, b memory.Fact) int { return cmp.Compare(a.ValidFrom.Micros, b.ValidFrom.Micros) })
	return out
}

func compareBool(a, b bool) int { return cmp.Compare(is(a), is(b)) }

// wantsRectangle lets through what the question can be about. Where a slot has
// one value, whatever held is news about the others; elsewhere only the values
// that match are.
func (se *search) wantsRectangle(slot *timeline.SlotView, p *pickedFact, state memory.State) bool {
	if slot.Cardinality != timeline.One && p.score == 0 {
		return false
	}
	if from, to, ok := se.asked(); ok {
		return p.holds || p.rect.From < to && from < p.rect.To
	}
	switch {
	case p.holds:
		return true
	case state != memory.Past:
		return false
	}
	// What happened is always past.
	return slot.Cardinality == timeline.Event || se.question.asksPast
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

// passes reports whether the filter lets a fact through: by the words that it
// comes from, or, if it was asserted directly, by its source.
func (se *search) passes(f *memory.Fact) bool {
	if se.query.Filter.IsZero() {
		return true
	}
	if len(f.Provenance) == 0 {
		said := memory.Episode{Source: f.Source, Occurred: f.KnownFrom}
		return se.query.Filter.Match(&said)
	}
	return slices.ContainsFunc(f.Provenance, func(s memory.Span) bool {
		at, ok := se.space.Fold.Find(s.Episode)
		return ok && at.Ordinal >= 0 && se.query.Filter.Match(se.space.Fold.Entry(at.Ordinal).Episode)
	})
}

// factLine renders a fact.
//
//	[12] Ann · lives in: Berlin (since 2026-03)
func factLine(f *memory.Fact) string {
	return "[" + seqMark(f.Seq) + "] " + safe(f.Subject) + " · " + safe(readable(f.Predicate)) + ": " + safe(f.Object) +
		" (" + strings.Join(factNotes(f), "; ") + ")\n"
}

// factNotes gives the dates and marks of a fact.
func factNotes(f *memory.Fact) []string {
	from, to := dateOnly(dayAtMost(f.ValidFrom)), ""
	if !f.ValidTo.IsZero() {
		to = dateOnly(dayAtMost(f.ValidTo))
	}
	var notes []string
	switch {
	case f.State == memory.Future:
		notes = append(notes, "from "+from)
	case f.FromBasis == memory.Assumed && to == "":
		notes = append(notes, "said "+from)
	case to == "":
		notes = append(notes, "since "+from)
	case f.State == memory.Past && f.ValidTo.Micros == f.ValidFrom.End(): // it fills the period that it is dated by
		notes = append(notes, "was, "+from)
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
	return notes
}

func dayAtMost(t memory.Time) memory.Time {
	t.Gran = min(t.Gran, memory.Day)
	return t
}
