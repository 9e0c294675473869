package eval

import (
	"math"

	"engram/memory"
	"engram/text"
)

// Part names one part of a record.
type Part struct {
	Key   string // the record's IDKey
	Index int    // of text.Parts, 0-based
}

// MarkStrict sets Strict of every question of the case: of each evidence record
// the part of at most maxWords words that holds most of the reference answer,
// its words weighted by their rarity in the case. Of a long message seldom more
// than one part is evidence; with all of them as positives the fitted ranker
// lost eight points of R@10 on BEAM (docs/evaluation.md).
func (c *Case) MarkStrict(maxWords int) {
	v := newVocabulary(c.Records, maxWords)
	for i := range c.Questions {
		q := &c.Questions[i]
		answer := distinctTerms(q.Answer)
		if len(answer) == 0 {
			answer = distinctTerms(q.Text)
		}
		q.Strict = make([]Part, len(q.Evidence))
		for j, key := range q.Evidence {
			q.Strict[j] = Part{Key: key, Index: v.best(v.parts[key], answer)}
		}
	}
}

// vocabulary are the terms of all parts of a case.
type vocabulary struct {
	parts map[string][]map[string]bool // of an IDKey: the terms of each part
	df    map[string]int               // in how many parts a term is
	n     int                          // parts
}

func newVocabulary(records []memory.Record, maxWords int) *vocabulary {
	v := &vocabulary{parts: map[string][]map[string]bool{}, df: map[string]int{}}
	for _, r := range records {
		e, ok := r.Body.(*memory.Episode)
		if !ok {
			continue
		}
		for _, span := range text.Parts(e.Text, maxWords) {
			terms := map[string]bool{}
			for _, t := range distinctTerms(e.Text[span.Start:span.End]) {
				terms[t] = true
				v.df[t]++
			}
			v.parts[r.IDKey] = append(v.parts[r.IDKey], terms)
			v.n++
		}
	}
	return v
}

// best gives the first of the parts that share most with the answer.
func (v *vocabulary) best(parts []map[string]bool, answer []string) int {
	best, most := 0, 0.0
	for i, terms := range parts {
		shared := 0.0
		for _, t := range answer {
			if terms[t] {
				shared += v.idf(t)
			}
		}
		if shared > most {
			best, most = i, shared
		}
	}
	return best
}

func (v *vocabulary) idf(term string) float64 {
	df := float64(v.df[term])
	return math.Log1p((float64(v.n) - df + 0.5) / (df + 0.5))
}

// distinctTerms gives the terms of s, each once and in order of appearance,
// without second forms of a word.
func distinctTerms(s string) []string {
	var terms []string
	seen := map[string]bool{}
	for _, t := range text.Terms(nil, s) {
		if !t.Alt && !seen[t.Term] {
			seen[t.Term] = true
			terms = append(terms, t.Term)
		}
	}
	return terms
}
