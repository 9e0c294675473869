package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// HasName finds a name in a text as a word of its own; both are folded by the
// caller. In scripts without spaces every place will do.
func HasName(s, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(name):])
		if !joins(before) && !joins(after) {
			return true
		}
		from = i + 1
	}
}

// joins reports whether a letter next to a name makes it part of a longer word.
func joins(r rune) bool { return r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
