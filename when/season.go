package when

import "time"

// seasons are seasons, quarters, halves of a year, decades. Seasons are those
// of the northern half of the earth, from March, June, September and December;
// the winter of a year ends in the next.
var seasons = []pattern{
	// last summer, in winter 2022, 去年夏天
	row("SEASON of|,? YYYY !NOUN", absoluteSeason),
	row("WARM in YYYY !NOUN", absoluteSeason),
	row("SEASON of|,? YEARED", seasonOf),
	row("<!my|his|her|your|our|their|a|the REL SEASON", relativeSeason),
	row("SEASON before last", seasonBeforeLast),
	row("(during|over|since) (the) WARM", theSeason),
	row("YEARED 的? ZSEASON", seasonOf),
	row("ZREL ZSEASON", relativeSeason),
	row("YEARED 的? 暑假", func(r *reading) (span, bool) {
		return monthsFrom(r.date.from.Year(), 7, 2, r.now.Location()).as(r.date), true
	}),

	// Q3 2024, last quarter, 第三季度
	row("q QUARTER of|in|,|-? YYYY", absoluteQuarter),
	row("YYYY -|/? q QUARTER", absoluteQuarter),
	row("q QUARTER of|in|,? YEARED", quarterOf),
	row("(in|during|for|by|of|since|until|last|this) q QUARTER", thisQuarter),
	row("NTH quarter of|in WHEN", nthQuarter),
	row("YEARED 的? 第? QUARTER 个? 季度", quarterOf),
	row("第 QUARTER 季度", thisQuarter),
	row("ZREL 季度", func(r *reading) (span, bool) { return quarter.period(r.now, r.shift), true }),

	// in the first half of 2023, 上半年
	row("NTH half of WHEN", nthHalf),
	row("YEARED 的? ZHALF 年", func(r *reading) (span, bool) {
		r.nth++
		return nthHalf(r)
	}),
	row("ZHALF 年", func(r *reading) (span, bool) {
		r.nth++
		r.date = year.period(r.now, 0)
		return nthHalf(r)
	}),

	// in the 90s, the early 1990s, 九十年代
	row("(the|in) '? DECADE", decade),
	row("(the|in) PHASE -? '? DECADE", decade),
	row("PHASE -? DECADE", decade),
	row("<!纪 ZDECADE", chineseDecade(unsaid)),
	row("上世纪|上个世纪 ZDECADE", chineseDecade(lastCentury)),
	row("本世纪|这个世纪 ZDECADE", chineseDecade(thisCentury)),
	row("CENTURY 世纪 ZDECADE", chineseDecade(said)),
}

func absoluteSeason(r *reading) (span, bool) {
	s := monthsFrom(r.year, r.season, 3, r.now.Location())
	s.explicit = true
	return s, true
}

func seasonOf(r *reading) (span, bool) {
	return monthsFrom(r.date.from.Year(), r.season, 3, r.now.Location()).as(r.date), true
}

// season gives the season of the anchor's year, n years on; that of a winter
// is the one that lasts still, or begins in that year.
func (r *reading) seasonAt(n int) span {
	y := r.now.Year()
	if r.season == 12 && r.now.Month() < time.March {
		y--
	}
	return monthsFrom(y+n, r.season, 3, r.now.Location())
}

// relativeSeason is the last that has ended, that of the anchor's year, or the
// one after.
func relativeSeason(r *reading) (span, bool) {
	s := r.seasonAt(r.shift)
	if ended := r.seasonAt(0); r.shift < 0 && !ended.to.After(r.now) {
		s = r.seasonAt(r.shift + 1)
	}
	return s, true
}

func seasonBeforeLast(r *reading) (span, bool) {
	r.shift = -2
	return relativeSeason(r)
}

// theSeason is the latest that has begun.
func theSeason(r *reading) (span, bool) {
	begun := 0
	if r.seasonAt(0).from.After(r.now) {
		begun = -1
	}
	return r.choose(year, func(k int) (span, bool) { return r.seasonAt(begun + k), true })
}

