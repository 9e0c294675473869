package text

import (
	"unicode"
	"unicode/utf8"
)

// shape is what the scanner notes of a word while it looks for its end.
type shape uint8

const (
	hasLower   shape = 1 << iota // has letters that are not upper-case
	hasUpper                     // has upper-case letters
	hasCamel                     // an upper-case letter follows another letter, or the like
	hasDigit                     // has digits
	hasUnder                     // has underscores inside
	hasApostro                   // has apostrophes between letters
)

// wordRun returns the end of the word that begins at i: letters, marks and
// digits, underscores before another of them, apostrophes between letters.
func wordRun(t string, i int) (int, shape) { return wordEnd(t, i, true) }

// wordEnd is wordRun; without under, an underscore ends a word.
func wordEnd(t string, i int, under bool) (int, shape) {
	var sh shape
	start := i
	for i < len(t) {
		c := t[i]
		switch {
		case 'a' <= c && c <= 'z':
			sh |= hasLower
			i++
		case 'A' <= c && c <= 'Z':
			if sh&hasLower != 0 {
				sh |= hasCamel
			}
			sh |= hasUpper
			i++
		case asciiDigit(c):
			sh |= hasDigit
			i++
		case c == '_':
			j := i
			for j < len(t) && t[j] == '_' {
				j++
			}
			if !under || i == start || j == len(t) || !isWordStart(t, j) {
				return i, sh
			}
			sh |= hasUnder
			i = j
		case c == '\'':
			if i+1 >= len(t) || !letterBefore(t, i) || !letterAt(t, i+1) {
				return i, sh
			}
			sh |= hasApostro
			i++
		case c < utf8.RuneSelf:
			return i, sh
		default:
			r, w := decode(t, i)
			switch classOf(r) {
			case letter:
				if unicode.IsUpper(r) {
					if sh&hasLower != 0 {
						sh |= hasCamel
					}
					sh |= hasUpper
				} else {
					sh |= hasLower
				}
			case digit:
				sh |= hasDigit
			default:
				return i, sh
			}
			i += w
		}
	}
	return i, sh
}

func letterAt(t string, i int) bool {
	r, _ := decode(t, i)
	return classOf(r) == letter
}

func letterBefore(t string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(t[:i])
	return classOf(r) == letter
}

// mixed says that a word has letters and digits.
func (sh shape) mixed() bool { return sh&hasDigit != 0 && sh&(hasLower|hasUpper) != 0 }

// letters says that a word has nothing but letters and apostrophes.
func (sh shape) letters() bool { return sh&(hasDigit|hasUnder) == 0 }

// splitRun calls f with each part of a word of mixed shape: camelCase at its
// humps ("HTTPServer": HTTP, Server), digits and letters apart.
func splitRun(t string, start, end int, f func(i, j int)) {
	type kind uint8
	const (
		low kind = iota
		up
		dig
	)
	var prev kind
	from, last := start, start // last is where the previous rune began
	for i := start; i < end; {
		r, w := decode(t, i)
		k := low
		switch {
		case classOf(r) == digit:
			k = dig
		case unicode.IsUpper(r):
			k = up
		}
		if unicode.IsMark(r) {
			k = prev
		}
		if i > start {
			switch {
			case (k == dig) != (prev == dig), k == up && prev == low:
				f(from, i)
				from = i
			case k == low && prev == up && last > from:
				// The last of several capitals begins the next part, unless only
				// a plural s follows ("PDFs").
				if i+w == end && r == 's' {
					break
				}
				f(from, last)
				from = last
			}
		}
		prev, last = k, i
		i += w
	}
	f(from, end)
}
