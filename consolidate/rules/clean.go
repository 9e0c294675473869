package rules

import (
	"strings"
	"unicode"
)

// maxObject is the longest object, in bytes of UTF-8 (characters in Han script
// are counted as such).
const maxObject = 80

// clean makes a value of the words of a capture; ok is false if it is none.
func (l *language) clean(v string) (string, bool) {
	v = strings.Join(strings.Fields(v), " ")
	for {
		first, rest, ok := strings.Cut(v, " ")
		if !ok || !l.words["article"][strings.ToLower(first)] && !l.words["new_word"][strings.ToLower(first)] {
			break
		}
		v = rest
	}
	v = strings.TrimFunc(v, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?\"'“”‘’()[]—-–…", r) && r != '.' || unicode.In(r, unicode.Po, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) && !strings.ContainsRune("%#&@*", r)
	})
	if l.suffixes != nil {
		for {
			cut := v
			for _, s := range l.suffixes {
				cut = strings.TrimSuffix(cut, s)
			}
			if cut == v {
				break
			}
			v = strings.TrimSpace(cut)
		}
	}
	for {
		cut := strings.TrimSuffix(strings.TrimSuffix(v, " please"), " too")
		if cut == v {
			break
		}
		v = cut
	}
	v = l.uncount(v)
	n := len([]rune(v))
	low := strings.ToLower(v)
	return v, n > 0 && n <= maxObject && !l.words["no_value"][low] && !l.hasWord("no_value", low) && !l.words["stop"][low]
}

// predicateOf makes a predicate of a noun: "alarm clock" is alarm_clock.
func predicateOf(noun string) string {
	return strings.Join(strings.Fields(strings.ToLower(noun)), "_")
}
