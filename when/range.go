package when

// ranges run from one date to another, both included.
var ranges = []pattern{
	// from 2018 to 2020, between March and May
	row("from WHEN to|until|till|through|- WHENEND", fromTo),
	row("between WHEN and|- WHENEND", fromTo),
	row("DATE to|until|till|through|- DATEEND", toDate),
	row("(in|during|for|between) YYYY -|to YYYYEND !NOUN", years),

	// 8–10 May 2023, May 8 to 10, March–May 2023
	row("DAY st|nd|rd|th? -|to|until|through|and DAYEND st|nd|rd|th? of? MONTH ,? YEAR", daysOf(absolute)),
	row("DAY st|nd|rd|th? -|to|until|through DAYEND st|nd|rd|th? of? MONTH", daysOf(thisMonth)),
	row("between|from the? DAY st|nd|rd|th? -|to|until|and the? DAYEND st|nd|rd|th? of? MONTH ,? YEAR", daysOf(absolute)),
	row("between|from the? DAY st|nd|rd|th? -|to|until|and the? DAYEND st|nd|rd|th? of? MONTH", daysOf(thisMonth)),
	row("MONTH DAY st|nd|rd|th? -|to|until|through|and DAYEND st|nd|rd|th? ,? YEAR", daysOf(absolute)),
	row("MONTH DAY st|nd|rd|th? -|to|until|through DAYEND st|nd|rd|th? !NOUN !:|am|pm", daysOf(thisMonth)),
	row("MONTH -|to|through DATEEND", monthTo),

	// 2018年到2020年, 从三月到五月, 5月8日到10日
	row("从 DATE 到|至|- DATEEND", fromTo),
	row("DATE 到|至|- DATEEND", toDate),
	row("DATE 和|与|跟 DATEEND 之间", fromTo),
	row("从? DATED 到|至|- DAYEND 日|号", daysFrom),
	row("从? YYYY 年? 到|至|- YYYYEND 年", years),
	row("从? MM 月? 到|至|- MMEND 月 份? !DAY", monthsOf(thisMonth)),
	row("从? YEARED 的? MM 月? 到|至|- MMEND 月 份? !DAY", monthsOf(monthOf)),
	row("从? MM 月 DAY 日|号? 到|至|- DAYEND 日|号", daysOf(thisMonth)),
	row("从? YEARED 的? MM 月 DAY 日|号? 到|至|- DAYEND 日|号", daysOf(monthOf)),
	row("从? DAY 号? 到|至|- DAYEND 号 !线|楼|院|门|店|桌|机|房", daysOf(thisDay)),
}

// fromTo takes the year, month or week that one date leaves open from the
// other: from March to May 2023, 2018年3月到5月.
func fromTo(r *reading) (span, bool) {
	a, b := r.date, r.end
	switch {
	case a.repeats != 0 && b.repeats == 0:
		a = a.beside(b, -1)
	case b.repeats != 0 && a.repeats == 0:
		b = b.beside(a, 1)
	case a.repeats != 0 && a.from.After(b.from):
		a = a.beside(b, -1)
	}
	out := span{from: a.from, to: b.to, gran: max(a.gran, b.gran), vague: a.vague || b.vague, ranged: true}
	if b.moment {
		out.to = b.from
	}
	if a.repeats == b.repeats {
		out.repeats = a.repeats
	}
	out.explicit = (a.explicit || r.date.repeats != 0) && (b.explicit || r.end.repeats != 0) && (a.explicit || b.explicit)
	kept := func(moved, said span) bool { return moved.repeats == week || moved.from.Day() == said.from.Day() } // no 31 June
	return out, kept(a, r.date) && kept(b, r.end) && !a.from.After(b.from)
}

// beside moves s to its last repetition that does not begin after other, or
// the first that does not begin before.
func (s span) beside(other span, side int) span {
	days := map[unit]int64{week: 7, month: 31, year: 366}[s.repeats]
	s = s.move(int((other.from.Unix() - s.from.Unix()) / (days * 24 * 60 * 60)))
	for s.from.After(other.from) {
		s = s.move(-1)
	}
	for !s.move(1).from.After(other.from) {
		s = s.move(1)
	}
	if side > 0 && s.from.Before(other.from) {
		s = s.move(1)
	}
	return s
}

// toDate is a range without "from". That of two weekdays is said of any week:
// "Monday to Friday", 周一到周五.
func toDate(r *reading) (span, bool) {
	if r.date.repeats == week && r.end.repeats == week {
		return span{never: true}, true
	}
	return fromTo(r)
}

func years(r *reading) (span, bool) {
	s, ok := absolute(r)
	s.to, s.ranged = year.add(s.from, r.last-r.year+1), true
	return s, ok && r.last > r.year
}

// daysOf runs from one day to another of the same month.
func daysOf(of func(*reading) (span, bool)) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		s, ok := of(r)
		end, valid := date(s.from.Year(), int(s.from.Month()), r.last, r.now.Location())
		s.to, s.ranged = end.to, true
		return s, ok && valid && r.last > r.day
	}
}

// daysFrom runs from a day to a day of the same month.
func daysFrom(r *reading) (span, bool) {
	r.day = r.date.from.Day()
	return daysOf(ofDate)(r)
}

// monthsOf runs from one month to another within twelve.
func monthsOf(of func(*reading) (span, bool)) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		s, ok := of(r)
		s.to, s.ranged = month.add(s.from, (r.last-r.month+12)%12+1), true
		return s, ok && r.last != r.month
	}
}

// monthTo runs from a month to a date that has its year.
func monthTo(r *reading) (span, bool) {
	var ok bool
	if r.date, ok = thisMonth(r); !ok || !r.end.explicit {
		return span{}, false
	}
	return fromTo(r)
}
