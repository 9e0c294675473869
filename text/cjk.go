package text

import (
	"strings"
	"unicode/utf8"
)

// Han has no spaces and is indexed without a dictionary: characters and pairs
// of characters together find more than either or than a segmenter (55 and 58
// against 65 % at rank one, see the notes on measurements).

// hanFunction are characters that serve grammar and are left out as unigrams,
// in simplified and traditional writing; pairs of them are left out too.
const hanFunction = `的了吗嗎呢吧啊呀嘛哦嗯啦是在我你您他她它们們这這那和与與及也都就还還又很把被给給让讓从從对對跟之而或但着著過过得地` +
	`么麼什哪谁誰怎几幾为為因所以如何请請問问个個吾此其于於`

// hanWords are function words with characters that mean something elsewhere,
// question words above all: they must not decide what is found.
const hanWords = `什么 什麼 什么时候 什麼時候 哪里 哪裡 哪儿 哪些 哪个 哪個 哪位 哪天 多少 怎么样 怎麼樣 怎样 怎樣 为什么 為什麼 如何 何时 何時 为何 為何
是否 是不是 有没有 有沒有 可以 能不能 因为 因為 所以 但是 如果 虽然 雖然 然后 然後 已经 已經 一个 一個 一些 自己 我们 你们 他们 她们 它们
这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 还是 或者 而且 以及 不是 没有 沒有`

var (
	hanStop      = runeSet(hanFunction)
	hanStopWords = wordSet(hanWords)
)

func runeSet(s string) map[rune]bool {
	m := map[rune]bool{}
	for _, r := range s {
		m[r] = true
	}
	return m
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// runOf returns the byte offsets of the runes of the run of class c that begins
// at i, and after them the offset of its end.
func (sc *scanner) runOf(i int, c class) []int {
	t, at := sc.src.text, sc.runes[:0]
	for i < len(t) {
		r, w := decode(t, i)
		if classOf(r) != c && !(c == hiragana && r == 'ー') {
			break
		}
		at = append(at, i)
		i += w
	}
	sc.runes = append(at, i)
	sc.first = false
	return sc.runes
}

func (sc *scanner) hanRun(i int) int {
	t := sc.src.text
	at := sc.runOf(i, han)
	n := len(at) - 1
	marked := 0 // characters before this index belong to a function word
	before := false
	for k := 0; k < n; k++ {
		if k >= marked {
			marked = max(marked, k+hanWordAt(t, at[k:]))
		}
		stop := k < marked
		if k > 0 && !(stop && before) {
			sc.put(Token{Term: t[at[k-1]:at[k+1]], Pos: sc.pos - 1, Start: at[k-1], End: at[k+1]})
		}
		if !stop {
			sc.put(Token{Term: t[at[k]:at[k+1]], Pos: sc.pos, Start: at[k], End: at[k+1]})
		}
		before = stop
		sc.pos++
	}
	return at[n]
}

// Crosses reports whether a term is a pair of Han characters of which one is a
// function word by itself: 的计 and 划是 of 现在的计划是什么. Such a pair lies across a
// border between words, and it means nothing that a text does not have it.
func Crosses(term string) bool {
	first, w := utf8.DecodeRuneInString(term)
	second, v := utf8.DecodeRuneInString(term[w:])
	return w+v == len(term) && v > 0 && classOf(first) == han && classOf(second) == han && (hanStop[first] || hanStop[second])
}

// hanWordAt returns how many characters the function word has that begins at
// at[0], 0 if none does.
func hanWordAt(t string, at []int) int {
	for n := min(4, len(at)-1); n > 1; n-- {
		if hanStopWords[t[at[0]:at[n]]] {
			return n
		}
	}
	if r, _ := decode(t, at[0]); hanStop[r] {
		return 1
	}
	return 0
}

// hiraganaStop are pairs of endings and particles.
var hiraganaStop = wordSet(`です ます まし した して てい いる いた ます ませ せん ある あり から まで これ それ あれ この その あの どの ここ そこ どこ だれ いつ なに
なぜ どう でし だっ った たち には とは では でも ので のに ため よう こと もの とか など なら って れる られ ない なか かっ たい たら たり ても ては しま すか すね すよ ねえ`)

func (sc *scanner) hiraganaRun(i int) int {
	t := sc.src.text
	at := sc.runOf(i, hiragana)
	n := len(at) - 1
	for k := 0; k < n; k++ {
		if k+2 <= n && !hiraganaStop[t[at[k]:at[k+2]]] {
			sc.put(Token{Term: t[at[k]:at[k+2]], Pos: sc.pos, Start: at[k], End: at[k+2]})
		}
		sc.pos++
	}
	return at[n]
}

func (sc *scanner) katakanaRun(i int) int {
	t := sc.src.text
	at := sc.runOf(i, katakana)
	n := len(at) - 1
	whole := clip(t[at[0]:at[n]], maxTerm)
	sc.put(Token{Term: whole, Pos: sc.pos, Start: at[0], End: at[n]})
	for k := 0; k < n; k++ {
		if k+2 <= n && n > 2 {
			sc.put(Token{Term: t[at[k]:at[k+2]], Pos: sc.pos, Start: at[k], End: at[k+2]})
		}
		sc.pos++
	}
	return at[n]
}
