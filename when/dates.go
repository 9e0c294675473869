package when

// dates are days, months and years by name or number.
var dates = []pattern{
	// 8 May 2023, May 8th, in May, 2023-05-08
	row("DAY st|nd|rd|th? of? MONTHLC ,? YEAR", absolute),
	row("DAY st|nd|rd|th? of? MONTH", thisMonth),
	row("MONTHLC the? DAY st|nd|rd|th? ,? YEAR", absolute),
	row("MONTHLC DAY st|nd|rd|th", thisMonth),
	row("MONTH the? DAY st|nd|rd|th?", thisMonth),
	row("MONTH ,|of? YEAR", absolute),
	row("(in|on|of|during) MONTH", thisMonth),
	row("(in|during|since) MONTHLC YEAR", absolute),
	row("(in|during) MONTHLC !NOUN", thisMonth),
	row("last MONTHLC", besideMonth(-1)),
	row("next MONTHLC", besideMonth(1)),
	row("this MONTH", besideMonth(0)),
	row("MONTH of|in|,? YEARED", monthOf),
	row("DAY st|nd|rd|th? of? MONTH of|,? YEARED", monthOf),
	row("MONTH the? DAY st|nd|rd|th? of|,? YEARED", monthOf),
	row("(in|during) YYYY !COUNTED", absolute),
	row("(in|during|of) (the)? year YYYY", absolute),
	row("YEAR - MM - DAY", absolute),
	row("YEAR / MM / DAY", absolute),
	row("DAY / DAYEND / YEAR", dayOrMonthFirst),

	// on the 15th: of the anchor's month
	row("(the) DAY st|nd|rd|th !NOUN !NAME !of|and|or|-|to", thisDay),
	row("(on) DAY st|nd|rd|th !NOUN !NAME !of|and|or|-|to", thisDay),

	// 2023年5月8日, 五月七号, 去年三月
	row("YEAR 年 的? MM 月 DAY 日|号", absolute),
	row("YEAR 年 的? MM 月 份?", absolute),
	row("YYYY 年 !级|龄|代|轻|纪|薪|历|来|间|以上|多|的_历史", absolute),
	row("MM 月 DAY 日|号 !线|楼|院|门|店|桌|机", thisMonth),
	row("MM 月 份? !亮|饼|球|光|色|票|薪|龄|经|嫂", thisMonth),

	// yesterday, 前天
	row("the_day_before_yesterday|day_before_yesterday", on(day, -2)),
	row("yesterday", on(day, -1)),
	row("today", on(day, 0)),
	row("tomorrow", on(day, 1)),
	row("the_day_after_tomorrow|day_after_tomorrow", on(day, 2)),
	row("大前天|大前儿个|大前儿", on(day, -3)),
	row("<!以|之|目|提|面|眼|从|午 前天|前日|前儿个|前儿", on(day, -2)),
	row("昨天|昨日|昨儿个|昨儿", on(day, -1)),
	row("今天|今日|今儿个|今儿 !头_条", on(day, 0)),
	row("明天|明日|明儿个|明儿 !气|才|方_舟", on(day, 1)),
	row("<!然|以|之|最|先|今 后天 !性|赋", on(day, 2)),
	row("大后天", on(day, 3)),

	// last month, 上个月, 去年
	row("REL PERIOD !of", relative),
	row("PER before last", shifted(-2)),
	row("PER after next", shifted(2)),
	row("<!晚|早|马|日|基|根|版 ZREL 月 !亮|饼|球|光|色|经", on(month, 0)),
	row("<!以|之|目|从 前年 !轻", on(year, -2)),
	row("大前年", on(year, -3)),
	row("<!过|出|进 去年", on(year, -1)),
	row("今年|本年度|本年", on(year, 0)),
	row("明年 !龄", on(year, 1)),
	row("<!然|以|之|最|今 后年", on(year, 2)),
	row("大后年", on(year, 3)),

	// last year in May, 去年三月, 上个月5号, 15号
	row("YEARED ,? in MONTH", monthOf),
	row("YEARED 的? MM 月 DAY 日|号", monthOf),
	row("YEARED 的? MM 月 份?", monthOf),
	row("MONTHED 的? DAY 日|号", func(r *reading) (span, bool) { return ofMonth(r, r.date) }),
	row("<!第|路|街|巷|弄|道|编|区|院|幢|楼|球|座|房|车|桌|穿|- DAY 号 !线|楼|院|门|店|桌|机|房|选|球|位|电|码|人|员|车|馆|厅|台|字|仓|库|口|站|公|铺|线|种|文|方|风|病", thisDay),

	// 去年的今天, this time last year
	row("YEARED 的? 今天", sameDay),
	row("this time YEARED", sameMonth),
	row("YEARED 的? 这个时候|这时候|此时", sameMonth),
}

// absolute is a date with its year.
func absolute(r *reading) (span, bool) {
	s, ok := date(r.year, r.month, r.day, r.now.Location())
	s.explicit = true
	return s, ok
}

// dayOrMonthFirst reads 20/5/2023 and 5/20/2023 where only one order makes sense.
func dayOrMonthFirst(r *reading) (span, bool) {
	switch first, second := r.day, r.last; {
	case first > 12:
		r.month = second
	case second > 12:
		r.month, r.day = first, second
	case first == second:
		r.month = first
	}
	s, ok := absolute(r)
	return s, ok && 1 <= r.month && r.month <= 12
}

// thisMonth is a month, or a day of one, without a year: the latest such month
// that does not lie after the anchor's.
func thisMonth(r *reading) (span, bool) {
	y := r.now.Year()
	if r.month > int(r.now.Month()) {
		y--
	}
	return r.choose(year, func(k int) (span, bool) { return date(y+k, r.month, r.day, r.now.Location()) })
}

// thisDay is a day of the anchor's month.
func thisDay(r *reading) (span, bool) {
	return r.choose(month, func(k int) (span, bool) { return ofMonth(r, month.period(r.now, k)) })
}

func ofMonth(r *reading, m span) (span, bool) {
	s, ok := date(m.from.Year(), int(m.from.Month()), r.day, r.now.Location())
	return s.as(m), ok
}

// besideMonth is the latest such month before the anchor's, the next after it,
// or that of its year.
func besideMonth(shift int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		y := r.now.Year()
		switch m := int(r.now.Month()); {
		case shift < 0 && r.month >= m, shift > 0 && r.month <= m:
			y += shift
		}
		return date(y, r.month, 0, r.now.Location())
	}
}

// monthOf is a month or day of a year that was read.
func monthOf(r *reading) (span, bool) {
	s, ok := date(r.date.from.Year(), r.month, r.day, r.now.Location())
	return s.as(r.date), ok
}

func sameDay(r *reading) (span, bool) {
	return date(r.date.from.Year(), int(r.now.Month()), r.now.Day(), r.now.Location())
}

// sameMonth is the anchor's month in another year: "this time" is no day.
func sameMonth(r *reading) (span, bool) {
	s, ok := date(r.date.from.Year(), int(r.now.Month()), 0, r.now.Location())
	return s.roughly(), ok
}

func relative(r *reading) (span, bool) { return r.unit.period(r.now, r.shift), true }

// on is the unit that lies n of them from the anchor, and as many as was said.
func on(u unit, n int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) { return u.period(r.now, n+r.shift), true }
}

// shifted is the unit that was said, n of them from the anchor.
func shifted(n int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) { return r.unit.period(r.now, n), true }
}

// ofDate is the date that was read.
func ofDate(r *reading) (span, bool) { return r.date, true }
