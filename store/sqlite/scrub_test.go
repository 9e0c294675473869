package sqlite

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

func TestScrub(t *testing.T) {
	t.Parallel()
	page := func(kind byte, at, cells, content int) []byte {
		p := bytes.Repeat([]byte{0xee}, 512)
		p[at] = kind
		binary.BigEndian.PutUint16(p[at+3:], uint16(cells))
		binary.BigEndian.PutUint16(p[at+5:], uint16(content))
		return p
	}
	for _, c := range []struct {
		name     string
		p        []byte
		off      int64
		from, to int // what is cleared
	}{
		{"leaf", page(10, 0, 3, 400), 512, 14, 400},
		{"leaf of a table", page(13, 0, 0, 512), 512, 8, 512},
		{"interior", page(2, 0, 2, 100), 1024, 16, 100},
		{"first page", page(13, 100, 1, 300), 0, 110, 300},
		{"full", page(10, 0, 10, 28), 512, 0, 0},
		{"overflow", page(1, 0, 3, 400), 512, 0, 0},
		{"free", page(0, 0, 3, 400), 512, 0, 0},
		{"content outside", page(10, 0, 3, 600), 512, 0, 0},
		{"part of a page", page(10, 0, 3, 400), 100, 0, 0},
	} {
		want := slices.Clone(c.p)
		clear(want[c.from:c.to])
		if scrub(c.p, c.off); !bytes.Equal(c.p, want) {
			t.Errorf("%s: other bytes than %d to %d were cleared", c.name, c.from, c.to)
		}
	}
}
