package recall

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"engram/memory"
	"engram/text"
)

// packed is a context and what it holds.
type packed struct {
	context string
	tokens  int
	chosen  []*candidate // in order of rank
	pins    []pin
	facts   []memory.Fact
	notes   []string
}

// pin is a line of the pinned block: the sentences of a document that instruct.
type pin struct {
	doc   int
	line  string
	whole bool // the line says all that the document says
	why   string
}

// pinnedDoc reports whether the pinned block says all of a document.
func (p *packed) pinnedDoc(doc int) bool {
	return slices.ContainsFunc(p.pins, func(pn pin) bool { return pn.doc == doc && pn.whole })
}

// maxMisses ends packing when that many items in a row did not fit: what comes
// later is not worth the search.
const maxMisses = 8

// shortText is the length, in bytes, up to which texts count as equally long
// when they are packed: one that is shorter yet says less rather than the same
// in fewer words (docs/evaluation.md).
const shortText = 256

// byWorth gives the order in which items are packed: by what they promise for
// the room that they take. The ranker is fitted by softmax, so its score is, up
// to a constant, the logarithm of how likely an item is the one that was asked
// for, and score - ln(length) that of the likelihood per byte: the greedy rule
// for a knapsack (Dantzig 1957). Bytes stand for tokens, which are dear to
// count. Other scores are no likelihoods; there the order of rank stands.
func (se *search) byWorth(ranked []*candidate) []*candidate {
	if se.without(stepWorth) || se.query.Ranker != memory.Linear || se.space.Reranked != nil {
		return ranked
	}
	out := slices.Clone(ranked)
	for _, c := range out {
		length := max(shortText, len(se.text(c.doc)))
		c.worth = math.Round((c.score-math.Log(float64(length)))*1e6) / 1e6
	}
	slices.SortStableFunc(out, func(a, b *candidate) int { return cmp.Compare(b.worth, a.worth) })
	return se.spread(out)
}

// pack fills the budget with whole items and shows them in order of time,
// grouped by day and session.
func (se *search) pack(ranked []*candidate, pins []pin, facts []memory.Fact) packed {
	var p packed
	left := se.query.Budget - se.r.tokens.Count(fenceOpen) - se.r.tokens.Count(fenceClose)
	left -= se.fitPins(&p, pins)
	left -= se.fitFacts(&p, facts, left, len(ranked) == 0)
	groups := map[group]bool{}
	misses := 0
	for _, c := range se.byWorth(ranked) {
		if p.pinnedDoc(c.doc) {
			c.shown = true
			continue
		}
		cost, g := se.cost(c.doc), se.group(c.doc)
		if !groups[g] {
			cost += se.space.Index.HeadingCost(c.doc, func() int { return se.r.tokens.Count(g.head) })
		}
		if cost > left {
			if misses++; misses > maxMisses {
				break
			}
			continue
		}
		left -= cost
		groups[g], c.shown, misses = true, true, 0
	}
	for _, c := range ranked {
		if c.shown {
			p.chosen = append(p.chosen, c)
		}
	}
	cutLine := ""
	if len(ranked) > 0 && len(p.chosen) == 0 {
		cutLine, left = se.cutFirst(&p, ranked[0], left)
	}
	if p.context = se.render(&p, cutLine); p.context != "" {
		p.tokens = se.query.Budget - left
	}
	return p
}

// fitPins takes the pins that fit into their share and puts them in the order
// of the log, so that the block stays the same from one question to the next
// and prompt caches hit.
func (se *search) fitPins(p *packed, pins []pin) (cost int) {
	room := min(se.query.Budget/pinnedShare, pinnedMax) - se.r.tokens.Count(pinnedTitle)
	misses := 0
	for _, pn := range pins {
		c := se.r.tokens.Count(pn.line)
		if c > room {
			if misses++; misses > maxMisses {
				break
			}
			continue
		}
		room -= c
		cost += c
		misses = 0
		p.pins = append(p.pins, pn)
	}
	if len(p.pins) == 0 {
		return 0
	}
	slices.SortFunc(p.pins, func(a, b pin) int { return cmp.Compare(a.doc, b.doc) })
	return cost + se.r.tokens.Count(pinnedTitle)
}

// factsShare is the part of the budget, 1/4, that facts may take.
const factsShare = 4

