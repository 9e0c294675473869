package when

import (
	"time"

	"engram/memory"
)

// phases are parts of longer times.
var phases = []pattern{
	// early March, mid-2023, the end of June, 三月初, 去年年底
	row("PHASE -|in? WHEN", partOf),
	row("EDGE of WHEN", partOf),
	row("EDGE of the|this PER", edgeOfThis),
	row("(by|at|until) year - end", func(r *reading) (span, bool) { return year.period(r.now, 0).part(closing) }),
	row("MONTHED ZEDGE !学|中|小|国|秋|间|文|部|代|恋|次|层|子|薪", partOf),
	row("MONTHED 的? ZTHIRD", partOf),
	row("YEARED 的? 年? ZEDGE !学|中|小|国|秋|间|文|部|代|恋|次|层|子|薪", partOf),
	row("<!纪 ZDECADE ZEDGE 期?", chineseDecade(unsaid)),
	row("CENTURY 世纪 ZDECADE ZEDGE 期?", chineseDecade(said)),
	row("<!个 <!ANYN 月初", edgeOf(month, opening)),
	row("<!个 <!ANYN 月底|月末", edgeOf(month, closing)),
	row("<!ANYN 年初", edgeOf(year, opening)),
	row("<!ANYN 年底|年末", edgeOf(year, closing)),

	// earlier this year, later today
	row("earlier DATE", func(r *reading) (span, bool) { return r.date.splitAt(r.now, true) }),
	row("later DATE", func(r *reading) (span, bool) { return r.date.splitAt(r.now, false) }),

	// first weekend of August, the last Friday in May, 五月第二个星期六
	row("NTH WEEKDAY of|in WHEN", nthWeekday),
	row("NTH PER of|in WHEN", nthUnit),
	row("NTH COUNT UNIT of|in WHEN", nthUnits),
	row("MONTHED 的? ZNTH ZWEEK ZWD", nthWeekday),
	row("MONTHED 的? ZNTH ENDS", nthUnit),
	row("MONTHED 的? ZNTH ZWEEK", nthUnit),
	row("MONTHED 的? ZNTH 天", nthDay),
	row("YEARED 的? ZNTH 天", nthDay),
}

// phase is a part of a longer time.
type phase int

const (
	whole phase = iota
	opening
	middle
	closing
	firstThird
	secondThird
	lastThird
)

// asThird gives the third that the beginning, middle or end is.
func (p phase) asThird() phase {
	if opening <= p && p <= closing {
		return p + firstThird - opening
	}
	return p
}

// third gives a part of a decade: 1990–1993, 1994–1996, 1997–1999.
func (s span) third(p phase) span {
	from := s.from
	switch p {
	case firstThird:
		s.to = year.add(from, 4)
	case secondThird:
		s.from, s.to = year.add(from, 4), year.add(from, 7)
	case lastThird:
		s.from = year.add(from, 7)
	case whole, opening, middle, closing:
	}
	return s
}

// part gives a part of s. Thirds of a month are those to the 10th, to the 20th
// and the rest (上旬, 中旬, 下旬), of a year four months each, of a season one
// month each, of a week Monday and Tuesday, Wednesday and Thursday, the rest.
// Beginning and end are the outer thirds, but of a year two months (年初, 年底).
func (s span) part(p phase) (span, bool) {
	u, first, second := month, 4, 8
	gran := memory.Month
	switch {
	case s.is(year) && (p == opening || p == closing):
		first, second = 2, 10
	case s.is(year):
	case s.gran == memory.Month && s.to.Equal(month.add(s.from, 3)):
		first, second = 1, 2
	case s.is(month):
		u, first, second, gran = day, 10, 20, memory.Day
	case s.is(week):
		u, first, second, gran = day, 2, 4, memory.Day
	default:
		return s, false
	}
	out := span{from: s.from, to: s.to, gran: gran}.as(s)
	switch p.asThird() {
	case firstThird:
		out.to = u.add(s.from, first)
	case secondThird:
		out.from, out.to = u.add(s.from, first), u.add(s.from, second)
		if p == middle && s.is(year) { // 年中 is as long as "mid-2023"
			out.from, out.to = u.add(s.from, 4), u.add(s.from, 8)
		}
	case lastThird:
		out.from = u.add(s.from, second)
	case whole, opening, middle, closing:
	}
	return out, true
}

func partOf(r *reading) (span, bool) { return r.date.part(r.phase) }

func edgeOfThis(r *reading) (span, bool) { return r.unit.period(r.now, 0).part(r.phase) }

func edgeOf(u unit, p phase) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) { return u.period(r.now, 0).part(p) }
}

// splitAt gives what of s is before now, or from now on: whole days, of a day the minutes.
func (s span) splitAt(now time.Time, earlier bool) (span, bool) {
	u := day
	if s.is(day) {
		u = minute
	}
	cut := u.period(now, 0)
	out := span{from: s.from, to: cut.from, gran: cut.gran}.as(s)
	if !earlier {
		out.from, out.to = cut.from, s.to
	}
	return out, !cut.from.Before(s.from) && cut.from.Before(s.to)
}

// nthWeekday is the first to fifth or last such weekday of a longer time.
func nthWeekday(r *reading) (span, bool) {
	from := day.add(r.date.from, -1)
	s := day.period(from, daysUntil(from, r.weekday)+7*(r.nth-1))
	if r.nth < 0 {
		s = day.period(r.date.to, -daysSince(r.date.to, r.weekday))
	}
	return s.as(r.date), !s.from.Before(r.date.from) && !s.to.After(r.date.to) && !r.date.is(day)
}

// nthUnit is the first to fifth or last unit of a longer time. The weeks of a
// month are counted from its first day, the last is its last seven days; a
// weekend belongs to the month of its Saturday.
func nthUnit(r *reading) (span, bool) {
	if r.unit == weekend {
		r.weekday = 6
		s, ok := nthWeekday(r)
		s.to = day.add(s.from, 2)
		return s, ok
	}
	n := r.nth
	r.n = 1
	s, ok := nthUnits(r)
	if n > 0 {
		s.from, s.to = r.unit.add(s.from, n-1), r.unit.add(s.to, n-1)
	}
	return s, ok && !s.to.After(r.date.to)
}

// nthUnits is the first or last n units of a longer time.
func nthUnits(r *reading) (span, bool) {
	gran := r.unit.period(r.now, 0).gran
	s := span{from: r.date.from, to: r.unit.add(r.date.from, r.n), gran: gran}
	if r.nth < 0 {
		s.from, s.to = r.unit.add(r.date.to, -r.n), r.date.to
	}
	return s.as(r.date), !s.from.Before(r.date.from) && !s.to.After(r.date.to) && gran <= memory.Day && !r.few
}

func nthDay(r *reading) (span, bool) {
	r.unit = day
	return nthUnit(r)
}

var idNumber, idLast, idOne, idPiece = word("第"), split("最后"), word("一"), word("个")

// readChineseOrdinal reads 第二个, 最后一个.
func readChineseOrdinal(s *scan, at int, r *reading) int {
	var next int
	switch n, ok := s.number(at + 1); {
	case s.is(at, idNumber) && ok && 1 <= n && n <= 31:
		r.nth, next = n, at+2
	case s.says(idLast, at):
		r.nth, next = -1, at+2
		if s.is(next, idOne) {
			next++
		}
	default:
		return at
	}
	if s.is(next, idPiece) {
		next++
	}
	return next
}
