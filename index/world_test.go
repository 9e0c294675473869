package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"engram/memory"
	"engram/text"
)

// build indexes episodes as their ordinals come.
func build(episodes ...*memory.Episode) *Index {
	x := New()
	for i, e := range episodes {
		x.Add(i, e)
	}
	return x
}

// said makes one episode.
func said(session, speaker, words string) *memory.Episode {
	return &memory.Episode{Session: session, Speaker: speaker, Text: words}
}

// worldWords have stop words, stems, names, numbers, Chinese and words with
// second forms among them, few enough that they meet.
var worldWords = []string{
	"heron", "herons", "report", "Paris", "café", "O'Brien", "the", "was", "3", "4", "June", "run", "running", "我", "住在", "柏林", "北京",
	"node.js", "always", "?", "Where", "。", "\n",
}

func words(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(worldWords), 1, most).Draw(t, "words"), " ")
	})
}

// world draws a log of episodes with sessions that interleave; now and then a
// text is long enough for several parts.
func world() *rapid.Generator[[]*memory.Episode] {
	one := rapid.Custom(func(t *rapid.T) *memory.Episode {
		e := said(rapid.SampledFrom([]string{"", "s1", "s2"}).Draw(t, "session"),
			rapid.SampledFrom([]string{"", "Ann", "Ann", "O'Brien", "小明", "the"}).Draw(t, "speaker"), words(9).Draw(t, "text"))
		if rapid.IntRange(0, 7).Draw(t, "long") == 0 {
			e.Text = strings.Repeat(e.Text+" heron walks alone. ", rapid.IntRange(30, 90).Draw(t, "times"))
		}
		return e
	})
	return rapid.SliceOfN(one, 1, 12)
}

// crowd makes n turns of a few sessions that speak of a thousand things.
func crowd(n int) []*memory.Episode {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]*memory.Episode, n)
	for i := range out {
		w := make([]string, 14)
		for j := range w {
			w[j] = coin(int(1000 * random.Float64() * random.Float64()))
		}
		out[i] = said(fmt.Sprint("s", i/40%250), []string{"Ann", "Bo"}[i%2], strings.Join(w, " "))
	}
	return out
}

// coin makes a word that no stemmer changes.
func coin(i int) string {
	return "zx" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + "q"
}

// oracleDoc is a document as the oracles see it: its terms counted, and the
// documents that stand beside it.
type oracleDoc struct {
	tf         map[string]int
	length     int
	prev, next int
}

// oracle is the plainest index: it makes the terms again for every document.
type oracle struct{ docs []oracleDoc }

func newOracle(episodes []*memory.Episode) *oracle {
	o := &oracle{}
	last := map[string]int{}
	for _, e := range episodes {
		spans := text.Parts(e.Text, MaxWords)
		if len(spans) == 0 {
			spans = []text.Span{{Start: 0, End: len(e.Text)}}
		}
		for _, s := range spans {
			d := oracleDoc{tf: map[string]int{}, prev: -1, next: -1}
			for _, t := range slices.Concat(text.Terms(nil, e.Speaker), text.Terms(nil, e.Text[s.Start:s.End])) {
				d.tf[t.Term]++
				if !t.Alt {
					d.length++
				}
			}
			if p, ok := last[e.Session]; ok {
				d.prev = p
				o.docs[p].next = len(o.docs)
			}
			last[e.Session] = len(o.docs)
			o.docs = append(o.docs, d)
		}
	}
	return o
}
