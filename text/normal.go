package text

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normal is a text in the form the scanner reads: NFKC, one kind of apostrophe
// and hyphen, ASCII digits, no invisible characters. Case is kept, since it
// tells names and camelCase; offsets lead back to the original.
type normal struct {
	text string
	segs []segment // in order; empty if text is the original
	size int       // bytes of the original
}

// segment says where a stretch of the normalised text comes from. If same, byte
// n+k of the text is byte o+k of the original; else the stretch stands as a
// whole for the original from o to the next segment.
type segment struct {
	n, o int
	same bool
}

func normalise(s string) normal {
	if isASCII(s) {
		return normal{text: s, size: len(s)}
	}
	b := normaliser{out: make([]byte, 0, len(s)+len(s)/8)}
	for p := 0; p < len(s); {
		if n := norm.NFKC.QuickSpanString(s[p:]); n > 0 {
			b.plain(s[p:p+n], p)
			if p += n; p == len(s) {
				break
			}
		}
		n := norm.NFKC.NextBoundaryInString(s[p:], true)
		if n <= 0 { // cannot happen at the end of the input; never stand still
			n = 1
		}
		b.changed(s[p:p+n], p)
		p += n
	}
	if len(b.segs) == 1 && b.segs[0] == (segment{same: true}) {
		return normal{text: s, size: len(s)}
	}
	return normal{text: string(b.out), segs: b.segs, size: len(s)}
}

type normaliser struct {
	out  []byte
	segs []segment
	buf  []byte
}

// plain copies text that is NFKC already, with the replacements of mapRune.
func (b *normaliser) plain(s string, o int) {
	start := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:])
		m := mapRune(r)
		if m == r {
			i += w
			continue
		}
		b.copy(s[start:i], o+start)
		b.segs = append(b.segs, segment{len(b.out), o + i, false})
		if m >= 0 {
			b.out = utf8.AppendRune(b.out, m)
		}
		i += w
		start = i
	}
	b.copy(s[start:], o+start)
}

func (b *normaliser) copy(s string, o int) {
	if s == "" {
		return
	}
	b.segs = append(b.segs, segment{len(b.out), o, true})
	b.out = append(b.out, s...)
}

// changed appends the normal form of one segment that is not NFKC.
func (b *normaliser) changed(s string, o int) {
	b.segs = append(b.segs, segment{len(b.out), o, false})
	if strings.HasPrefix(s, "´") { // NFKC makes a space of it; people mean an apostrophe
		b.out = append(b.out, '\'')
		s = s[len("´"):]
	}
	b.buf = norm.NFKC.AppendString(b.buf[:0], s)
	for i := 0; i < len(b.buf); {
		r, w := utf8.DecodeRune(b.buf[i:])
		if m := mapRune(r); m == r {
			b.out = append(b.out, b.buf[i:i+w]...)
		} else if m >= 0 {
			b.out = utf8.AppendRune(b.out, m)
		}
		i += w
	}
}

// mapRune unifies what NFKC leaves apart; -1 drops the rune.
func mapRune(r rune) rune {
	switch {
	case r < 0xAD:
		return r
	case 0x0660 <= r && r < 0x0E60 || r >= 0x0E60 && unicode.IsDigit(r):
		return mapDigit(r)
	case r < 0x2000:
		switch r {
		case 0x00AD:
			return -1
		case 'ʼ', 'ʹ', 'ʻ', '׳':
			return '\''
		case 'ς':
			return 'σ'
		case 0x0640: // Arabic tatweel only stretches a word
			return -1
		}
	case r <= 0x2069:
		switch {
		case r == '’' || r == '‘' || r == '‛' || r == '′':
			return '\''
		case r == 0x2010 || r == 0x2011:
			return '-'
		case r == 0x200B: // zero-width space: where Khmer and Thai writers mark a word's end
			return ' '
		case 0x200C <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, r >= 0x2060:
			return -1
		}
	case r == 0x2212:
		return '-'
	case 0xFE00 <= r && r <= 0xFE0F, r == 0xFEFF:
		return -1
	}
	return r
}

// mapDigit turns a decimal digit of any script into the ASCII one. Unicode keeps
// the ten digits of a script together, beginning with zero.
func mapDigit(r rune) rune {
	if !unicode.IsDigit(r) {
		return r
	}
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	return r
}

// span returns the original range of the normalised range [start, end).
func (t *normal) span(start, end int) (int, int) {
	if len(t.segs) == 0 {
		return start, end
	}
	i := sort.Search(len(t.segs), func(i int) bool { return t.segs[i].n > start }) - 1
	from := t.segs[i]
	o := from.o
	if from.same {
		o += start - from.n
	}
	// The segment of the last byte, which may not be the one of its end.
	j := i
	for j+1 < len(t.segs) && t.segs[j+1].n < end {
		j++
	}
	last := t.segs[j]
	if last.same {
		return o, last.o + end - last.n
	}
	if j+1 < len(t.segs) {
		return o, t.segs[j+1].o
	}
	return o, t.size
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lower returns s in lower case; s itself if nothing changes.
func lower(s string) string { return strings.ToLower(s) }

// fold returns s without the accents of Latin, Greek and Hebrew letters, and
// with letters such as ø and ß written in ASCII; s itself if it has none. Marks
// of other scripts are vowels, not accents, and stay.
func fold(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	base := rune(0)
	for _, r := range norm.NFD.String(s) {
		if unicode.Is(unicode.Mn, r) && foldable(base) {
			continue
		}
		base = r
		if f, ok := foldLetters[r]; ok {
			b.WriteString(f)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

func foldable(r rune) bool {
	return r < 0x0400 || 0x1E00 <= r && r < 0x2000 || 0x0590 <= r && r < 0x0600
}

// foldLetters are letters with a stroke or of two letters, which have no
// decomposition in Unicode.
var foldLetters = map[rune]string{
	'ø': "o", 'ł': "l", 'đ': "d", 'ħ': "h", 'ı': "i", 'ð': "d", 'þ': "th",
	'æ': "ae", 'œ': "oe", 'ß': "ss", 'ŋ': "n", 'ŧ': "t",
}

// lowerTurkish is lower with the dotless i.
func lowerTurkish(s string) string { return strings.ToLowerSpecial(unicode.TurkishCase, s) }
