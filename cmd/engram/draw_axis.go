package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"engram/memory"
)

// axis is the valid axis of a drawing, which its planes share, with the dates
// of both axes as they are shown.
type axis struct {
	d       *drawing
	dates   []int64  // at which something changes
	labels  []string // of the dates
	coarse  []bool   // dated to a month or a year
	columns int
	open    bool             // the last column has no end
	x       []int            // where columns begin, and where the last one ends
	known   map[int64]string // labels of the dates of knowledge
	gutter  int              // columns for them
}

func newAxis(d *drawing, facts []*memory.Fact) *axis {
	x := &axis{d: d, dates: breaks(facts, bounds)}
	for _, f := range facts {
		if _, to := bounds(f); to == math.MaxInt64 {
			x.open = true
		}
	}
	x.columns = len(x.dates) - 1
	if x.open {
		x.columns++
	}
	times := make([]memory.Time, len(x.dates))
	assumed := make([]bool, len(x.dates))
	for i, at := range x.dates {
		times[i], assumed[i] = statedAt(facts, at)
		x.coarse = append(x.coarse, coarse(times[i]) && !assumed[i])
	}
	x.labels = dayLabels(times)
	for i := range x.labels {
		if assumed[i] {
			x.labels[i] = "~" + x.labels[i]
		}
	}
	x.known = d.knownLabels(facts)
	for _, l := range x.known {
		x.gutter = max(x.gutter, uniseg.StringWidth(l)+2)
	}
	x.gutter = max(x.gutter, len("known ↓")+2)
	return x
}

// column gives the column that begins at a date, or where open ones end.
func (x *axis) column(at int64) int {
	if i := slices.Index(x.dates, at); i >= 0 {
		return min(i, x.columns)
	}
	return x.columns
}

// statedAt gives the time that is told of a date: a stated one if there is one.
func statedAt(facts []*memory.Fact, at int64) (best memory.Time, assumed bool) {
	rank := map[memory.Basis]int{memory.Stated: 0, memory.Assumed: 1, memory.Implied: 2}
	least := math.MaxInt
	for _, f := range facts {
		for _, end := range []struct {
			t memory.Time
			b memory.Basis
		}{{f.ValidFrom, f.FromBasis}, {f.ValidTo, f.ToBasis}} {
			if !end.t.IsZero() && end.t.Micros == at && rank[end.b] < least {
				least, best, assumed = rank[end.b], end.t, end.b == memory.Assumed
			}
		}
	}
	return best, assumed
}

// finer are the layouts of clock times, used as far as they are needed.
var finer = []string{"2006-01-02 15:04", time.DateTime, time.DateTime + ".000", time.DateTime + ".000000"}

// dayLabels shows times as exactly as they are known, and clock times only
// where several are of one day: all those that look alike get minutes, if they
// still do seconds, then fractions.
func dayLabels(times []memory.Time) []string {
	days := map[string]int{}
	for _, t := range times {
		days[t.Std().Format(time.DateOnly)]++
	}
	out := make([]string, len(times))
	for i, t := range times {
		layout := time.DateOnly
		switch {
		case t.Gran == memory.Year:
			layout = "2006"
		case t.Gran == memory.Month:
			layout = "2006-01"
		case t.Gran >= memory.Hour && days[t.Std().Format(layout)] > 1:
			layout = finer[0]
		}
		out[i] = t.Std().Format(layout)
	}
	for _, layout := range finer[1:] {
		alike := map[string]int{}
		for _, l := range out {
			alike[l]++
		}
		for i, t := range times {
			if t.Gran == memory.Instant && alike[out[i]] > 1 {
				out[i] = t.Std().Format(layout)
			}
		}
	}
	return out
}

// knownLabels gives the labels of the dates at which knowledge changes.
func (d *drawing) knownLabels(facts []*memory.Fact) map[int64]string {
	dates := breaks(facts, knownBounds)
	times := make([]memory.Time, len(dates))
	for i, at := range dates {
		times[i] = memory.At(time.UnixMicro(at).In(d.zone))
	}
	out := map[int64]string{}
	for i, l := range dayLabels(times) {
		out[dates[i]] = l
	}
	return out
}

// layOut gives each column and each band the room that its labels need, and
// shares out what is left by how long the columns last.
func (x *axis) layOut(planes []*plane) {
	want := make([]int, x.columns)
	for c := range want {
		want[c] = max(minColumn, uniseg.StringWidth(x.labels[c])+2)
	}
	for _, p := range planes {
		for _, b := range p.boxes() {
			if need := min(max(uniseg.StringWidth(b.value()), uniseg.StringWidth(b.source())), maxLabel) + 3; b.c1 == b.c0+1 {
				want[b.c0] = max(want[b.c0], need)
			}
		}
	}
	room := x.d.width - x.gutter
	if !x.open {
		room-- // the right edge
	}
	x.share(want, room)
	x.x = []int{x.gutter}
	for _, w := range want {
		x.x = append(x.x, x.x[len(x.x)-1]+w)
	}
	for _, p := range planes {
		p.layOut(x)
	}
}

