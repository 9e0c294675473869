package when

import "engram/memory"

// dates are days and longer times. Phrases build on them.
var dates = newTable(
	// 8 May 2023, May 8th, in May, 2023-05-08
	row("DAY st|nd|rd|th? of? MONTH ,? YEAR", absolute),
	row("DAY st|nd|rd|th? of? MONTH", thisMonth),
	row("MONTH the? DAY st|nd|rd|th? ,? YEAR", absolute),
	row("MONTH the? DAY st|nd|rd|th?", thisMonth),
	row("MONTH ,|of? YEAR", absolute),
	row("PHASE in|-? MONTH ,|of? YEAR", third),
	row("PHASE in|-? MONTH", third),
	row("(in|on|of|during) MONTH", thisMonth),
	row("last MONTH", monthBefore),
	row("(in|during) YYYY", absolute),
	row("YEAR - MM - DAY", absolute),
	row("YEAR / MM / DAY", absolute),

	// 2023年5月8日, 五月七号, 去年三月
	row("YEAR 年 MM 月 DAY 日|号", absolute),
	row("YEAR 年 MM 月 份?", absolute),
	row("YEAR 年 !级|龄|代|轻|纪|薪", absolute),
	row("MM 月 DAY 日|号 !线|楼|院|门|店|桌|机", thisMonth),
	row("MM 月 份? !亮|饼|球|光|色|票|薪|龄|经|嫂", thisMonth),
	row("ZYEAR 的? MM 月 DAY 日|号", ofYear),
	row("ZYEAR 的? MM 月 份?", ofYear),
	row("ZREL 月 的? DAY 日|号", ofMonth),

	// yesterday, 前天
	row("the_day_before_yesterday|day_before_yesterday", on(day, -2)),
	row("yesterday", on(day, -1)),
	row("today", on(day, 0)),
	row("tomorrow", on(day, 1)),
	row("the_day_after_tomorrow|day_after_tomorrow", on(day, 2)),
	row("大前天", on(day, -3)),
	row("<!以|之|目|提|面|眼|从|午 前天|前日", on(day, -2)),
	row("昨天|昨日", on(day, -1)),
	row("今天|今日", on(day, 0)),
	row("明天|明日 !气|才", on(day, 1)),
	row("<!然|以|之|最|先|今 后天 !性|赋", on(day, 2)),
	row("大后天", on(day, 3)),

	// last week, 上个月, 去年
	row("REL PER !of", relative),
	row("<!晚|早|马|日|基|根|版 ZREL ZWEEK !围|边|期|转|折|密|到|年|岁", relative),
	row("<!晚|早|马|日|基|根|版 ZREL 月 !亮|饼|球|光|色|经", func(r *reading) (span, bool) { return month.period(r.now, r.shift), true }),
	row("<!以|之|目|从 前年", on(year, -2)),
	row("<!过|出|进 去年", on(year, -1)),
	row("今年|本年", on(year, 0)),
	row("明年 !龄", on(year, 1)),
	row("<!然|以|之|最|今 后年", on(year, 2)),

	// three weeks ago, 3天前
	row("N UNIT ago", ago),
	row("COUNT UNIT ago", ago),
	row("<!第 N ZUNIT 之前|以前|前", ago),
)

// absolute is a date with its year.
func absolute(r *reading) (span, bool) {
	s, ok := date(r.year, r.month, r.day, r.now.Location())
	s.explicit = true
	return s, ok
}

// thisMonth is a month, or a day of it, without a year: the latest such month
// that does not lie after the anchor's.
func thisMonth(r *reading) (span, bool) {
	y := r.now.Year()
	if r.month > int(r.now.Month()) {
		y--
	}
	return date(y, r.month, r.day, r.now.Location())
}

// monthBefore is the latest such month before the anchor's.
func monthBefore(r *reading) (span, bool) {
	y := r.now.Year()
	if r.month >= int(r.now.Month()) {
		y--
	}
	return date(y, r.month, 0, r.now.Location())
}

// third is the early, middle or late part of a month: until the 10th, until
// the 20th, the rest.
func third(r *reading) (span, bool) {
	of := thisMonth
	if r.year != 0 {
		of = absolute
	}
	s, ok := of(r)
	s.gran = memory.Day
	from := s.from
	s.from = from.AddDate(0, 0, 10*r.shift)
	if r.shift < 2 {
		s.to = from.AddDate(0, 0, 10*(r.shift+1))
	}
	return s, ok
}

// ofYear is a month or day of 去年 and its like.
func ofYear(r *reading) (span, bool) {
	return date(r.now.Year()+r.shift, r.month, r.day, r.now.Location())
}

// ofMonth is a day of 上个月 and its like.
func ofMonth(r *reading) (span, bool) {
	m := month.period(r.now, r.shift).from
	return date(m.Year(), int(m.Month()), r.day, r.now.Location())
}

func relative(r *reading) (span, bool) { return r.unit.period(r.now, r.shift), true }

// ago is the day, week, month or year that lies so many of them back.
func ago(r *reading) (span, bool) { return r.unit.period(r.now, -r.n), true }

// on is the unit that lies n of them from the anchor.
func on(u unit, n int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) { return u.period(r.now, n), true }
}
