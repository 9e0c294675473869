package when

import "engram/memory"

// hours are parts of a day and clock times.
var hours = []pattern{
	// yesterday afternoon, 昨晚
	row("DATED ,? in? the? PART", onPart),
	row("PART of DATED", onPart),
	row("early|late PART of? DATED", onPart),
	row("this PART", onPart),
	row("tonight", nightOf(0)),
	row("last night", nightOf(-1)),
	row("night before last", nightOf(-2)),
	row("DATED 的? ZPART", onPart),
	row("ZSTEM ZEND", onPart),

	// yesterday after 3 pm, 昨天下午三点之后
	row("DATED ,? at|around|about? CLOCK", atClock),
	row("DATED ,? SIDE CLOCK", atClock),
	row("DATED ,? in? the? PART ,? at|around|about? CLOCK", atClock),
	row("DATED ,? in? the? PART ,? SIDE CLOCK", atClock),
	row("DATED ,? in? the? PART ,? at HOUR", atClock),
	row("after|before CLOCK ,? on? DATED", sideOfClock),
	row("CLOCK ,? on? DATED", atClock),
	row("this PART ,? at|around|about? CLOCK", atClock),
	row("this PART SIDE CLOCK", atClock),
	row("this PART ,? at HOUR", atClock),
	row("HOUR this PART", atClock),
	row("CLOCK this PART", atClock),
	row("tonight ,? at|around|about? CLOCK", tonightAt),
	row("tonight ,? at HOUR", tonightAt),
	row("HOUR tonight", tonightAt),
	row("CLOCK tonight", tonightAt),
	row("LASTNIGHT at|around|about? CLOCK", atClock),
	row("LASTNIGHT SIDE CLOCK", atClock),
	row("LASTNIGHT at HOUR", atClock),
	row("DATED 的? ZPART? ZCLOCK ZSIDE?", atClock),
	row("ZSTEM ZEND ZCLOCK ZSIDE?", atClock),

	// yesterday from 3 pm to 5 pm, 昨天下午三点到五点
	row("DATED ,? from? CLOCK to|until|till|- CLOCKEND", untilClock),
	row("DATED ,? between CLOCK and CLOCKEND", untilClock),
	row("from? CLOCK to|until|till|- CLOCKEND ,? on? DATED", untilClock),
	row("between CLOCK and CLOCKEND ,? on? DATED", untilClock),
	row("DATED 的? ZPART? 从? ZCLOCK 到|至|- ZCLOCKEND", untilClock),
	row("ZSTEM ZEND ZCLOCK 到|至|- ZCLOCKEND", untilClock),
}

// part is a part of a day.
type part int

const (
	morning part = iota + 1
	afternoon
	evening
	night
	dawn     // 凌晨
	early    // 早上
	forenoon // 上午
	noon     // 中午
	later    // 下午
	dusk     // 傍晚
	late     // 晚上
)

// hoursOf gives the hours [from, to) of each part; past 24 they belong to the
// day after. These are customs, not measurements.
var hoursOf = [...]struct{ from, to int }{
	morning: {6, 12}, afternoon: {12, 18}, evening: {18, 24}, night: {18, 30},
	dawn: {0, 6}, early: {5, 10}, forenoon: {6, 12}, noon: {11, 14}, later: {12, 18}, dusk: {17, 20}, late: {18, 30},
}

// base gives the day that is spoken of: the anchor's, or a neighbour of it, if no date was read.
func (r *reading) base() span {
	if r.date.from.IsZero() {
		return day.period(r.now, r.shift)
	}
	return r.date
}

// minutes is the length of n hours.
func minutes(n int) int { return 60 * n }

func onPart(r *reading) (span, bool) {
	h := hoursOf[r.part]
	return r.base().within(minutes(h.from), minutes(h.to), memory.Hour), true
}

func nightOf(shift int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		r.shift, r.part = shift, night
		return onPart(r)
	}
}

// atClock is an hour or a minute of a day, or what lies on one side of it
// within the day.
func atClock(r *reading) (span, bool) {
	at, gran, length := minutes(r.part.hour(r.hour))+r.minute, memory.Hour, minutes(1)
	if r.exact {
		gran, length = memory.Minute, 1
	}
	end := minutes(24)
	if at >= end { // 2 am of last night
		end = minutes(30)
	}
	switch r.side {
	case Since, After:
		return r.base().within(at, end, gran), true
	case Before:
		return r.base().within(0, at, gran), true
	}
	s := r.base().within(at, at+length, gran)
	s.moment = true
	return s, true
}

func tonightAt(r *reading) (span, bool) {
	r.part = night
	return atClock(r)
}

