package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// table is a table of a report, its first column names.
type table struct {
	Title, Note string
	Header      []string
	Rows        [][]string
}

// column is a column of a table with a line for each system. The name of the
// system comes first by itself; a column that is empty for all is left out.
type column struct {
	head string
	cell func(*System) string
}

// share is a column of a metric.
func share(head, metric string) column {
	return column{head, func(s *System) string {
		if v, ok := s.Metrics[metric]; ok {
			return percent(v)
		}
		return ""
	}}
}

func count(head string, of func(*System) int) column {
	return column{head, func(s *System) string {
		if n := of(s); n > 0 {
			return whole(float64(n))
		}
		return ""
	}}
}

func latency(head, name string) column {
	return column{head, func(s *System) string { return millis(s.LatencyMS[name]) }}
}

func versus(head string, show func(*Versus) string) column {
	return column{head, func(s *System) string {
		if s.VsFull == nil {
			return ""
		}
		return show(s.VsFull)
	}}
}

var (
	questions    = count("n", func(s *System) int { return s.Questions })
	failures     = count("errors", func(s *System) int { return s.Errors })
	readerErrors = count("reader errors", func(s *System) int { n, _ := s.failures(); return n })
	judgeErrors  = count("judge errors", func(s *System) int { _, n := s.failures(); return n })
	meanSize     = column{"tokens", func(s *System) string { return whole(s.Metrics["tokens"]) }}
	ratio        = column{"% of history", func(s *System) string {
		if v, ok := s.Metrics["token_ratio"]; ok {
			return percent(v)
		}
		return ""
	}}
)

// perSystem makes a table with a line a system.
func (r *Report) perSystem(title, note string, columns ...column) table {
	t := table{Title: title, Note: note, Header: []string{"system"}, Rows: make([][]string, len(r.order))}
	for i, name := range r.order {
		t.Rows[i] = []string{clean(name)}
	}
	for _, c := range columns {
		cells, empty := make([]string, len(r.order)), true
		for i, name := range r.order {
			cells[i] = c.cell(r.Systems[name])
			empty = empty && cells[i] == ""
		}
		if empty {
			continue
		}
		t.Header = append(t.Header, c.head)
		for i := range cells {
			t.Rows[i] = append(t.Rows[i], cells[i])
		}
	}
	return t
}

// overview is the table of all systems.
func (r *Report) overview() table {
	note := "Shares in percent. An error counts as a wrong answer and as 0. The gain on full is in points, of right answers or, without a model, of all evidence covered; its p takes questions as independent."
	if r.has(factCovered) {
		note += " Fact covered takes evidence for covered, too, that is shown in part or by a fact learned from it."
	}
	return r.perSystem("Systems", note,
		questions, failures, readerErrors, judgeErrors, share("accuracy", accuracy), share("as of", "as_of"), share("covered", "covered"), share("fact covered", factCovered),
		versus("gain on full", func(v *Versus) string { return points(v.Gain) }),
		versus("p", func(v *Versus) string { return probability(v.McNemarP) }),
		share("answer in context", "answer_in_context"),
		share("recall@10", "recall@10"), share("nDCG@10", "ndcg@10"), column{"AUROC", func(s *System) string { return s.Abstention.area() }},
		meanSize, ratio, latency("recall p50 ms", "recall_p50"), latency("p95 ms", "recall_p95"))
}

// tables gives all tables of the report, those first that matter most.
func (r *Report) tables() []table {
	list := []table{r.overview(), r.tests(), r.readerTable()}
	for _, measure := range r.shown() {
		list = append(list, r.categoryTable(measure))
	}
	list = append(list, r.evidence(), r.costs(), r.abstentionTable())
	return slices.DeleteFunc(list, func(t table) bool { return len(t.Header) < 2 || len(t.Rows) == 0 })
}

// shown are the measures that have a table by category.
func (r *Report) shown() []string {
	list := []string{r.Main}
	for _, measure := range append(slices.Clone(mains), "recall@10") {
		if measure != r.Main && r.has(measure) {
			list = append(list, measure)
		}
	}
	for i, name := range r.readerNames() {
		if measure := accuracyOf + name; i > 0 && r.has(measure) { // the first one is the main one
			list = append(list, measure)
		}
	}
	return list
}

func (r *Report) has(measure string) bool {
	return slices.ContainsFunc(r.order, func(name string) bool { _, ok := r.Systems[name].Metrics[measure]; return ok })
}

