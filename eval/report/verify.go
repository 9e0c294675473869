package report

import (
	"fmt"
	"slices"
	"strings"

	"engram/eval"
	"engram/memory"
)

// errIntegrity says that the rows of a run are not what the run claims, so that
// its numbers would be none. It is a kind of memory.ErrInvalid.
var errIntegrity = fmt.Errorf("the run is refused: %w", memory.ErrInvalid)

// verify holds a run to the rules of the scoreboard. Each system has one row of
// each question and of the case that it heard; nothing is missing once the run
// is complete. All rows are of the benchmark, seed, commit and options of the
// manifest, agree on what was asked and how it is measured, and say what can be.
// Who hands over the whole history hands over all of it, or says how much was
// cut. Nothing was ranked by weights that were fitted on the case itself. The
// first breach is the error, an errIntegrity.
func (r *Run) verify() error {
	v := verifier{Run: r, seen: map[pair]bool{}, heard: map[pair]bool{}, first: map[string]*eval.Row{}, evidence: r.evidence()}
	for i := range r.Rows {
		for _, rule := range []func(*eval.Row) string{
			v.belongs, v.configured, v.once, v.agrees, v.possible, v.measured, v.unseen, v.untruncated, v.answered,
		} {
			if breach := rule(&r.Rows[i]); breach != "" {
				return r.refuse(breach)
			}
		}
	}
	for _, rule := range []func() string{v.ingested, v.complete} {
		if breach := rule(); breach != "" {
			return r.refuse(breach)
		}
	}
	return nil
}

func (r *Run) refuse(breach string) error {
	return fmt.Errorf("%s: %s: %w", r.Dir, breach, errIntegrity)
}

// pair is a question or case, and a system.
type pair struct{ what, system string }

// verifier carries what the rules know of the rows before. A rule gives a
// sentence about the breach, "" if there is none.
type verifier struct {
	*Run
	seen     map[pair]bool        // questions
	heard    map[pair]bool        // cases
	first    map[string]*eval.Row // of each question
	evidence map[string][]measuredBy
}

func (v *verifier) belongs(row *eval.Row) string {
	m := &v.Manifest
	switch {
	case !slices.Contains(m.Systems, row.System):
		return fmt.Sprintf("the row of %s is of %q, which is no system of the run", row.Question, row.System)
	case row.Benchmark != m.Benchmark:
		return fmt.Sprintf("%s has a row of the benchmark %q, and the run is of %q", row.System, row.Benchmark, m.Benchmark)
	case row.Commit != m.Commit:
		return fmt.Sprintf("the row of %s for %s was made by commit %q, and the run by %q", row.System, row.Question, row.Commit, m.Commit)
	case row.Seed != m.Seed:
		return fmt.Sprintf("the row of %s for %s was made with seed %d, and the run with %d", row.System, row.Question, row.Seed, m.Seed)
	}
	return ""
}

func (v *verifier) once(row *eval.Row) string {
	if v.seen[pair{row.Question, row.System}] {
		return fmt.Sprintf("%s has two rows for %s", row.System, row.Question)
	}
	v.seen[pair{row.Question, row.System}] = true
	return ""
}

// agrees: what is paired was the same question.
func (v *verifier) agrees(row *eval.Row) string {
	first := v.first[row.Question]
	if first == nil {
		v.first[row.Question] = row
		return ""
	}
	differ := ""
	switch {
	case first.Case != row.Case || first.Category != row.Category:
		differ = "the case or category"
	case first.Unanswerable != row.Unanswerable:
		differ = "whether there is an answer"
	case first.History != row.History:
		differ = fmt.Sprintf("the size of the history, %d and %d tokens,", first.History, row.History)
	default:
		return ""
	}
	return fmt.Sprintf("%s and %s differ in %s for %s", first.System, row.System, differ, row.Question)
}

func (v *verifier) unseen(row *eval.Row) string {
	switch row.Fit {
	case eval.Unfitted:
		if row.Weights == "" {
			return ""
		}
		return fmt.Sprintf("%s was ranked by the weights %q for %s and does not say whether they have seen its case", row.System, row.Weights, row.Question)
	case eval.Unseen, eval.HeldOut:
		return ""
	case eval.InFold:
		return fmt.Sprintf("in-fold numbers are no result: the weights that ranked %s for %s were fitted on its own case", row.Question, row.System)
	}
	return fmt.Sprintf("the row of %s for %s has the fit %q, which is none", row.System, row.Question, row.Fit)
}

func (v *verifier) answered(row *eval.Row) string {
	m := &v.Manifest
	readers := map[string]bool{}
	for i := range row.Answers {
		a := &row.Answers[i]
		if readers[a.Reader] {
			return fmt.Sprintf("%s has two answers of %s to %s", row.System, a.Reader, row.Question)
		}
		readers[a.Reader] = true
		if a.Error == "" && len(a.Verdicts) < len(m.Judges) {
			return fmt.Sprintf("an answer of %s to %s with %s has %d verdicts of %d judges", a.Reader, row.Question, row.System, len(a.Verdicts), len(m.Judges))
		}
	}
	if row.Error == "" && len(readers) < len(m.Readers) {
		return fmt.Sprintf("%s has %d answers to %s of %d readers", row.System, len(readers), row.Question, len(m.Readers))
	}
	return ""
}

func (v *verifier) ingested() string {
	for i := range v.Cases {
		c := &v.Cases[i]
		if v.heard[pair{c.Case, c.System}] {
			return fmt.Sprintf("%s has two rows for hearing %s", c.System, c.Case)
		}
		v.heard[pair{c.Case, c.System}] = true
	}
	for i := range v.Rows {
		if row := &v.Rows[i]; !v.heard[pair{row.Case, row.System}] {
			return fmt.Sprintf("%s has no row for hearing %s", row.System, row.Case)
		}
	}
	return ""
}

func (v *verifier) complete() string {
	m, questions := &v.Manifest, v.questions()
	if m.Questions > 0 && len(questions) > m.Questions {
		return fmt.Sprintf("there are rows for %d questions, and %d were asked", len(questions), m.Questions)
	}
	if !m.Complete {
		return ""
	}
	for _, system := range m.Systems {
		var missing []string
		for _, q := range questions {
			if !v.seen[pair{q, system}] {
				missing = append(missing, q)
			}
		}
		if len(missing) > 0 {
			return fmt.Sprintf("%s has no row for %s", system, some(missing))
		}
	}
	if len(questions) != m.Questions {
		return fmt.Sprintf("there are rows for %d questions, and %d were asked", len(questions), m.Questions)
	}
	return ""
}

// some names the first ones of many.
func some(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
