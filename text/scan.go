package text

import "unicode/utf8"

// scanner walks over one normalised text and collects its terms.
type scanner struct {
	a   *Analyzer
	dst []Token
	src normal
	pos int

	lang    string  // language of the text if it has a Latin stemmer besides English
	stemmer stemmer // of lang
	stops   langSet // languages whose stop words are left out

	first bool  // the next word is the first of a sentence
	runes []int // room for runOf
}

func (sc *scanner) run() {
	t := sc.src.text
	for i := 0; i < len(t); {
		r, w := decode(t, i)
		switch classOf(r) {
		case letter, digit:
			i = sc.compound(i)
		case han:
			i = sc.hanRun(i)
		case hiragana:
			i = sc.hiraganaRun(i)
		case katakana:
			i = sc.katakanaRun(i)
		case hangul:
			i = sc.hangulRun(i)
		case cluster:
			i = sc.clusterRun(i)
		case emoji:
			sc.put(Token{Term: t[i : i+w], Pos: sc.pos, Start: i, End: i + w})
			sc.pos++
			i += w
		case space:
			if r == '\n' || r == 0x2028 || r == 0x2029 {
				sc.first = true
			}
			i += w
		default:
			i = sc.sign(i, r, w)
		}
	}
}

// sign handles punctuation: signs that belong to the word that follows, and
// those that end a sentence.
func (sc *scanner) sign(i int, r rune, w int) int {
	t := sc.src.text
	switch r {
	case '@', '#':
		if j := i + w; j < len(t) && isWordStart(t, j) {
			return sc.tagged(i, j)
		}
	case '$', '€', '£', '¥', '₹', '₽', '₩':
		if j := i + w; j < len(t) && asciiDigit(t[j]) {
			return sc.tagged(i, j)
		}
	case '.':
		sc.first = sc.first || !abbreviated(t, i)
	case '!', '?', '。', '؟', '।', '۔', '…':
		sc.first = true
	}
	return i + w
}

// put appends k, whose Start and End are offsets in the normalised text.
func (sc *scanner) put(k Token) {
	k.Start, k.End = sc.src.span(k.Start, k.End)
	sc.dst = append(sc.dst, k)
}

// decode returns the rune at i and its size; -1, which has no class, for what is
// not UTF-8 and beyond the end.
func decode(s string, i int) (rune, int) {
	if i >= len(s) {
		return -1, 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, w := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && w == 1 {
		return -1, 1
	}
	return r, w
}

func isWordStart(s string, i int) bool {
	r, _ := decode(s, i)
	c := classOf(r)
	return c == letter || c == digit
}

func asciiDigit(c byte) bool { return '0' <= c && c <= '9' }
