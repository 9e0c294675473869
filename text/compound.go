package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// compound emits the word that begins at i, with all that signs join to it, and
// returns where it ends.
func (sc *scanner) compound(i int) int {
	t := sc.src.text
	j, sh := wordRun(t, i)
	if j == i { // cannot happen: the caller saw a letter or digit
		return i + 1
	}
	if j == len(t) || !mayJoin[t[j]] {
		sc.single(i, j, sh)
		return j
	}
	if end := urlEnd(t, i, j); end > 0 {
		sc.url(i, end)
		return end
	}
	if end := sc.acronym(i); end > 0 {
		return end
	}
	if isDate(t[i:]) && len(t) > i+11 && t[i+10] == 'T' && asciiDigit(t[i+11]) {
		sc.number(i, i+10) // 2023-05-08T10:30:00Z: a date and a time
		return i + 11
	}
	k := extend(t, i, j)
	switch {
	case k == j:
		if end := suffixed(t, i, j, sh); end > j {
			sc.whole(i, end, false)
			sc.emit(sc.pos, i, j, sh, true)
			sc.pos++
			return end
		}
		sc.single(i, j, sh)
	case isNumber(t[i:k]):
		if k < len(t) && t[k] == '%' {
			k++
		}
		sc.number(i, k)
	case isHostPath(t[i:k]):
		k = urlTail(t, k)
		sc.url(i, k)
	default:
		sc.joined(i, k)
	}
	return k
}

// mayJoin are the bytes that can continue a word or hang on to its end.
var mayJoin = func() (m [256]bool) {
	for _, c := range "-.@/\\:,&+#%_" {
		m[c] = true
	}
	return m
}()

// extend returns the end of the compound whose first word is t[i:j]: words with
// single joining signs between them.
func extend(t string, i, j int) int {
	for j+1 < len(t) {
		before, c := t[j-1], t[j]
		if !isWordStart(t, j+1) && !(c == ':' && t[j+1] == '\\' && j == i+1 && j+2 < len(t) && isWordStart(t, j+2)) {
			break
		}
		next := t[j+1]
		ok := false
		switch c {
		case '-', '.', '/', '@', '\\':
			ok = true
		case ':':
			ok = asciiDigit(before) && asciiDigit(next) || next == '\\'
			if next == '\\' {
				j++
			}
		case ',':
			ok = asciiDigit(before) && (thousands(t, j+1) || decimals(t, i, j))
		case '&':
			ok = asciiLetter(before) && asciiLetter(next)
		case '+':
			ok = mailAhead(t, j+1)
		}
		if !ok {
			break
		}
		j, _ = wordRun(t, j+1)
	}
	return j
}

// thousands says that exactly three digits stand at i.
func thousands(t string, i int) bool {
	return i+3 <= len(t) && asciiDigit(t[i]) && asciiDigit(t[i+1]) && asciiDigit(t[i+2]) && (i+3 == len(t) || !asciiDigit(t[i+3]))
}

func asciiLetter(c byte) bool { return c < utf8.RuneSelf && asciiClass[c] == letter }

func upperASCII(c byte) bool { return 'A' <= c && c <= 'Z' }

// decimals says that the comma at j has cents after it: "1.250,00", which is
// clear only with the thousands before it.
func decimals(t string, i, j int) bool {
	n, _ := wordRun(t, j+1)
	return n-j == 3 && asciiDigit(t[j+2]) && j-i > 4 && j-i < 24 && t[j-4] == '.' && isNumber(t[i:j])
}

// mailAhead says that a word and an @ follow: "name+list@example.com".
func mailAhead(t string, i int) bool {
	j, _ := wordRun(t, i)
	return j < len(t) && t[j] == '@'
}

// suffixed returns the end of a name with signs at its end: C++, C#, 40%.
func suffixed(t string, i, j int, sh shape) int {
	end := j
	switch {
	case t[j] == '%' && sh == hasDigit:
		return j + 1
	case j-i > 2 || !sh.letters() || sh&hasUpper == 0 && !strings.HasPrefix(t[j:], "++"):
		return j
	case t[j] == '#':
		end = j + 1
	case strings.HasPrefix(t[j:], "++"):
		end = j + 2
	}
	if end < len(t) && (isWordStart(t, end) || t[end] == '#' || t[end] == '+') {
		return j
	}
	return end
}

