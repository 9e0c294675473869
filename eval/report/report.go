package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"engram/eval"
	"engram/memory"
)

// full is the name of the baseline that hands over the whole history, against
// which every other system is tested.
const full = "full"

// Report is what runs of a benchmark gave, in the shape of --json.
type Report struct {
	Benchmark  string             `json:"benchmark"`
	Questions  int                `json:"questions"`
	Incomplete string             `json:"incomplete,omitempty"` // "incomplete: 10 of 24 rows"
	Main       string             `json:"main"`                 // the measure that counts most: "accuracy" if there were readers
	Systems    map[string]*System `json:"systems"`
	Runs       []eval.Manifest    `json:"runs"`

	order      []string // of systems, as they were run
	categories []string
}

// System is what one system gave. Means are of the questions that are measured
// so; an error counts as 0 and as a wrong answer.
type System struct {
	Questions int `json:"questions"`
	Errors    int `json:"errors"`
	// Metrics are the metrics of the rows, "all_covered", "accuracy" (of the
	// first reader) and "accuracy:READER", "abstention_accuracy",
	// "abstention_auroc", "tokens" (mean) and "token_ratio" (to the history).
	Metrics map[string]float64 `json:"metrics"`
	// ByCategory has "questions" beside the metrics.
	ByCategory map[string]map[string]float64 `json:"by_category"`
	// Intervals are 95 %: Wilson's for shares of questions, bootstrapped for
	// other means. IntervalsBy are those of the categories.
	Intervals   map[string]eval.Interval95            `json:"intervals"`
	Measured    map[string]int                        `json:"measured"` // questions behind each mean
	IntervalsBy map[string]map[string]eval.Interval95 `json:"intervals_by_category"`
	VsFull      *Versus                               `json:"vs_full,omitempty"`
	Readers     []Reader                              `json:"readers,omitempty"`
	Abstention  *Abstention                           `json:"abstention,omitempty"`
	LatencyMS   map[string]float64                    `json:"latency_ms"` // recall_p50, recall_p95, ingest_p50, ingest_p95
	Bytes       int64                                 `json:"bytes"`      // stored for all cases
	Cut         int                                   `json:"cut_rows"`   // whose history was cut by the system's window
	Weights     []string                              `json:"weights,omitempty"`
	Fit         []eval.Fit                            `json:"fit,omitempty"`
	Whole       bool                                  `json:"whole,omitempty"`
	Gold        bool                                  `json:"gold,omitempty"`

	measuredBy map[string]map[string]int // Measured of the categories
}

// Reader is what a reader made of the contexts of a system.
type Reader struct {
	Name         string          `json:"reader"`
	Judged       int             `json:"judged"` // answers, and errors that stand for one
	Errors       int             `json:"errors"` // of the reader itself: answers that it did not give
	Accuracy     float64         `json:"accuracy"`
	Interval     eval.Interval95 `json:"interval"`
	Score        float64         `json:"score"` // mean of the judges' scores
	InputTokens  int             `json:"input_tokens"`
	OutputTokens int             `json:"output_tokens"`
	Judges       []Judge         `json:"judges,omitempty"` // sorted by name
}

// Judge is how often a judge could be asked about the answers of a reader.
type Judge struct {
	Name    string `json:"judge"`
	Rulings int    `json:"rulings"` // and the errors that stand for one
	Errors  int    `json:"errors"`
}

// Versus is a system against "full" on the questions that both were measured on.
type Versus struct {
	Test
	Readers []Test `json:"readers,omitempty"` // each of several
}

// Test is a paired comparison of what is right or wrong.
type Test struct {
	On        string          `json:"on"` // "accuracy", or "all_covered" without a model
	Reader    string          `json:"reader,omitempty"`
	Questions int             `json:"questions"`
	Gained    int             `json:"gained"` // right here and wrong there
	Lost      int             `json:"lost"`
	McNemarP  float64         `json:"mcnemar_p"` // two-sided, exact
	Gain      float64         `json:"gain"`      // difference of the shares
	Interval  eval.Interval95 `json:"gain_interval"`
}

// Abstention is how well a system knows what it does not know.
type Abstention struct {
	Answerable   int             `json:"answerable"`
	Unanswerable int             `json:"unanswerable"`
	Accuracy     float64         `json:"accuracy"` // at the default threshold
	Interval     eval.Interval95 `json:"interval"`
	Withheld     float64         `json:"withheld"`        // share of the unanswerable that it held to be so
	Kept         float64         `json:"kept"`            // share of the answerable that it held to be so
	AUROC        *float64        `json:"auroc,omitempty"` // if both kinds were asked
}