func absoluteQuarter(r *reading) (span, bool) {
	s := monthsFrom(r.year, 3*r.n-2, 3, r.now.Location())
	s.explicit = true
	return s, true
}

func quarterOf(r *reading) (span, bool) {
	return monthsFrom(r.date.from.Year(), 3*r.n-2, 3, r.now.Location()).as(r.date), true
}

// thisQuarter is the latest such quarter that has begun.
func thisQuarter(r *reading) (span, bool) {
	y := r.now.Year()
	if 3*r.n-2 > int(r.now.Month()) {
		y--
	}
	return r.choose(year, func(k int) (span, bool) { return monthsFrom(y+k, 3*r.n-2, 3, r.now.Location()), true })
}

func nthQuarter(r *reading) (span, bool) {
	if r.n = r.nth; r.nth < 0 {
		r.n = 4
	}
	s, ok := quarterOf(r)
	return s, ok && r.n <= 4 && r.date.is(year)
}

// nthHalf is half a year, or of a month the days to the 15th or from the 16th on.
func nthHalf(r *reading) (span, bool) {
	first := r.nth == 1
	half := func(from, between, to time.Time, s span) span {
		s.from, s.to = from, between
		if !first {
			s.from, s.to = between, to
		}
		return s.as(r.date)
	}
	from, to := r.date.from, r.date.to
	switch {
	case r.nth > 2:
		return span{}, false
	case r.date.is(year):
		return half(from, month.add(from, 6), to, monthsFrom(1, 1, 1, r.now.Location())), true
	case r.date.is(month):
		return half(from, day.add(from, 15), to, day.period(from, 0)), true
	}
	return span{}, false
}

var (
	idS, idEra = word("s"), split("年代")

	// decades are named in words only from the fifties on: "in the twenties" is
	// an age or a temperature, and so are two digits below 50.
	decades = map[int16]int{word("fifties"): 1950, word("sixties"): 1960, word("seventies"): 1970, word("eighties"): 1980, word("nineties"): 1990}
)

// readDecade reads 90s, 1990s or nineties.
func readDecade(s *scan, at int, r *reading) int {
	if at >= len(s.tokens) {
		return at
	}
	if y := decades[s.tokens[at].id]; y != 0 {
		r.year = y
		return at + 1
	}
	if n, ok := s.number(at); !ok || !s.is(at+1, idS) || !s.tokens[at+1].glued || !readYears(r, n, 50) {
		return at
	}
	return at + 2
}

// readChineseDecade reads 九十年代, 1990年代.
func readChineseDecade(s *scan, at int, r *reading) int {
	if n, ok := s.number(at); !ok || !s.says(idEra, at+1) || !readYears(r, n, 10) {
		return at
	}
	return at + 1 + len(idEra)
}

// readYears takes the first year of a decade, or what two digits leave of it as n.
func readYears(r *reading, n, least int) bool {
	switch {
	case n%10 != 0:
		return false
	case 1000 <= n:
		r.year = n
	case least <= n && n < 100:
		r.n = n
	default:
		return false
	}
	return true
}

func decade(r *reading) (span, bool) {
	if r.n != 0 {
		r.year = 1900 + r.n
	}
	s, ok := absolute(r)
	s.to = year.add(s.from, 10)
	return s.third(r.phase), ok
}

// The centuries of chineseDecade: none is said, which means the last from the
// fifties on; that of the anchor and the one before; the one in r.shift.
const (
	unsaid = iota
	thisCentury
	lastCentury
	said
)

func chineseDecade(century int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		first := 1900
		switch century {
		case thisCentury, lastCentury:
			first = (r.now.Year()/100 + thisCentury - century) * 100
		case said:
			first = 100 * (r.shift - 1)
		}
		switch {
		case r.year == 0:
			r.year = first + r.n
		case century != unsaid:
			return span{}, false
		}
		s, ok := decade(&reading{now: r.now, year: r.year, phase: r.phase.asThird()})
		s.explicit = century == unsaid || century == said
		return s, ok && (century != unsaid || r.n == 0 || r.n >= 50)
	}
}
