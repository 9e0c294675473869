package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"engram/eval"
	"engram/memory"
)

// Comparison is what changed from one run to another, question by question, for
// the systems that are in both.
type Comparison struct {
	Benchmark string        `json:"benchmark"`
	A         eval.Manifest `json:"a"`
	B         eval.Manifest `json:"b"`
	// IncompleteA and IncompleteB say how much there is of a run that is not
	// complete ("incomplete: 10 of 24 rows").
	IncompleteA string `json:"incomplete_a,omitempty"`
	IncompleteB string `json:"incomplete_b,omitempty"`
	// Unlike names what makes the runs hard to compare: they have other "data",
	// "budget", "seed", "judges", "judge prompts" or "answer tokens".
	Unlike []string `json:"unlike,omitempty"`
	Rows   int      `json:"rows"` // that are in both
	// Differing is how many rows are not the same but for the commit and how
	// long recall took, those that are in one run only among them.
	Differing int                 `json:"differing"`
	Contexts  int                 `json:"contexts_changed"`
	OnlyA     []string            `json:"only_a,omitempty"` // systems
	OnlyB     []string            `json:"only_b,omitempty"`
	Systems   map[string]*Changes `json:"systems"`

	order []string
}

// Changes are those of one system.
type Changes struct {
	Rows      int               `json:"rows"`
	Differing int               `json:"differing"`
	Contexts  int               `json:"contexts_changed"`
	Missing   []string          `json:"missing,omitempty"` // questions that one run alone has
	Metrics   map[string]*Shift `json:"metrics"`
	Readers   []Turned          `json:"readers,omitempty"`
	Questions []Change          `json:"questions,omitempty"` // where a metric or an answer changed
}

// Shift is how a metric moved over the questions that have it in both runs.
type Shift struct {
	A        float64         `json:"a"` // means
	B        float64         `json:"b"`
	Gain     float64         `json:"gain"` // mean of B - A
	Interval eval.Interval95 `json:"gain_interval"`
	Rose     int             `json:"rose"`
	Fell     int             `json:"fell"`
	Same     int             `json:"same"`
	SignP    float64         `json:"sign_p"` // exact, two-sided
}

// Turned are the answers of a reader that became right or wrong.
type Turned struct {
	Reader   string   `json:"reader"`
	A        float64  `json:"a"` // shares of right ones
	B        float64  `json:"b"`
	Right    []string `json:"turned_right"` // questions
	Wrong    []string `json:"turned_wrong"`
	McNemarP float64  `json:"mcnemar_p"`
}

// Change is a question that was measured differently: each metric before and
// after, an answer as "accuracy:READER".
type Change struct {
	Question string                `json:"question_id"`
	Category string                `json:"category"`
	Metrics  map[string][2]float64 `json:"metrics"`
}

// Compare verifies two runs of a benchmark and says what changed from a to b.
func Compare(a, b *Run) (*Comparison, error) {
	for _, r := range []*Run{a, b} {
		if err := r.verify(); err != nil {
			return nil, err
		}
	}
	if a.Manifest.Benchmark != b.Manifest.Benchmark {
		return nil, fmt.Errorf("%s is a run of %s and %s one of %s: %w", a.Dir, a.Manifest.Benchmark, b.Dir, b.Manifest.Benchmark, memory.ErrInvalid)
	}
	c := &Comparison{
		Benchmark: a.Manifest.Benchmark, A: a.Manifest, B: b.Manifest, Systems: map[string]*Changes{},
		IncompleteA: a.status(), IncompleteB: b.status(), Unlike: unlike(&a.Manifest, &b.Manifest),
	}
	before, after := newSet(a), newSet(b)
	for _, r := range before.systems {
		other := after.system(r.name)
		if other == nil {
			c.OnlyA = append(c.OnlyA, r.name)
			continue
		}
		changes, err := (&pairing{before, after, r, other}).changes()
		if err != nil {
			return nil, err
		}
		c.Systems[r.name], c.order = changes, append(c.order, r.name)
		c.Rows, c.Differing, c.Contexts = c.Rows+changes.Rows, c.Differing+changes.Differing, c.Contexts+changes.Contexts
	}
	for _, r := range after.systems {
		if before.system(r.name) == nil {
			c.OnlyB = append(c.OnlyB, r.name)
		}
	}
	if len(c.order) == 0 {
		return nil, fmt.Errorf("%s and %s have no system in common: %w", a.Dir, b.Dir, memory.ErrInvalid)
	}
	return c, nil
}

