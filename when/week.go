package when

import "time"

// weeks are weekdays, weeks and weekends. A weekday without a week is the
// latest one before today, or the coming one (today too) in a sentence of the
// future; "next Friday" is that of the next calendar week.
var weeks = []pattern{
	// on Saturday, last Friday, the Friday before last
	row("WEEKDAY !CELL", theWeekday),
	row("(on) WKD", theWeekday),
	row("last|past|this_past|previous WEEKDAY", lastWeekday),
	row("last WKD", lastWeekday),
	row("this_coming|coming|upcoming WEEKDAY", comingWeekday),
	row("this WEEKDAY", relativeWeekday),
	row("this WKD", relativeWeekday),
	row("next WEEKDAY", weekdayOf(1)),
	row("next WKD", weekdayOf(1)),
	row("WEEKDAY before last", weekdaysAgo(2)),
	row("COUNT WEEKDAYS ago", weekdaysAgo(0)),
	row("WEEKDAY after next", weekdayOf(2)),
	row("WEEKDAY of|in|,? WEEKED", weekdayIn),
	row("WEEKED ,? on WEEKDAY", weekdayIn),
	row("WEEKED ' s WEEKDAY", weekdayIn),
	row("WEEKDAY before|prior_to WHEN", weekdayBefore),
	row("WEEKDAY after|following WHEN", weekdayAfter),

	// last week, 上周, the week of 5 May
	row("<!晚|早|马|日|基|根|版 ZREL ZWEEK !围|边|期|转|折|密|到|年|岁", relative),
	row("this_past week", on(week, -1)),
	row("this_coming week", on(week, 1)),
	row("week of|containing DATE", weekOf),
	row("week starting|beginning|commencing on? DATED", weekFrom(0)),
	row("week ending on? DATED", weekFrom(-6)),

	// 上周五, 周六, 星期天, 礼拜三
	row("<!每|逢|各|个 <!ANYN ZWEEK ZWD", theWeekday),
	row("<!晚|早|马|日|基|根|版 ZREL ZWEEK ZWD", relativeWeekday),
	row("ZREL ZWEEK 的 ZWEEK ZWD", relativeWeekday),

	// the weekend, two weekends ago, 上周末
	row("(at|over|on|during) (the) weekend !of|before|after", theWeekend),
	row("this_past weekend", theWeekend),
	row("COUNT weekends ago", weekendsAgo),
	row("weekend before|prior_to DATE", weekendBefore),
	row("weekend after|following DATE", weekendAfter),
	row("weekend of DATE", func(r *reading) (span, bool) { return weekend.period(r.date.from, 0).as(r.date), true }),
	row("ZREL ZWEEK 末", func(r *reading) (span, bool) { return weekend.period(r.now, r.shift), true }),

	// Friday, May 12; 5月12日（周五）
	row("WEEKDAY ,? the? CALDAY", ofDate),
	row("WKD ,? the? CALDAY", ofDate),
	row("CALDAY （? ZWEEK ZWD ）?", ofDate),
	row("CALDAY （ WEEKDAY ）", ofDate),
	row("CALDAY （ WKD ）", ofDate),
}

// daysSince says how many days before t the last such weekday was, 1 to 7.
// Monday is 1, as in ISO 8601.
func daysSince(t time.Time, weekday int) int { return 7 - (weekday-int(t.Weekday())+7)%7 }

// daysUntil says how many days after t the next one is, 1 to 7.
func daysUntil(t time.Time, weekday int) int { return (weekday-int(t.Weekday())+6)%7 + 1 }

func theWeekday(r *reading) (span, bool) {
	return r.choose(week, func(k int) (span, bool) {
		return day.period(r.now, 7*k-daysSince(r.now, r.weekday)), true
	})
}

func lastWeekday(r *reading) (span, bool) {
	return day.period(r.now, -daysSince(r.now, r.weekday)), true
}

