package text

import (
	"strings"
	"unicode"
)

// hindiSuffixes are the endings of the light stemmer of Ramanathan and Rao
// ("A Lightweight Stemmer for Hindi", 2003), longest first; Snowball has none.
var hindiSuffixes = []string{
	"ाएंगी", "ाएंगे", "ाऊंगी", "ाऊंगा", "ाइयाँ", "ाइयों", "ाइयां",
	"ाएगी", "ाएगा", "ाओगी", "ाओगे", "एंगी", "ेंगी", "एंगे", "ेंगे", "ूंगी", "ूंगा", "ातीं", "नाओं", "नाएं", "ताओं", "ताएं", "ियाँ", "ियों", "ियां",
	"ाकर", "ाइए", "ाईं", "ाया", "ेगी", "ेगा", "ोगी", "ोगे", "ाने", "ाना", "ाते", "ाती", "ाता", "तीं", "ाओं", "ाएं", "ुओं", "ुएं", "ुआं",
	"कर", "ाओ", "िए", "ाई", "ाए", "ने", "नी", "ना", "ते", "ीं", "ती", "ता", "ाँ", "ां", "ों", "ें",
	"ो", "े", "ू", "ु", "ी", "ि", "ा",
}

// stemHindi takes one ending off a word that keeps at least two letters.
func stemHindi(w string) string {
	w = strings.ReplaceAll(w, "ँ", "ं")
	for _, s := range hindiSuffixes {
		if base, ok := strings.CutSuffix(w, s); ok && lettersIn(base) >= 2 {
			return base
		}
	}
	return w
}

// lettersIn counts the runes of w that are not vowel signs or other marks.
func lettersIn(w string) int {
	n := 0
	for _, r := range w {
		if !unicode.IsMark(r) {
			n++
		}
	}
	return n
}
