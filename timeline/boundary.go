package timeline

import "engram/memory"

// A coarse date says only that something changed within a month, a day, …: for
// as long as that lasts, both what ended and what follows may hold.

// boundary gives the rectangles that are in doubt at a moment: which ended may
// still hold, and which began may not hold yet.
func (r *reading) boundary(at int64) (ended, began map[*Rectangle]bool) {
	if r.cardinality == Event {
		return nil, nil
	}
	ended, began = map[*Rectangle]bool{}, map[*Rectangle]bool{}
	for _, c := range r.claims {
		if c.body.News == memory.TakingBack || c.from >= c.to {
			continue
		}
		if !c.assumed && within(c.fromTime(), at) {
			for _, rect := range r.endingAt(c.from, at) {
				if r.changes(c, rect) {
					ended[rect] = true
				}
			}
		}
		if !c.open() && within(c.toTime(), at) {
			for _, rect := range r.endingAt(c.to, at) {
				if rect.Value == c.value {
					ended[rect] = true
				}
			}
		}
	}
	for rect := range ended {
		for _, other := range r.rects {
			if r.cardinality == One && other.From == rect.To && other.holdsAt(at) {
				began[other] = true
			}
		}
	}
	return ended, began
}

// within reports whether a moment lies in a coarse time.
func within(t memory.Time, at int64) bool {
	const longest = 366 * 24 * 60 * 60 * 1e6 // a leap year; spares most of them the calendar
	return t.Gran != memory.Instant && t.Micros <= at && at-t.Micros < longest && at < t.End()
}

// changes reports whether a claim is what ends a rectangle where the claim begins:
// an End of its value, or another value that holds from there.
func (r *reading) changes(c *claim, rect *Rectangle) bool {
	if c.body.News == memory.End {
		return c.means(rect.Value)
	}
	return r.cardinality == One && c.value != rect.Value && r.holds(c.value, c.from)
}

// endingAt gives the rectangles that end at a moment, and of which nothing says
// that they had ended for good by another one.
func (r *reading) endingAt(end, at int64) []*Rectangle {
	var out []*Rectangle
	for _, rect := range r.rects {
		if rect.To == end && !r.holds(rect.Value, end) && !r.holds(rect.Value, at) && !r.replaced(rect, at) {
			out = append(out, rect)
		}
	}
	return out
}

// replaced reports whether another value began in a single-valued slot after a
// rectangle had ended.
func (r *reading) replaced(rect *Rectangle, at int64) bool {
	if r.cardinality != One {
		return false
	}
	for _, o := range r.rects {
		if o.Value != rect.Value && rect.To < o.From && o.From <= at && !r.resumes(o) {
			return true
		}
	}
	return false
}
