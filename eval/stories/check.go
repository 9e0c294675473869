package stories

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"engram"
	"engram/memory"
)

// maxObject is the longest object that counts as a value, in characters. A
// longer one is a sentence, in which anything may occur.
const maxObject = 80

// witness is a space that has heard a story, with everything that was ever
// believed in it.
type witness struct {
	space    *engram.Space
	story    *Story
	subjects []string // as assertions call them
	slots    []slot
}

// slot is all that was ever believed of one predicate of one subject.
type slot struct {
	subject, predicate string // as some assertion calls them
	facts              []engram.Fact
}

func (s *slot) String() string { return s.subject + " " + s.predicate }

// listen reads the slots of all assertions of the log.
func listen(ctx context.Context, s *Story, space *engram.Space) (*witness, error) {
	w := &witness{space: space, story: s}
	seen := map[[2]string]bool{}
	for r, err := range space.Log(ctx, 0) {
		if err != nil {
			return nil, err
		}
		a, ok := r.Body.(*memory.Assertion)
		if !ok || seen[[2]string{a.Subject, a.Predicate}] {
			continue
		}
		seen[[2]string{a.Subject, a.Predicate}] = true
		facts, err := space.History(ctx, a.Subject, a.Predicate)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(w.subjects, a.Subject) {
			w.subjects = append(w.subjects, a.Subject)
		}
		w.slots = append(w.slots, slot{a.Subject, a.Predicate, facts})
	}
	return w, nil
}

// check makes one check. found says what was there instead of what was wanted.
func (w *witness) check(ctx context.Context, c *Check) (found string, ok bool, err error) {
	switch c.Type {
	case Facts:
		return w.facts(ctx, c)
	case Recall:
		return w.recall(ctx, c)
	case History:
		found, ok = w.history(c)
	case NoFact:
		found, ok = w.noFact(c)
	case Disputed:
		return w.disputed(ctx, c)
	}
	return found, ok, nil
}

func (c *Check) asOf() memory.AsOf {
	return memory.AsOf{Valid: c.ValidAt.Time, Known: memory.Known{Time: c.KnownAt.Time}}
}

// facts looks at the values of what holds about a subject.
func (w *witness) facts(ctx context.Context, c *Check) (string, bool, error) {
	var objects, shown []string
	for _, name := range w.names(c.Subject) {
		facts, err := w.space.Facts(ctx, engram.FactQuery{Subject: name, AsOf: c.asOf()})
		if err != nil {
			return "", false, err
		}
		for i := range facts {
			if utf8.RuneCountInString(facts[i].Object) <= maxObject {
				objects = append(objects, facts[i].Object)
			}
			if line := show(&facts[i]); !slices.Contains(shown, line) {
				shown = append(shown, line)
			}
		}
	}
	ok := all(c.Must, objects) && !some(c.MustNot, objects)
	if !ok && len(shown) == 0 {
		shown = []string{"nothing"}
		if len(w.subjects) > 0 {
			shown = []string{"nothing; there is something of " + strings.Join(w.subjects, ", ")}
		}
	}
	return strings.Join(shown, "; "), ok, nil
}

// names are those under which the assertions may speak of a subject: as it is
// asked for, or without an article or "my" before it. The user is also whoever
// says "I", if only one does. The engine adds its own aliases.
func (w *witness) names(subject string) []string {
	names := []string{subject}
	if subject == string(User) {
		var speakers []string
		for _, e := range w.story.Episodes {
			if e.Role == User && !slices.Contains(speakers, e.Speaker) {
				speakers = append(speakers, e.Speaker)
			}
		}
		if len(speakers) == 1 && speakers[0] != "" {
			names = append(names, speakers[0])
		}
		return names
	}
	for _, s := range w.subjects {
		if s != subject && bare(s) == bare(subject) {
			names = append(names, s)
		}
	}
	return names
}

var determiners = []string{"the ", "a ", "an ", "my ", "our ", "我们的", "我们", "我的", "我", "咱们", "咱"}

// bare is a name without what only points at its owner.
func bare(name string) string {
	name = strings.Join(strings.Fields(strings.ToLower(name)), " ")
	for _, d := range determiners {
		if short, ok := strings.CutPrefix(name, d); ok && short != "" {
			return short
		}
	}
	return name
}

// recall asks a question. What the facts or the evidence of the answer say is
// there; what a fact says that is presented as holding must be right.
func (w *witness) recall(ctx context.Context, c *Check) (string, bool, error) {
	answer, err := w.space.Recall(ctx, engram.Query{Question: c.Question, AsOf: c.asOf()})
	if err != nil {
		return "", false, err
	}
	var said, holding, shown []string
	for i := range answer.Facts {
		f := &answer.Facts[i]
		line := f.Subject + " " + f.Predicate + " " + f.Object
		said = append(said, line)
		if f.State != memory.Past && f.State != memory.Future {
			holding, shown = append(holding, line), append(shown, show(f))
		}
	}
	for _, item := range answer.Items {
		said = append(said, item.Text)
	}
	ok := all(c.Must, said) && !some(c.MustNot, holding)
	found := fmt.Sprintf("%d pieces of evidence", len(answer.Items))
	if !all(c.Must, said) {
		found += " without it"
	}
	if len(shown) > 0 {
		found += "; facts: " + strings.Join(shown, "; ")
	}
	return found, ok, nil
}

