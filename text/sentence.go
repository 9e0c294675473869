package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences returns the sentences of s in order, without the white space around
// them. Together they cover all of s that is not blank. A sentence ends at its
// sign of end, with the quotes and brackets that close after it, and at every
// end of a line.
func Sentences(s string) []Span {
	var spans []Span
	eachSentence(s, func(start, end int) { spans = append(spans, Span{start, end}) })
	return spans
}

func eachSentence(s string, f func(start, end int)) {
	start := 0
	cut := func(end int) {
		if a, b := trim(s, start, end); a < b {
			f(a, b)
		}
		start = end
	}
	for i := 0; i < len(s); {
		r, w := utf8.DecodeRuneInString(s[i:])
		next := i + w
		switch r {
		case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
			cut(next)
		case '.', '!', '?', '…', '؟', '۔', '‼', '⁇', '⁈', '⁉':
			end := afterEnd(s, next)
			if endsSentence(s, i, r, end) {
				cut(end)
			}
			next = end
		case '。', '！', '？', '；', '．', '｡', '։', '።', '။', '।', '॥', '។', '៕':
			next = afterEnd(s, next)
			cut(next)
		case ' ':
			if thaiPause(s, i) {
				cut(next)
			}
		}
		i = next
	}
	cut(len(s))
}

// afterEnd returns i moved past further signs of end and what closes with them.
func afterEnd(s string, i int) int {
	for i < len(s) {
		r, w := utf8.DecodeRuneInString(s[i:])
		switch {
		case strings.ContainsRune(`.!?…。！？؟`, r):
		case strings.ContainsRune(`"'”’»)]}）】」』》`, r):
		case strings.ContainsRune("*_~", r): // emphasis closes with the sentence
			if i+w < len(s) && isWordStart(s, i+w) {
				return i
			}
		case spacedGuillemet(s[i:]):
			w = len(s[i:]) - len(strings.TrimLeft(s[i:], " \u00a0\u202f")) + len("»")
		default:
			return i
		}
		i += w
	}
	return i
}

// spacedGuillemet says that s begins with the closing quote of French, which
// has a space before it, and not with the opening one of German.
func spacedGuillemet(s string) bool {
	for _, sp := range [...]string{" ", "\u00a0", "\u202f"} {
		if rest, ok := strings.CutPrefix(s, sp+"»"); ok {
			return rest == "" || !isWordStart(rest, 0)
		}
	}
	return false
}

// endsSentence says that the sign r at i, whose sentence would end at end, ends
// one: white space and the start of something new must follow, and a full stop
// must not belong to an abbreviation.
func endsSentence(s string, i int, r rune, end int) bool {
	if end >= len(s) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(s[end:])
	if !unicode.IsSpace(next) {
		// Writers of CJK put no space; neither does Arabic always.
		c := classOf(next)
		return r != '.' && (c.unspaced() || r == '؟' || r == '۔')
	}
	for k, w := end, 0; k < len(s); k += w {
		next, w = utf8.DecodeRuneInString(s[k:])
		if next == '\n' || next == '\r' {
			return true
		}
		if unicode.IsSpace(next) {
			continue
		}
		if !opens(next) {
			return false
		}
		if r != '.' || end > i+1 && strings.ContainsRune(".!?…", rune(s[i+1])) {
			return true
		}
		if listNumber(s, i) || ordinalBefore(s, i) && (unicode.IsDigit(next) || germanMonth(s[k:])) {
			return false
		}
		return !abbreviated(s, i)
	}
	return true
}

// opens says that a sentence may begin with r. Scripts without capitals may
// begin with any letter.
func opens(r rune) bool {
	if unicode.IsLetter(r) {
		return !unicode.IsLower(r)
	}
	return unicode.IsDigit(r) || strings.ContainsRune("\"'“‘„«‚¿¡([{*_-–—•#@「『（【《$€£<`", r) || isEmoji(r)
}

// thaiPause says that the space at i stands between Thai, Lao or Khmer, which
// end a sentence so and have no sign for it.
func thaiPause(s string, i int) bool {
	if i == 0 || i+1 >= len(s) {
		return false
	}
	a, _ := utf8.DecodeLastRuneInString(s[:i])
	b, _ := utf8.DecodeRuneInString(s[i+1:])
	return classOf(a) == cluster && classOf(b) == cluster
}

// trim returns s[start:end] without the white space around it.
func trim(s string, start, end int) (int, int) {
	start += len(s[start:end]) - len(strings.TrimLeftFunc(s[start:end], unicode.IsSpace))
	return start, start + len(strings.TrimRightFunc(s[start:end], unicode.IsSpace))
}
