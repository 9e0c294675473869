package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"engram/memory"
)

// drawing shows the history of a slot as boxes: valid time across, known time
// down. Every date at which something changes has a line of its own, so that
// long and short times can both be read; widths only hint at durations.
type drawing struct {
	facts   []memory.Fact // by when they became known
	single  bool          // one value holds at a time: where two do they are in dispute
	zone    *time.Location
	now     int64
	width   int
	palette palette
	cut     map[*memory.Fact]bool // those that began earlier than they are drawn
}

// Limits of a drawing. What was known earlier, or ended earlier, goes first.
const (
	minWidth    = 40
	minColumn   = 6  // columns between two dates
	maxLabel    = 26 // columns that a value may ask for
	maxBands    = 30
	valueLines  = 3 // of one value
	minContents = 2 // lines of a band: the value and its source
)

// span is where a fact lies, as numbers of columns and bands: [c0, c1) × [b0, b1).
type span struct{ c0, c1, b0, b1 int }

// plane is one stack of boxes that do not overlap, unless they are in dispute.
type plane struct {
	facts  []*memory.Fact
	known  []int64 // where bands begin
	spans  []span
	cells  [][]string // band, column → the facts in it, as a set of numbers
	height []int      // lines of contents of each band
	open   bool       // something is known still
}

func bounds(f *memory.Fact) (from, to int64) {
	return memory.Interval{From: f.ValidFrom, To: f.ValidTo}.Bounds()
}

func knownBounds(f *memory.Fact) (from, to int64) {
	return memory.Interval{From: f.KnownFrom, To: f.KnownTo}.Bounds()
}

// draw gives the picture.
func (d *drawing) draw() string {
	var shown []*memory.Fact
	for i := range d.facts {
		from, to := bounds(&d.facts[i])
		since, until := knownBounds(&d.facts[i])
		if from < to && since < until { // else it was replaced at the moment at which it was told
			shown = append(shown, &d.facts[i])
		}
	}
	total := len(shown)
	d.width, d.cut = max(d.width, minWidth), map[*memory.Fact]bool{}
	shown = d.recent(shown)
	planes := d.planes(shown)
	x := newAxis(d, shown)
	for _, p := range planes {
		p.place(x)
	}
	x.layOut(planes)
	c := newCanvas(d.width)
	title := oneLine(d.facts[len(d.facts)-1].Subject) + " · " + oneLine(d.facts[len(d.facts)-1].Predicate)
	c.write(0, 0, cut(title, d.width-2), bold)
	y := x.draw(c, 1)
	for _, p := range planes {
		y = p.draw(c, x, y)
	}
	out := c.String(d.palette)
	if n := total - len(shown); n > 0 {
		out += fmt.Sprintf("… left out: %d earlier (history without --draw lists all)\n", n)
	}
	return out + d.legend(shown)
}

// recent cuts off what ended or was replaced longest ago, until the rest fits.
func (d *drawing) recent(facts []*memory.Fact) []*memory.Fact {
	columns := max((d.width-20)/minColumn, 3)
	if valid := breaks(facts, bounds); len(valid) > columns {
		at := valid[len(valid)-columns]
		facts = d.after(facts, at, bounds, func(f *memory.Fact) { f.ValidFrom, _ = statedAt(facts, at) })
	}
	if known := breaks(facts, knownBounds); len(known) > maxBands {
		at := known[len(known)-maxBands]
		facts = d.after(facts, at, knownBounds, func(f *memory.Fact) { f.KnownFrom = memory.Micros(at) })
	}
	return facts
}

// after gives the facts that reach beyond a place of one axis, begin changing
// copies of those that begin before it.
func (d *drawing) after(facts []*memory.Fact, at int64, of func(*memory.Fact) (from, to int64), begin func(*memory.Fact)) []*memory.Fact {
	var out []*memory.Fact
	for _, f := range facts {
		from, to := of(f)
		if to <= at {
			continue
		}
		if from < at {
			shorter := *f
			begin(&shorter)
			d.cut[&shorter] = d.cut[f] || shorter.ValidFrom != f.ValidFrom
			f = &shorter
		}
		out = append(out, f)
	}
	return out
}

