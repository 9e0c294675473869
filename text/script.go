package text

import "unicode"

// class is what the scanner needs to know of a rune: not its script as such but
// the way its script makes words.
type class uint8

const (
	other    class = iota // punctuation, symbols, controls: never in a term
	space                 // white space of any kind
	letter                // letters and marks of scripts that put spaces between words
	digit                 // decimal digits
	han                   // Chinese characters: unigrams and bigrams
	hiragana              // bigrams
	katakana              // whole runs and bigrams
	hangul                // words and bigrams of syllables
	cluster               // Thai, Lao, Khmer, Myanmar: n-grams of grapheme clusters
	emoji                 // one term each
)

var asciiClass = func() (t [128]class) {
	for c := range t {
		switch {
		case c == ' ' || '\t' <= c && c <= '\r':
			t[c] = space
		case '0' <= c && c <= '9':
			t[c] = digit
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			t[c] = letter
		}
	}
	return t
}()

// classOf returns the class of r.
func classOf(r rune) class {
	if r < 0x80 {
		if r < 0 {
			return other
		}
		return asciiClass[r]
	}
	switch {
	case r < 0x0E00:
	case r < 0x0F00, 0x1000 <= r && r < 0x10A0, 0x1780 <= r && r < 0x1800, 0xA9E0 <= r && r < 0xAA00, 0xAA60 <= r && r < 0xAA80:
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			return cluster
		}
	case 0x1100 <= r && r < 0x1200, 0x3131 <= r && r < 0x318F, 0xA960 <= r && r < 0xA980, 0xAC00 <= r && r < 0xD800:
		return hangul
	case 0x3041 <= r && r <= 0x3096, 0x3099 <= r && r <= 0x309F:
		return hiragana
	case 0x30A1 <= r && r <= 0x30FA, 0x30FC <= r && r <= 0x30FF, 0x31F0 <= r && r < 0x3200:
		return katakana
	case isHan(r):
		return han
	case isEmoji(r):
		return emoji
	}
	switch {
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	case unicode.IsDigit(r):
		return digit
	case unicode.IsSpace(r):
		return space
	}
	return other
}

func isHan(r rune) bool {
	return 0x4E00 <= r && r < 0xA000 || 0x3400 <= r && r < 0x4DC0 || r == 0x3005 || r == 0x3007 ||
		0xF900 <= r && r < 0xFB00 || 0x20000 <= r && r < 0x33480
}

// isEmoji leaves out the skin tones and the joining signs, which only vary a sign.
func isEmoji(r rune) bool {
	return 0x1F300 <= r && r < 0x1FB00 && !(0x1F3FB <= r && r <= 0x1F3FF) || 0x2600 <= r && r < 0x27C0
}

// unspaced says that the script of c writes words without spaces between them.
func (c class) unspaced() bool {
	return c == han || c == hiragana || c == katakana || c == cluster
}
