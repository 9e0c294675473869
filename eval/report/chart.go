package report

import "strconv"

// chart is a drawing: shapes with classes, which the page gives colours for
// light and dark. The template escapes its texts.
type chart struct {
	Title, Note   string
	Width, Height px
	Lines         []segment
	Boxes         []box
	Whiskers      []segment // intervals, on top of boxes
	Paths         []path
	Dots          []dot
	Texts         []label
}

// px is a length in pixels; it is written with one decimal at most.
type px float64

func (p px) String() string {
	const tenth = 10
	v := float64(p)
	if v < 0 {
		return strconv.FormatFloat(float64(int(v*tenth-0.5))/tenth, 'f', -1, 64)
	}
	return strconv.FormatFloat(float64(int(v*tenth+0.5))/tenth, 'f', -1, 64)
}

type segment struct {
	X1, Y1, X2, Y2 px
	Class          string
}

type box struct {
	X, Y, W, H px
	Class, Tip string
}

type path struct {
	D, Class, Tip string
}

type dot struct {
	X, Y       px
	Class, Tip string
}

type label struct {
	X, Y         px
	Class, Value string
}

// colours is how many classes of colour there are: c0 to c11. More systems than
// that share them; names and tips tell them apart.
const colours = 12

func colour(i int) string { return "c" + strconv.Itoa(i%colours) }

// frame is the area of a chart in which values are drawn.
type frame struct {
	*chart
	left, right, top, bottom px // its borders
}

func newFrame(title, note string, width, height, left, right px) frame {
	const top, below = 16, 44
	c := &chart{Title: title, Note: note, Width: width, Height: height}
	return frame{chart: c, left: left, right: width - right, top: top, bottom: height - below}
}

// y gives the height of a share.
func (f *frame) y(share float64) px { return f.bottom - px(share)*(f.bottom-f.top) }

// shares draws the lines of 0 to 100 %.
func (f *frame) shares() {
	for _, tick := range []float64{0, 0.25, 0.5, 0.75, 1} {
		y := f.y(tick)
		f.Lines = append(f.Lines, segment{f.left, y, f.right, y, "grid"})
		f.Texts = append(f.Texts, label{f.left - 8, y + 4, "end", strconv.Itoa(int(100*tick)) + " %"})
	}
}

// below writes a text under the frame at x.
func (f *frame) below(x px, text string) {
	f.Texts = append(f.Texts, label{x, f.bottom + 18, "middle", text})
}

// axis names what is on the axis of x.
func (f *frame) axis(text string) {
	f.Texts = append(f.Texts, label{(f.left + f.right) / 2, f.bottom + 36, "middle faint", text})
}
