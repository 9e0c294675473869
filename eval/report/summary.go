package report

import (
	"math"
	"slices"

	"engram/eval"
)

// cost adds what a system took and stored.
func (s *set) cost(r *rows, out *System) {
	var tokens, history int
	var recalls, ingests []float64
	weights, fits := map[string]bool{}, map[eval.Fit]bool{}
	for _, q := range s.questions {
		row := r.of[q]
		if row == nil {
			continue
		}
		if row.Error != "" {
			out.Errors++
			continue // it has neither tokens nor a time
		}
		tokens, history = tokens+row.Tokens, history+row.History
		recalls = append(recalls, row.RecallMS)
		if row.Cut > 0 {
			out.Cut++
		}
		if row.Weights != "" {
			weights[row.Weights] = true
		}
		if row.Fit != eval.Unfitted {
			fits[row.Fit] = true
		}
	}
	if len(recalls) > 0 {
		out.Metrics["tokens"] = float64(tokens) / float64(len(recalls))
	}
	if history > 0 {
		out.Metrics["token_ratio"] = float64(tokens) / float64(history)
	}
	for i := range r.run.Cases {
		if c := &r.run.Cases[i]; c.System == r.name {
			out.Bytes += c.Bytes
			ingests = append(ingests, c.IngestMS...)
		}
	}
	out.LatencyMS = map[string]float64{
		"recall_p50": percentile(recalls, 0.5), "recall_p95": percentile(recalls, 0.95),
		"ingest_p50": percentile(ingests, 0.5), "ingest_p95": percentile(ingests, 0.95),
	}
	out.Weights, out.Fit = sorted(weights), sorted(fits)
}

func sorted[T ~string](names map[T]bool) []T {
	var list []T
	for n := range names {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// abstention compares a system's verdicts with what can be answered; nil if it
// gives none. An error is the worst verdict that there is.
func (s *set) abstention(r *rows) *Abstention {
	var out Abstention
	var answerable, unanswerable []float64 // scores
	var right []float64
	kept, withheld, judges := 0.0, 0.0, false
	for _, q := range s.questions {
		row := r.of[q]
		if row == nil || row.Verdict == nil && row.Error == "" {
			continue
		}
		v := eval.Verdict{Answerable: row.Unanswerable, Score: math.Inf(-1)}
		if row.Unanswerable {
			v.Score = math.Inf(1)
		}
		if row.Error == "" {
			v, judges = *row.Verdict, true
		}
		right = append(right, number(v.Answerable != row.Unanswerable))
		if row.Unanswerable {
			unanswerable, withheld = append(unanswerable, v.Score), withheld+number(!v.Answerable)
		} else {
			answerable, kept = append(answerable, v.Score), kept+number(v.Answerable)
		}
	}
	if !judges {
		return nil
	}
	out.Answerable, out.Unanswerable = len(answerable), len(unanswerable)
	out.Accuracy, out.Interval = eval.Mean(right), interval(right, s.seed)
	if len(answerable) > 0 {
		out.Kept = kept / float64(len(answerable))
	}
	if len(unanswerable) > 0 {
		out.Withheld = withheld / float64(len(unanswerable))
	}
	if area := eval.AUROC(answerable, unanswerable); !math.IsNaN(area) {
		out.AUROC = &area
	}
	return &out
}

// versusFull tests a system against the whole history; nil for that itself, and if nothing
// was measured on both.
func (s *set) versusFull(r *rows) *Versus {
	baseline := s.system(full)
	if baseline == nil || baseline == r {
		return nil
	}
	var tests []Test
	for _, reader := range r.readers {
		if t, ok := s.test(r, baseline, accuracyOf+reader); ok {
			t.On, t.Reader = accuracy, reader
			tests = append(tests, t)
		}
	}
	if len(tests) == 0 {
		if t, ok := s.test(r, baseline, allCovered); ok {
			return &Versus{Test: t}
		}
		return nil
	}
	out := &Versus{Test: tests[0]}
	if len(tests) > 1 {
		out.Readers = tests
	}
	return out
}

// test compares two systems question by question on a measure of 0 or 1.
func (s *set) test(r, other *rows, measure string) (Test, bool) {
	t := Test{On: measure}
	var a, b []float64
	for _, q := range s.questions {
		here, ok := s.value(r, q, measure)
		there, both := s.value(other, q, measure)
		if !ok || !both {
			continue
		}
		a, b = append(a, here), append(b, there)
		switch {
		case here > there:
			t.Gained++
		case here < there:
			t.Lost++
		}
	}
	if t.Questions = len(a); t.Questions == 0 {
		return t, false
	}
	t.McNemarP = eval.McNemar(t.Gained, t.Lost)
	t.Gain, t.Interval = eval.PairedBootstrap(a, b, s.seed)
	return t, true
}
