package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"engram/eval"
)

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
	r.failed(a)
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

// failed counts what went wrong with an answer, so that an endpoint that is
// dead does not pass for one that knows nothing.
func (r *Reader) failed(a *eval.Answer) {
	r.Errors += int(number(a.Error != ""))
	for i := range a.Verdicts {
		v := &a.Verdicts[i]
		at, known := slices.BinarySearchFunc(r.Judges, v.Judge, func(j Judge, name string) int { return strings.Compare(j.Name, name) })
		if !known {
			r.Judges = slices.Insert(r.Judges, at, Judge{Name: v.Judge})
		}
		r.Judges[at].Rulings++
		r.Judges[at].Errors += int(number(v.Error != ""))
	}
}

// failures gives the errors of the readers of a system and those of its judges.
func (s *System) failures() (ofReaders, ofJudges int) {
	for i := range s.Readers {
		ofReaders += s.Readers[i].Errors
		for _, j := range s.Readers[i].Judges {
			ofJudges += j.Errors
		}
	}
	return ofReaders, ofJudges
}

// readerNames are those of all systems, each once.
func (r *Report) readerNames() []string {
	var all []Reader
	for _, name := range r.order {
		all = append(all, r.Systems[name].Readers...)
	}
	return eval.Distinct(all, func(reader Reader) string { return reader.Name })
}

// readerTable is the table of the readers, if there were any. Each judge has a
// column of its errors.
func (r *Report) readerTable() table {
	t := table{
		Title: "Readers",
		Note: "Percent. An answer is right if most judges say so; the score is the mean of the judges'. An error counts as wrong: " +
			"those of a reader are answers that it did not give, those of a judge rulings that it did not give.",
		Header: []string{"system", "reader", "judged", "reader errors", "accuracy", "score", "tokens read", "tokens written"},
	}
	judges := r.judgeNames()
	for _, judge := range judges {
		t.Header = append(t.Header, "errors of "+clean(judge))
	}
	for _, name := range r.order {
		for i := range r.Systems[name].Readers {
			x := &r.Systems[name].Readers[i]
			row := []string{
				clean(name), clean(x.Name), fmt.Sprintf("%d of %d", x.Judged, r.Systems[name].Questions), strconv.Itoa(x.Errors),
				percent(x.Accuracy) + " " + percentInterval(x.Interval), percent(x.Score), whole(float64(x.InputTokens)), whole(float64(x.OutputTokens)),
			}
			for _, judge := range judges {
				row = append(row, x.errorsOf(judge))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// judgeNames are those of all readers, each once, sorted.
func (r *Report) judgeNames() []string {
	var all []Judge
	for _, name := range r.order {
		for i := range r.Systems[name].Readers {
			all = append(all, r.Systems[name].Readers[i].Judges...)
		}
	}
	names := eval.Distinct(all, func(j Judge) string { return j.Name })
	slices.Sort(names)
	return names
}

// errorsOf shows those of a judge, "" if it was not asked.
func (r *Reader) errorsOf(judge string) string {
	for _, j := range r.Judges {
		if j.Name == judge {
			return fmt.Sprintf("%d of %d", j.Errors, j.Rulings)
		}
	}
	return ""
}
