package eval

import (
	"math"

	"engram/text"
)

// PartWords is the longest part, in words, of a turn that is looked at as a
// unit of evidence.
const PartWords = 120

// Part names one part of a turn.
type Part struct {
	Key   string // the turn's IDKey
	Index int    // of text.Parts, 0-based
}

// Vocabulary are the words of all parts of a case, by which the decisive part
// of a long turn is found.
type Vocabulary struct {
	parts map[string][]map[string]bool // of an IDKey: the terms of each part
	df    map[string]int               // in how many parts a term is
	n     int                          // parts
}

// NewVocabulary reads the turns of a case.
func NewVocabulary(turns []Turn) *Vocabulary {
	v := &Vocabulary{parts: map[string][]map[string]bool{}, df: map[string]int{}}
	for i := range turns {
		t := &turns[i]
		for _, span := range text.Parts(t.Text, PartWords) {
			terms := map[string]bool{}
			for _, term := range distinctTerms(t.Text[span.Start:span.End]) {
				terms[term] = true
				v.df[term]++
			}
			v.parts[t.IDKey] = append(v.parts[t.IDKey], terms)
			v.n++
		}
	}
	return v
}

// Strict gives, for each turn of the evidence, the part of at most PartWords
// words that holds most of the reference answer, its words weighted by their
// rarity in the case. Of a long message seldom more than one part is evidence;
// with all of them as positives the fitted ranker lost eight points of R@10 on
// BEAM (docs/evaluation.md).
func (v *Vocabulary) Strict(q *Question) []Part {
	answer := distinctTerms(q.Answer)
	if len(answer) == 0 {
		answer = distinctTerms(q.Ask.Text)
	}
	out := make([]Part, len(q.Evidence))
	for i, key := range q.Evidence {
		out[i] = Part{Key: key, Index: v.best(v.parts[key], answer)}
	}
	return out
}

// best gives the first of the parts that share most with the answer.
func (v *Vocabulary) best(parts []map[string]bool, answer []string) int {
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

func (v *Vocabulary) idf(term string) float64 {
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
