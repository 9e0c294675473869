package system

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/eval"
)

// maxMisses ends packing when that many turns in a row of rank did not fit.
const maxMisses = 8

// pack fills a budget with whole turns, the best first, and renders them in
// the order in which they were heard. If not even the best fits, its beginning
// is shown.
func (h *history) pack(ranked []int, budget int) eval.Context {
	var chosen []int
	used, misses := 0, 0
	headings := map[heading]bool{}
	for _, at := range ranked {
		g := h.heading(at)
		cost := h.cost(at)
		if !headings[g] {
			cost += h.count.Count(g.line)
		}
		if used+cost > budget {
			if misses++; misses > maxMisses {
				break
			}
			continue
		}
		misses = 0
		used += cost
		headings[g] = true
		chosen = append(chosen, at)
	}
	// A heading comes twice where the day of a session was interrupted.
	for len(chosen) > 0 {
		sorted := slices.Sorted(slices.Values(chosen))
		if h.tokens(sorted) <= budget {
			return eval.Context{Text: h.render(sorted), Ranked: h.keys(chosen)}
		}
		chosen = chosen[:len(chosen)-1]
	}
	return h.beginning(ranked, budget)
}

// beginning shows as much of the best turn as the budget holds.
func (h *history) beginning(ranked []int, budget int) eval.Context {
	const more = " …\n"
	none := eval.Context{Ranked: []string{}}
	if len(ranked) == 0 {
		return none
	}
	first := ranked[:1]
	whole := h.render(first)
	words := len(whole) - len(lineOf(&h.turns[ranked[0]]))
	for room := budget; room > 0; room-- {
		_, ends := h.count.Ends(whole, room)
		end := ends[0]
		if end <= words {
			break
		}
		// A token may end inside a character.
		text := strings.TrimSpace(strings.ToValidUTF8(whole[:end], "")) + more
		if h.count.Count(text) <= budget {
			return eval.Context{Text: text, Ranked: h.keys(first)}
		}
	}
	return none
}

// latest renders the longest end of the history, of its first n turns, that
// fits into a number of tokens. It gives where it begins and its tokens.
func (h *history) latest(n, limit int) (text string, from, tokens int) {
	from = n
	for used := 0; from > 0; from-- {
		used += h.cost(from - 1)
		if from == n || !h.sameHeading(from-1, from) {
			used += h.count.Count(headingOf(&h.turns[from-1]))
		}
		if used > limit {
			break
		}
	}
	for ; from < n; from++ { // if lines do not add up
		if tokens = h.tokens(span(from, n)); tokens <= limit {
			return h.render(span(from, n)), from, tokens
		}
	}
	return "", n, 0
}

// heading is what turns stand under.
type heading struct{ line, session string }

func (h *history) heading(at int) heading {
	return heading{headingOf(&h.turns[at]), h.turns[at].Session}
}

// tokens counts those of turns as they are rendered. The o200k vocabulary joins
// nothing across the border of lines, so the counts of lines add up, unless a
// line begins with something (white space, a slash) that it joins to a line feed.
func (h *history) tokens(turns []int) int {
	n, last := 0, -1
	for _, at := range turns {
		if first, _ := utf8.DecodeRuneInString(lineOf(&h.turns[at])); !unicode.IsLetter(first) && !unicode.IsDigit(first) {
			return h.count.Count(h.render(turns))
		}
		if last < 0 || !h.sameHeading(last, at) {
			n += h.count.Count(headingOf(&h.turns[at]))
		}
		n += h.cost(at)
		last = at
	}
	return n
}

// cost counts the tokens of a turn's line, once.
func (h *history) cost(at int) int {
	if h.costs[at] == 0 {
		h.costs[at] = h.count.Count(lineOf(&h.turns[at]))
	}
	return h.costs[at]
}

// byScore gives the places of the scores above floor, the largest first, equal
// ones in the order in which they were heard.
func byScore(scores []float64, floor float64) []int {
	var out []int
	for i, s := range scores {
		if s > floor {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return out
}

// span gives the numbers from one up to, not including, another.
func span(from, to int) []int {
	out := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}