// history looks for a slot of the subject, whatever its predicate is called,
// in which the values replaced each other in the order.
func (w *witness) history(c *Check) (string, bool) {
	var shown []string
	names := w.names(c.Subject)
	for i := range w.slots {
		s := &w.slots[i]
		if !slices.ContainsFunc(s.facts, func(f engram.Fact) bool { return w.isOf(&f, names) }) {
			continue
		}
		if chain(s.facts, nil, c.Order) {
			return "", true
		}
		if len(s.facts) > 1 || slices.ContainsFunc(s.facts, func(f engram.Fact) bool { return some(c.Order, []string{f.Object}) }) {
			shown = append(shown, s.String()+": "+strings.Join(values(s.facts), " → "))
		}
	}
	if len(shown) == 0 {
		return "nothing with any of it", false
	}
	return strings.Join(shown, "; "), false
}

// isOf reports whether a fact is about one of the names. History asks by what
// an assertion calls its subject and gives facts by who that is.
func (w *witness) isOf(f *engram.Fact, names []string) bool {
	for _, n := range names {
		for i := range w.slots {
			s := &w.slots[i]
			if fold(s.subject) == fold(n) && len(s.facts) > 0 && fold(s.facts[0].Subject) == fold(f.Subject) {
				return true
			}
		}
		if fold(n) == fold(f.Subject) {
			return true
		}
	}
	return false
}

func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// chain reports whether facts hold the values of order, each replaced by the
// next one: by its beginning in the world, or by what became known later.
func chain(facts []engram.Fact, before *engram.Fact, order []string) bool {
	if len(order) == 0 {
		return true
	}
	for i := range facts {
		f := &facts[i]
		if has(f.Object, order[0]) && utf8.RuneCountInString(f.Object) <= maxObject && (before == nil || replaced(before, f)) && chain(facts, f, order[1:]) {
			return true
		}
	}
	return false
}

func replaced(f, by *engram.Fact) bool {
	ended := !f.ValidTo.IsZero() && f.ValidTo.Micros <= by.ValidFrom.Micros
	withdrawn := !f.KnownTo.IsZero() && f.KnownTo.Micros <= by.KnownFrom.Micros
	return ended || withdrawn
}

func values(facts []engram.Fact) []string {
	var out []string
	for _, f := range facts {
		if len(out) == 0 || out[len(out)-1] != f.Object {
			out = append(out, f.Object)
		}
	}
	return out
}

// noFact looks through everything that was ever believed.
func (w *witness) noFact(c *Check) (string, bool) {
	for i := range w.slots {
		for k := range w.slots[i].facts {
			if f := &w.slots[i].facts[k]; some(c.MustNot, []string{f.Object}) {
				return show(f), false
			}
		}
	}
	return "", true
}

// disputed looks for a slot in which all values hold side by side.
func (w *witness) disputed(ctx context.Context, c *Check) (string, bool, error) {
	facts, err := w.space.Facts(ctx, engram.FactQuery{})
	if err != nil {
		return "", false, err
	}
	disputed := map[[2]string][]string{}
	var shown []string
	for i := range facts {
		f := &facts[i]
		if f.State == memory.Disputed {
			name := [2]string{f.Subject, f.Predicate}
			disputed[name] = append(disputed[name], f.Object)
			if all(c.Values, disputed[name]) {
				return "", true, nil
			}
		}
		if some(c.Values, []string{f.Object}) {
			shown = append(shown, show(f))
		}
	}
	if len(shown) == 0 {
		shown = []string{"nothing with any of it"}
	}
	return strings.Join(shown, "; "), false, nil
}

// show is a fact as a failure shows it.
func show(f *engram.Fact) string {
	line := f.Subject + " " + f.Predicate + " " + f.Object
	if f.State == memory.Disputed {
		line += " (disputed)"
	}
	if f.Boundary {
		line += " (boundary)"
	}
	if utf8.RuneCountInString(f.Object) > maxObject {
		line += " (a sentence)"
	}
	return line
}

// has reports whether a text says something.
func has(text, want string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(want))
}

// all reports whether each of what is wanted is in some text.
func all(wanted, texts []string) bool {
	return !slices.ContainsFunc(wanted, func(want string) bool { return !some([]string{want}, texts) })
}

// some reports whether any of what is wanted is in some text.
func some(wanted, texts []string) bool {
	return slices.ContainsFunc(wanted, func(want string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return has(text, want) })
	})
}
