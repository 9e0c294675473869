package text

import (
	"unicode"
	"unicode/utf8"
)

// DefaultPartWords is the size of a part when none is asked for: with it the
// retrieval of long messages was measured.
const DefaultPartWords = 120

// Words are counted in twelfths, so that characters of scripts without spaces
// can be counted too: one and a half Han or kana, four Thai letters to a word.
const (
	wordUnits    = 12
	hanUnits     = 8
	clusterUnits = 3
)

// partChars is how many characters a part of n words may have at most: 900 for
// 120 words. It bounds what has no words: tables, keys, code.
func partChars(n int) int { return max(1, n*15/2) }

// CountWords counts the words of s: those between white space that have a
// letter or digit; in scripts without spaces about one for 1.5 characters.
func CountWords(s string) int {
	var c counter
	for _, r := range s {
		c.see(r)
	}
	return (c.units + wordUnits - 1) / wordUnits
}

// counter counts word units and characters as they go by.
type counter struct {
	units, chars int
	inWord       bool
}

func (c *counter) see(r rune) {
	c.chars++
	switch cl := classOf(r); {
	case cl == space:
		c.inWord = false
	case cl == cluster:
		c.units += clusterUnits
		c.inWord = false
	case cl.unspaced():
		c.units += hanUnits
		c.inWord = false
	case cl == letter || cl == digit || cl == hangul:
		if !c.inWord {
			c.units += wordUnits
		}
		c.inWord = true
	}
}

// Parts cuts s into consecutive spans of at most maxWords words, at the ends of
// sentences where it can and else between words. Spans do not overlap and cover
// all that is not blank; a text within the limit is one span of the whole, a
// blank text none. maxWords defaults to DefaultPartWords if it is not positive.
func Parts(s string, maxWords int) []Span {
	if maxWords <= 0 {
		maxWords = DefaultPartWords
	}
	p := parter{s: s, units: maxWords * wordUnits, chars: partChars(maxWords)}
	if p.fits(0, len(s)) {
		if a, b := trim(s, 0, len(s)); a == b {
			return nil
		}
		return []Span{{0, len(s)}}
	}
	p.start = -1
	eachSentence(s, p.sentence)
	p.flush()
	return p.spans
}

// parter gathers sentences into parts.
type parter struct {
	s            string
	units, chars int // limits
	spans        []Span

	start, end int     // the part being gathered; start is -1 if there is none
	count      counter // of the part
}

// scan counts on from c over s[start:end]; it returns false beyond the limits.
func (p *parter) scan(c *counter, start, end int) bool {
	for _, r := range p.s[start:end] {
		if c.see(r); c.units > p.units || c.chars > p.chars {
			return false
		}
	}
	return true
}

func (p *parter) fits(start, end int) bool {
	var c counter
	return p.scan(&c, start, end)
}

func (p *parter) sentence(start, end int) {
	if p.start >= 0 {
		c := p.count
		if p.scan(&c, p.end, end) {
			p.end, p.count = end, c
			return
		}
	}
	p.flush()
	for start < end {
		var c counter
		if p.scan(&c, start, end) {
			p.start, p.end, p.count = start, end, c
			return
		}
		cut := p.cut(start, end)
		if a, b := trim(p.s, start, cut); a < b {
			p.spans = append(p.spans, Span{a, b})
		}
		start, end = trim(p.s, cut, end)
	}
}

func (p *parter) flush() {
	if p.start >= 0 {
		p.spans = append(p.spans, Span{p.start, p.end})
	}
	p.start = -1
}

// cut returns where to cut a sentence that is too long: at the last end of a
// word within the limits, or in the middle of one that is longer than a part.
func (p *parter) cut(start, end int) int {
	var c counter
	last := start
	for i := start; i < end; {
		r, w := utf8.DecodeRuneInString(p.s[i:])
		if unicode.IsSpace(r) || classOf(r).unspaced() {
			last = i
		}
		if c.see(r); c.units > p.units || c.chars > p.chars {
			if last > start {
				return last
			}
			return max(i, start+w)
		}
		i += w
	}
	return end
}
