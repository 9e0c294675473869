package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// languageWords is how many words of a text in Latin letters are looked at to
// tell its language, and languageBytes how much of any text.
const (
	languageWords = 300
	languageBytes = 8 << 10
)

// Language guesses the language of s by script and stop words: "en" if it is in
// Latin letters and nothing speaks for another language, "" without letters.
// Scripts of several languages stand for the largest ("hi" for Devanagari).
func Language(s string) string {
	n := normalise(clip(s, languageBytes))
	return languageOf(n.text)
}

// Latin is what Script calls the Latin letters.
const Latin = "latin"

// Script tells which letters s is written in: Latin, or the code that Language
// gives for others; "" without letters.
func Script(s string) string {
	n := normalise(clip(s, languageBytes))
	code := scriptOf(clip(n.text, languageBytes))
	if code == Latin && latinLanguage(n.text) == "" {
		return ""
	}
	return code
}

// clip returns the beginning of s, about n bytes, cut between runes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// languageOf is Language of normalised text.
func languageOf(s string) string {
	s = clip(s, languageBytes)
	code := scriptOf(s)
	if code == Latin {
		return latinLanguage(s)
	}
	return code
}

// scriptOf is Latin, also where there may be no letters, or the code of a language.
func scriptOf(s string) string {
	if isASCII(s) {
		return Latin
	}
	var latin, kana, hanzi int
	var counts [len(scripts)]int
	var marks charMarks
	for _, r := range s {
		switch {
		case r < 0x250 || 0x1E00 <= r && r < 0x1F00:
			if classOf(r) == letter {
				latin++
			}
			continue
		case r > utf8.MaxRune:
			continue
		}
		switch c := classOf(r); {
		case c == han:
			hanzi++
		case c == hiragana || c == katakana:
			kana++
		case c == letter || c == hangul || c == cluster:
			for i := range scripts {
				if scripts[i].lo <= r && r < scripts[i].hi {
					counts[i]++
					break
				}
			}
			marks.see(r)
		}
	}
	best, code := latin, ""
	// A Han character says as much as two or three letters.
	if n := 2 * (hanzi + kana); n > best {
		best, code = n, "zh"
		// Japanese needs kana for its grammar; a stray の does not make it.
		if kana*8 >= hanzi {
			code = "ja"
		}
	}
	for i, n := range counts {
		if scripts[i].lang == "ko" {
			n *= 2
		}
		if n > best {
			best, code = n, scripts[i].lang
		}
	}
	switch {
	case best == 0:
		return ""
	case code == "":
		return Latin
	case code == "ru" && marks.ukrainian > marks.russian:
		return "uk"
	case code == "ar" && marks.urdu > 0:
		return "ur"
	case code == "ar" && marks.persian > 0:
		return "fa"
	}
	return code
}

// scripts are ranges of letters that name a language by themselves.
var scripts = [...]struct {
	lo, hi rune
	lang   string
}{
	{0x0370, 0x0400, "el"}, {0x1F00, 0x2000, "el"}, {0x0400, 0x0530, "ru"}, {0x0530, 0x0590, "hy"}, {0x0590, 0x0600, "he"},
	{0x0600, 0x0780, "ar"}, {0x08A0, 0x0900, "ar"}, {0x0900, 0x0980, "hi"}, {0x0980, 0x0A00, "bn"}, {0x0A00, 0x0A80, "pa"},
	{0x0A80, 0x0B00, "gu"}, {0x0B00, 0x0B80, "or"}, {0x0B80, 0x0C00, "ta"}, {0x0C00, 0x0C80, "te"}, {0x0C80, 0x0D00, "kn"},
	{0x0D00, 0x0D80, "ml"}, {0x0D80, 0x0E00, "si"}, {0x0E00, 0x0E80, "th"}, {0x0E80, 0x0F00, "lo"}, {0x0F00, 0x1000, "bo"},
	{0x1000, 0x10A0, "my"}, {0x10A0, 0x1100, "ka"}, {0x1100, 0x1200, "ko"}, {0x1200, 0x13A0, "am"}, {0x1780, 0x1800, "km"},
	{0x1800, 0x18B0, "mn"}, {0x3131, 0x318F, "ko"}, {0xA960, 0xA980, "ko"}, {0xAC00, 0xD800, "ko"},
}