// New verifies runs and reports them. Runs of the same questions by different
// systems become one report; if any do not fit, each has its own.
func New(runs ...*Run) ([]*Report, error) {
	if len(runs) == 0 {
		return nil, fmt.Errorf("there is no run to report: %w", memory.ErrInvalid)
	}
	for _, r := range runs {
		if err := r.verify(); err != nil {
			return nil, err
		}
	}
	if oneReport(runs) {
		return []*Report{summarise(runs...)}, nil
	}
	var list []*Report
	for _, r := range runs {
		list = append(list, summarise(r))
	}
	return list, nil
}

// oneReport reports whether the rows of runs can stand beside each other.
func oneReport(runs []*Run) bool {
	first, systems := &runs[0].Manifest, map[string]bool{}
	for _, r := range runs {
		m := &r.Manifest
		if m.Benchmark != first.Benchmark || m.Budget != first.Budget || m.Prompts != first.Prompts ||
			!slices.Equal(m.Data, first.Data) || !slices.Equal(m.Readers, first.Readers) || !slices.Equal(m.Judges, first.Judges) ||
			!slices.Equal(r.questions(), runs[0].questions()) {
			return false
		}
		for _, s := range m.Systems {
			if systems[s] {
				return false
			}
			systems[s] = true
		}
	}
	return true
}

// mains are the measures that may be the main one, the best first. Made-up
// worlds alone have as_of, and are made for it.
var mains = []string{accuracy, "as_of", "covered", "answer_in_context"}

func summarise(runs ...*Run) *Report {
	s := newSet(runs...)
	of, categories := s.byCategory()
	out := &Report{Benchmark: runs[0].Manifest.Benchmark, Questions: len(s.questions), Systems: map[string]*System{}, categories: categories}
	var incomplete []string
	for _, r := range runs {
		out.Runs = append(out.Runs, r.Manifest)
		if status := r.status(); status != "" {
			incomplete = append(incomplete, status)
		}
	}
	out.Incomplete = strings.Join(incomplete, "; ")
	for _, r := range s.systems {
		sum := s.summary(r, of)
		out.Systems[r.name], out.order = sum, append(out.order, r.name)
	}
	out.Main = mains[0]
	for _, m := range slices.Backward(mains) {
		if slices.ContainsFunc(s.systems, func(r *rows) bool { _, ok := out.Systems[r.name].Metrics[m]; return ok }) {
			out.Main = m
		}
	}
	return out
}

// summary makes the summary of one system.
func (s *set) summary(r *rows, byCategory map[string][]string) *System {
	out := &System{
		Questions: len(r.of), ByCategory: map[string]map[string]float64{}, IntervalsBy: map[string]map[string]eval.Interval95{},
		Whole: r.run.whole(r.name), Gold: r.run.gold(r.name), measuredBy: map[string]map[string]int{},
	}
	out.Metrics, out.Intervals, out.Measured = s.means(r, s.questions)
	for c, questions := range byCategory {
		out.ByCategory[c], out.IntervalsBy[c], out.measuredBy[c] = s.means(r, questions)
		n := 0
		for _, q := range questions {
			n += int(number(r.of[q] != nil))
		}
		out.ByCategory[c]["questions"] = float64(n)
	}
	s.cost(r, out)
	out.Readers = s.readers(r)
	if out.Abstention = s.abstention(r); out.Abstention != nil {
		out.Metrics["abstention_accuracy"], out.Intervals["abstention_accuracy"] = out.Abstention.Accuracy, out.Abstention.Interval
		if out.Abstention.AUROC != nil {
			out.Metrics["abstention_auroc"] = *out.Abstention.AUROC
		}
	}
	out.VsFull = s.versusFull(r)
	return out
}

// means gives each measure of a system over questions, with its interval and
// the number of questions that have it.
func (s *set) means(r *rows, questions []string) (means map[string]float64, intervals map[string]eval.Interval95, n map[string]int) {
	means, intervals, n = map[string]float64{}, map[string]eval.Interval95{}, map[string]int{}
	for _, measure := range r.measures() {
		if values := s.values(r, questions, measure); len(values) > 0 {
			means[measure], intervals[measure], n[measure] = eval.Mean(values), interval(values, s.seed), len(values)
		}
	}
	return means, intervals, n
}

// interval is Wilson's if every value is 0 or 1, so that the mean is a share of
// the questions, and bootstrapped otherwise.
func interval(values []float64, seed uint64) eval.Interval95 {
	hits := 0
	for _, v := range values {
		if v != 0 && v != 1 {
			return eval.Bootstrap(values, seed)
		}
		hits += int(v)
	}
	return eval.Wilson(hits, len(values))
}

// percentile rounds to the µs and gives 0 of none, which JSON can say.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return math.Round(eval.Percentile(values, p)*1000) / 1000
}
