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

// readers summarises what each reader made of the contexts of a system.
func (s *set) readers(r *rows) []Reader {
	var list []Reader
	for _, name := range r.readers {
		out := Reader{Name: name}
		var hits []float64
		var scores []float64
		for _, q := range s.questions {
			row := r.of[q]
			if row == nil {
				continue
			}
			if v, ok := right(r, row, name); ok {
				hits, scores = append(hits, v), append(scores, out.add(row))
			}
		}
		if out.Judged = len(hits); out.Judged > 0 {
			out.Accuracy, out.Interval, out.Score = eval.Mean(hits), interval(hits, s.seed), eval.Mean(scores)
		}
		list = append(list, out)
	}
	return list
}

// add counts an answer in and gives the mean of its judges' scores.
func (r *Reader) add(row *eval.Row) float64 {
	at := slices.IndexFunc(row.Answers, func(a eval.Answer) bool { return a.Reader == r.Name })
	if at < 0 {
		return 0 // an error stands for the answer
	}
	a := &row.Answers[at]
	r.InputTokens, r.OutputTokens = r.InputTokens+a.InputTokens, r.OutputTokens+a.OutputTokens
	if a.Error != "" || row.Error != "" || len(a.Verdicts) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range a.Verdicts {
		if v.Error == "" {
			sum += v.Score
		}
	}
	return sum / float64(len(a.Verdicts))
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

// versusFull tests a system against Full; nil for Full itself, and if nothing
// was measured on both.
func (s *set) versusFull(r *rows) *Versus {
	full := s.system(Full)
	if full == nil || full == r {
		return nil
	}
	var tests []Test
	for _, reader := range r.readers {
		if t, ok := s.test(r, full, accuracyOf+reader); ok {
			t.On, t.Reader = accuracy, reader
			tests = append(tests, t)
		}
	}
	if len(tests) == 0 {
		if t, ok := s.test(r, full, allCovered); ok {
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
