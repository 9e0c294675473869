package judge

import (
	"encoding/json"
	"io"

	"engram/eval"
)

// Hypotheses writes what a reader answered from a system's contexts in the form
// that official evaluation scripts read: one object with question_id and
// hypothesis a line. An error is an empty hypothesis, which no judge finds right.
func Hypotheses(w io.Writer, rows []eval.Row, system, reader string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range rows {
		if rows[i].System != system {
			continue
		}
		line := struct {
			Question   string `json:"question_id"`
			Hypothesis string `json:"hypothesis"`
		}{Question: rows[i].Question}
		for _, a := range rows[i].Answers {
			if a.Reader == reader {
				line.Hypothesis = a.Hypothesis
			}
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
