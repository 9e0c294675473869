package system

import (
	"context"
	"math"
	"strings"
	"unicode"

	"engram/eval"
	"engram/memory"
)

// The usual constants of Okapi BM25.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// BM25 is a plain search for words over turns ("speaker: text"): Okapi BM25
// (Robertson and Zaragoza, Foundations and Trends in IR 3(4), 2009) over
// lower-cased words, without stems and stop words. A character of Chinese or
// Japanese counts as a word.
func BM25() eval.System {
	return eval.System{
		Name: "bm25", Options: map[string]string{"k1": "1.2", "b": "0.75"},
		Open: func(context.Context, string) (eval.Memory, error) {
			h, err := newHistory()
			return &bm25Memory{plainMemory: plainMemory{h}, postings: map[string][]posting{}}, err
		},
	}
}

type bm25Memory struct {
	plainMemory
	postings map[string][]posting // in the order of the turns
	lengths  []int                // of the turns, in words
}

type posting struct{ turn, count int }

func (m *bm25Memory) Ingest(_ context.Context, s eval.Session) error {
	first := len(m.turns)
	if err := m.add(s); err != nil {
		return err
	}
	for at := first; at < len(m.turns); at++ {
		words := wordsOf(said(&m.turns[at]))
		m.lengths = append(m.lengths, len(words))
		for _, w := range words {
			list := m.postings[w]
			if n := len(list); n > 0 && list[n-1].turn == at {
				list[n-1].count++
				continue
			}
			m.postings[w] = append(list, posting{at, 1})
		}
	}
	return nil
}

func (m *bm25Memory) Context(_ context.Context, a eval.Ask, budget int) (eval.Context, error) {
	return m.pack(byScore(m.scores(a.Text, a.Known), 0), budget), nil
}

// scores rates the turns that were heard until known, as if there were no others.
func (m *bm25Memory) scores(question string, known memory.Time) []float64 {
	n := m.until(known)
	scores := make([]float64, n)
	total := 0
	for _, l := range m.lengths[:n] {
		total += l
	}
	mean := float64(total) / float64(max(n, 1))
	for _, w := range distinct(wordsOf(question)) {
		list := m.postings[w]
		for len(list) > 0 && list[len(list)-1].turn >= n {
			list = list[:len(list)-1]
		}
		df := float64(len(list))
		idf := math.Log1p((float64(n) - df + 0.5) / (df + 0.5))
		for _, p := range list {
			tf := float64(p.count)
			norm := bm25K1 * (1 - bm25B + float64(bm25B*float64(m.lengths[p.turn])/mean))
			scores[p.turn] += float64(idf * tf * (bm25K1 + 1) / (tf + norm))
		}
	}
	return scores
}

// wordsOf gives the runs of letters and digits in lower case.
func wordsOf(s string) []string {
	var out []string
	start := -1
	end := func(i int) {
		if start >= 0 {
			out = append(out, s[start:i])
		}
		start = -1
	}
	s = strings.ToLower(s)
	for i, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end(i)
			out = append(out, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(s))
	return out
}
