package report

import (
	"maps"
	"slices"
	"strings"

	"engram/eval"
)

// set are the rows of runs that belong together, by system and question.
type set struct {
	systems   []*rows
	questions []string             // sorted
	about     map[string]*eval.Row // any row of a question: its case and category
	seed      uint64
	known     map[pair]bool // question and metric: some system was measured so
}

// rows are those of one system.
type rows struct {
	name    string
	run     *Run
	of      map[string]*eval.Row // by question
	readers []string             // of its run, judged
	metrics map[string]bool      // by which it was measured where nothing went wrong
}

// newSet sorts the rows of runs with different systems.
func newSet(runs ...*Run) *set {
	s := &set{about: map[string]*eval.Row{}, seed: runs[0].Manifest.Seed, known: map[pair]bool{}}
	for _, run := range runs {
		readers, at := run.readers(), map[string]*rows{}
		for _, name := range run.Manifest.Systems {
			at[name] = &rows{name: name, run: run, of: map[string]*eval.Row{}, readers: readers, metrics: map[string]bool{}}
			s.systems = append(s.systems, at[name])
		}
		for i := range run.Rows {
			s.add(at[run.Rows[i].System], &run.Rows[i])
		}
	}
	for _, r := range s.systems {
		r.onlyErrors()
	}
	s.questions = slices.Sorted(maps.Keys(s.about))
	return s
}

func (s *set) add(to *rows, row *eval.Row) {
	to.of[row.Question], s.about[row.Question] = row, row
	for metric := range row.Metrics {
		s.known[pair{row.Question, metric}] = true
		if row.Error == "" {
			to.metrics[metric] = true
		}
	}
}

// onlyErrors takes the measures of a system that never gave anything from the
// zeros of its errors.
func (r *rows) onlyErrors() {
	if len(r.metrics) > 0 {
		return
	}
	for _, row := range r.of {
		for metric := range row.Metrics {
			r.metrics[metric] = true
		}
	}
}

// system gives the rows of one by its name, nil if there are none.
func (s *set) system(name string) *rows {
	at := slices.IndexFunc(s.systems, func(r *rows) bool { return r.name == name })
	if at < 0 {
		return nil
	}
	return s.systems[at]
}

// The measures that are read from answers: the share of right ones of the first
// reader, and of each reader if there are several ("accuracy:NAME"). Their names
// are in the same space as those in the rows.
const (
	accuracy   = "accuracy"
	accuracyOf = "accuracy:"
	allCovered = "all_covered" // 1 if all evidence is in the context
)

// factCovered is the metric of the rows that takes evidence for held, too, if a
// fact that was learned from it is shown.
const factCovered = "fact_covered"

// measures names all that a system was measured by, sorted.
func (r *rows) measures() []string {
	names := slices.Collect(maps.Keys(r.metrics))
	if len(r.readers) > 0 {
		names = append(names, accuracy)
	}
	if len(r.readers) > 1 {
		for _, reader := range r.readers {
			names = append(names, accuracyOf+reader)
		}
	}
	if r.metrics["covered"] {
		names = append(names, allCovered)
	}
	slices.Sort(names)
	return names
}

// value gives a measure of a system for a question; ok is false if the question
// is not measured so. An error is a wrong answer and a measure of 0.
func (s *set) value(r *rows, question, measure string) (value float64, ok bool) {
	row := r.of[question]
	if row == nil {
		return 0, false
	}
	if measure == accuracy {
		if len(r.readers) == 0 {
			return 0, false
		}
		return right(r, row, r.readers[0])
	}
	if reader, ok := strings.CutPrefix(measure, accuracyOf); ok {
		return right(r, row, reader)
	}
	metric := measure
	if measure == allCovered {
		metric = "covered"
	}
	if row.Error != "" {
		return 0, r.metrics[metric] && s.known[pair{question, metric}]
	}
	value, ok = row.Metrics[metric]
	if measure == allCovered {
		value = number(value >= 1)
	}
	return value, ok
}

func right(r *rows, row *eval.Row, reader string) (float64, bool) {
	if row.Error != "" {
		return 0, slices.Contains(r.readers, reader)
	}
	correct, ok := row.Correct(reader)
	return number(correct), ok
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// values gives a measure for all questions that have it.
func (s *set) values(r *rows, questions []string, measure string) []float64 {
	var list []float64
	for _, q := range questions {
		if v, ok := s.value(r, q, measure); ok {
			list = append(list, v)
		}
	}
	return list
}

// byCategory gives the questions of each category, and the names of these sorted.
func (s *set) byCategory() (map[string][]string, []string) {
	of := map[string][]string{}
	for _, q := range s.questions {
		c := s.about[q].Category
		of[c] = append(of[c], q)
	}
	return of, slices.Sorted(maps.Keys(of))
}