// fitFacts takes the facts that fit into their share, or, if there is nothing
// else to show, into all that is left.
func (se *search) fitFacts(p *packed, facts []memory.Fact, left int, alone bool) (cost int) {
	room := se.query.Budget / factsShare
	if alone {
		room = left
	}
	room -= se.r.tokens.Count(factsTitle)
	for i := range facts {
		c := se.r.tokens.Count(factLine(&facts[i]))
		if c > room {
			continue
		}
		room -= c
		cost += c
		p.facts = append(p.facts, facts[i])
	}
	if n := len(facts) - len(p.facts); n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("Facts that did not fit into the budget: %d.", n))
	}
	if len(p.facts) == 0 {
		return 0
	}
	return cost + se.r.tokens.Count(factsTitle)
}

// cost counts the tokens of a document's line.
func (se *search) cost(doc int) int {
	return se.space.Index.LineCost(doc, func() int { return se.r.tokens.Count(se.line(doc)) })
}

func (se *search) line(doc int) string {
	e := se.entry(doc)
	return line(e.Episode, e.Seq, se.text(doc), int(se.space.Index.Doc(doc).Part))
}

// cutFirst shows the beginning of the best item, up to the end of a sentence
// or else of a word, when the budget holds not even one. It gives the line and
// the tokens that are left.
func (se *search) cutFirst(p *packed, c *candidate, left int) (string, int) {
	e, words := se.entry(c.doc), se.text(c.doc)
	room := left - se.r.tokens.Count(heading(e.Episode))
	for _, end := range cutPlaces(words) {
		l := line(e.Episode, e.Seq, strings.TrimRight(words[:end], " \n")+" …", int(se.space.Index.Doc(c.doc).Part))
		if n := se.r.tokens.Count(l); n <= room {
			c.cut = true
			p.chosen = []*candidate{c}
			p.notes = append(p.notes, "The budget is smaller than the best item: it was cut.")
			return l, room - n
		}
	}
	p.notes = append(p.notes, "The budget is too small for any item.")
	return "", left
}

// cutPlaces gives where a text may be cut, the longest beginning first: at
// the ends of its sentences, then of the words of the first one.
func cutPlaces(words string) []int {
	sentences := text.Sentences(words)
	if len(sentences) == 0 {
		return nil
	}
	var out []int
	for i, r := range words[:sentences[0].End] {
		if i > 0 && (unicode.IsSpace(r) || r >= 0x2e80) {
			out = append(out, i)
		}
	}
	for _, s := range sentences {
		out = append(out, s.End)
	}
	slices.Reverse(out)
	return out
}

// render puts the lines together.
func (se *search) render(p *packed, cutLine string) string {
	if len(p.chosen) == 0 && len(p.pins) == 0 && len(p.facts) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(fenceOpen)
	if len(p.pins) > 0 {
		b.WriteString(pinnedTitle)
		for _, pn := range p.pins {
			b.WriteString(pn.line)
		}
	}
	if len(p.facts) > 0 {
		b.WriteString(factsTitle)
		for i := range p.facts {
			b.WriteString(factLine(&p.facts[i]))
		}
	}
	var last group
	for _, it := range se.chronological(p) {
		if it.group != last {
			b.WriteString(it.group.head)
			last = it.group
		}
		if cutLine != "" {
			b.WriteString(cutLine)
			break
		}
		b.WriteString(se.line(it.doc))
	}
	b.WriteString(fenceClose)
	return b.String()
}

// group is what stands under one heading: what was said on one day in one session.
type group struct{ head, session string }

func (se *search) group(doc int) group {
	e := se.entry(doc).Episode
	return group{head: heading(e), session: e.Session}
}

// placed is an item at its place in the context.
type placed struct {
	doc    int
	group  group
	begins int64 // when the group begins
}

// chronological orders the chosen items by day and session, then by the log.
func (se *search) chronological(p *packed) []placed {
	begins := map[group]int64{}
	var out []placed
	for _, c := range p.chosen {
		if p.pinnedDoc(c.doc) {
			continue
		}
		g, at := se.group(c.doc), se.entry(c.doc).Episode.Occurred.Micros
		if first, ok := begins[g]; !ok || at < first {
			begins[g] = at
		}
		out = append(out, placed{doc: c.doc, group: g})
	}
	for i := range out {
		out[i].begins = begins[out[i].group]
	}
	slices.SortFunc(out, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.begins, b.begins), cmp.Compare(a.group.head, b.group.head),
			cmp.Compare(a.group.session, b.group.session), cmp.Compare(a.doc, b.doc))
	})
	return out
}
