package text

import "unicode/utf8"

// abbreviations are words whose full stop ends no sentence though a capital or
// a digit may follow. Ones that often do end a sentence ("etc.", "Inc.") are
// not among them.
var abbreviations = wordSet(`mr mrs ms mx dr prof rev hon gen col capt lt sgt cmdr gov sen rep pres st mt ft vs eg ie cf approx dept fig figs eq no nos vol
pp ed eds jan feb mar apr jun jul aug sept sep oct nov dec al inv ref tel hr hrn fr frau nr bzw ca evtl ggf inkl usw str abs abb bspw vgl z b d h u a sr sra srta
dra ud uds pág núm av mme mlle mm etc m art sig dott ing avv vd dl sn bkz örn prim stk bl f eks p`)

// abbreviated says that the full stop at i belongs to the word before it: a
// known abbreviation, a single capital ("J. Smith") or one of several letters
// with stops ("e.g.", "z. B.").
func abbreviated(s string, i int) bool {
	start := i
	for start > 0 {
		r, w := utf8.DecodeLastRuneInString(s[:start])
		if classOf(r) != letter || i-start > 12 {
			break
		}
		start -= w
	}
	w := s[start:i]
	if w == "" {
		return false
	}
	if utf8.RuneCountInString(w) == 1 {
		// "Plan B." may end a sentence, but initials are more frequent; "I." does.
		return w != "I" && (start == 0 || s[start-1] == '.' || s[start-1] == ' ' && (s[start] >= utf8.RuneSelf || upperASCII(s[start]) || abbreviations[w]))
	}
	if start > 0 && s[start-1] == '.' && i-start <= 2 {
		return true
	}
	return abbreviations[lower(w)] && (start == 0 || s[start-1] != '\'')
}

// ordinalBefore says that one or two digits stand before the full stop at i, as
// in German "am 3. 5." before another number.
func ordinalBefore(s string, i int) bool {
	n := digitsBefore(s, i)
	return n == 1 || n == 2
}

// listNumber says that the full stop at i follows the number of a list, the
// first thing on its line.
func listNumber(s string, i int) bool {
	n := digitsBefore(s, i)
	if n == 0 || n > 3 {
		return false
	}
	for i -= n; i > 0 && (s[i-1] == ' ' || s[i-1] == '\t'); i-- {
	}
	return i == 0 || s[i-1] == '\n' || s[i-1] == '\r'
}

// digitsBefore counts the digits before i, as far as four.
func digitsBefore(s string, i int) int {
	n := 0
	for n < i && n < 4 && asciiDigit(s[i-1-n]) {
		n++
	}
	return n
}

// germanMonth says that s begins with the name of a month, which in German has
// a capital also after "am 3.".
func germanMonth(s string) bool {
	for _, m := range [...]string{"Jan", "Feb", "März", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"} {
		if len(s) >= len(m) && s[:len(m)] == m {
			return true
		}
	}
	return false
}
