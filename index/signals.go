package index

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/memory"
	"engram/text"
)

// Signals is what the ranker asks of a document without looking at a question.
type Signals struct {
	Kind     memory.Kind
	Source   memory.Source
	Question bool    // it ends in a question mark
	Dated    bool    // it speaks of a date or of a relative time
	Number   bool    // it has a number or a number word
	Proper   bool    // it has a capitalised word inside a sentence
	Standing bool    // it holds a standing instruction or preference
	Symbols  float32 // share of characters that are neither letters nor blanks: code, tables
}

// Spoken reports whether a person said it, rather than a model or a program.
func (s *Signals) Spoken() bool { return s.Source == memory.User || s.Source == memory.Import }

func read(words string, e *memory.Episode) Signals {
	s := Signals{Kind: e.Kind, Source: e.Source}
	s.Question = strings.HasSuffix(strings.TrimRight(words, " \t\r\n\"'”’)」』"), "?") ||
		strings.HasSuffix(strings.TrimRight(words, " \t\r\n\"'”’)」』"), "？")
	s.scan(words)
	s.Standing = s.Source == memory.User && len(Standing(words, e.Kind)) > 0
	return s
}

// scan sets what can be seen word by word, in one pass.
func (s *Signals) scan(words string) {
	letters, all := 0, 0
	start, initial := -1, true // start of the current word; whether it begins a sentence
	for i, r := range words {
		all++
		isLetter := unicode.IsLetter(r)
		if isLetter || unicode.IsSpace(r) {
			letters++
		}
		if r >= 0x2e80 && isLetter {
			s.scanWide(r, words[i:])
		}
		if isLetter || unicode.IsDigit(r) || unicode.IsMark(r) {
			if unicode.IsDigit(r) {
				s.Number = true
			}
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			s.word(words[start:i], initial)
			start, initial = -1, false
		}
		if strings.ContainsRune(".!?\n", r) {
			initial = true
		}
	}
	if start >= 0 {
		s.word(words[start:], initial)
	}
	s.Symbols = 1 - float32(letters)/float32(all+1)
}

func (s *Signals) word(w string, initial bool) {
	if !initial && len(w) >= 3 && w[1] >= 'a' && startsUpper(w) { // a name, not an acronym
		s.Proper = true
	}
	if len(w) > 9 {
		return
	}
	lower := strings.ToLower(w)
	if timeWords[lower] || isYear(lower) {
		s.Dated = true
	}
	if numberWords[lower] {
		s.Number = true
	}
}

func isYear(w string) bool {
	return len(w) == 4 && (w[:2] == "19" || w[:2] == "20") && w[2] >= '0' && w[2] <= '9' && w[3] >= '0' && w[3] <= '9'
}

// scanWide looks at the Chinese words for times and numbers that begin here.
func (s *Signals) scanWide(r rune, rest string) {
	switch r {
	case '今', '昨', '明', '前', '后', '上', '下', '本', '这', '去':
		for _, w := range chineseTimes {
			if strings.HasPrefix(rest, w) {
				s.Dated = true
				return
			}
		}
	case '周', '年':
		s.Dated = true
	case '一', '二', '两', '三', '四', '五', '六', '七', '八', '九', '十', '几':
		switch next, _ := utf8.DecodeRuneInString(rest[utf8.RuneLen(r):]); {
		case strings.ContainsRune("月日号", next):
			s.Dated = true
		case strings.ContainsRune("个次天年岁只本件块元点公分两三四五六七八九十百千万亿米斤条张家位名台部", next):
			s.Number = true
		}
	case '月', '日', '号':
		s.Dated = s.Dated || s.Number // behind a digit
	}
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	timeWords = set("yesterday today tonight tomorrow ago last next week weekend month year monday tuesday wednesday thursday friday saturday sunday " +
		"january february march april june july august september october november december")
	numberWords  = set("one two three four five six seven eight nine ten eleven twelve dozen hundred thousand once twice couple several")
	chineseTimes = strings.Fields("今天 今晚 今年 昨天 昨晚 明天 明年 前天 后天 上周 上个月 下周 下个月 本周 本月 这周 这个月 去年")
)

