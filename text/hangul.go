package text

import (
	"strings"
	"unicode/utf8"
)

// koreanParticles are what Korean hangs on to a noun, longest first. Bigrams
// find nouns of two syllables inside a word; for those of one, the word without
// its particle is a form of its own.
var koreanParticles = strings.Fields(`에서는 에게서 으로는 이라는 입니다 이에요 에서 에게 에는 한테 께서 으로 부터 까지 처럼 보다 하고 이랑 이나 마다 조차 예요 이다
은 는 이 가 을 를 의 에 도 로 와 과 만 랑 야`)

// koreanStop are words that serve grammar, pronouns and question words.
var koreanStop = wordSet(`그리고 그러나 하지만 그래서 그런데 그러면 또는 나 나는 내가 나를 너 너는 네가 저 저는 제가 우리 우리는 그 그는 그녀 그녀는 이 이것 그것 저것
것 것을 것이 것은 수 등 및 때 더 잘 안 못 좀 대해 대한 위해 무엇 무엇을 뭐 뭐를 어디 어디에 어디서 언제 누구 누가 왜 어떻게 어떤 어느 얼마나 있다 있는 있어요 있습니다 없다 하는 한다 합니다 해요`)

// koreanEndings are pairs that end words of every kind.
var koreanEndings = wordSet(`에서 니다 습니 입니 합니 했다 았다 었다 는데 지만 으로 하고 하는 한다 에게 세요 어요 아요 해요 까지 부터`)

// hangulRun emits a Korean word whole, without its particle, and its pairs of
// syllables, all at the position of the word.
func (sc *scanner) hangulRun(i int) int {
	t := sc.src.text
	at := sc.runOf(i, hangul)
	n := len(at) - 1
	w := t[at[0]:at[n]]
	// A particle that hangs on to a word of another script: "Google에서".
	particle := i > 0 && isWordStart(t, lastRune(t, i)) && koreanBase("가"+w) == "가"
	if koreanStop[w] || particle {
		sc.pos++
		return at[n]
	}
	sc.put(Token{Term: clip(w, maxTerm), Pos: sc.pos, Start: at[0], End: at[n]})
	base := koreanBase(w)
	if base != w {
		sc.put(Token{Term: clip(base, maxTerm), Pos: sc.pos, Start: at[0], End: at[0] + len(base), Alt: true})
	}
	for k := 0; k+2 <= n && n > 2; k++ {
		pair := t[at[k]:at[k+2]]
		if len(pair) != 6 || pair == base || koreanEndings[pair] { // six bytes: two syllables, not conjoining letters
			continue
		}
		sc.put(Token{Term: pair, Pos: sc.pos, Start: at[k], End: at[k+2]})
	}
	sc.pos++
	return at[n]
}

// lastRune returns where the rune before i begins.
func lastRune(t string, i int) int {
	_, w := utf8.DecodeLastRuneInString(t[:i])
	return i - w
}

func koreanBase(w string) string {
	for _, p := range koreanParticles {
		if len(w) > len(p) && strings.HasSuffix(w, p) {
			return w[:len(w)-len(p)]
		}
	}
	return w
}
