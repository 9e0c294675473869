package index

import (
	"math"
	"slices"
	"sort"

	"engram/text"
)

// BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework"
// (2009), with the idf of Lucene, which is never negative. The two settings are
// the ones measured best (docs/evaluation.md): for a turn by itself and for a
// turn with its neighbours.
const (
	turnK1, turnB     = 0.9, 0.4
	windowK1, windowB = 1.2, 0.75
)

// Query is a question as the index sees it, with the statistics of a prefix of
// the log. It belongs to the index that made it.
type Query struct {
	Words []QueryWord // distinct terms that occur in the prefix
	Known float64     // sum of the idf of Words
	All   float64     // the same, with the highest idf for each distinct word that occurs nowhere, but for pairs across words (text.Crosses)
	Bare  bool        // the question has no words but stop words

	terms  []int32       // of Words, close together: they are scanned for every word of a candidate
	places map[int32]int // of Words, if they are many
	maybe  [256]bool     // by the last byte of a term: whether it can be one of Words
	n      int           // documents of the prefix
	avg    float64
	window float64
}

// QueryWord is one distinct term of a question.
type QueryWord struct {
	Term  int32
	Text  string
	IDF   float64
	Count float64 // how often the question has it
	Upper bool    // written with a capital inside a sentence: likely a name
	Alt   bool
}

// Parse reads a question against the first n documents.
func (x *Index) Parse(question string, n int) Query {
	q := Query{n: n}
	if n > 0 {
		q.avg = max(1, float64(x.cumWords[n])/float64(n))
		q.window = 3 * q.avg // a turn and its two neighbours
	}
	tokens := text.Terms(nil, question)
	q.Bare = len(tokens) == 0
	rarest := math.Log(1 + (float64(n)+0.5)/0.5)
	var unknown map[string]bool // counted in All already
	for _, t := range tokens {
		id, ok := x.terms[t.Term]
		df := 0
		if ok {
			df = x.posts[id].upTo(n)
		}
		if df == 0 {
			if !t.Alt && !text.Crosses(t.Term) && !unknown[t.Term] {
				if unknown == nil {
					unknown = map[string]bool{}
				}
				unknown[t.Term] = true
				q.All += rarest
			}
			continue
		}
		if i := q.Place(id); i >= 0 {
			q.Words[i].Count++
			continue
		}
		idf := math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
		if len(q.Words) == fewWords {
			q.places = map[int32]int{}
			for i, w := range q.Words {
				q.places[w.Term] = i
			}
		}
		if q.places != nil {
			q.places[id] = len(q.Words)
		}
		q.terms, q.maybe[byte(id)] = append(q.terms, id), true
		q.Words = append(q.Words, QueryWord{Term: id, Text: t.Term, IDF: idf, Count: 1, Upper: t.Upper, Alt: t.Alt})
		q.Known += idf
		q.All += idf
	}
	return q
}

// fewWords is up to how many words a scan is faster than a map.
const fewWords = 12

// upTo counts the postings among the first n documents.
func (p *posting) upTo(n int) int {
	if k := len(p.docs); k == 0 || int(p.docs[k-1]) < n {
		return k
	}
	return sort.Search(len(p.docs), func(i int) bool { return int(p.docs[i]) >= n })
}

// accumulator is the working memory of one search, kept between searches.
type accumulator struct {
	score   []float64 // by document, 0 if it has no word of the question
	touched []int32   // the documents whose score is not 0
}

// Scores holds the BM25 of every document that shares a word with the question.
// Release it when done.
type Scores struct {
	acc *accumulator
	x   *Index
	Max float64
}

// Search scores the documents of the prefix that ok lets through; all others
// count as if they were not there. A nil ok lets everything through.
func (x *Index) Search(q *Query, ok func(doc int) bool) Scores {
	acc := x.scratch.Get().(*accumulator) //nolint:forcetypeassert // the pool holds nothing else
	if len(acc.score) < len(x.docs) {
		acc.score = make([]float64, len(x.docs)+len(x.docs)/4)
	}
	for _, w := range q.Words {
		p := &x.posts[w.Term]
		k := p.upTo(q.n)
		gain := float64(w.Count * w.IDF)
		tfs := p.tfs[:k]
		for i, d := range p.docs[:k] {
			if acc.score[d] == 0 {
				if ok != nil && !ok(int(d)) {
					continue
				}
				acc.touched = append(acc.touched, d)
			}
			acc.score[d] += float64(gain * saturate(float64(tfs[i]), float64(x.lengths[d]), q.avg, turnK1, turnB))
		}
	}
	s := Scores{acc: acc, x: x}
	for _, d := range acc.touched {
		s.Max = max(s.Max, acc.score[d])
	}
	return s
}

// saturate is BM25's weight of a term that occurs tf times in a text of the
// given length. The conversions forbid fused multiply-add, so that every
// processor gives the same answer.
func saturate(tf, length, avg, k1, b float64) float64 {
	norm := float64(k1 * (1 - b + float64(b*length/avg)))
	return float64(tf*(k1+1)) / (tf + norm)
}

// Touched lists the documents that share a word with the question, in no order.
func (s *Scores) Touched() []int32 { return s.acc.touched }

// Of gives the score of a document, 0 for None.
func (s *Scores) Of(d int32) float64 {
	if d == None || int(d) >= len(s.acc.score) {
		return 0
	}
	return s.acc.score[d]
}

// Release gives the working memory back. The scores must not be used after it.
func (s *Scores) Release() {
	for _, d := range s.acc.touched {
		s.acc.score[d] = 0
	}
	s.acc.touched = s.acc.touched[:0]
	s.x.scratch.Put(s.acc)
	s.acc = nil
}

// Window gives the BM25 of a document together with the turns before and after
// it, as one text.
func (x *Index) Window(q *Query, s *Scores, d int) float64 {
	doc := &x.docs[d]
	length := 0.0
	var tf [maxWindowWords]float64
	words := q.Words[:min(len(q.Words), maxWindowWords)]
	for _, nb := range [3]int32{doc.Prev, int32(d), doc.Next} {
		if nb == None || int(nb) >= q.n {
			continue
		}
		length += float64(x.lengths[nb])
		if s.Of(nb) == 0 { // no word of the question, or not let through
			continue
		}
		for _, w := range x.Text(int(nb)) {
			if i := q.Place(w.Term()); i >= 0 && i < maxWindowWords {
				tf[i]++
			}
		}
	}
	total := 0.0
	for i := range words {
		if tf[i] > 0 {
			gain := float64(words[i].Count * words[i].IDF)
			total += float64(gain * saturate(tf[i], length, q.window, windowK1, windowB))
		}
	}
	return total
}

// maxWindowWords is how many words of a question count in a window; longer
// questions are texts.
const maxWindowWords = 128

// Place gives the place of a term among the question's words, -1 if it is none.
func (q *Query) Place(term int32) int {
	if !q.maybe[byte(term)] {
		return -1
	}
	if q.places == nil {
		return slices.Index(q.terms, term)
	}
	if i, ok := q.places[term]; ok {
		return i
	}
	return -1
}

// tf gives how often the posting's term occurs in document d.
func (p *posting) tf(d int32) uint8 {
	i, ok := slices.BinarySearch(p.docs, d)
	if !ok {
		return 0
	}
	return p.tfs[i]
}

// TF gives how often the query word occurs in document d.
func (x *Index) TF(w *QueryWord, d int) int { return int(x.posts[w.Term].tf(int32(d))) }
