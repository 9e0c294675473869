package text

import "strings"

// isNumber says that s is digits with signs between them and nothing else.
func isNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case asciiDigit(c), c == '.', c == ',', c == ':', c == '-', c == '/':
		default:
			return false
		}
	}
	return s != ""
}

// isDate says that s begins like 2023-05-08.
func isDate(s string) bool {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	for i := 0; i < 10; i++ {
		if i != 4 && i != 7 && !asciiDigit(s[i]) {
			return false
		}
	}
	return true
}

// numberUnit parts "3:30pm" and "1.5GB" into number and unit; it returns
// their lengths, 0 and 0 if s is nothing of the kind.
func numberUnit(s string) (number, unit int) {
	n := 0
	for n < len(s) && (asciiDigit(s[n]) || s[n] == '.' || s[n] == ',' || s[n] == ':') {
		n++
	}
	if n == 0 || !asciiDigit(s[0]) || !asciiDigit(s[n-1]) || n == len(s) {
		return 0, 0
	}
	for i := n; i < len(s); i++ {
		if s[i] < 0x80 && asciiClass[s[i]] != letter {
			return 0, 0
		}
	}
	return n, len(s) - n
}

// number emits a number, date or time with signs inside as a word of its own.
func (sc *scanner) number(i, k int) {
	t := sc.src.text
	end := k
	if t[k-1] == '%' {
		sc.whole(i, k, false)
		end--
	}
	n := 1
	sc.numberForms(sc.pos, i, end, end < k)
	if hasNumberParts(t[i:end]) {
		n = 0
		for _, p := range partsOfNumber(t, i, end) {
			sc.emit(sc.pos+n, p.i, p.j, hasDigit, true)
			n++
		}
	}
	sc.first = false
	sc.pos += n
}

// hasNumberParts says that the numbers inside are wanted by themselves: those of
// dates, ranges and fractions, not of decimals, versions and times.
func hasNumberParts(s string) bool {
	if strings.ContainsAny(s, "-/") {
		return true
	}
	p := strings.Split(s, ".")
	return len(p) == 3 && len(p[0]) <= 2 && len(p[1]) <= 2 && len(p[2]) == 4 // 08.05.2023
}

func partsOfNumber(t string, i, k int) []part {
	var parts []part
	for i < k {
		j := i
		for j < k && asciiDigit(t[j]) {
			j++
		}
		if j > i {
			parts = append(parts, part{i, j, hasDigit})
			i = j
		}
		i++
	}
	return parts
}

// numberForms emits a number as it stands, and without the commas of thousands
// and the zeros at its head.
func (sc *scanner) numberForms(pos, i, j int, alt bool) {
	t := sc.src.text
	s := clip(t[i:j], maxTerm)
	sc.put(Token{Term: s, Pos: pos, Start: i, End: j, Alt: alt})
	if europeanNumber(s) {
		sc.put(Token{Term: strings.ReplaceAll(s[:len(s)-3], ".", "") + "." + s[len(s)-2:], Pos: pos, Start: i, End: j, Alt: true})
	} else if strings.IndexByte(s, ',') >= 0 {
		sc.put(Token{Term: strings.ReplaceAll(s, ",", ""), Pos: pos, Start: i, End: j, Alt: true})
	}
	if isDigits(s) || strings.IndexByte(s, ':') == 2 {
		sc.trimZeros(pos, i, j)
	}
}

// europeanNumber says that s is like 1.250,00, found as 1250.00 too.
func europeanNumber(s string) bool {
	c := strings.IndexByte(s, ',')
	return c >= 0 && c == len(s)-3 && strings.IndexByte(s[:c], '.') > 0
}

// trimZeros emits "8" for "08" and "3:30" for "03:30".
func (sc *scanner) trimZeros(pos, i, j int) {
	s := clip(sc.src.text[i:j], maxTerm)
	z := 0
	for z+1 < len(s) && s[z] == '0' && asciiDigit(s[z+1]) {
		z++
	}
	if z > 0 {
		sc.put(Token{Term: s[z:], Pos: pos, Start: i, End: j, Alt: true})
	}
}

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !asciiDigit(s[i]) {
			return false
		}
	}
	return true
}
