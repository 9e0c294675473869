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
	id         int16 // of the word, rune or Chinese number in the vocabulary; 0 if no pattern uses it
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
		vocabulary[w] = int16(len(vocabulary) + 1)
	}
	return vocabulary[w]
}

// longestWord bounds what is looked up in the vocabulary.
const longestWord = 16

// folded gives the rune that forms write for runes that mean the same: quotes,
// dashes, wide and traditional forms.
var folded = map[rune]string{
	'’': "'", '‘': "'", '＇': "'", '–': "-", '—': "-", '−': "-", '－': "-", '~': "-", '～': "-", '〜': "-",
	'：': ":", '，': ",", '(': "（", ')': "）", '．': ".",
	'週': "周", '禮': "礼", '號': "号", '點': "点", '後': "后", '個': "个", '節': "节", '國': "国", '慶': "庆",
	'聖': "圣", '誕': "诞", '從': "从", '開': "开", '來': "来", '時': "时", '鐘': "钟", '這': "这", '過': "过",
	'現': "现", '為': "为", '幾': "几", '間': "间", '會': "会", '將': "将", '劃': "划", '準': "准", '備': "备",
}

func lex(text string) []token {
	tokens := make([]token, 0, len(text)/4+1)
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			at += n
			continue
		}
		t := token{start: at, end: at + n, latin: isLatin(r)}
		last := len(tokens) - 1
		t.glued = last >= 0 && tokens[last].end == at
		switch {
		case isDigit(r):
			t.end, t.digits, t.n = digits(text, at)
		case isNumeral(r):
			t.end, t.digits, t.n = chineseNumber(text, at)
			if t.glued && opensWeekday[tokens[last].id] && 1 <= chineseDigit(r) && chineseDigit(r) <= 6 {
				t.end, t.digits, t.n = at+n, 1, chineseDigit(r) // 周五五点 is Friday, five
			}
			t.id = vocabulary[text[at:t.end]]
		case t.latin:
			t.end = len(text) - len(strings.TrimLeftFunc(text[at:], isLatin))
			t.capital = unicode.IsUpper(r)
			t.id = lookUp(text[at:t.end])
		default:
			t.id = vocabulary[text[at:t.end]]
			if as, ok := folded[r]; ok {
				t.id = vocabulary[as]
			}
			t.joins = r != utf8.RuneError && strings.ContainsRune(".,/:-–", r)
		}
		if t.glued {
			before := tokens[last]
			t.inner = isDigit(r) && (before.latin || before.joins && before.glued && tokens[last-1].digits > 0 ||
				strings.ContainsRune("#$€£¥_", runeAt(text, before.start)))
		}
		tokens = append(tokens, t)
		at = t.end
	}
	return tokens
}

// opensWeekday marks what stands before the number of a weekday: 周五, 星期五, 礼拜五.
var opensWeekday = map[int16]bool{word("周"): true, word("期"): true, word("拜"): true}

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
