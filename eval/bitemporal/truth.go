package bitemporal

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"engram/memory"
)

// This file is the truth that `facts` is measured against: a listener who has
// heard the tellings of one slot up to some place and is asked what holds at a
// moment. It works point by point, is as slow as it is plain, and shares no code
// with package timeline. It follows the words of the specification; where they
// are silent or not what a listener would do (taken.go: what was told
// twice, corrections of corrections, trust; here: moreBegan) it was brought to
// agree with timeline, so that there it shows slips of code and not of thought.

// plurality says how many values a slot has at a time.
type plurality uint8

const (
	single plurality = iota // the latest change ends what held
	plural                  // each value stands for itself
	event                   // holds while it lasts; nothing contradicts it
)

// heard is one telling as the listener keeps it.
type heard struct {
	place, order int // of the words in the log, and of the statement itself
	news         memory.News
	value        string // folded; empty: whatever holds
	from, to     memory.Time
	said         memory.Time // stands for a date that was not told
	rank         int         // how far its source is trusted, 0 the most
	names        int         // order of the statement that it takes away; 0: none named, -1: one that is not there
	replaces     string      // folded
}

// after reports whether h is later news than o.
func (h heard) after(o heard) bool {
	return h.place > o.place || h.place == o.place && h.order > o.order
}

func (h heard) ends(c claim) bool {
	return h.news == memory.End && (h.value == "" || h.value == c.value)
}

// at is the moment at which an end ends, as exactly as it was told.
func (h heard) at() memory.Time {
	switch {
	case !h.to.IsZero():
		return h.to
	case !h.from.IsZero():
		return h.from
	default:
		return moment(h.said)
	}
}

// moment takes a time for its beginning, without a band of doubt.
func moment(t memory.Time) memory.Time {
	t.Gran = memory.Instant
	return t
}

// within reports whether a moment lies in a date that is no moment itself.
func within(v int64, t memory.Time) bool {
	return t.Gran != memory.Instant && t.Micros <= v && v < t.End()
}

// claim is a living statement that a value held for a time.
type claim struct {
	heard
	begins, ends memory.Time // ends is not set: open
	guessed      bool        // nobody told when it began: it was so when it was said
	doubted      bool        // somebody trusted less said that it never was so
}

func (c claim) open() bool { return c.ends.IsZero() }

func (c claim) covers(v int64) bool {
	return c.begins.Micros <= v && (c.open() || v < c.ends.Micros)
}

// mark is how a value stands at a point.
type mark struct {
	Boundary bool `json:"boundary,omitempty"` // only because a date is too coarse to exclude it
	Disputed bool `json:"disputed,omitempty"`
}

// belief is what holds at a point: values by their folded names.
type belief map[string]mark

// listener has heard everything about one slot, in order of news.
type listener struct {
	kind plurality
	news []heard
}

func newListener(kind plurality, news []heard) *listener {
	news = slices.Clone(news)
	slices.SortFunc(news, func(a, b heard) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.order, b.order)) })
	return &listener{kind, news}
}

// believes gives what holds at v for who knows the log up to a place.
func (l *listener) believes(v int64, place int) belief {
	return l.upTo(place).believes(v)
}

// upTo forgets what came later and what was taken away.
func (l *listener) upTo(place int) *mind {
	n := 0
	for n < len(l.news) && l.news[n].place <= place {
		n++
	}
	j := judge(l.kind, l.news[:n])
	gone, m := j.gone(), &mind{kind: l.kind}
	for i, c := range j.claims {
		switch {
		case gone[i] || c.news == memory.TakingBack:
		case c.news == memory.End:
			m.ended = append(m.ended, c.heard)
		default:
			c.doubted = j.doubted(i, gone)
			if l.kind == event {
				c.ends = memory.Micros(j.until(c))
			}
			m.claims = append(m.claims, c)
		}
	}
	m.makeRoom()
	return m
}