func comingWeekday(r *reading) (span, bool) {
	return day.period(r.now, daysUntil(r.now, r.weekday)), true
}

// weekdaysAgo is the last such weekday but n, or as many as was said.
func weekdaysAgo(n int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		s, ok := lastWeekday(r)
		s.repeats = week
		s = s.move(1 - n - r.n)
		s.repeats, s.vague = 0, r.few
		return s, ok
	}
}

// weekdayOf is a weekday of the calendar week that lies n of them ahead.
func weekdayOf(n int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		return day.period(week.period(r.now, n).from, r.weekday-1), true
	}
}

func relativeWeekday(r *reading) (span, bool) { return weekdayOf(r.shift)(r) }

func weekdayIn(r *reading) (span, bool) {
	return day.period(r.date.from, r.weekday-1).as(r.date), true
}

func weekdayBefore(r *reading) (span, bool) {
	return day.period(r.date.from, -daysSince(r.date.from, r.weekday)).as(r.date), true
}

func weekdayAfter(r *reading) (span, bool) {
	last := r.date.lastDay()
	return day.period(last, daysUntil(last, r.weekday)).as(r.date), true
}

// lastDay gives a moment of the last day of s.
func (s span) lastDay() time.Time { return s.to.Add(-time.Minute) }

// weekOf is the calendar week that holds a date.
func weekOf(r *reading) (span, bool) { return week.period(r.date.from, 0).as(r.date), true }

// weekFrom is the seven days from n days after a date on.
func weekFrom(n int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		from := day.add(r.date.from, n)
		return span{from: from, to: day.add(from, 7), gran: r.date.gran}.as(r.date), true
	}
}

// theWeekend is the latest one that has begun.
func theWeekend(r *reading) (span, bool) {
	begun := 0
	if weekend.period(r.now, 0).from.After(r.now) {
		begun = -1
	}
	return r.choose(week, func(k int) (span, bool) { return weekend.period(r.now, begun+k), true })
}

func weekendsAgo(r *reading) (span, bool) {
	s := weekend.period(r.now, -r.n)
	s.vague = r.few
	return s, true
}

// weekendBefore is the last weekend that ends before a date begins.
func weekendBefore(r *reading) (span, bool) {
	s := weekend.period(r.date.from, 0)
	if s.to.After(r.date.from) {
		s = weekend.period(r.date.from, -1)
	}
	return s.as(r.date), true
}

func weekendAfter(r *reading) (span, bool) {
	s := weekend.period(r.date.lastDay(), 0)
	if s.from.Before(r.date.to) {
		s = weekend.period(r.date.lastDay(), 1)
	}
	return s.as(r.date), true
}

// readChineseWeekday reads the end of 周一, 星期天, 礼拜三, but not what counts
// something: 上周五个人, 上周一共.
func readChineseWeekday(s *scan, at int, r *reading) int {
	switch n, ok := s.number(at); {
	case s.is(at, idSun) || s.is(at, idSky) && !s.is(at-1, idZhou):
		r.weekday = 7
	case ok && 1 <= n && n <= 6 && !isDigit(runeAt(s.text, s.tokens[at].start)):
		r.weekday = n
	default:
		return at
	}
	together := s.is(at+1, idUp) && r.weekday == 1 && !s.follows(r.at, idFrom) // 上周一起去 is no Monday, 从上周一起 is
	if together || at+1 < len(s.tokens) && s.tokens[at+1].glued && countsAfter[s.tokens[at+1].id] {
		return at
	}
	return at + 1
}

var idSun, idSky, idZhou, idUp, idFrom = word("日"), word("天"), word("周"), word("起"), word("从")

// countsAfter may follow a number that is no weekday.
var countsAfter = func() map[int16]bool {
	set := map[int16]bool{}
	for _, r := range "个天次位名块本件条只家人万千百共直样些般切旦边定度种岁元里页斤台部期报刊记" {
		set[word(string(r))] = true
	}
	return set
}()