// unlike names what differs between runs that should differ in their systems alone.
func unlike(a, b *eval.Manifest) []string {
	var list []string
	for _, x := range []struct {
		name string
		same bool
	}{
		{"data", slices.Equal(a.Data, b.Data)},
		{"budget", a.Budget == b.Budget},
		{"seed", a.Seed == b.Seed},
		{"judges", slices.Equal(a.Judges, b.Judges)},
		{"judge prompts", a.Prompts == b.Prompts},
		{"answer tokens", a.MaxAnswer == b.MaxAnswer},
	} {
		if !x.same {
			list = append(list, x.name)
		}
	}
	return list
}

// pairing is a system in two runs.
type pairing struct {
	sa, sb *set
	a, b   *rows
}

func (p *pairing) changes() (*Changes, error) {
	out := &Changes{Metrics: map[string]*Shift{}}
	var both []string
	for _, q := range union(p.sa.questions, p.sb.questions) {
		x, y := p.a.of[q], p.b.of[q]
		if x == nil && y == nil {
			continue
		}
		if x == nil || y == nil {
			out.Missing, out.Differing = append(out.Missing, q), out.Differing+1
			continue
		}
		both, out.Rows = append(both, q), out.Rows+1
		same, err := sameRow(x, y)
		if err != nil {
			return nil, err
		}
		out.Differing += int(number(!same))
		out.Contexts += int(number(x.Context != y.Context))
	}
	p.shift(out, both)
	p.turn(out, both)
	out.Questions = p.each(both)
	return out, nil
}

// sameRow compares all but the commit and how long recall took.
func sameRow(x, y *eval.Row) (bool, error) {
	a, b := *x, *y
	a.RecallMS, b.RecallMS = 0, 0
	a.Commit, b.Commit = "", ""
	left, err := json.Marshal(a)
	if err != nil {
		return false, err
	}
	right, err := json.Marshal(b)
	return string(left) == string(right), err
}

// both gives a measure of a question in both runs.
func (p *pairing) both(question, measure string) (a, b float64, ok bool) {
	a, ok = p.sa.value(p.a, question, measure)
	b, too := p.sb.value(p.b, question, measure)
	return a, b, ok && too
}

func (p *pairing) shift(out *Changes, questions []string) {
	for _, metric := range union(slices.Collect(maps.Keys(p.a.metrics)), slices.Collect(maps.Keys(p.b.metrics))) {
		var s Shift
		var before, after []float64
		for _, q := range questions {
			a, b, ok := p.both(q, metric)
			if !ok {
				continue
			}
			before, after = append(before, a), append(after, b)
			switch {
			case b > a:
				s.Rose++
			case b < a:
				s.Fell++
			default:
				s.Same++
			}
		}
		if len(before) > 0 {
			s.A, s.B, s.SignP = eval.Mean(before), eval.Mean(after), eval.SignTest(s.Rose, s.Fell)
			s.Gain, s.Interval = eval.PairedBootstrap(after, before, p.sb.seed)
			out.Metrics[metric] = &s
		}
	}
}

func (p *pairing) turn(out *Changes, questions []string) {
	for _, reader := range p.a.readers {
		t := Turned{Reader: reader, Right: []string{}, Wrong: []string{}} // lists in JSON
		n := 0.0
		for _, q := range questions {
			a, b, ok := p.both(q, accuracyOf+reader)
			if !ok {
				continue
			}
			n, t.A, t.B = n+1, t.A+a, t.B+b
			switch {
			case b > a:
				t.Right = append(t.Right, q)
			case b < a:
				t.Wrong = append(t.Wrong, q)
			}
		}
		if n > 0 {
			t.A, t.B, t.McNemarP = t.A/n, t.B/n, eval.McNemar(len(t.Right), len(t.Wrong))
			out.Readers = append(out.Readers, t)
		}
	}
}

// each lists the questions that were measured differently.
func (p *pairing) each(questions []string) []Change {
	measures := slices.Collect(maps.Keys(p.a.metrics))
	for _, reader := range p.a.readers {
		measures = append(measures, accuracyOf+reader)
	}
	var list []Change
	for _, q := range questions {
		c := Change{Question: q, Category: p.sa.about[q].Category, Metrics: map[string][2]float64{}}
		for _, measure := range measures {
			if a, b, ok := p.both(q, measure); ok && a != b {
				c.Metrics[measure] = [2]float64{a, b}
			}
		}
		if len(c.Metrics) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// union gives the names of both lists, sorted, each once.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
