package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"engram/memory"
)

// Summary is what a run gave, in the shape of --json.
type Summary struct {
	Benchmark  string                        `json:"benchmark"`
	Questions  int                           `json:"questions"`
	Metrics    map[string]float64            `json:"metrics"`
	ByCategory map[string]map[string]float64 `json:"by_category"`
	LatencyMS  map[string]float64            `json:"latency_ms"`
	Commit     string                        `json:"engine_commit"`
	Model      string                        `json:"model"`
	Weights    string                        `json:"weights"`
	Fit        string                        `json:"fit"` // how the weights were fitted for the questions
}

// Summarise averages rows over questions, in all and by category.
func Summarise(b *Bench, rows []Row) Summary {
	s := Summary{Benchmark: b.Name, Questions: len(rows), Model: "none", ByCategory: map[string]map[string]float64{}}
	s.Metrics = means(rows)
	byCategory := map[string][]Row{}
	var recalls []time.Duration
	for _, r := range rows {
		byCategory[r.Category] = append(byCategory[r.Category], r)
		recalls = append(recalls, r.Recall)
	}
	for c, list := range byCategory {
		s.ByCategory[c] = means(list)
		s.ByCategory[c]["questions"] = float64(len(list))
	}
	s.LatencyMS = map[string]float64{
		"remember_p50": ms(b.Remember, 0.5), "remember_p95": ms(b.Remember, 0.95),
		"recall_p50": ms(recalls, 0.5), "recall_p95": ms(recalls, 0.95),
	}
	return s
}

func means(rows []Row) map[string]float64 {
	out := map[string]float64{}
	if len(rows) == 0 {
		return out
	}
	for name := range rows[0].Metrics {
		values := make([]float64, len(rows))
		for i, r := range rows {
			values[i] = r.Metrics[name]
		}
		out[name] = Mean(values)
	}
	return out
}

func ms(list []time.Duration, p float64) float64 {
	values := make([]float64, len(list))
	for i, d := range list {
		values[i] = float64(d) / float64(time.Millisecond)
	}
	return Percentile(values, p)
}

// columns of the table, in order.
var columns = []string{
	"recall@5", "recall@10", "recall@20", "ndcg@10", "session_recall@10",
	"covered@1k", "covered@2k", "covered@4k", "covered@8k", "any_part@2k", "any_part@4k",
}

// Table writes the summary for people.
func (s *Summary) Table(w io.Writer) error {
	heads := make([]string, len(columns))
	for i, c := range columns {
		heads[i] = strings.NewReplacer("recall", "R", "session_R", "S", "ndcg", "N", "covered", "cov", "any_part", "any").Replace(c)
	}
	if _, err := fmt.Fprintf(w, "%s: %s\n%-26s %5s  %s\n", s.Benchmark, s.Fit, "", "n", strings.Join(pad(heads), " ")); err != nil {
		return err
	}
	for _, c := range slices.Sorted(maps.Keys(s.ByCategory)) {
		if err := s.tableRow(w, c, int(s.ByCategory[c]["questions"]), s.ByCategory[c]); err != nil {
			return err
		}
	}
	if err := s.tableRow(w, "all", s.Questions, s.Metrics); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "remember p50 %.2f ms, p95 %.2f ms · recall p50 %.2f ms, p95 %.2f ms (budget %d) · weights %s · model %s · commit %s\n",
		s.LatencyMS["remember_p50"], s.LatencyMS["remember_p95"], s.LatencyMS["recall_p50"], s.LatencyMS["recall_p95"], memory.Budget, s.Weights, s.Model, s.Commit)
	return err
}

func (s *Summary) tableRow(w io.Writer, name string, n int, m map[string]float64) error {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = fmt.Sprintf("%.1f", 100*m[c])
	}
	_, err := fmt.Fprintf(w, "%-26s %5d  %s\n", name, n, strings.Join(pad(cells), " "))
	return err
}

func pad(cells []string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = fmt.Sprintf("%6s", c)
	}
	return out
}
