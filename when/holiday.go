package when

// holidays are those of a fixed date. Without a year they are like any day
// without one.
var holidays = []pattern{
	row("HOLIDAY of|in|,? YYYY !NOUN", absolute),
	row("HOLIDAY of|,? YEARED", monthOf),
	row("HOLIDAY !NOUN", thisMonth),
	row("last HOLIDAY !NOUN", besideDay(-1)),
	row("this HOLIDAY !NOUN", besideDay(0)),
	row("next|this_coming|coming HOLIDAY !NOUN", besideDay(1)),
	row("YEARED 的? ZHOLIDAY !快|树|老|礼|卡|帽|歌|假|长|黄|广|路|班|小|中|期|档", monthOf),
	row("ZHOLIDAY !快|树|老|礼|卡|帽|歌|假|长|黄|广|路|班|小|中|期|档", thisMonth),

	// 国庆假期: a week, 五一假期: five days
	row("YEARED 的? 国庆节|国庆|十一 假期|长假|黄金周|期间", longHoliday(monthOf, 10, 7)),
	row("国庆节|国庆|十一 假期|长假|黄金周|期间", longHoliday(thisMonth, 10, 7)),
	row("YEARED 的? 劳动节|五一 假期|长假|小长假|期间", longHoliday(monthOf, 5, 5)),
	row("劳动节|五一 假期|长假|小长假|期间", longHoliday(thisMonth, 5, 5)),
}

// fixed is a holiday: month*100+day, and what it is called.
type fixed struct {
	date  int
	names string
}

var englishHolidays = []fixed{
	{101, "new_year_'_s_day|new_years_day|new_year_day"},
	{1231, "new_year_'_s_eve|new_years_eve|new_year_eve"},
	{101, "new_year_'_s"},
	{214, "valentine_'_s_day|valentines_day|valentine_'_s"},
	{308, "international_women_'_s_day|women_'_s_day"},
	{317, "saint_patrick_'_s_day|st_._patrick_'_s_day|st_patrick_'_s_day|st_patricks_day"},
	{401, "april_fools_'_day|april_fool_'_s_day|april_fools_day"},
	{422, "earth_day"},
	{501, "may_day|international_workers_'_day"},
	{619, "juneteenth"},
	{704, "fourth_of_july|independence_day"},
	{1031, "halloween"},
	{1101, "all_saints_'_day"},
	{1111, "veterans_day"},
	{1224, "christmas_eve|xmas_eve"},
	{1226, "boxing_day"},
	{1225, "christmas_day|christmas|xmas_day|xmas"},
}

var chineseHolidays = []fixed{
	{101, "元旦节|元旦"},
	{214, "情人节"},
	{308, "三八妇女节|妇女节|三八节"},
	{312, "植树节"},
	{401, "愚人节"},
	{501, "五一劳动节|五一国际劳动节|劳动节|五一节|五一"},
	{504, "五四青年节|青年节"},
	{601, "六一儿童节|儿童节|六一"},
	{701, "建党节"},
	{801, "八一建军节|建军节"},
	{910, "教师节"},
	{1001, "国庆节|国庆"},
	{1031, "万圣节前夜|万圣节|万圣夜"},
	{1111, "光棍节|双十一|双_11"},
	{1224, "平安夜"},
	{1225, "圣诞节|圣诞"},
	{1231, "跨年夜"},
}

func holidayNames(list []fixed) []choice {
	var out []choice
	for _, h := range list {
		out = append(out, choices(h.date, h.names)...)
	}
	return out
}

func setHoliday(r *reading, v int) { r.month, r.day = v/100, v%100 }

// besideDay is the latest such day before today, that of this year, or the next after today.
func besideDay(shift int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		s, ok := date(r.now.Year(), r.month, r.day, r.now.Location())
		if shift < 0 && s.to.After(r.now) || shift > 0 && !s.from.After(r.now) {
			s, ok = date(r.now.Year()+shift, r.month, r.day, r.now.Location())
		}
		return s, ok
	}
}

// longHoliday is some days from the first of a month on.
func longHoliday(of func(*reading) (span, bool), month, days int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		r.month, r.day = month, 1
		s, ok := of(r)
		s.to = day.add(s.from, days)
		return s, ok
	}
}
