package bitemporal

import (
	"slices"

	"engram/memory"
)

// judgement is what corrections and takings back do to the news before them.
type judgement struct {
	kind   plurality
	claims []claim // all news in order, with the dates that corrections take over
	takes  [][]int // what each takes away, as long as it is not taken away itself
	doubts [][]int // what each would take away if it were trusted as much
}

func judge(kind plurality, news []heard) *judgement {
	j := &judgement{kind: kind}
	for _, h := range news {
		j.hear(h)
	}
	return j
}

func (j *judgement) hear(h heard) {
	c := claim{heard: h, begins: h.from, ends: h.to}
	if h.news == memory.End {
		c.begins, c.ends = h.at(), memory.Time{}
	}
	var takes, doubts []int
	if t := j.target(h); t >= 0 {
		// What was told twice is taken away twice.
		same := j.alike(t)
		if h.news == memory.Correction {
			c = j.inherit(c, same)
		}
		for _, i := range same {
			if j.claims[i].rank < h.rank {
				doubts = append(doubts, i)
				continue
			}
			takes = append(takes, i)
			// What was wrong stays wrong when what was said instead is wrong too.
			if h.news == memory.Correction && j.claims[i].news == memory.Correction {
				takes = append(takes, j.takes[i]...)
			}
		}
	}
	if c.begins.IsZero() {
		c.begins, c.guessed = moment(h.said), true
	}
	j.claims, j.takes, j.doubts = append(j.claims, c), append(j.takes, takes), append(j.doubts, doubts)
}

// gone decides from the latest to the earliest: what is taken away by something
// that is not taken away itself.
func (j *judgement) gone() []bool {
	gone := make([]bool, len(j.claims))
	for i := len(gone) - 1; i >= 0; i-- {
		for _, t := range j.takes[i] {
			gone[t] = gone[t] || !gone[i]
		}
	}
	return gone
}

func (j *judgement) doubted(i int, gone []bool) bool {
	for by, list := range j.doubts {
		if !gone[by] && slices.Contains(list, i) {
			return true
		}
	}
	return false
}

func (h heard) hasValue() bool {
	return h.news == memory.Change || h.news == memory.Late || h.news == memory.Correction
}

// target is the statement that a correction or a taking back means: the one that
// it names, else the latest with the value that it names, else the latest: the
// same value with other dates corrects its dates.
func (j *judgement) target(h heard) int {
	back := h.news == memory.TakingBack
	if !back && h.news != memory.Correction {
		return -1
	}
	gone := j.gone()
	if h.names != 0 {
		return j.named(h, gone)
	}
	value := h.replaces
	if value == "" && back {
		value = h.value
	}
	for i, c := range slices.Backward(j.claims) {
		switch {
		case gone[i]:
		case value != "":
			if c.value == value && (c.hasValue() || back && c.news == memory.End) {
				return i
			}
		case back && c.news == memory.TakingBack:
			return -1 // the same once more
		case back || c.hasValue():
			return i
		}
	}
	return -1
}

// named finds the statement that is named; where that was corrected before, a
// correction means what stands in its place.
func (j *judgement) named(h heard, gone []bool) int {
	i := slices.IndexFunc(j.claims, func(c claim) bool { return c.order == h.names })
	if i < 0 || h.news == memory.Correction && j.claims[i].news == memory.TakingBack {
		return -1
	}
	for gone[i] {
		by := len(j.claims) - 1
		for gone[by] || !slices.Contains(j.takes[by], i) {
			by--
		}
		if h.news != memory.Correction || j.claims[by].news != memory.Correction {
			return -1
		}
		i = by
	}
	return i
}

// alike gives the statements that say the same as one: its value, in one piece.
func (j *judgement) alike(t int) []int {
	d, gone := j.claims[t], j.gone()
	var out []int
	for i, c := range j.claims {
		if i == t || !gone[i] && c.value == d.value && j.onePiece(d, c, gone) {
			out = append(out, i)
		}
	}
	return out
}

func (j *judgement) onePiece(d, c claim, gone []bool) bool {
	first, last := min(c.begins.Micros, d.begins.Micros), max(c.begins.Micros, d.begins.Micros)
	parted := func(by func(x claim) bool) bool {
		for i, x := range j.claims {
			if !gone[i] && by(x) {
				return true
			}
		}
		return false
	}
	switch {
	case d.news == memory.End:
		return c.news == memory.End && !parted(func(x claim) bool {
			return x.hasValue() && d.heard.ends(x) && first <= x.begins.Micros && x.begins.Micros < last
		})
	case !d.hasValue() || !c.hasValue():
		return false
	case j.kind == event || !d.open() && !c.open():
		return c.begins.Micros < j.until(d) && d.begins.Micros < j.until(c)
	case !d.open() || !c.open():
		return false
	}
	return !parted(func(x claim) bool {
		ends := x.news == memory.End && x.heard.ends(d) || j.kind == single && x.hasValue() && x.open() && x.value != d.value
		return ends && x.rank <= d.rank && first < x.begins.Micros && x.begins.Micros <= last
	})
}

func (j *judgement) until(c claim) int64 {
	if c.open() {
		return lasts(c.begins)
	}
	return c.ends.Micros
}

// inherit gives a correction the dates that it does not state.
func (j *judgement) inherit(c claim, same []int) claim {
	first, last := j.claims[same[0]], j.claims[same[0]]
	for _, i := range same {
		d := j.claims[i]
		if d.begins.Micros < first.begins.Micros || d.begins.Micros == first.begins.Micros && first.from.IsZero() && !d.from.IsZero() {
			first = d
		}
		if d.open() || !last.open() && d.ends.Micros > last.ends.Micros {
			last = d
		}
	}
	if c.begins.IsZero() {
		c.begins, c.guessed = first.begins, first.guessed
	}
	if c.ends.IsZero() && !last.open() && last.ends.Micros > c.begins.Micros {
		c.ends = last.ends
	}
	return c
}