// sideOfClock is what of the day lies after or before a clock time.
func sideOfClock(r *reading) (span, bool) {
	r.side = After
	if r.scan.is(r.at, idBefore) {
		r.side = Before
	}
	return atClock(r)
}

var idBefore = word("before")

// untilClock is the time from one clock time to another, past midnight if the
// second is the earlier.
func untilClock(r *reading) (span, bool) {
	from, gran := minutes(r.part.hour(r.hour))+r.minute, memory.Hour
	if r.exact {
		gran = memory.Minute
	}
	to := r.until
	if to <= from && to+minutes(12) > from && r.part != 0 {
		to += minutes(12)
	} else if to <= from {
		to += minutes(24)
	}
	return r.base().within(from, to, gran), true
}

// clockEnd reads the second clock time of a range.
func clockEnd(clock func(*scan, int, *reading) int) func(*scan, int, *reading) int {
	return func(s *scan, at int, r *reading) int {
		sub := reading{scan: s}
		next := clock(s, at, &sub)
		r.until, r.exact = minutes(r.part.hour(sub.hour))+sub.minute, r.exact || sub.exact
		return next
	}
}

// hour gives the hour of the day that a clock means in a part of it: 3 in the
// afternoon is 15, 1 at night is 25.
func (p part) hour(h int) int {
	switch p {
	case afternoon, later, evening, dusk:
		if h < 12 {
			return h + 12
		}
	case noon:
		if h < 6 {
			return h + 12
		}
	case night, late:
		switch {
		case h < 6:
			return h + 24
		case h <= 12:
			return h + 12
		}
	}
	return h
}

var (
	idAM, idPM, idA, idP, idM = word("am"), word("pm"), word("a"), word("p"), word("m")
	idColon, idWideColon      = word(":"), word("：")
	idNoon, idOclock          = word("noon"), split("o_'_clock")
	idHour, idHourToo         = word("点"), word("时")
	idHalf, idMinute          = word("半"), word("分")
	idFull, idBell, idQuarter = word("整"), word("钟"), word("刻")
)

// readClock reads 3 pm, 3:30 p.m., 15:04, 3 o'clock or noon; a bare number is
// no clock time.
func readClock(s *scan, at int, r *reading) int {
	if s.is(at, idNoon) {
		r.hour = 12
		return at + 1
	}
	h, ok := s.number(at)
	if !ok || h > 23 {
		return at
	}
	r.hour = h
	next := s.readMinutes(at+1, r)
	switch pm, end := s.readHalf(next); {
	case end > next && 1 <= h && h <= 12:
		r.hour = h % 12
		if pm {
			r.hour += 12
		}
		return end
	case r.exact:
		return next
	case s.says(idOclock, next):
		return next + len(idOclock)
	}
	return at
}

// readMinutes reads ":30".
func (s *scan) readMinutes(at int, r *reading) (next int) {
	if !s.is(at, idColon) && !s.is(at, idWideColon) {
		return at
	}
	m, ok := s.number(at + 1)
	if !ok || m > 59 || s.tokens[at+1].digits != 2 {
		return at
	}
	r.minute, r.exact = m, true
	return at + 2
}

// readHalf reads am, p.m. and the like.
func (s *scan) readHalf(at int) (pm bool, next int) {
	switch {
	case s.is(at, idAM) || s.is(at, idPM):
		return s.is(at, idPM), at + 1
	case (s.is(at, idA) || s.is(at, idP)) && s.is(at+1, idDot) && s.is(at+2, idM):
		next = at + 3
		if s.is(next, idDot) {
			next++
		}
		return s.is(at, idP), next
	}
	return false, at
}

// readChineseClock reads 3点, 三点半, 3点15分, 15:04.
func readChineseClock(s *scan, at int, r *reading) int {
	h, ok := s.number(at)
	if !ok || h > 24 {
		return at
	}
	r.hour = h
	if next := s.readMinutes(at+1, r); next > at+1 {
		return next
	}
	if !s.is(at+1, idHour) && !s.is(at+1, idHourToo) {
		return at
	}
	next := at + 2
	switch n, ok := s.number(next); {
	case s.is(next, idHalf):
		r.minute, r.exact = 30, true
		return next + 1
	case s.is(next, idFull) || s.is(next, idBell):
		return next + 1
	case ok && s.is(next+1, idQuarter) && n <= 3:
		r.minute, r.exact = 15*n, true
		return next + 2
	case ok && n <= 59 && (s.is(next+1, idMinute) || s.tokens[next].digits == 2):
		r.minute, r.exact = n, true
		if s.is(next+1, idMinute) {
			return next + 2
		}
		return next + 1
	}
	return next
}
