// Package eval is the scoreboard: benchmarks, the systems that are measured on
// them, the measures, and rows that can be run again byte for byte. Readers of
// benchmarks, systems, models and reports are packages below it. It may import
// memory, text, when, the token counter and gonum; nothing but cmd imports it
// or what is below it.
package eval

import (
	"iter"
	"slices"

	"engram/memory"
)

// Benchmark is a set of histories with questions about them.
type Benchmark struct {
	Name string
	// Data is what it was read from, with digests; none if it is made up.
	Data []File
	// Questions is how many there are in all.
	Questions int
	// Cases gives one history after the other, so that a file of gigabytes is
	// never held as a whole; it may be ranged over again.
	Cases iter.Seq2[*Case, error]
}

// File is a file of a data set.
type File struct {
	Name   string `json:"name"` // without its directory
	SHA256 string `json:"sha256"`
}

// Case is one history and its questions: a memory of its own.
type Case struct {
	Name      string
	Turns     []Turn // in the order in which they were heard
	Questions []Question
}

// Turn is one episode as a memory hears it. IDKey is its name in the case, and
// Session that of its session; systems see neither (Run gives them numbers).
type Turn struct {
	memory.Episode
	Recorded int64 // when it was heard, µs since 1970 UTC; 0: when it occurred
}

// Ask is all that a system learns of a question. It has no identity, category,
// session or answer: nothing of a label can get into retrieval.
type Ask struct {
	Text  string
	At    memory.Time // when it is asked; zero: a day after the last turn
	Valid memory.Time // the moment that is asked about; zero: At
	Known memory.Time // what was heard until then counts; zero: everything
}

// Question is asked of a case and answered by its evidence.
type Question struct {
	ID           string // unique in the benchmark: "conv-26/q12", "beam-3/summarization/1"
	Category     string
	Ask          Ask
	Answer       string   // the reference answer
	Evidence     []string // IDKeys of the turns that hold the answer, in their order
	Unanswerable bool     // the history does not hold the answer
	Rubric       []string // what a good answer says, where the benchmark lists it

	Right []string // values that hold at Ask.Valid, for questions of time
	Wrong []string // values of the same thing that do not
}

// Session is a stretch of turns of one session, as it is handed to a system.
type Session struct {
	Name  string
	Turns []Turn
}

// Sessions cuts the turns where the session changes.
func (c *Case) Sessions() []Session {
	var out []Session
	for start := 0; start < len(c.Turns); {
		name, end := c.Turns[start].Session, start+1
		for end < len(c.Turns) && c.Turns[end].Session == name {
			end++
		}
		out = append(out, Session{Name: name, Turns: c.Turns[start:end]})
		start = end
	}
	return out
}

// Of gives a benchmark of cases that are in memory.
func Of(name string, cases []Case, data ...File) *Benchmark {
	b := &Benchmark{Name: name, Data: data, Cases: func(yield func(*Case, error) bool) {
		for i := range cases {
			if !yield(&cases[i], nil) {
				return
			}
		}
	}}
	for i := range cases {
		b.Questions += len(cases[i].Questions)
	}
	return b
}

// Keep gives the question the evidence that ids name among the turns of the
// case, each once and in the order of the turns.
func (c *Case) Keep(q *Question, ids []string) {
	for i := range c.Turns {
		if key := c.Turns[i].IDKey; slices.Contains(ids, key) && !slices.Contains(q.Evidence, key) {
			q.Evidence = append(q.Evidence, key)
		}
	}
}
