package text

import (
	"strings"
	"unicode/utf8"
)

// HasName finds a name in a text as a word of its own; both are folded by the
// caller. Where the name begins or ends in a script without spaces, anything may
// stand beside it: 李雷 is in "给李雷2次", and in the longer name 李雷雷.
func HasName(s, name string) bool {
	if name == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(name):])
		if !(joins(first) && joins(before)) && !(joins(last) && joins(after)) {
			return true
		}
		from = i + 1
	}
}

// joins reports whether a rune is of those that make one word with others like it.
func joins(r rune) bool {
	c := classOf(r)
	return r < 0x2e80 && (c == letter || c == digit)
}
