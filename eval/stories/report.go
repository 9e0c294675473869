package stories

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Tally counts checks and those that passed.
type Tally struct {
	Share  float64 `json:"share"`
	Checks int     `json:"checks"`
	Passed int     `json:"passed"`
}

// Report is what the checks gave, in the shape of --json. A share of no checks
// is 0.
type Report struct {
	Knowledge  float64           `json:"knowledge_share"` // of facts, history and disputed together
	NoFact     float64           `json:"no_fact_share"`
	Recall     float64           `json:"recall_share"`
	ByType     map[Type]*Tally   `json:"by_type"`
	ByCategory map[string]*Tally `json:"by_category"`
	ByLanguage map[string]*Tally `json:"by_language"`
	Stories    int               `json:"-"`
	Failures   []Failure         `json:"-"` // in the order of the stories

	scores map[string]map[string]*Tally // by the name of a line of the table and its column
}

// Failure is a check that did not pass.
type Failure struct {
	Story string
	Check int // from 1
	Want  *Check
	Found string
}

// String is one line with what was wanted and what was there.
func (f *Failure) String() string {
	c := f.Want
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%d %s", f.Story, f.Check, c.Type)
	for _, s := range []string{c.Subject, c.About, c.Question} {
		if s != "" {
			fmt.Fprintf(&b, " %q", s)
		}
	}
	if !c.ValidAt.IsZero() {
		fmt.Fprintf(&b, " as of %s", c.ValidAt)
	}
	if !c.KnownAt.IsZero() {
		fmt.Fprintf(&b, " known at %s", c.KnownAt)
	}
	for _, l := range []struct {
		name string
		list []string
	}{{"must", c.Must}, {"must not", c.MustNot}, {"order", c.Order}, {"values", c.Values}} {
		if len(l.list) > 0 {
			fmt.Fprintf(&b, ", %s %q", l.name, l.list)
		}
	}
	fmt.Fprintf(&b, ": found %s", f.Found)
	return b.String()
}

func newReport() *Report {
	return &Report{
		ByType: map[Type]*Tally{}, ByCategory: map[string]*Tally{}, ByLanguage: map[string]*Tally{},
		scores: map[string]map[string]*Tally{},
	}
}

// The columns of the table.
const (
	knowledge = "knowledge"
	noFact    = "no fact"
	recall    = "recall"
	overall   = "all"
)

func (t Type) score() string {
	switch t {
	case NoFact:
		return noFact
	case Recall:
		return recall
	}
	return knowledge
}

func (r *Report) count(s *Story, check int, passed bool, found string) {
	c := &s.Checks[check]
	count(r.ByType, c.Type, passed)
	count(r.ByCategory, s.Kind, passed)
	count(r.ByLanguage, s.Lang, passed)
	for _, line := range []string{overall, "language " + s.Lang, "category " + s.Kind} {
		if r.scores[line] == nil {
			r.scores[line] = map[string]*Tally{}
		}
		count(r.scores[line], c.Type.score(), passed)
	}
	if check == 0 {
		r.Stories++
	}
	if !passed {
		r.Failures = append(r.Failures, Failure{Story: s.ID, Check: check + 1, Want: c, Found: found})
	}
}

func count[K comparable](m map[K]*Tally, key K, passed bool) {
	t := m[key]
	if t == nil {
		t = new(Tally)
		m[key] = t
	}
	t.Checks++
	if passed {
		t.Passed++
	}
	t.Share = float64(t.Passed) / float64(t.Checks)
}

func (r *Report) finish() {
	share := func(column string) float64 {
		if t := r.scores[overall][column]; t != nil {
			return t.Share
		}
		return 0
	}
	r.Knowledge, r.NoFact, r.Recall = share(knowledge), share(noFact), share(recall)
}

// Table writes the report for people: the scores of each language and category,
// then the types of checks.
func (r *Report) Table(w io.Writer) error {
	var b strings.Builder
	columns := []string{knowledge, noFact, recall}
	fmt.Fprintf(&b, "%d stories\n%-24s", r.Stories, "")
	for _, c := range columns {
		fmt.Fprintf(&b, "  %16s", c)
	}
	b.WriteByte('\n')
	for _, line := range slices.Sorted(maps.Keys(r.scores)) {
		fmt.Fprintf(&b, "%-24s", line)
		for _, c := range columns {
			fmt.Fprintf(&b, "  %16s", r.scores[line][c])
		}
		b.WriteByte('\n')
	}
	for _, t := range []Type{Facts, History, Disputed, NoFact, Recall} {
		if tally := r.ByType[t]; tally != nil {
			fmt.Fprintf(&b, "%-24s  %16s\n", "type "+string(t), tally)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String is "share passed/checks"; a dash where nothing was checked.
func (t *Tally) String() string {
	if t == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f %d/%d", t.Share, t.Passed, t.Checks)
}