// A standing instruction tells how to answer from now on. The patterns are
// strict: over long chats they flag about seven parts a chat, which hold nine
// tenths of the evidence that questions about instructions need
// (docs/evaluation.md), and next to nothing in chats between friends, where
// "always here for you" and "never had the time" instruct nobody. A cheap look
// for the words comes first, since most sentences have none of them.
var (
	standingWords = []string{"always", "never", "prefer", "from now on", "以后", "今后", "从现在起", "从现在开始", "总是", "永远", "始终", "一律", "务必", "不要再", "别再", "请记住", "更喜欢", "偏好"}
	standing      = regexp.MustCompile(`(?i)^["'(*-]*\s*(?:please,?\s+)?(?:remember to\s+)?(?:always|never)\s+(\w+)` +
		`|\bI(?:'d|’d| would| also| always| generally| usually| really)* prefer\b` +
		`|\bmy (?:\S+ )?preference` +
		`|\bfrom now on\b` +
		`|^(?:请|麻烦)?(?:你)?(?:以后|今后|从现在起|从现在开始)(?:都|请|就|回答|不要|别|，|,|的|每)` +
		`|^(?:请|麻烦)?(?:你)?(?:一律|务必|不要再|别再|请记住)` +
		`|^(?:请|麻烦|你)+(?:总是|永远|始终)|^(?:总是|永远|始终)(?:用|使用|以|先|把|给|提供|附|写|说明|回答|保持|注明|标注|列|不要)` +
		`|我(?:个人)?(?:更喜欢|偏好)`)
	// notOrders follow "always" and "never" where nothing is ordered.
	// orders are verbs that only look like participles.
	orders    = set("bring sing ring swing feed need speed embed proceed shed")
	notOrders = set("here there been had have has was were is are be saw seen say says said up down good great nice fun a an the so too gave know knew thought mind gonna wanted happy ready open did does got i you he she we they my your it again")
)

// maxStanding is the longest sentence, in bytes, that counts as an instruction:
// what is longer tells a story.
const maxStanding = 400

// lasting are words by which an episode of kind instruction tells what holds
// from now on, rather than what to do once.
var lasting = regexp.MustCompile(`(?i)\b(always|never|don't|don’t|do not|avoid|keep|must|every|whenever|from now on|prefer|only)\b|总是|永远|始终|一律|务必|必须|不要|别|每次|每天|每周|以后|今后|从现在|只用|保持|尽量`)

// Lasting reports whether an instruction holds from now on rather than once.
func Lasting(words string) bool { return lasting.MatchString(words) }

// Standing gives the sentences of a text that are standing instructions or
// preferences. Of an episode of kind instruction it gives all.
func Standing(words string, kind memory.Kind) []text.Span {
	if kind == memory.Instruction {
		return []text.Span{{Start: 0, End: len(words)}}
	}
	lower := strings.ToLower(words)
	found := false
	for _, w := range standingWords {
		if strings.Contains(lower, w) {
			found = true
			break
		}
	}
	if !found {
		return nil
	}
	var out []text.Span
	for _, s := range text.Sentences(words) {
		if instructs(strings.TrimSpace(words[s.Start:s.End])) {
			out = append(out, s)
		}
	}
	return out
}

func instructs(sentence string) bool {
	if len(sentence) > maxStanding || strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？") {
		return false
	}
	m := standing.FindStringSubmatch(sentence)
	if m == nil {
		return false
	}
	verb := strings.ToLower(m[1])
	return orders[verb] || !notOrders[verb] && !strings.HasSuffix(verb, "ing") && !strings.HasSuffix(verb, "ed")
}
