// Package text turns any text of the world into index terms, sentences and
// parts. Documents and queries go through the same functions, so that what is
// stored and what is asked meet on equal terms. It is pure and deterministic,
// holds no state that changes, and imports no other package of engram: only
// golang.org/x/text, uax29 (grapheme clusters) and the Snowball stemmers.
package text

// Span is a range of bytes of a text: s[Start:End].
type Span struct{ Start, End int }

// Token is one index term of a text.
type Token struct {
	// Term is the normalised form: what is indexed and matched. It may share
	// memory with the text it comes from; clone it before keeping it for long.
	Term string

	// Pos is the ordinal of the word (Han, kana and scripts without spaces:
	// of the character) the term comes from. Several tokens may share a Pos;
	// stop words are counted although they are left out. The parts of a word
	// joined by signs ("well-known", "src/main.go") have the Pos of the whole
	// and the ones that follow it.
	Pos int

	// Start and End are byte offsets in the original text.
	Start, End int

	// Alt marks a second form of a word that has a primary one: without its
	// accents, stemmed by another language than English, or a part of an
	// identifier, address or number. Bigrams of Han, kana and Hangul are not Alt.
	Alt bool

	// Upper says that the word begins with an upper-case letter and is not the
	// first word of a sentence.
	Upper bool
}

// Terms appends the index terms of s to dst. Stop words are left out: a text of
// stop words only has no terms. It is safe for concurrent use; callers with
// many texts do better with an Analyzer of their own.
func Terms(dst []Token, s string) []Token {
	a := Analyzer{noCache: len(s) < minCachedText}
	return a.Terms(dst, s)
}