// categoryTable shows a measure of each category and system with its interval.
func (r *Report) categoryTable(measure string) table {
	t := table{
		Title:  r.nameOf(measure) + " by category",
		Note:   "Percent with the 95 % interval: Wilson's where a question is right or wrong, bootstrapped where it has a share. Questions are taken as independent.",
		Header: []string{"category", "n"},
	}
	for _, name := range r.order {
		t.Header = append(t.Header, clean(name))
	}
	for _, c := range append(slices.Clone(r.categories), "") { // "" is all of them
		row, n := []string{cmp.Or(clean(c), "all"), ""}, 0
		for _, name := range r.order {
			s := r.Systems[name]
			means, intervals, measured := s.ByCategory[c], s.IntervalsBy[c], s.measuredBy[c]
			if c == "" {
				means, intervals, measured = s.Metrics, s.Intervals, s.Measured
			}
			n = max(n, measured[measure])
			if v, ok := means[measure]; ok {
				row = append(row, percent(v)+" "+percentInterval(intervals[measure]))
			} else {
				row = append(row, "")
			}
		}
		if row[1] = strconv.Itoa(n); n > 0 {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// nameOf names a measure for people.
func (r *Report) nameOf(measure string) string {
	if readers := r.readerNames(); measure == accuracy && len(readers) > 1 {
		measure = accuracyOf + readers[0]
	}
	if reader, ok := strings.CutPrefix(measure, accuracyOf); ok {
		return "accuracy of " + clean(reader)
	}
	return strings.ReplaceAll(measure, "_", " ")
}

func (r *Report) evidence() table {
	columns := make([]column, 0, 16)
	for _, m := range []string{
		"recall@5", "recall@10", "recall@20", "ndcg@10", "mrr", "session_recall@10", "covered@1k", "covered@2k", "covered@4k", "covered@8k",
		"any_part@1k", "any_part@2k", "any_part@4k", "any_part@8k", allCovered,
	} {
		columns = append(columns, share(m, m))
	}
	return r.perSystem("Evidence", "Percent, without a model: the share of the evidence among the first k turns, and whole (or any part of it) in a context of so many tokens.", columns...)
}

func (r *Report) costs() table {
	return r.perSystem("Cost", "Tokens of the context (o200k), mean; latency in ms; ingest is of one turn; stored for all histories together.",
		meanSize, ratio, count("cut rows", func(s *System) int { return s.Cut }), failures,
		latency("recall p50", "recall_p50"), latency("recall p95", "recall_p95"),
		latency("ingest p50", "ingest_p50"), latency("ingest p95", "ingest_p95"),
		column{"stored", func(s *System) string { return size(s.Bytes) }},
		column{"weights", func(s *System) string { return clean(strings.Join(s.Weights, ", ")) }},
		column{"fitted", fitted},
		column{"mark", func(s *System) string {
			switch {
			case s.Gold:
				return "told the evidence"
			case s.Whole:
				return "whole history"
			}
			return ""
		}})
}

func fitted(s *System) string {
	var names []string
	for _, f := range s.Fit {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

func (r *Report) abstentionTable() table {
	of := func(head string, show func(*Abstention) string) column {
		return column{head, func(s *System) string {
			if s.Abstention == nil {
				return ""
			}
			return show(s.Abstention)
		}}
	}
	t := r.perSystem("Abstention", "Percent. At the default threshold: right verdicts, unanswerable questions held to be so, answerable ones held to be so. AUROC: how likely an answerable question scores above an unanswerable one.",
		of("answerable", func(a *Abstention) string { return strconv.Itoa(a.Answerable) }),
		of("unanswerable", func(a *Abstention) string { return strconv.Itoa(a.Unanswerable) }),
		of("accuracy", func(a *Abstention) string { return percent(a.Accuracy) + " " + percentInterval(a.Interval) }),
		of("withheld", func(a *Abstention) string { return unless(a.Unanswerable == 0, percent(a.Withheld)) }),
		of("kept", func(a *Abstention) string { return unless(a.Answerable == 0, percent(a.Kept)) }),
		of("AUROC", (*Abstention).area))
	t.Rows = slices.DeleteFunc(t.Rows, func(row []string) bool { return r.Systems[row[0]] != nil && r.Systems[row[0]].Abstention == nil })
	return t
}

// area shows the AUROC, which is no share.
func (a *Abstention) area() string {
	if a == nil || a.AUROC == nil {
		return ""
	}
	return fmt.Sprintf("%.3f", *a.AUROC)
}

func unless(empty bool, s string) string {
	if empty {
		return ""
	}
	return s
}

// tests is the table of the paired tests, if the baseline was run.
func (r *Report) tests() table {
	t := table{
		Title: "Against the full history",
		Note: "Paired on the same questions: exact McNemar test, two-sided; difference of the shares in points with its bootstrap interval. " +
			"Both take questions as independent, which those of one conversation are not quite: they may be too sure.",
		Header: []string{"system", "on", "reader", "n", "right only here", "right only with full", "gain", "95 % interval", "p"},
	}
	for _, name := range r.order {
		v := r.Systems[name].VsFull
		if v == nil {
			continue
		}
		list := v.Readers
		if len(list) == 0 {
			list = []Test{v.Test}
		}
		for i := range list {
			x := &list[i]
			t.Rows = append(t.Rows, []string{
				clean(name), x.On, clean(x.Reader), strconv.Itoa(x.Questions), strconv.Itoa(x.Gained), strconv.Itoa(x.Lost),
				points(x.Gain), pointsInterval(x.Interval), probability(x.McNemarP),
			})
		}
	}
	const reader = 2
	if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[reader] != "" }) {
		t.Header = slices.Delete(t.Header, reader, reader+1)
		for i := range t.Rows {
			t.Rows[i] = slices.Delete(t.Rows[i], reader, reader+1)
		}
	}
	return t
}
