package text

import "github.com/clipperhouse/uax29/v2/graphemes"

// clusterRun handles Thai, Lao, Khmer and Myanmar, which write words without
// spaces: pairs and triples of grapheme clusters, so that a word of two clusters
// or more is found inside a longer run. A lone cluster is a term by itself; in
// Khmer and Myanmar, whose clusters are whole syllables and often words, each is.
func (sc *scanner) clusterRun(i int) int {
	t := sc.src.text
	at := sc.runOf(i, cluster)
	end := at[len(at)-1]
	at = at[:0]
	it := graphemes.FromString(t[i:end])
	for it.Next() {
		at = append(at, i+it.Start())
	}
	at = append(at, end)
	sc.runes = at
	n := len(at) - 1
	for k := 0; k < n; k++ {
		shortest := 2
		if r, _ := decode(t, at[k]); n == 1 || r >= 0x1000 {
			shortest = 1
		}
		for l := shortest; l <= 3 && k+l <= n; l++ {
			sc.put(Token{Term: clip(t[at[k]:at[k+l]], maxTerm), Pos: sc.pos, Start: at[k], End: at[k+l]})
		}
		sc.pos++
	}
	return end
}