// acronym emits letters with dots between them, "U.S.A.", as one word without
// the dots; it returns 0 if there are none at i.
func (sc *scanner) acronym(i int) int {
	t := sc.src.text
	j, n := i, 0
	var b []byte
	for j+1 < len(t) && asciiClass[t[j]&0x7f] == letter && t[j] < utf8.RuneSelf && t[j+1] == '.' {
		b = append(b, t[j])
		j += 2
		n++
	}
	if j < len(t) && n > 0 && isWordStart(t, j) { // "U.S" or "e.g", else a name that goes on
		if k, _ := wordRun(t, j); k == j+1 && t[j] < utf8.RuneSelf && asciiClass[t[j]] == letter {
			b = append(b, t[j])
			j++
			n++
		} else {
			return 0
		}
	}
	if n < 2 || j < len(t) && t[j] == '@' {
		return 0
	}
	switch w := lower(clip(string(b), maxTerm)); w {
	case "eg", "ie", "zb", "dh": // "for example" is no more than a stop word
	default:
		sc.put(Token{Term: w, Pos: sc.pos, Start: i, End: j, Upper: sc.isUpper(i)})
	}
	sc.first = false
	sc.pos++
	return j
}

// isUpper says that the word at i has a capital that its place in the sentence
// does not ask for.
func (sc *scanner) isUpper(i int) bool {
	if sc.first {
		return false
	}
	r, _ := decode(sc.src.text, i)
	return unicode.IsUpper(r)
}

// single emits a word that nothing is joined to.
func (sc *scanner) single(i, j int, sh shape) {
	if sh&hasUnder != 0 {
		sc.joined(i, j)
		return
	}
	sc.emit(sc.pos, i, j, sh, false)
	sc.first = false
	sc.pos++
}

// emit emits the forms of one word at pos, and of its parts if its shape has
// any. It returns false if the word is left out as a stop word.
func (sc *scanner) emit(pos, i, j int, sh shape, alt bool) bool {
	raw := sc.src.text[i:j]
	w := sc.a.lookup(raw)
	if w.stops&sc.stops != 0 {
		return false
	}
	upper := sc.isUpper(i)
	start, end := sc.src.span(i, j)
	for _, f := range w.forms {
		sc.dst = append(sc.dst, Token{f.term, pos, start, end, alt || f.alt, upper})
	}
	if sc.stemmer != nil && sh.letters() {
		if s := w.byLanguage(raw, sc.lang, sc.stemmer); s != "" {
			sc.dst = append(sc.dst, Token{s, pos, start, end, true, upper})
		}
	}
	switch {
	case sh.mixed():
		sc.mixedParts(pos, i, j)
	case sh == hasDigit && raw[0] == '0':
		sc.trimZeros(pos, i, j)
	case sh&hasUpper != 0 && sh&hasLower != 0 && sh&hasApostro == 0 && camel(raw, sh):
		sc.mixedParts(pos, i, j)
	}
	return true
}

// camel says that a word of letters has humps; a capital at its head is none.
func camel(raw string, sh shape) bool {
	return sh&hasCamel != 0 || len(raw) > 2 && upperASCII(raw[0]) && upperASCII(raw[1])
}

// maxParts is how many parts a word may fall into before it is taken for a hash
// or a key, whose parts mean nothing.
const maxParts = 6

func (sc *scanner) mixedParts(pos, i, j int) {
	t := sc.src.text
	var buf [maxParts]Span
	parts := buf[:0]
	n := 0
	splitRun(t, i, j, func(a, b int) {
		if n++; n <= maxParts {
			parts = append(parts, Span{a, b})
		}
	})
	if n < 2 || n > maxParts {
		return
	}
	for k, p := range parts {
		part := t[p.Start:p.End]
		if asciiDigit(part[0]) {
			sc.emit(pos, p.Start, p.End, hasDigit, true)
			continue
		}
		_, w := decode(part, 0)
		if w == len(part) || k > 0 && asciiDigit(t[p.Start-1]) && ordinal[lower(part)] {
			continue // single letters and the ends of 1st, 8th say nothing
		}
		sc.emit(pos, p.Start, p.End, hasLower, true)
	}
}

var ordinal = map[string]bool{"st": true, "nd": true, "rd": true, "th": true}

// whole emits t[i:j] as it stands, in lower case.
func (sc *scanner) whole(i, j int, alt bool) {
	sc.put(Token{Term: lower(clip(sc.src.text[i:j], maxTerm)), Pos: sc.pos, Start: i, End: j, Alt: alt, Upper: sc.isUpper(i)})
}

// part is a word inside a compound.
type part struct {
	i, j int
	sh   shape
}

// partsOf returns the words of t[i:k]; numbers with points stay whole.
func partsOf(t string, i, k int) []part {
	var parts []part
	for i < k {
		if !isWordStart(t, i) {
			_, w := decode(t, i)
			i += w
			continue
		}
		j, sh := wordEnd(t[:k], i, false)
		if sh == hasDigit {
			for j+1 < k && t[j] == '.' && asciiDigit(t[j+1]) {
				n, s := wordEnd(t[:k], j+1, false)
				if s != hasDigit {
					break
				}
				j = n
			}
		}
		parts = append(parts, part{i, j, sh})
		i = j
	}
	return parts
}

