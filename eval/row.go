package eval

import "slices"

// Row is what one system made of one question. Its fields but the durations are
// the same each time the same run is made.
type Row struct {
	Benchmark    string             `json:"benchmark"`
	Case         string             `json:"case"`
	Question     string             `json:"question_id"`
	Category     string             `json:"category"`
	System       string             `json:"system"`
	Options      map[string]string  `json:"options,omitempty"` // of the system
	Unanswerable bool               `json:"unanswerable,omitempty"`
	Context      string             `json:"context_sha256,omitempty"`
	Retrieved    []string           `json:"retrieved,omitempty"` // IDKeys of the first 20 turns
	Tokens       int                `json:"tokens"`              // of the context, o200k
	History      int                `json:"history_tokens"`      // of the whole history, o200k
	Cut          int                `json:"cut_tokens,omitempty"`
	Weights      string             `json:"weights,omitempty"`
	Fit          Fit                `json:"fit,omitempty"`
	Metrics      map[string]float64 `json:"metrics,omitempty"`
	Verdict      *Verdict           `json:"verdict,omitempty"`
	Answers      []Answer           `json:"answers,omitempty"` // of each reader
	Error        string             `json:"error,omitempty"`   // counts as wrong
	Seed         uint64             `json:"seed"`
	Commit       string             `json:"engine_commit"`
	RecallMS     float64            `json:"recall_ms"`
}

// Answer is what a reader made of a context, and what judges think of it.
type Answer struct {
	Reader       string   `json:"reader"`
	Hypothesis   string   `json:"hypothesis"`
	InputTokens  int      `json:"input_tokens,omitempty"`
	OutputTokens int      `json:"output_tokens,omitempty"`
	Error        string   `json:"error,omitempty"`
	Verdicts     []Ruling `json:"verdicts,omitempty"`
}

// Ruling is what a judge thinks of an answer.
type Ruling struct {
	Judge        string  `json:"judge"`
	Prompt       string  `json:"prompt"` // which of the prompts
	Prompts      string  `json:"prompts_sha256"`
	Correct      bool    `json:"correct"`
	Score        float64 `json:"score"` // in [0, 1]; with a rubric the share of it
	Raw          string  `json:"raw"`
	InputTokens  int     `json:"input_tokens,omitempty"`
	OutputTokens int     `json:"output_tokens,omitempty"`
	Error        string  `json:"error,omitempty"`
}

// Correct reports whether the answer of a reader counts as right: most of the
// judges say so, and there was no error. ok is false if nobody judged it.
func (r *Row) Correct(reader string) (correct, ok bool) {
	for i := range r.Answers {
		a := &r.Answers[i]
		if a.Reader != reader {
			continue
		}
		if a.Error != "" || r.Error != "" {
			return false, true
		}
		yes := 0
		for _, v := range a.Verdicts {
			if v.Correct && v.Error == "" {
				yes++
			}
		}
		return 2*yes > len(a.Verdicts), len(a.Verdicts) > 0
	}
	return false, false
}

// Failed reports whether something went wrong that another try may mend.
func (r *Row) Failed() bool {
	return r.Error != "" || slices.ContainsFunc(r.Answers, func(a Answer) bool {
		return a.Error != "" || slices.ContainsFunc(a.Verdicts, func(v Ruling) bool { return v.Error != "" })
	})
}

// CaseRow is what it took a system to hear a case.
type CaseRow struct {
	Case   string `json:"case"`
	System string `json:"system"`
	Turns  int    `json:"turns"`
	Bytes  int64  `json:"bytes"` // stored; 0 if nothing is
	// IngestMS are the times to hear each turn: of a session, divided by its turns.
	IngestMS []float64 `json:"ingest_ms"`
	Error    string    `json:"error,omitempty"`
}

// Manifest says how a run was made. Everything in it but Started is an input.
type Manifest struct {
	Format     int                          `json:"format"`
	Benchmark  string                       `json:"benchmark"`
	Data       []File                       `json:"data,omitempty"`
	Systems    []string                     `json:"systems"`
	Options    map[string]map[string]string `json:"options,omitempty"` // of systems
	Readers    []string                     `json:"readers,omitempty"`
	Judges     []string                     `json:"judges,omitempty"`
	Prompts    string                       `json:"judge_prompts_sha256,omitempty"`
	PromptsBy  string                       `json:"judge_prompts,omitempty"` // "engram", or the name of a file
	MaxAnswer  int                          `json:"answer_tokens,omitempty"` // most tokens of an answer of a model
	Budget     int                          `json:"budget"`
	Limit      int                          `json:"limit,omitempty"` // questions asked, 0: all
	Seed       uint64                       `json:"seed"`
	Commit     string                       `json:"engine_commit"`
	Questions  int                          `json:"questions"` // that each system is asked; set when the run is complete
	Complete   bool                         `json:"complete"`
	Started    string                       `json:"started"`
	Command    string                       `json:"command"`
	Go         string                       `json:"go"`
	Processors int                          `json:"processors"`
}

// ManifestFormat is the version of the files of a run.
const ManifestFormat = 1
