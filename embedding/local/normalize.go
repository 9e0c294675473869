package local

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf8"
)

// escapedSpace stands for a space within pieces.
const escapedSpace = "▁"

// charsmap is the table of replacements of a SentencePiece model: its rules of
// normalization (NFKC and more), compiled. It is a double array in the layout
// of darts-clone, whose values are places in the replacements, each of which
// ends with a zero.
type charsmap struct {
	units        []uint32
	replacements []byte
}

// newCharsmap reads the table: the size of the array, the array, the rest. It
// checks that no walk leaves the array.
func newCharsmap(data []byte) (charsmap, error) {
	broken := errors.New("the table of normalization is broken")
	if len(data) < 4 {
		return charsmap{}, broken
	}
	size := int(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if size < 4 || size%1024 != 0 || size > len(data) || data[len(data)-1] != 0 {
		return charsmap{}, broken
	}
	m := charsmap{units: make([]uint32, size/4), replacements: data[size:]}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return m, nil
}

// offset is where the children of a unit are, relative to it: 21 bits, and one
// that says whether they count in steps of 256.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & 0x200 >> 6) }

// longest finds the longest key that text begins with, and gives its
// replacement and length; 0 if there is none.
func (m *charsmap) longest(text string) (replacement []byte, length int) {
	const leaf, label, value = 1 << 8, 1<<31 | 0xFF, 1<<31 - 1
	at := offset(m.units[0])
	for i := range len(text) {
		at ^= uint32(text[i])
		if int(at) >= len(m.units) || m.units[at]&label != uint32(text[i]) {
			break
		}
		unit := m.units[at]
		at ^= offset(unit)
		if unit&leaf == 0 || int(at) >= len(m.units) {
			continue
		}
		if v := int(m.units[at] & value); v < len(m.replacements) {
			end := bytes.IndexByte(m.replacements[v:], 0)
			replacement, length = m.replacements[v:v+end], i+1
		}
	}
	return replacement, length
}

// next gives what the beginning of text becomes, and how many bytes that takes.
// Bytes that are no UTF-8 become U+FFFD one by one.
func (m *charsmap) next(text string) ([]byte, int) {
	if replacement, length := m.longest(text); length > 0 {
		return replacement, length
	}
	r, length := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && length == 1 {
		return []byte(string(utf8.RuneError)), 1
	}
	return []byte(text[:length]), length
}

// normalize applies the table, takes runs of spaces as one and those at the
// ends away, puts a space before the text, and escapes spaces. A text without
// anything else becomes empty.
func (m *charsmap) normalize(text string) []byte {
	out := make([]byte, 0, len(text)+len(text)/4+len(escapedSpace))
	afterSpace := true
	for len(text) > 0 {
		part, length := m.next(text)
		text = text[length:]
		if afterSpace {
			part = bytes.TrimLeft(part, " ")
		}
		for _, c := range part {
			if len(out) == 0 {
				out = append(out, escapedSpace...)
			}
			if c == ' ' {
				out = append(out, escapedSpace...)
				continue
			}
			out = append(out, c)
		}
		if len(part) > 0 {
			afterSpace = part[len(part)-1] == ' '
		}
	}
	for bytes.HasSuffix(out, []byte(escapedSpace)) {
		out = out[:len(out)-len(escapedSpace)]
	}
	return out
}