// makeRoom lets what was so when it was said begin before a month, a day, … in
// which it was over, as was told later.
func (m *mind) makeRoom() {
	news := slices.Clone(m.ended)
	for _, c := range m.claims {
		if c.news == memory.Change && c.open() && !c.guessed && m.kind == single {
			h := c.heard
			h.from = c.begins
			news = append(news, h)
		}
	}
	slices.SortFunc(news, func(a, b heard) int {
		if a.after(b) {
			return 1
		}
		return -1
	})
	for _, n := range news {
		when := n.from
		if n.news == memory.End {
			when = n.at()
		}
		for i := range m.claims {
			c := &m.claims[i]
			over := n.news == memory.End && n.ends(*c) && n.rank <= c.rank ||
				n.news != memory.End && n.rank == c.rank && n.value != c.value
			if m.kind != event && over && c.guessed && c.open() && c.place < n.place && within(c.begins.Micros, when) {
				c.begins = memory.Micros(when.Micros - 1)
			}
		}
	}
}

// lasts is the end of an event that was not told one.
func lasts(from memory.Time) int64 {
	if from.Gran != memory.Instant {
		return from.End()
	}
	s := from.Std()
	return time.Date(s.Year(), s.Month(), s.Day()+1, 0, 0, 0, 0, s.Location()).UnixMicro()
}

// mind is what stands after everything that was taken away is gone.
type mind struct {
	kind   plurality
	claims []claim // in order of news
	ended  []heard
}

// held is what one value rests on at a point.
type held struct {
	claims   []claim
	disputed bool
}

func (h held) latest() claim {
	return slices.MaxFunc(h.claims, func(a, b claim) int {
		if a.after(b.heard) {
			return 1
		}
		return -1
	})
}

// believes is what holds at v, with what coarse dates leave open.
func (m *mind) believes(v int64) belief {
	out := belief{}
	for value, h := range m.holding(v) {
		out[value] = mark{Disputed: h.disputed}
	}
	if m.kind == event {
		return out
	}
	// What a claim with a coarse beginning took the place of may have held on.
	for _, c := range m.claims {
		if m.kind != single || !within(v, c.begins) || !rests(m.holding(c.begins.Micros), c) {
			continue
		}
		m.linger(out, v, c.begins.Micros, func(h claim) bool { return h.value != c.value })
	}
	for _, c := range m.claims {
		if !c.open() && within(v, c.ends) {
			m.linger(out, v, c.ends.Micros, func(h claim) bool { return h.value == c.value })
		}
	}
	for _, e := range m.ended {
		if at := e.at(); within(v, at) {
			m.linger(out, v, at.Micros, func(h claim) bool { return e.ends(h) })
		}
	}
	return out
}

// linger adds the values that held just before a coarse border by a claim that
// fits, and not from the border on; unless what came next had begun by v.
func (m *mind) linger(out belief, v, border int64, fits func(claim) bool) {
	since := m.holding(border)
	for value, h := range m.holding(border - 1) {
		_, on := since[value]
		_, holds := out[value]
		if !on && !holds && slices.ContainsFunc(h.claims, fits) && !m.moreBegan(value, border, v) {
			out[value] = mark{Boundary: true}
		}
	}
}

// moreBegan reports whether, in a slot of one value, another value began to
// hold after a border.
func (m *mind) moreBegan(value string, border, v int64) bool {
	var moments []int64
	for _, c := range m.claims {
		moments = append(moments, c.begins.Micros, c.ends.Micros)
	}
	for _, e := range m.ended {
		moments = append(moments, e.at().Micros)
	}
	return m.kind == single && slices.ContainsFunc(moments, func(at int64) bool {
		if at <= border || at > v {
			return false
		}
		before := m.holding(at - 1)
		for other := range m.holding(at) {
			if _, held := before[other]; !held && other != value {
				return true
			}
		}
		return false
	})
}

func rests(holding map[string]held, c claim) bool {
	return slices.ContainsFunc(holding[c.value].claims, func(o claim) bool { return o.order == c.order })
}

