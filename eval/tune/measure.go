package tune

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"engram"
	"engram/eval"
	"engram/memory"
	"engram/recall"
)

// foreignCategory is that of questions which belong to another case.
const foreignCategory = "foreign"

// CrossValidate asks the questions of each fold by weights that were fitted on
// the other folds of all benchmarks together, and those of the next case as
// foreign ones. It gives the rows and the weights of each fold, in its order.
// progress is called after each fold.
func (d *Data) CrossValidate(ctx context.Context, folds []Fold, progress func()) ([]eval.Row, []*recall.Weights, error) {
	var rows []eval.Row
	var fitted []*recall.Weights
	for _, f := range folds {
		w, err := d.Fit(ctx, f)
		if err != nil {
			return nil, nil, fmt.Errorf("without %s: %w", f, err)
		}
		more, err := d.Ask(ctx, w, f)
		if err != nil {
			return nil, nil, err
		}
		rows, fitted = append(rows, more...), append(fitted, w)
		if progress != nil {
			progress()
		}
	}
	return rows, fitted, nil
}

// Ask asks the questions of the cases that a fold holds out by some weights,
// and measures what comes back. Rows of cases that the weights have seen say
// that they are in-fold. The zero fold is every case.
func (d *Data) Ask(ctx context.Context, w *recall.Weights, f Fold) ([]eval.Row, error) {
	var rows []eval.Row
	for _, b := range d.Benches {
		for i := range b.Cases {
			if f != (Fold{}) && !f.Tests(b.Name, b.Cases[i].Name) {
				continue
			}
			more, err := d.askCase(ctx, b, i, w)
			if err != nil {
				return nil, err
			}
			rows = append(rows, more...)
		}
	}
	return rows, nil
}

