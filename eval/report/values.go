package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/eval"
)

// configured: a row was made by the system as the manifest describes it.
func (v *verifier) configured(row *eval.Row) string {
	if of := v.Manifest.Options[row.System]; !maps.Equal(row.Options, of) {
		return fmt.Sprintf("the row of %s for %s was made with the options %q, and the run with %q", row.System, row.Question, options(row.Options), options(of))
	}
	return ""
}

// possible: the numbers are such as a measurement could give.
func (v *verifier) possible(row *eval.Row) string {
	for _, metric := range slices.Sorted(maps.Keys(row.Metrics)) {
		if share := row.Metrics[metric]; !(share >= 0 && share <= 1) { // NaN too
			return fmt.Sprintf("%s has a %s of %v for %s, which is no share", row.System, metric, share, row.Question)
		}
	}
	switch budget := v.Manifest.Budget; {
	case min(row.Tokens, row.Cut, row.History) < 0:
		return fmt.Sprintf("%s has fewer than no tokens for %s", row.System, row.Question)
	case row.Tokens > budget && !v.whole(row.System) && !v.gold(row.System):
		return fmt.Sprintf("%s gave %d tokens for %s, and the budget is %d", row.System, row.Tokens, row.Question, budget)
	}
	return ""
}

// measuredBy is a metric of a question and a system that has it.
type measuredBy struct{ metric, system string }

// evidence gives, for each question, the measures of evidence in a context that
// any system has: every context can be measured by them, that of an error too.
// A system that leaves one out would be spared what it missed.
func (r *Run) evidence() map[string][]measuredBy {
	known, of := map[pair]bool{}, map[string][]measuredBy{}
	for i := range r.Rows {
		row := &r.Rows[i]
		for _, metric := range slices.Sorted(maps.Keys(row.Metrics)) {
			key := pair{row.Question, metric}
			if known[key] || metric != "covered" && metric != factCovered && !strings.HasPrefix(metric, "covered@") && !strings.HasPrefix(metric, "any_part@") {
				continue
			}
			known[key] = true
			of[row.Question] = append(of[row.Question], measuredBy{metric, row.System})
		}
	}
	return of
}

// measured: every system is measured on a question by the same evidence.
func (v *verifier) measured(row *eval.Row) string {
	for _, m := range v.evidence[row.Question] {
		if _, ok := row.Metrics[m.metric]; !ok {
			return fmt.Sprintf("%s has no %s for %s, by which %s is measured", row.System, m.metric, row.Question, m.system)
		}
	}
	return ""
}

// untruncated: a whole history is whole, or says how much is not. It may have
// more tokens than its turns, for headings and speakers; so much can be missing
// without a trace in the tokens, and then all evidence must be there.
func (v *verifier) untruncated(row *eval.Row) string {
	if !v.whole(row.System) || row.Error != "" {
		return ""
	}
	if row.Tokens+row.Cut < row.History {
		return fmt.Sprintf("%s was truncated without saying so: for %s it gave %d tokens and says that it cut %d, of a history of %d",
			row.System, row.Question, row.Tokens, row.Cut, row.History)
	}
	if covered, ok := row.Metrics["covered"]; ok && covered < 1 && row.Cut == 0 {
		return fmt.Sprintf("%s was truncated without saying so: for %s it holds %s %% of the evidence and says that it cut nothing",
			row.System, row.Question, percent(covered))
	}
	return ""
}