// joined emits a compound: the whole, then its words as parts.
func (sc *scanner) joined(i, k int) {
	t := sc.src.text
	if (t[i] == 'v' || t[i] == 'V') && isNumber(t[i+1:k]) && asciiDigit(t[i+1]) { // v1.2.3
		sc.whole(i, k, false)
		sc.numberForms(sc.pos, i+1, k, true)
		sc.first = false
		sc.pos++
		return
	}
	if number, unit := numberUnit(t[i:k]); number > 0 {
		sc.whole(i, k, false)
		sc.numberForms(sc.pos, i, i+number, true)
		if unit > 1 {
			sc.emit(sc.pos, i+number, k, hasLower, true)
		}
		sc.first = false
		sc.pos++
		return
	}
	parts := partsOf(t, i, k)
	if sc.allStops(parts) {
		sc.pos += len(parts)
		sc.first = false
		return
	}
	sc.compoundWhole(i, k, parts)
	if at := strings.IndexByte(t[i:k], '@'); at > 0 && strings.IndexByte(t[i+at:k], '.') > 0 {
		sc.whole(i+at+1, k, true) // the domain of an address
	}
	sc.emitParts(parts)
}

// compoundWhole emits the whole of a compound, and "email" for "e-mail".
func (sc *scanner) compoundWhole(i, k int, parts []part) {
	t := sc.src.text
	hyphens, letters := true, true
	for n, p := range parts {
		letters = letters && p.sh.letters()
		if n > 0 {
			hyphens = hyphens && t[parts[n-1].j:p.i] == "-"
		}
	}
	if !hyphens {
		sc.whole(i, k, false)
		return
	}
	w := lower(clip(t[i:k], maxTerm))
	if letters {
		w = stemByScript(w)
	}
	upper := sc.isUpper(i)
	sc.put(Token{Term: w, Pos: sc.pos, Start: i, End: k, Upper: upper})
	if f := fold(w); f != w && f != "" {
		sc.put(Token{Term: f, Pos: sc.pos, Start: i, End: k, Alt: true, Upper: upper})
	}
	if len(parts) == 2 && parts[0].sh&hasDigit == 0 {
		j := lower(clip(t[parts[0].i:parts[0].j]+t[parts[1].i:parts[1].j], maxTerm))
		if letters {
			j = stemByScript(j)
		}
		sc.put(Token{Term: j, Pos: sc.pos, Start: i, End: k, Alt: true, Upper: upper})
	}
}

func (sc *scanner) emitParts(parts []part) {
	for n, p := range parts {
		switch {
		case strings.IndexByte(sc.src.text[p.i:p.j], '.') >= 0:
			sc.numberForms(sc.pos+n, p.i, p.j, true)
		case p.j-p.i == 1 && p.sh != hasDigit && len(parts) > 1: // the e of e-mail says nothing
		default:
			sc.emit(sc.pos+n, p.i, p.j, p.sh, true)
		}
		sc.first = false
	}
	sc.pos += max(1, len(parts))
}

func (sc *scanner) allStops(parts []part) bool {
	for n, p := range parts {
		if n > 0 && sc.src.text[p.i-1] == '&' { // AT&T is a name whatever it is made of
			return false
		}
		if sc.a.lookup(sc.src.text[p.i:p.j]).stops&sc.stops == 0 {
			return false
		}
	}
	return true
}

// tagged emits a word with a sign before it, @name, #tag or $250: whole and
// without the sign. i is the sign, j the word.
func (sc *scanner) tagged(i, j int) int {
	t := sc.src.text
	money := t[i] != '@' && t[i] != '#'
	k, sh := wordRun(t, j)
	if money || k+1 < len(t) && (t[k] == '-' || t[k] == '.') {
		k = extend(t, j, k)
	}
	sc.whole(i, k, false)
	switch {
	case money:
		number, _ := numberUnit(t[j:k])
		if number == 0 {
			number = k - j
		}
		sc.numberForms(sc.pos, j, j+number, true)
		sc.first = false
		sc.pos++
	case k > j && sh&hasUnder == 0 && !strings.ContainsAny(t[j:k], "-./"):
		sc.emit(sc.pos, j, k, sh, true)
		sc.first = false
		sc.pos++
	default:
		sc.whole(j, k, true)
		sc.emitParts(partsOf(t, j, k))
	}
	return k
}
