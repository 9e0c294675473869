package main

import (
	"strings"

	"github.com/rivo/uniseg"
)

// style is how a cell of a canvas is painted where there are colours.
type style uint8

const (
	plain style = iota
	bold
	dim
	good
	bad
)

// The sides on which a line leaves a cell.
const (
	up = 1 << iota
	down
	left
	right
)

// boxChars are the characters of lines by the sides on which they leave.
var boxChars = map[uint8]string{
	up: "╵", down: "╷", left: "╴", right: "╶", up | down: "│", left | right: "─",
	down | right: "┌", down | left: "┐", up | right: "└", up | left: "┘",
	up | down | right: "├", up | down | left: "┤", down | left | right: "┬", up | left | right: "┴",
	up | down | left | right: "┼",
}

// canvas is a page of cells of one column each. A character of two columns
// leaves the cell behind it empty.
type canvas struct {
	width int
	lines [][]cell
}

type cell struct {
	text   string
	style  style
	sides  uint8 // of the lines through it
	dotted bool  // if the line is upright
	taken  bool  // by the second half of the character in front of it
}

func newCanvas(width int) *canvas { return &canvas{width: width} }

// at gives a cell, nil outside of the width.
func (c *canvas) at(x, y int) *cell {
	if x < 0 || x >= c.width || y < 0 {
		return nil
	}
	for len(c.lines) <= y {
		c.lines = append(c.lines, make([]cell, c.width))
	}
	return &c.lines[y][x]
}

func (c *canvas) put(x, y int, text string, s style) {
	if at := c.at(x, y); at != nil {
		at.text, at.style = text, s
	}
}

// write puts a text into cells, as far as there are any.
func (c *canvas) write(x, y int, text string, s style) {
	for g := uniseg.NewGraphemes(text); g.Next(); {
		w := g.Width()
		if w == 0 || x+w > c.width {
			continue
		}
		c.put(x, y, g.Str(), s)
		for i := 1; i < w; i++ {
			*c.at(x+i, y) = cell{taken: true}
		}
		x += w
	}
}

// horizontal and vertical draw lines; where lines meet they join.
func (c *canvas) horizontal(x0, x1, y int) {
	for x := x0; x <= x1; x++ {
		if at := c.at(x, y); at != nil {
			if x > x0 {
				at.sides |= left
			}
			if x < x1 {
				at.sides |= right
			}
		}
	}
}

func (c *canvas) vertical(x, y0, y1 int) {
	for y := y0; y <= y1; y++ {
		if at := c.at(x, y); at != nil {
			if y > y0 {
				at.sides |= up
			}
			if y < y1 {
				at.sides |= down
			}
		}
	}
}

// String gives the page without blanks at the ends of lines.
func (c *canvas) String(p palette) string {
	var out strings.Builder
	for _, line := range c.lines {
		var b strings.Builder
		run, style := "", plain
		flush := func() {
			b.WriteString(p.style(style, run))
			run = ""
		}
		end := len(line)
		for end > 0 && line[end-1].blank() {
			end--
		}
		for _, at := range line[:end] {
			if at.taken {
				continue
			}
			if at.style != style {
				flush()
				style = at.style
			}
			run += at.shown()
		}
		flush()
		out.WriteString(b.String() + "\n")
	}
	return out.String()
}

func (c *cell) blank() bool { return !c.taken && c.shown() == " " }

func (c *cell) shown() string {
	switch {
	case c.text != "":
		return c.text
	case c.dotted && c.sides == up|down:
		return "┊"
	case c.sides != 0:
		return boxChars[c.sides]
	}
	return " "
}

func (p palette) style(s style, text string) string {
	if strings.TrimSpace(text) == "" {
		return text
	}
	switch s {
	case bold:
		return p.bold(text)
	case dim:
		return p.dim(text)
	case good:
		return p.good(text)
	case bad:
		return p.bad(text)
	default:
		return text
	}
}