// holding is what holds at v by the beginnings of all dates.
func (m *mind) holding(v int64) map[string]held {
	out := map[string]held{}
	switch m.kind {
	case event:
		for _, c := range m.claims {
			if c.covers(v) {
				out[c.value] = held{claims: append(out[c.value].claims, c)}
			}
		}
	case plural:
		for _, c := range m.claims {
			alone := &mind{kind: single, ended: m.ended}
			for _, o := range m.claims {
				if o.value == c.value {
					alone.claims = append(alone.claims, o)
				}
			}
			maps.Copy(out, alone.across(v))
		}
	default:
		return m.across(v)
	}
	return out
}

// across weighs what the ranks of trust give at v.
func (m *mind) across(v int64) map[string]held {
	out := map[string]held{}
	var best []claim // what the most trusted rank rests on
	for rank := range 6 {
		given := m.ofRank(rank, v)
		if len(best) == 0 {
			for value, h := range given {
				out[value] = h
				best = append(best, h.claims...)
			}
			continue
		}
		for value, h := range given {
			if slices.ContainsFunc(best, func(c claim) bool { return c.value == value }) {
				out[value] = held{append(out[value].claims, h.claims...), out[value].disputed}
				continue
			}
			if !h.latest().after(held{claims: best}.latest().heard) {
				continue // what is more trusted came later: it replaced this
			}
			out[value] = held{append(out[value].claims, h.claims...), true}
			for _, c := range best {
				out[c.value] = held{out[c.value].claims, true}
			}
		}
	}
	return out
}

// ofRank is what the claims of one rank of trust give at v.
func (m *mind) ofRank(rank int, v int64) map[string]held {
	var open, bounded []claim
	for _, c := range m.claims {
		switch {
		case c.rank != rank || !c.covers(v) || m.over(c, v):
		case !c.open():
			bounded = append(bounded, c)
		case !m.followed(c, v):
			open = append(open, c)
		}
	}
	// What is bounded stands out of what is open, unless that began later and was
	// told later.
	winners := open
	if len(bounded) > 0 {
		last := held{claims: bounded}.latest()
		beaten := slices.ContainsFunc(open, func(o claim) bool {
			return o.value != last.value && o.after(last.heard) && o.begins.Micros > last.begins.Micros
		})
		if !beaten {
			winners = slices.DeleteFunc(slices.Clone(bounded), func(b claim) bool { return b.place != last.place })
		}
	}
	out := map[string]held{}
	for _, c := range winners {
		out[c.value] = held{}
	}
	for _, c := range slices.Concat(open, bounded) {
		if h, ok := out[c.value]; ok {
			out[c.value] = held{claims: append(h.claims, c)}
		}
	}
	for value, h := range out { // what was told in one breath is left side by side
		out[value] = held{h.claims, len(out) > 1 || m.contested(h.latest(), v)}
	}
	return out
}

// contested reports whether somebody trusted less said later that what the claim
// says is over, or never was.
func (m *mind) contested(c claim, v int64) bool {
	return c.doubted || slices.ContainsFunc(m.ended, func(e heard) bool {
		at := e.at().Micros
		return e.ends(c) && e.rank > c.rank && e.after(c.heard) && c.begins.Micros < at && at <= v
	})
}

// over reports whether somebody trusted as much said that c ended before v. An
// end that was told earlier does not touch what is known to be bounded.
func (m *mind) over(c claim, v int64) bool {
	return slices.ContainsFunc(m.ended, func(e heard) bool {
		at := e.at().Micros
		return e.ends(c) && e.rank <= c.rank && c.begins.Micros < at && at <= v && (c.open() || e.after(c.heard))
	})
}

// followed reports whether another value began after c, or with it and was told
// later.
func (m *mind) followed(c claim, v int64) bool {
	return slices.ContainsFunc(m.claims, func(p claim) bool {
		if p.rank != c.rank || !p.open() || p.value == c.value || p.begins.Micros > v {
			return false
		}
		return p.begins.Micros > c.begins.Micros || p.begins.Micros == c.begins.Micros && p.place > c.place
	})
}

// fold makes names and values comparable: lower case, white space collapsed.
func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// foldPredicate is fold with "_" between the words.
func foldPredicate(s string) string { return strings.NewReplacer(" ", "_", "-", "_").Replace(fold(s)) }
