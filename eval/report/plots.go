package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"engram/eval"
)

// plots draws the report: the main measure against tokens, what is found
// against how much is looked at, and the main measure by category.
func (r *Report) plots() []*chart {
	var list []*chart
	for _, c := range []*chart{
		r.againstTokens(),
		r.against("Recall against turns", "turns, the best first", "recall@", []string{"5", "10", "20"}),
		r.against("Evidence covered against tokens", "tokens of the context", "covered@", []string{"1k", "2k", "4k", "8k"}),
		r.byCategoryPlot(),
	} {
		if c != nil {
			list = append(list, c)
		}
	}
	return list
}

// spot is a system in a plot.
type spot struct {
	place int // in the order of systems: its colour
	name  string
	x     float64
	y     float64
	iv    eval.Interval95
}

func (r *Report) againstTokens() *chart {
	var spots []spot
	least, most := math.Inf(1), 0.0
	for i, name := range r.order {
		s := r.Systems[name]
		y, ok := s.Metrics[r.Main]
		tokens, some := s.Metrics["tokens"]
		if !ok || !some {
			continue
		}
		tokens = max(tokens, 1)
		least, most = min(least, tokens), max(most, tokens)
		spots = append(spots, spot{i, clean(name), tokens, y, s.Intervals[r.Main]})
	}
	if len(spots) == 0 {
		return nil
	}
	f := newFrame(r.nameOf(r.Main)+" against tokens", "Mean size of the context, on a scale of logarithms, with 95 % intervals.", 720, 340, 56, 110)
	f.shares()
	f.axis("tokens of the context")
	low, high := math.Log10(least/1.5), math.Log10(most*1.5)
	x := func(tokens float64) px {
		return f.left + px((math.Log10(tokens)-low)/(high-low))*(f.right-f.left)
	}
	for _, tick := range logTicks(least/1.5, most*1.5) {
		f.Lines = append(f.Lines, segment{x(tick), f.top, x(tick), f.bottom, "grid"})
		f.below(x(tick), whole(tick))
	}
	for _, s := range spots {
		f.Whiskers = append(f.Whiskers, segment{x(s.x), f.y(s.iv.Low), x(s.x), f.y(s.iv.High), "thick " + colour(s.place)})
		f.Dots = append(f.Dots, dot{x(s.x), f.y(s.y), colour(s.place), fmt.Sprintf("%s: %s %% at %s tokens", s.name, percent(s.y), whole(s.x))})
	}
	f.names(spots, x)
	return f.chart
}

// names writes the systems beside their dots, the ones that would lie on another
// further down.
func (f *frame) names(spots []spot, x func(float64) px) {
	const line, reach = 14, 110 // a name is so high, and so wide at most
	var put []label
	sorted := slices.Clone(spots)
	slices.SortStableFunc(sorted, func(a, b spot) int {
		if a.y != b.y {
			return int(math.Copysign(1, b.y-a.y))
		}
		return a.place - b.place
	})
	for _, s := range sorted {
		l := label{x(s.x) + 9, f.y(s.y) + 4, "", s.name}
		for slices.ContainsFunc(put, func(o label) bool {
			return math.Abs(float64(o.X-l.X)) < reach && math.Abs(float64(o.Y-l.Y)) < line
		}) {
			l.Y++
		}
		put = append(put, l)
	}
	f.Texts = append(f.Texts, put...)
}

// logTicks gives 1, 2 and 5 times the powers of ten between two numbers; of a
// wide range the powers alone.
func logTicks(from, to float64) []float64 {
	steps := []float64{1, 2, 5}
	if to/from > 1000 {
		steps = steps[:1]
	}
	var list []float64
	for power := math.Pow(10, math.Floor(math.Log10(from))); power <= to; power *= 10 {
		for _, step := range steps {
			if v := power * step; v >= from && v <= to {
				list = append(list, v)
			}
		}
	}
	return list
}

// against draws a line for each system over a family of metrics.
func (r *Report) against(title, axis, family string, ends []string) *chart {
	f := newFrame(title, "", 720, 320, 56, 24)
	x := func(i int) px {
		return f.left + 40 + px(i)/px(len(ends)-1)*(f.right-f.left-80)
	}
	drawn := false
	for place, name := range r.order {
		var d strings.Builder
		for i, end := range ends {
			v, ok := r.Systems[name].Metrics[family+end]
			if !ok {
				continue
			}
			if d.Len() == 0 {
				d.WriteString("M")
			} else {
				d.WriteString(" L")
			}
			fmt.Fprintf(&d, "%s %s", x(i), f.y(v))
			f.Dots = append(f.Dots, dot{x(i), f.y(v), colour(place), fmt.Sprintf("%s: %s%s %s %%", clean(name), family, end, percent(v))})
		}
		if d.Len() > 0 {
			f.Paths, drawn = append(f.Paths, path{d.String(), colour(place), clean(name)}), true
		}
	}
	if !drawn {
		return nil
	}
	f.shares()
	f.axis(axis)
	for i, end := range ends {
		f.below(x(i), end)
	}
	return f.chart
}

// byCategoryPlot draws lying bars, since categories have long names.
func (r *Report) byCategoryPlot() *chart {
	const bar, gap, left, right, width = 11, 16, 190, 60, 720
	var systems []int // with their places, for the colours
	for i, name := range r.order {
		if _, ok := r.Systems[name].Metrics[r.Main]; ok {
			systems = append(systems, i)
		}
	}
	if len(systems) == 0 {
		return nil
	}
	block := px(len(systems)*bar + gap)
	f := newFrame(r.nameOf(r.Main)+" by category", "With 95 % intervals.", width, block*px(len(r.categories))+60, left, right)
	x := func(share float64) px { return f.left + px(share)*(f.right-f.left) }
	for _, tick := range []float64{0, 0.25, 0.5, 0.75, 1} {
		f.Lines = append(f.Lines, segment{x(tick), f.top, x(tick), f.bottom, "grid"})
		f.below(x(tick), strconv.Itoa(int(100*tick))+" %")
	}
	for i, c := range r.categories {
		y := f.top + px(i)*block + gap/2
		f.Texts = append(f.Texts, label{f.left - 10, y + px(len(systems)*bar)/2 + 4, "end", clean(c)})
		for j, place := range systems {
			f.bar(r.Systems[r.order[place]], clean(r.order[place]), c, r.Main, y+px(j*bar), bar-2, colour(place), x)
		}
	}
	return f.chart
}

// bar draws a measure of a system in a category, and its interval.
func (f *frame) bar(s *System, name, category, measure string, y, height px, class string, x func(float64) px) {
	v, ok := s.ByCategory[category][measure]
	if !ok {
		return
	}
	iv, middle := s.IntervalsBy[category][measure], y+height/2
	f.Boxes = append(f.Boxes, box{x(0), y, max(1, x(v)-x(0)), height, class, fmt.Sprintf("%s, %s: %s %%", name, clean(category), percent(v))})
	f.Whiskers = append(f.Whiskers, segment{x(iv.Low), middle, x(iv.High), middle, "error"})
}
