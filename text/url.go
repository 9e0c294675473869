package text

import "strings"

// urlEnd returns the end of an address with a scheme or "www." whose first word
// is t[i:j], 0 if there is none.
func urlEnd(t string, i, j int) int {
	switch {
	case strings.HasPrefix(t[j:], "://") && j+3 < len(t) && isURLByte(t[j+3]):
		return urlTail(t, j+3)
	case j-i == 3 && strings.EqualFold(t[i:j], "www") && t[j] == '.' && j+1 < len(t) && isWordStart(t, j+1):
		return urlTail(t, j+1)
	}
	return 0
}

// isHostPath says that s is like "example.com/page": a name with a dot before
// the first slash, the last label letters.
func isHostPath(s string) bool {
	slash := strings.IndexByte(s, '/')
	if slash < 0 || strings.IndexByte(s[:slash], '@') >= 0 {
		return false
	}
	dot := strings.LastIndexByte(s[:slash], '.')
	if dot <= 0 || slash-dot < 3 {
		return false
	}
	for _, c := range []byte(s[dot+1 : slash]) {
		if c >= 0x80 || asciiClass[c] != letter {
			return false
		}
	}
	return true
}

// urlTail returns the end of the address that goes on at i; signs at its end
// belong to the sentence.
func urlTail(t string, i int) int {
	start := i
	for i < len(t) {
		if t[i] < 0x80 {
			if !isURLByte(t[i]) {
				break
			}
			i++
			continue
		}
		r, w := decode(t, i)
		if classOf(r) != letter {
			break
		}
		i += w
	}
	for i > start && strings.IndexByte(".,;:!?'()[]*&", t[i-1]) >= 0 {
		i--
	}
	return i
}

func isURLByte(c byte) bool {
	return c < 0x80 && (asciiClass[c] == letter || asciiClass[c] == digit || strings.IndexByte("-._~:/?#[]@!$&'()*+,;=%", c) >= 0)
}

// url emits an address without its scheme, "www." and last slash, then its host,
// then its words.
func (sc *scanner) url(i, k int) {
	t := sc.src.text
	from := i
	if s := strings.Index(t[i:k], "://"); s >= 0 {
		from = i + s + 3
	}
	if k-from > 4 && strings.EqualFold(t[from:from+4], "www.") {
		from += 4
	}
	to := k
	for to > from && t[to-1] == '/' {
		to--
	}
	parts := partsOf(t, from, to)
	if len(parts) == 0 { // "http://" and nothing: the scheme is the word
		sc.emit(sc.pos, i, k, hasLower, false)
		sc.pos++
		return
	}
	sc.put(Token{Term: lower(clip(t[from:to], maxTerm)), Pos: sc.pos, Start: i, End: k})
	if e := strings.IndexAny(t[from:to], "/?#:"); e > 0 {
		sc.put(Token{Term: lower(clip(t[from:from+e], maxTerm)), Pos: sc.pos, Start: from, End: from + e, Alt: true})
	}
	sc.emitParts(parts)
}