func (d *Data) askCase(ctx context.Context, b *Bench, i int, w *recall.Weights) ([]eval.Row, error) {
	c := &b.Cases[i]
	fit := eval.HeldOut
	if saw(w, c.Print) {
		fit = eval.InFold
	}
	var rows []eval.Row
	for _, from := range distinct(c, b.foreigner(i)) {
		err := b.each(ctx, c, from, w, func(s *engram.Space, at int, query memory.Query) error {
			q := &from.Questions[at]
			row := eval.Row{
				Benchmark: b.Name, Case: c.Name, Question: q.ID, Category: q.Category, System: "engram",
				Unanswerable: q.Unanswerable, Weights: w.ID, Fit: fit, Metrics: map[string]float64{},
			}
			if from != c {
				if q.Unanswerable {
					return nil
				}
				row.Category, row.Unanswerable = foreignCategory, true
			}
			err := c.measure(ctx, &row, s, query, at)
			rows = append(rows, row)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// measure asks a question at each budget and measures what comes back.
func (c *Told) measure(ctx context.Context, row *eval.Row, s *engram.Space, query memory.Query, at int) error {
	for _, budget := range eval.Budgets {
		if row.Unanswerable && budget != memory.Budget {
			continue
		}
		query.Budget = budget
		a, err := s.Recall(ctx, query)
		if err != nil {
			return err
		}
		if a.Weights != row.Weights {
			return fmt.Errorf("it was ranked by %s instead of %s: %w", a.Weights, row.Weights, memory.ErrInvalid)
		}
		if a.Tokens > budget {
			return fmt.Errorf("the context has %d tokens, the budget was %d", a.Tokens, budget)
		}
		if !row.Unanswerable {
			c.covered(row.Metrics, at, &a, budget)
		}
		if budget == memory.Budget {
			row.Verdict = &eval.Verdict{Answerable: a.Verdict.Answerable, Score: a.Verdict.Score}
			if !row.Unanswerable {
				c.ranked(row.Metrics, at, &a)
			}
		}
	}
	return nil
}

// covered counts the evidence in a context: strictly, if the part that holds
// most of the answer is there as a whole, and if any part is.
func (c *Told) covered(metrics map[string]float64, at int, a *engram.Answer, budget int) {
	whole, held := map[eval.Part]bool{}, map[string]bool{}
	for i := range a.Items {
		item := &a.Items[i]
		key := c.keys[item.Seq]
		held[key] = true
		if !item.Excerpt {
			whole[eval.Part{Key: key, Index: item.Part}] = true
		}
	}
	strict, loose := 0, 0
	for _, p := range c.strict[at] {
		if whole[p] {
			strict++
		}
		if held[p.Key] {
			loose++
		}
	}
	n := float64(len(c.strict[at]))
	metrics[fmt.Sprintf("covered@%dk", budget/1000)] = float64(strict) / n
	metrics[fmt.Sprintf("any_part@%dk", budget/1000)] = float64(loose) / n
}

func (c *Told) ranked(metrics map[string]float64, at int, a *engram.Answer) {
	ranked := eval.Distinct(a.Items, func(i memory.Item) string { return c.keys[i.Seq] })
	evidence := c.Questions[at].Evidence
	for _, k := range []int{5, 10, 20} {
		metrics[fmt.Sprintf("recall@%d", k)] = eval.RecallAt(ranked, evidence, k)
	}
	metrics["ndcg@10"] = eval.NDCGAt(ranked, evidence, 10)
	metrics["session_recall@10"] = eval.SessionRecallAt(ranked, evidence, func(key string) string { return c.sessions[key] }, 10)
}

// Summary is how weights did on a benchmark.
type Summary struct {
	Benchmark  string                        `json:"benchmark"`
	Fit        string                        `json:"fit"`       // how the weights were fitted
	Questions  int                           `json:"questions"` // that have evidence
	Metrics    map[string]float64            `json:"metrics"`
	ByCategory map[string]map[string]float64 `json:"by_category"`
	Commit     string                        `json:"engine_commit,omitempty"`
}

// Summarise averages rows, by benchmark in the order in which they come. Rows
// in fold are no result and give memory.ErrInvalid.
func Summarise(rows []eval.Row, fit string) ([]Summary, error) {
	for i := range rows {
		if r := &rows[i]; r.Fit == eval.InFold {
			return nil, fmt.Errorf("the weights %s have seen %s/%s: numbers in fold are no result: %w", r.Weights, r.Benchmark, r.Case, memory.ErrInvalid)
		}
	}
	return summarise(rows, fit), nil
}

func summarise(rows []eval.Row, fit string) []Summary {
	var out []Summary
	by := map[string][]eval.Row{}
	for i := range rows {
		name := rows[i].Benchmark
		if by[name] == nil {
			out = append(out, Summary{Benchmark: name, Fit: fit, ByCategory: map[string]map[string]float64{}})
		}
		by[name] = append(by[name], rows[i])
	}
	for i := range out {
		s, categories := &out[i], map[string][]eval.Row{}
		for _, r := range by[s.Benchmark] {
			if !r.Unanswerable {
				s.Questions++
				categories[r.Category] = append(categories[r.Category], r)
			}
		}
		s.Metrics = means(by[s.Benchmark])
		abstention(s.Metrics, by[s.Benchmark])
		for name, list := range categories {
			s.ByCategory[name] = means(list)
			s.ByCategory[name]["questions"] = float64(len(list))
		}
	}
	return out
}

// means averages each measure over the rows that have it.
func means(rows []eval.Row) map[string]float64 {
	values := map[string][]float64{}
	for i := range rows {
		for name, v := range rows[i].Metrics {
			values[name] = append(values[name], v)
		}
	}
	out := map[string]float64{}
	for name, list := range values {
		out[name] = eval.Mean(list)
	}
	return out
}

// abstention measures the verdicts: whether what has an answer scores higher
// than what has none, asked for in this memory or another, and what the
// threshold withholds of each kind.
func abstention(metrics map[string]float64, rows []eval.Row) {
	scores, withheld := map[string][]float64{}, map[string][]float64{}
	for i := range rows {
		r := &rows[i]
		kind := "answerable"
		switch {
		case r.Category == foreignCategory:
			kind = "foreign"
		case r.Unanswerable:
			kind = "unanswerable"
		}
		scores[kind] = append(scores[kind], r.Verdict.Score)
		w := 0.0
		if !r.Verdict.Answerable {
			w = 1
		}
		withheld[kind] = append(withheld[kind], w)
	}
	for _, kind := range slices.Sorted(maps.Keys(scores)) {
		metrics["withheld_"+kind] = eval.Mean(withheld[kind])
		if area := eval.AUROC(scores["answerable"], scores[kind]); kind != "answerable" && !math.IsNaN(area) {
			metrics["auroc_"+kind] = area
		}
	}
}