// charMarks counts the letters that tell languages of one script apart.
type charMarks struct{ ukrainian, russian, persian, urdu int }

func (m *charMarks) see(r rune) {
	switch r {
	case 'і', 'ї', 'є', 'ґ', 'І', 'Ї', 'Є', 'Ґ':
		m.ukrainian++
	case 'ы', 'э', 'ё', 'ъ', 'Ы', 'Э', 'Ё', 'Ъ':
		m.russian++
	case 'پ', 'چ', 'ژ', 'گ', 'ک', 'ی':
		m.persian++
	case 'ٹ', 'ڈ', 'ڑ', 'ے', 'ں':
		m.urdu++
	}
}

// latinLanguage tells the language of text in Latin letters by its stop words
// and special letters. A word of many languages says less than one of few.
func latinLanguage(s string) string {
	var score, hits [16]int
	var first [16]string // the first stop word seen, so that "La La" is one hit
	letters := false
	var buf [32]byte
	for i, words := 0, 0; i < len(s) && words < languageWords; {
		start := i
		i = guessedWord(s, i)
		if i == start {
			r, w := decode(s, i)
			if r == '¿' || r == '¡' {
				score[esIndex] += 2
				hits[esIndex]++
			}
			i += w
			continue
		}
		w := s[start:i]
		words++
		letters = letters || hasLetter(w)
		if inName(s, start, i) {
			continue
		}
		if r, _ := decode(w, 0); !isASCII(w) && !unicode.IsUpper(r) { // names keep their accents in any language
			for l := 1; languages[l].latin; l++ {
				if strings.ContainsAny(w, languages[l].signs) {
					score[l] += 2
					hits[l]++
				}
			}
		}
		set := stopSet(w, buf[:0])
		if set == 0 {
			continue
		}
		weight := stopWeight(set)
		for l := 0; languages[l].latin; l++ {
			if set&(1<<l) != 0 {
				score[l] += weight
				if first[l] != w {
					hits[l]++
				}
				if first[l] == "" {
					first[l] = w
				}
			}
		}
	}
	if !letters {
		return ""
	}
	best := 0
	for l := 1; languages[l].latin; l++ {
		// One word may be a name or a loan, and accents come with names; a stop
		// word and something else are a language.
		if score[l] > score[best] && hits[l] >= 2 && first[l] != "" {
			best = l
		}
	}
	return languages[best].code
}

func stopWeight(set langSet) int {
	n := 0
	for ; set != 0; set &= set - 1 {
		n++
	}
	switch n {
	case 1:
		return 4
	case 2:
		return 3
	case 3:
		return 2
	}
	return 1
}

// stopSet looks w up in lower case; buf is room to write in.
func stopSet(w string, buf []byte) langSet {
	if len(w) > 16 {
		return 0
	}
	for i := 0; i < len(w); i++ {
		c := w[i]
		if c >= utf8.RuneSelf {
			return stopWords[lower(w)]
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return stopWords[string(buf)]
}

// guessedWord returns the end of the word at i, i itself if there is none.
func guessedWord(s string, i int) int {
	for i < len(s) {
		r, w := decode(s, i)
		if c := classOf(r); c != letter && c != digit {
			break
		}
		i += w
	}
	return i
}

// inName says that s[i:j] is no evidence of a language: a part of an address, a
// path or an identifier, a name ("São Paulo"), or a letter by itself that no
// apostrophe follows ("vitamin C").
func inName(s string, i, j int) bool {
	if i > 0 && strings.IndexByte("@_/\\#=&.", s[i-1]) >= 0 {
		return true
	}
	if j < len(s) && (strings.IndexByte("@_/\\=", s[j]) >= 0 || s[j] == '.' && guessedWord(s, j+1) > j+1) {
		return true
	}
	if j-i == 1 && strings.IndexByte("cdjlmnstCDJLMNST", s[i]) >= 0 && !(j < len(s) && s[j] == '\'') {
		return true
	}
	if i < 2 || j-i < 2 || s[i-1] != ' ' || strings.IndexByte(".!?:\n", s[i-2]) >= 0 {
		return false
	}
	r, w := decode(s, i)
	next, _ := decode(s, i+w)
	return unicode.IsUpper(r) && !unicode.IsUpper(next)
}

func hasLetter(w string) bool {
	for _, r := range w {
		if classOf(r) == letter {
			return true
		}
	}
	return false
}
