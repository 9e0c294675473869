package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/when"
)

type kind uint8

const (
	word     kind = iota // letters; in Han script one character
	number               // digits, with what belongs to them: "1,010", "6:30", "$5k", "20%"
	sign                 // punctuation
	timeWord             // an expression of time
)

// token is what patterns match.
type token struct {
	word       string // lower case; contractions are written out ("do", "not")
	start, end int    // bytes of the turn
	kind       kind
	upper      bool // begins with an upper-case letter
	han        bool
	skip       bool // may be passed over: fillers, and times
	off        bool // says no fact (gate.go)
	clause     int  // number of the clause in its sentence
	span       int  // of a timeWord: its place in sentence.times

	also      []string // further forms that patterns may match (tense.go)
	alsoMeans aspect   // what a match by such a form means
	means     aspect   // what it means to pass over the token
}

// sentence is a sentence of a turn, in tokens.
type sentence struct {
	text      string // the whole turn
	start     int
	end       int
	toks      []token
	times     []when.Match // bytes of the turn
	zh        bool
	question  bool
	retracted map[int]bool // clauses with "not … after all"
	values    map[int]bool // Chinese expressions of time that are values: "目标2月28号"
	ended     map[int]bool // clauses with "no longer", "not … any more" (news.go)
}

// tokenize cuts s, which begins at byte base of its turn.
func tokenize(dst []token, s string, base int, abbreviations map[string]bool) []token {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
		case isHan(r):
			dst = append(dst, token{word: s[i : i+n], start: base + i, end: base + i + n, han: true})
			i += n
		case isWordStart(r, s[i+n:]):
			end := wordEnd(s, i)
			if end < len(s) && s[end] == '.' && abbreviations[strings.ToLower(s[i:end])] {
				end++
			}
			dst = appendWord(dst, s[i:end], base+i)
			i = end
		default:
			dst = append(dst, token{word: foldSign(s[i : i+n]), start: base + i, end: base + i + n, kind: sign})
			i += n
		}
	}
	return dst
}

func isHan(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

func isWordStart(r rune, rest string) bool {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return strings.ContainsRune("$€£¥#@", r) && (unicode.IsDigit(next) || r == '@' && unicode.IsLetter(next))
}

// wordEnd gives the end of the word that begins at i: letters and digits, and
// the signs that join them ("1,010", "Fly.io", "don't", "e-bike", "6:30").
func wordEnd(s string, i int) int {
	_, n := utf8.DecodeRuneInString(s[i:])
	for i += n; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isHan(r):
			return i
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r):
			i += n
		case r == '%' || r == '+' || r == '#':
			i += n
		case joins(r, s[:i], s[i+n:]):
			i += n
		default:
			return i
		}
	}
	return i
}

// joins reports whether the sign r, between before and after, is inside a word.
func joins(r rune, before, after string) bool {
	prev, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	if isHan(prev) || isHan(next) {
		return false
	}
	digits := unicode.IsDigit(prev) && unicode.IsDigit(next)
	letters := (unicode.IsLetter(prev) || unicode.IsDigit(prev)) && (unicode.IsLetter(next) || unicode.IsDigit(next))
	switch r {
	case ',', ':':
		return digits
	case '\'', '’', '.', '-', '@', '_', '&', '/':
		return letters
	}
	return false
}

func foldSign(s string) string {
	if f, ok := signs[s]; ok {
		return f
	}
	return s
}

// signs folds what means the same to the rules.
var signs = map[string]string{
	"\uff0c": ",", "\u3002": ".", "\uff1f": "?", "\uff01": "!", "\uff1b": ";", "\uff1a": ":", "\uff08": "(", "\uff09": ")",
	"\u201c": "\"", "\u201d": "\"", "\u201e": "\"", "\u300c": "\"", "\u300d": "\"", "\u300e": "\"", "\u300f": "\"",
	"\u2019": "'", "\u2018": "'", "\u2013": "—", "\u2014": "—", "\u2026": ".",
}

// written are words without their apostrophe, and short forms.
var written = map[string][]string{
	"im": {"i", "am"}, "ive": {"i", "have"}, "dont": {"do", "not"}, "doesnt": {"does", "not"},
	"cant": {"can", "not"}, "wont": {"will", "not"}, "isnt": {"is", "not"}, "gonna": {"going", "to"},
	"wanna": {"want", "to"}, "cannot": {"can", "not"}, "won't": {"will", "not"}, "can't": {"can", "not"},
}

var endings = []struct{ short, long string }{
	{"n't", "not"}, {"'m", "am"}, {"'re", "are"}, {"'ve", "have"}, {"'ll", "will"}, {"'d", "'d"}, {"'s", "'s"},
}

// appendWord adds a word, with its contractions written out.
func appendWord(dst []token, s string, base int) []token {
	low := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(s), "’", "'"), ".") // of "Mrs."
	t := token{word: low, start: base, end: base + len(s), upper: startsUpper(s)}
	if c := low[0]; c >= '0' && c <= '9' || len(low) > 1 && !isLetterByte(c) && c < 0x80 && low[1] >= '0' && low[1] <= '9' || strings.HasPrefix(low, "€") || strings.HasPrefix(low, "£") || strings.HasPrefix(low, "¥") {
		t.kind = number
	}
	if parts, ok := written[low]; ok {
		first, rest := t, t
		first.word, rest.word = parts[0], parts[1]
		rest.upper = false
		return append(dst, first, rest)
	}
	for _, e := range endings {
		body, ok := strings.CutSuffix(low, e.short)
		if !ok || body == "" {
			continue
		}
		cut := base + len(s) - len(lastBytes(s, e.short))
		first, rest := t, t
		first.word, first.end = body, cut
		rest.word, rest.start, rest.upper, rest.kind = e.long, cut, false, word
		return append(dst, first, rest)
	}
	return append(dst, t)
}

// lastBytes gives the end of s that is spelled like short, with either apostrophe.
func lastBytes(s, short string) string {
	n := utf8.RuneCountInString(short)
	end := len(s)
	for ; n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:end])
		end -= size
	}
	return s[end:]
}

func isLetterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