// breaks lists the finite ends of intervals, in order.
func breaks(facts []*memory.Fact, of func(*memory.Fact) (from, to int64)) []int64 {
	var out []int64
	for _, f := range facts {
		from, to := of(f)
		for _, t := range []int64{from, to} {
			if t != math.MaxInt64 && t != math.MinInt64 {
				out = append(out, t)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// planes puts all facts on one plane, or each value on its own where several
// may hold at once.
func (d *drawing) planes(facts []*memory.Fact) []*plane {
	byValue := map[string]*plane{}
	var out []*plane
	for _, f := range facts {
		value := strings.ToLower(strings.Join(strings.Fields(f.Object), " "))
		if d.single {
			value = ""
		}
		p := byValue[value]
		if p == nil {
			p = new(plane)
			byValue[value] = p
			out = append(out, p)
		}
		p.facts = append(p.facts, f)
	}
	return out
}

// place finds the columns and bands of the facts, and what lies in each cell.
func (p *plane) place(x *axis) {
	p.known = breaks(p.facts, knownBounds)
	bands := len(p.known) - 1
	for _, f := range p.facts {
		if f.KnownTo.IsZero() {
			p.open = true
		}
	}
	if p.open {
		bands++
	}
	p.cells = make([][]string, bands)
	for b := range p.cells {
		p.cells[b] = make([]string, x.columns)
	}
	for i, f := range p.facts {
		from, to := bounds(f)
		since, until := knownBounds(f)
		s := span{c0: x.column(from), c1: x.column(to), b0: slices.Index(p.known, since), b1: bands}
		if at := slices.Index(p.known, until); at >= 0 {
			s.b1 = at
		}
		p.spans = append(p.spans, s)
		for b := s.b0; b < s.b1; b++ {
			for c := s.c0; c < s.c1; c++ {
				p.cells[b][c] += fmt.Sprint(i, " ")
			}
		}
	}
}

// box is a part of a plane in which the same facts hold.
type box struct {
	span
	facts []*memory.Fact
}

// boxes lists the parts of a plane; of one that is no rectangle it gives the
// rectangle at its upper left, which takes the label.
func (p *plane) boxes() []box {
	var out []box
	seen := map[string]bool{}
	for b := range p.cells {
		for c, set := range p.cells[b] {
			if set == "" || seen[set] {
				continue
			}
			seen[set] = true
			s := span{c0: c, c1: c, b0: b, b1: b}
			for s.c1 < len(p.cells[b]) && p.cells[b][s.c1] == set {
				s.c1++
			}
			for s.b1 < len(p.cells) && p.cells[s.b1][c] == set {
				s.b1++
			}
			out = append(out, box{span: s, facts: p.of(set)})
		}
	}
	return out
}

func (p *plane) of(set string) []*memory.Fact {
	var out []*memory.Fact
	for _, n := range strings.Fields(set) {
		var i int
		if _, err := fmt.Sscan(n, &i); err == nil {
			out = append(out, p.facts[i])
		}
	}
	return out
}

// value names what holds in a box.
func (b *box) value() string {
	var out []string
	for _, f := range b.facts {
		out = append(out, oneLine(f.Object))
	}
	return strings.Join(out, " / ")
}

// source says where to look it up, and what is special about it.
func (b *box) source() string {
	var out []string
	for _, f := range b.facts {
		s := fmt.Sprintf("[%d]", f.Seq)
		if f.Corroboration > 1 {
			s += fmt.Sprintf(" ×%d", f.Corroboration)
		}
		if f.Stale != "" {
			s += " stale"
		}
		out = append(out, s)
	}
	return strings.Join(out, " / ")
}

func (b *box) disputed() bool {
	return len(b.facts) > 1 || b.facts[0].State == memory.Disputed
}

// legend explains the marks that the picture has.
func (d *drawing) legend(facts []*memory.Fact) string {
	var out []string
	add := func(note string, has func(*memory.Fact) bool) {
		if slices.ContainsFunc(facts, has) {
			out = append(out, note)
		}
	}
	add("~ nobody stated the date: then it was said", func(f *memory.Fact) bool { return f.FromBasis == memory.Assumed || f.ToBasis == memory.Assumed })
	add("┊ some time in that month or year", func(f *memory.Fact) bool { return coarse(f.ValidFrom) || coarse(f.ValidTo) })
	add("░ in dispute", func(f *memory.Fact) bool { return d.hatched(f, facts) })
	if len(out) == 0 {
		return ""
	}
	return d.palette.dim(strings.Join(out, "\n")) + "\n"
}

func (d *drawing) hatched(f *memory.Fact, all []*memory.Fact) bool {
	if f.State == memory.Disputed {
		return true
	}
	return d.single && slices.ContainsFunc(all, func(g *memory.Fact) bool {
		return f != g && meet(f, g, bounds) && meet(f, g, knownBounds)
	})
}

func meet(f, g *memory.Fact, of func(*memory.Fact) (from, to int64)) bool {
	fromF, toF := of(f)
	fromG, toG := of(g)
	return fromF < toG && fromG < toF
}

func coarse(t memory.Time) bool { return t.Gran == memory.Year || t.Gran == memory.Month }

// layOut gives each band the lines that its boxes need.
func (p *plane) layOut(x *axis) {
	p.height = make([]int, len(p.cells))
	for b := range p.height {
		p.height[b] = minContents
	}
	for _, b := range p.boxes() {
		need := len(wrap(b.value(), x.inside(b.span), valueLines)) + 1
		have := b.b1 - b.b0 - 1 // edges between bands
		for band := b.b0; band < b.b1; band++ {
			have += p.height[band]
		}
		if need > have {
			p.height[b.b0] += need - have
		}
	}
}

// inside is the width of the contents of a box.
func (x *axis) inside(s span) int { return max(x.x[s.c1]-x.x[s.c0]-2, 1) }

// draw writes a plane from a line on, and gives the line behind it.
func (p *plane) draw(c *canvas, x *axis, top int) int {
	y := []int{top}
	for _, h := range p.height {
		y = append(y, y[len(y)-1]+h+1)
	}
	for b, at := range p.known {
		if b < len(y) {
			c.write(0, y[b], x.known[at], plain)
		}
	}
	if p.open {
		c.write(0, y[len(y)-1], "now", good)
	}
	for _, b := range p.boxes() {
		p.fill(c, x, y, &b)
	}
	for i := range p.spans {
		p.edges(c, x, y, p.spans[i], x.d.cut[p.facts[i]])
	}
	return y[len(y)-1] + 1
}

// fill writes the label of a box, over hatching if it is in dispute.
func (p *plane) fill(c *canvas, x *axis, y []int, b *box) {
	x0, x1, y0, y1 := x.x[b.c0], x.x[b.c1], y[b.b0], y[b.b1]
	value, note := bold, dim
	if b.disputed() {
		value = bad
		for row := y0 + 1; row < y1; row++ {
			for col := x0 + 1; col < x1; col++ {
				c.put(col, row, "░", dim)
			}
		}
	}
	lines := wrap(b.value(), x.inside(b.span), min(valueLines, max(y1-y0-2, 1)))
	for i, l := range append(lines, cut(b.source(), x.inside(b.span))) {
		s := value
		if i == len(lines) {
			s = note
		}
		if y0+1+i >= y1 {
			break
		}
		if uniseg.StringWidth(l) < x.inside(b.span) {
			l += " " // apart from hatching
		}
		c.write(x0+1, y0+1+i, " "+l, s)
	}
}

// edges draws the lines around a fact, apart from those at which it is open.
func (p *plane) edges(c *canvas, x *axis, y []int, s span, cut bool) {
	x0, x1, y0, y1 := x.x[s.c0], x.x[s.c1], y[s.b0], y[s.b1]
	openRight := x.open && s.c1 == x.columns
	openBottom := p.open && s.b1 == len(p.cells)
	if openRight {
		x1 = c.width // beyond the page: it goes on
	}
	c.horizontal(x0, x1, y0)
	if !openBottom {
		c.horizontal(x0, x1, y1)
	}
	if !cut {
		c.vertical(x0, y0, y1)
	}
	if !openRight {
		c.vertical(x1, y0, y1)
	}
	for _, edge := range []struct{ at, column int }{{x0, s.c0}, {x1, s.c1}} {
		if edge.column >= len(x.coarse) || !x.coarse[edge.column] || edge.at == x1 && openRight {
			continue
		}
		for row := y0 + 1; row < y1; row++ {
			if at := c.at(edge.at, row); at != nil {
				at.dotted = true
			}
		}
	}
}
