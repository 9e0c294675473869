package when

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// classes are the names that forms use. A class of words sets what its word
// stands for; the others read numbers, or what was read before.
var classes = map[string]element{
	"MONTH":   {class: readMonth(true), first: slices.Collect(maps.Keys(months))},
	"MONTHLC": {class: readMonth(false), first: slices.Collect(maps.Keys(months))}, // behind a word that rules out the verb
	"DAY":     number(1, 31, func(r *reading, n int) { r.day = n }),
	"DAYEND":  number(1, 31, func(r *reading, n int) { r.last = n }),
	"MM":      number(1, 12, func(r *reading, n int) { r.month = n }),
	"MMEND":   number(1, 12, func(r *reading, n int) { r.last = n }),
	"YEAR":    number(1000, 9999, func(r *reading, n int) { r.year = n }),
	"YYYY":    number(1700, 2100, func(r *reading, n int) { r.year = n }), // where no month stands beside it
	"YYYYEND": number(1700, 2100, func(r *reading, n int) { r.last = n }),
	"N":       number(1, 999, func(r *reading, n int) { r.n = n }),
	"QUARTER": number(1, 4, func(r *reading, n int) { r.n = n }),
	"COUNT": {
		choices: slices.Concat(
			choices(2, "two|a_couple_of|a_couple|couple_of", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
				"eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
			choices(30, "thirty"), choices(40, "forty"), choices(50, "fifty"), choices(60, "sixty"), choices(90, "ninety"),
			choices(few, "a_few|several|some|few"),
			choices(1, "a|an|one")), // behind "a couple"
		set: count,
	},
	"FEW":  {choices: choices(few, "几|好几|数"), set: count},
	"HALF": {choices: choices(0, "and_a_half"), set: func(r *reading, _ int) { r.half = true }},

	"UNIT":  units(minute, "minute|minutes|mins", "hour|hours|hrs", "day|days", "week|weeks", "month|months", "year|years|yrs"),
	"PER":   units(day, "day", "week", "month", "year", "quarter", "weekend"),
	"ZUNIT": units(minute, "分钟", "个小时|小时|个钟头", "天", "周|个星期|星期|个礼拜|礼拜", "个月", "年"),
	"ZWEEK": units(week, "周|星期|礼拜"),
	"ENDS":  units(weekend, "周末"),

	"PERIOD":  units(week, "week", "month", "year", "quarter", "weekend"),
	"REL":     shifts(choices(-1, "last", "this", "next")),
	"ZREL":    shifts(slices.Concat(choices(2, "下下个|下下"), choices(-2, "上上个|上上", "上个|上", "这个|这|本", "下个|下"))),
	"ZSTEM":   shifts(choices(-1, "昨", "今", "明")),
	"NEXTDAY": shifts(choices(0, "today|now", "tomorrow")),

	"WEEKDAY":  weekdays("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
	"WEEKDAYS": weekdays("mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays"),
	"WKD":      capital(weekdays("mon", "tue|tues", "wed", "thu|thur|thurs", "fri", "sat")),
	"ZWD":      {class: readChineseWeekday, first: []int16{openNumber, word("日"), word("天")}},
	"NTH": {
		choices: slices.Concat(choices(1, "first", "second", "third", "fourth", "fifth"), choices(-1, "last|final")),
		set:     func(r *reading, v int) { r.nth = v },
	},
	"ZNTH": {class: readChineseOrdinal, first: []int16{word("第"), word("最")}},

	"PHASE":  phased("early", "mid|middle_of", "late"),
	"EDGE":   {choices: slices.Concat(choices(int(opening), "beginning|start"), choices(int(closing), "end"), choices(int(middle), "middle")), set: setPhase},
	"ZEDGE":  {choices: slices.Concat(choices(int(opening), "初"), choices(int(middle), "中旬|中"), choices(int(closing), "底|末")), set: setPhase},
	"ZTHIRD": phased("上旬", "中旬", "下旬"),
	"SEASON": seasonal("spring", "summer", "autumn|fall", "winter"),
	"WARM":   seasonal("spring", "summer", "autumn", "winter"), // no "fall", where that may be a verb or noun
	"ZSEASON": {
		choices: slices.Concat(choices(3, "春天|春季"), choices(6, "夏天|夏季"), choices(9, "秋天|秋季"), choices(12, "冬天|冬季")),
		set:     func(r *reading, v int) { r.season = v },
	},
	"ZHALF":    {choices: choices(0, "上半", "下半"), set: func(r *reading, v int) { r.nth = v }},
	"DECADE":   {class: readDecade, first: append([]int16{openNumber}, slices.Collect(maps.Keys(decades))...)},
	"ZDECADE":  {class: readChineseDecade, first: []int16{openNumber}},
	"CENTURY":  number(16, 21, func(r *reading, n int) { r.shift = n }),
	"HOLIDAY":  {choices: holidayNames(englishHolidays), set: setHoliday},
	"ZHOLIDAY": {choices: holidayNames(chineseHolidays), set: setHoliday},

	"SIDE": {
		choices: choices(int(Since), "ever_since|since", "after", "before|prior_to"),
		set:     setSide,
	},
	"UNTIL": {
		choices: slices.Concat(choices(int(Until), "up_until|until|up_till|till|til|up_to"), choices(int(By), "by|no_later_than")),
		set:     setSide,
	},
	"ZSIDE": {
		choices: slices.Concat(choices(0, "前后|左右"), choices(int(After), "之后|以后|后", "之前|以前|前")),
		set:     setSide,
	},
	"PART":  parts(choices(int(morning), "morning", "afternoon", "evening", "night")),
	"ZPART": parts(choices(int(dawn), "凌晨", "早上|早晨|清晨", "上午", "中午", "下午", "傍晚", "晚上|夜里|夜晚|深夜|半夜|夜间")),
	"ZEND":  parts(slices.Concat(choices(int(early), "早上|早晨|早|晨"), choices(int(late), "晚上|晚|夜里|夜"))),

	// Dates that were read before: any; only one day, week, month, year; or what
	// is a date only because of the word before ("since May", "by 2019").
	"DATE":    dated(readDate),
	"DATED":   dated(readUnit(day)),
	"WEEKED":  dated(readUnit(week)),
	"MONTHED": dated(readUnit(month)),
	"YEARED":  dated(readUnit(year)),
	"CALDAY":  dated(readCalendarDay),
	"WHEN":    {class: readWhen, first: whenFirst},
	"DATEEND": dated(ending(readDate)),
	"WHENEND": {class: ending(readWhen), first: whenFirst},

	"LASTNIGHT": {
		choices: choices(-1, "last_night"),
		set:     func(r *reading, v int) { r.shift, r.part = v, night },
	},
	"CLOCK":     {class: readClock, first: []int16{openNumber, idNoon}},
	"CLOCKEND":  {class: clockEnd(readClock), first: []int16{openNumber, idNoon}},
	"HOUR":      number(1, 12, func(r *reading, n int) { r.hour = n }),
	"ZCLOCK":    {class: readChineseClock, first: []int16{openNumber}},
	"ZCLOCKEND": {class: clockEnd(readChineseClock), first: []int16{openNumber}},

	// What must not stand beside: words for !NOUN, !NAME and <!ANYN.
	"NOUN":    {class: readNoun(false)},
	"COUNTED": {class: readCounted},
	"CELL":    {class: readCell},
	"NAME":    {class: readNoun(true)},
	"ANYN":    number(0, 1<<30, func(*reading, int) {}),
}

// number reads a number between two limits, of at most four digits if they are lower.
func number(from, to int, set func(r *reading, n int)) element {
	return element{first: []int16{openNumber}, class: func(s *scan, at int, r *reading) int {
		n, ok := s.number(at)
		if !ok || n < from || n > to {
			return at
		}
		set(r, n)
		return at + 1
	}}
}

func units(first unit, rows ...string) element {
	return element{choices: choices(int(first), rows...), set: func(r *reading, v int) { r.unit = unit(v) }}
}

func shifts(list []choice) element {
	return element{choices: list, set: func(r *reading, v int) { r.shift = v }}
}

func parts(list []choice) element {
	return element{choices: list, set: func(r *reading, v int) { r.part = part(v) }}
}

func weekdays(rows ...string) element {
	return element{choices: choices(1, rows...), set: func(r *reading, v int) { r.weekday = v }}
}

func phased(rows ...string) element {
	return element{choices: choices(int(opening), rows...), set: func(r *reading, v int) { r.phase = phase(v) - opening + firstThird }}
}

func seasonal(rows ...string) element {
	return element{choices: choices(1, rows...), set: func(r *reading, v int) { r.season = 3 * v }}
}

func dated(class func(*scan, int, *reading) int) element {
	return element{class: class, first: []int16{openDate}}
}

func setSide(r *reading, v int)  { r.side = Relation(v) }
func setPhase(r *reading, v int) { r.phase = phase(v) }

// capital reads the words of a class only with a capital.
func capital(words element) element {
	var first []int16
	for _, c := range words.choices {
		first = append(first, c.words[0])
	}
	return element{first: first, class: func(s *scan, at int, r *reading) int {
		if at >= len(s.tokens) || !s.tokens[at].capital {
			return at
		}
		return words.read(s, at, r)
	}}
}

// number gives the number at the token.
func (s *scan) number(at int) (n int, ok bool) {
	if at >= len(s.tokens) {
		return 0, false
	}
	t := s.tokens[at]
	return t.n, t.digits > 0 && t.digits <= 4
}

// is reports whether the token is one of the vocabulary.
func (s *scan) is(at int, id int16) bool { return at < len(s.tokens) && s.tokens[at].id == id }

// readDate reads the longest date that begins at the token.
func readDate(s *scan, at int, r *reading) int {
	return readThat(func(sp *span) bool { return !sp.ranged })(s, at, r)
}

// readThat reads a date of some kind.
func readThat(wanted func(*span) bool) func(*scan, int, *reading) int {
	return func(s *scan, at int, r *reading) (next int) {
		sp, next := s.dateAt(at, wanted)
		if next > at {
			r.date = sp
		}
		return next
	}
}

// readUnit reads a date that is one whole unit of the calendar.
func readUnit(u unit) func(*scan, int, *reading) int {
	return readThat(func(sp *span) bool { return sp.whole == u })
}

// readCalendarDay reads a day by its month, not one such as "tomorrow".
func readCalendarDay(s *scan, at int, r *reading) int {
	return readThat(func(sp *span) bool { return sp.whole == day && (sp.explicit || sp.repeats == year) })(s, at, r)
}

var whenFirst = append([]int16{openDate, openNumber, word("q")}, slices.Collect(maps.Keys(months))...)

// readWhen reads a date, or the month, year or quarter that the word before
// makes one.
func readWhen(s *scan, at int, r *reading) int {
	if next := readDate(s, at, r); next > at {
		return next
	}
	sub := reading{scan: s, now: s.now, at: at}
	var ok bool
	if next := readMonth(false)(s, at, &sub); next > at {
		r.date, ok = thisMonth(&sub)
		return taken(ok, at, next)
	}
	if n, isNumber := s.number(at + 1); isNumber && s.is(at, idQ) && s.tokens[at+1].glued && 1 <= n && n <= 4 {
		sub.n = n
		r.date, ok = thisQuarter(&sub)
		return taken(ok, at, at+2)
	}
	n, isNumber := s.number(at)
	if !isNumber || n < 1700 || n > 2100 || s.tokens[at].digits != 4 || !isDigit(runeAt(s.text, s.tokens[at].start)) || s.counts(at) {
		return at
	}
	sub.year = n
	r.date, ok = absolute(&sub)
	return taken(ok, at, at+1)
}

func taken(ok bool, at, next int) int {
	if ok {
		return next
	}
	return at
}

// ending reads a date at which a range ends.
func ending(class func(*scan, int, *reading) int) func(*scan, int, *reading) int {
	return func(s *scan, at int, r *reading) int {
		sub := *r
		next := class(s, at, &sub)
		r.end = sub.date
		return next
	}
}

// months gives the month by the number of its name in the vocabulary.
var months = func() map[int16]int {
	names := map[int16]int{word("sept"): 9}
	for m := time.January; m <= time.December; m++ {
		names[word(strings.ToLower(m.String()))] = int(m)
		names[word(strings.ToLower(m.String()[:3]))] = int(m)
	}
	return names
}()

var (
	idMay, idMarch, idMar = word("may"), word("march"), word("mar")
	idDot, idQ            = word("."), word("q")
)

// readMonth reads the name of a month, with the dot of an abbreviation before
// a number. May and March are verbs too unless they have a capital; strict asks for it.
func readMonth(strict bool) func(*scan, int, *reading) int {
	return func(s *scan, at int, r *reading) int {
		if at >= len(s.tokens) {
			return at
		}
		t := s.tokens[at]
		m := months[t.id]
		if m == 0 || !t.capital && (t.id == idMar || strict && (t.id == idMay || t.id == idMarch)) {
			return at
		}
		r.month = m
		if _, ok := s.number(at + 2); ok && s.is(at+1, idDot) {
			return at + 2
		}
		return at + 1
	}
}

// functionWords may follow a number that is a date. Any other word in lower
// case may be what the number counts: "in 2000 steps", "the 3rd floor".
var functionWords = wordSet(`and or but so then when while as if because since until till after before by from to at in
		on for with without about during through over under of off out up down via into i we he she they it you my our his her
		their its your the a an this that these those which who whom where what why how is was were are be been am do did does
		has had have will would can could should shall may might must not also just only once now still already again
		everyone everything nobody someone somebody people's morning afternoon evening night day eve onward onwards forward
		than though although there here yet too even both all no vs s t d ll ve re m`)

// readNoun reads a word in lower case that may be a noun, with names also one with a capital.
func readNoun(names bool) func(*scan, int, *reading) int {
	return func(s *scan, at int, _ *reading) int {
		if at >= len(s.tokens) {
			return at
		}
		if t := s.tokens[at]; t.latin && (names || !t.capital) && !functionWords[t.id] {
			return at + 1
		}
		return at
	}
}

// countedWords are what a number of four digits counts.
var countedWords = wordSet(`people persons users customers members dollars euros pounds yuan yen cents steps words items ways places cases
	pieces copies meters metres feet miles km kg g ml mb gb calories characters points units lines rows files times years months
	weeks days hours minutes seconds tokens votes households homes cities towns countries companies schools stores shops locations
	square cubic degrees percent m`)

func readCounted(s *scan, at int, _ *reading) int {
	if at < len(s.tokens) && countedWords[s.tokens[at].id] {
		return at + 1
	}
	return at
}

// counts reports whether the number counts something and is no year. Behind
// "after", "before" and "by" any noun makes it doubtful, elsewhere few do: "in
// 2022 sales fell".
func (s *scan) counts(at int) bool {
	if at > 0 && doubtful[s.tokens[at-1].id] {
		return readNoun(false)(s, at+1, &s.probe) > at+1
	}
	return readCounted(s, at+1, &s.probe) > at+1
}

var doubtful = wordSet("after before by")

func wordSet(words string) map[int16]bool {
	set := map[int16]bool{}
	for w := range strings.FieldsSeq(words) {
		set[word(w)] = true
	}
	return set
}

// readCell reads what stands behind a word that heads a list or table: "Monday:".
func readCell(s *scan, at int, _ *reading) int {
	if at < len(s.tokens) && strings.Contains("|*:", s.text[s.tokens[at].start:s.tokens[at].end]) {
		return at + 1
	}
	return at
}

// follows reports whether the token stands behind one of the vocabulary.
func (s *scan) follows(at int, id int16) bool { return at > 0 && s.is(at-1, id) }
