package when

import (
	"maps"
	"slices"
	"strings"
	"time"

	"engram/memory"
)

// classes are the names that forms use. A class of words sets what its word
// stands for; the others read numbers, or what was read before.
var classes = map[string]element{
	"MONTH": {class: readMonth, first: slices.Collect(maps.Keys(months))},
	"DAY":   number(1, 31, func(r *reading, n int) { r.day = n }),
	"MM":    number(1, 12, func(r *reading, n int) { r.month = n }),
	"YEAR":  number(1000, 9999, func(r *reading, n int) { r.year = n }),
	"YYYY":  number(1900, 2100, func(r *reading, n int) { r.year = n }), // where no month stands beside it
	"N":     number(1, 999, func(r *reading, n int) { r.n = n }),
	"COUNT": {
		choices: slices.Concat(
			choices(2, "two|a_couple_of|a_couple", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
			choices(1, "a|an|one")), // behind "a couple"
		set: func(r *reading, n int) { r.n = n },
	},

	"UNIT":  units(day, "day|days", "week|weeks", "month|months", "year|years"),
	"PER":   units(week, "week", "month", "year"),
	"ZUNIT": units(day, "天", "周|个星期|星期|个礼拜|礼拜", "个月", "年"),
	"ZWEEK": units(week, "周|星期|礼拜"),

	"REL":   shifts(choices(-1, "last", "this", "next")),
	"PHASE": shifts(choices(0, "early", "mid", "late")),
	"ZREL":  shifts(slices.Concat(choices(2, "下下个|下下"), choices(-2, "上上个|上上", "上个|上", "这个|这|本", "下个|下"))),
	"ZYEAR": shifts(choices(-2, "前年", "去年", "今年|本年", "明年", "后年")),
	"ZSTEM": shifts(choices(-1, "昨", "今", "明")),

	"SIDE": {
		choices: choices(int(since), "since", "after", "before"),
		set:     func(r *reading, v int) { r.side = side(v) },
	},
	"ZSIDE": {
		choices: slices.Concat(choices(0, "前后|左右"), choices(int(after), "之后|以后|后", "之前|以前|前")),
		set:     func(r *reading, v int) { r.side = side(v) },
	},
	"PART":  parts(choices(int(morning), "morning", "afternoon", "evening", "night")),
	"ZPART": parts(choices(int(dawn), "凌晨", "早上|早晨|清晨", "上午", "中午", "下午", "傍晚", "晚上|夜里|夜晚|深夜")),
	"ZEND":  parts(slices.Concat(choices(int(early), "早上|早晨|早|晨"), choices(int(late), "晚上|晚|夜里|夜"))),

	"DATE":  {class: readDate, first: []int16{openDate}},
	"DATED": {class: readDay, first: []int16{openDate}},
	"LASTNIGHT": {
		choices: choices(-1, "last_night"),
		set:     func(r *reading, v int) { r.shift, r.part = v, night },
	},
	"CLOCK":  {class: readClock, first: []int16{openNumber, idNoon}},
	"HOUR":   number(1, 12, func(r *reading, n int) { r.hour = n }),
	"ZCLOCK": {class: readChineseClock, first: []int16{openNumber}},
}

// number reads a number of at most four digits between two limits.
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

// readDate reads the longest date that begins at the token, if both its ends
// are known.
func readDate(s *scan, at int, r *reading) int {
	if at >= len(s.tokens) || s.days[at] == 0 {
		return at
	}
	c := s.found[s.days[at]-1]
	if c.span.from.IsZero() || c.span.to.IsZero() {
		return at
	}
	r.date = c.span
	return c.last
}

// readDay reads a date of a single day.
func readDay(s *scan, at int, r *reading) int {
	next := readDate(s, at, r)
	if next > at && (r.date.gran != memory.Day || !day.add(r.date.from, 1).Equal(r.date.to)) {
		return at
	}
	return next
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
	idDot                 = word(".")
)

// readMonth reads the name of a month, with the dot of an abbreviation before
// a number. May and March are verbs too unless they have a capital.
func readMonth(s *scan, at int, r *reading) int {
	if at >= len(s.tokens) {
		return at
	}
	t := s.tokens[at]
	m := months[t.id]
	if m == 0 || !t.capital && (t.id == idMay || t.id == idMarch || t.id == idMar) {
		return at
	}
	r.month = m
	if _, ok := s.number(at + 2); ok && s.is(at+1, idDot) {
		return at + 2
	}
	return at + 1
}