// share brings the sum of the widths to the room that there is.
func (x *axis) share(want []int, room int) {
	sum := 0
	for _, w := range want {
		sum += w
	}
	for ; sum > room; sum-- {
		widest := 0
		for c, w := range want {
			if w > want[widest] {
				widest = c
			}
		}
		if want[widest] <= 1 {
			break
		}
		want[widest]--
	}
	if sum >= room {
		return
	}
	total := 0.0
	weights := make([]float64, len(want))
	for c := range want {
		weights[c] = 8 // of an open end
		if c+1 < len(x.dates) {
			days := float64(x.dates[c+1]-x.dates[c]) / float64(24*time.Hour/time.Microsecond)
			weights[c] = math.Log2(2 + days)
		}
		total += weights[c]
	}
	left := room - sum
	for c := range want {
		extra := int(math.Floor(float64(left) * weights[c] / total))
		want[c] += extra
		sum += extra
	}
	want[len(want)-1] += room - sum
}

// draw writes the labels of the axis from a line on, and gives the line of the
// first box.
func (x *axis) draw(c *canvas, top int) int {
	type placed struct{ at, start, end, line int }
	var rows [][]placed // from the nearest to the boxes up
	for i := len(x.labels) - 1; i >= 0; i-- {
		w := uniseg.StringWidth(x.labels[i])
		at := x.at(i)
		p := placed{at: at, start: max(min(at, c.width-w), 0)}
		p.end = p.start + w
		for p.line = 0; p.line < len(rows) && slices.ContainsFunc(rows[p.line], func(o placed) bool { return p.end+1 > o.start }); {
			p.line++
		}
		if p.line == len(rows) {
			rows = append(rows, nil)
		}
		rows[p.line] = append(rows[p.line], p)
	}
	bottom := top + len(rows) - 1
	n := len(x.labels)
	order := map[int]int{} // label at a place
	for i := range n {
		order[x.at(i)] = i
	}
	for r, row := range rows {
		for _, p := range row {
			c.write(p.start, bottom-r, x.labels[order[p.at]], plain)
			for y := bottom - r + 1; y <= bottom+1; y++ {
				c.put(p.at, y, "│", dim)
			}
		}
	}
	const valid = "valid →"
	c.write(c.width-len("valid >"), top-1, valid, dim)
	c.write(0, bottom+1, "known ↓", dim)
	x.drawNow(c, bottom+1)
	return bottom + 2
}

// at gives the place of a date.
func (x *axis) at(i int) int {
	if i < len(x.x) {
		return x.x[i]
	}
	return x.x[len(x.x)-1]
}

// drawNow marks the present on the axis, if it lies within.
func (x *axis) drawNow(c *canvas, y int) {
	n, exact := slices.BinarySearch(x.dates, x.d.now)
	if exact {
		n++
	}
	if n == 0 || n > x.columns {
		return
	}
	from, width := x.x[n-1], x.x[n]-x.x[n-1]
	share := 2.0 / 3 // of an open column
	if n < len(x.dates) {
		share = float64(x.d.now-x.dates[n-1]) / float64(x.dates[n]-x.dates[n-1])
	}
	at := from + max(1, min(int(math.Round(share*float64(width))), width-1))
	if at >= c.width {
		return
	}
	text, start := "▼ now", at
	if at+len("v now") > cmp.Or(x.x[n], c.width) || at+len("v now") > c.width {
		text, start = "now ▼", at-len("now ")
	}
	if start <= from && text != "▼ now" || start+len("v now") > c.width {
		text, start = "▼", at
	}
	c.write(start, y, text, good)
}

// wrap breaks a text into at most so many lines of so many columns.
func wrap(s string, columns, lines int) []string {
	if columns < 1 || lines < 1 {
		return nil
	}
	var out []string
	line := ""
	for rest, state := s, -1; rest != ""; {
		var word string
		word, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		if uniseg.StringWidth(strings.TrimRight(line+word, " ")) <= columns || line == "" {
			line += word
			continue
		}
		if len(out) == lines-1 { // no room for another line
			line += word + rest
			break
		}
		out, line = append(out, strings.TrimRight(line, " ")), word
	}
	out = append(out, strings.TrimRight(line, " "))
	for i := range out {
		out[i] = cut(out[i], columns)
	}
	return out
}
