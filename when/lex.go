package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a Latin word, a number (digits or Chinese numerals), or one other
// rune; white space is between tokens.
type token struct {
	start, end int
	id         int16 // of the word or rune in the vocabulary; 0 if no pattern uses it
	digits     uint8 // of a number; 0: none
	n          int   // the number; -1 if it is none that makes sense
	glued      bool  // nothing stands between it and the token before
	latin      bool  // a word of letters that are written with spaces
	capital    bool
	joins      bool // a sign that joins two numbers to one
	inner      bool // a number inside of a longer number or name
}

// vocabulary numbers the words and runes that patterns use. It is filled while
// the tables are compiled and only read afterwards.
var vocabulary = map[string]int16{}

var idT = word("t")

// word gives the number of a word or rune in the vocabulary, adding it.
func word(w string) int16 {
	if vocabulary[w] == 0 {
		vocabulary[w] = int16(len(vocabulary) + 1) //nolint:gosec // a few hundred
	}
	return vocabulary[w]
}

// longestWord bounds what is looked up in the vocabulary.
const longestWord = 16

func lex(text string) []token {
	tokens := make([]token, 0, len(text)/4+1)
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			at += n
			continue
		}
		t := token{start: at, end: at + n, latin: isLatin(r)}
		switch {
		case isDigit(r):
			t.end, t.digits, t.n = digits(text, at)
		case strings.ContainsRune(numerals, r):
			t.end, t.digits, t.n = chineseNumber(text, at)
		case t.latin:
			t.end = len(text) - len(strings.TrimLeftFunc(text[at:], isLatin))
			t.capital = unicode.IsUpper(r)
			t.id = lookUp(text[at:t.end])
		default:
			t.id = vocabulary[text[at:t.end]]
			t.joins = r != utf8.RuneError && strings.ContainsRune(".,/:-–", r)
		}
		if last := len(tokens) - 1; last >= 0 {
			before := tokens[last]
			t.glued = before.end == at
			t.inner = t.glued && isDigit(r) && (before.latin || before.joins && before.glued && tokens[last-1].digits > 0 ||
				strings.ContainsRune("#$€£¥_", runeAt(text, before.start)))
		}
		tokens = append(tokens, t)
		at = t.end
	}
	return tokens
}

func runeAt(s string, at int) rune {
	r, _ := utf8.DecodeRuneInString(s[at:])
	return r
}

// lookUp finds a word in the vocabulary whatever its case, without allocating.
func lookUp(w string) int16 {
	if len(w) > longestWord {
		return 0
	}
	var lower [longestWord]byte
	for i := range len(w) {
		c := w[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return vocabulary[string(lower[:len(w)])]
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isLatin reports whether r belongs to a word that spaces set apart.
func isLatin(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// digits reads a number; one of more than 9 digits makes no sense here.
func digits(text string, at int) (end int, count uint8, n int) {
	for end = at; end < len(text) && isDigit(rune(text[end])); end++ {
		if count < 10 {
			count++
			n = n*10 + int(text[end]-'0')
		}
	}
	if count == 10 {
		n = -1
	}
	return end, count, n
}

const numerals = "零〇一二两三四五六七八九十"

// chineseNumber reads "十二" and "二十三" as what they say, and "二〇二三" digit
// by digit.
func chineseNumber(text string, at int) (end int, count uint8, n int) {
	tens := -1 // before 十
	for end = at; end < len(text); {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !strings.ContainsRune(numerals, r) {
			break
		}
		end += size
		if count < 10 {
			count++
		}
		if r != '十' {
			n = n*10 + chineseDigit(r)
			continue
		}
		if tens >= 0 || count > 2 {
			n, tens, count = 0, 100, 10
			continue
		}
		tens, n = n, 0
		if count == 1 {
			tens = 1
		}
	}
	switch {
	case count >= 10 || tens >= 0 && n > 9:
		n = -1
	case tens >= 0:
		n += tens * 10
	}
	return end, count, n
}

func chineseDigit(r rune) int {
	switch r {
	case '零', '〇':
		return 0
	case '两':
		return 2
	}
	const order = "一二三四五六七八九"
	return strings.IndexRune(order, r)/len("一") + 1
}
