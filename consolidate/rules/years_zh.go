package rules

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/memory"
	"engram/when"
)

// twoDigits are years in short: 11年到14年, 15到17年, 九六年到九八年.
var twoDigits = regexp.MustCompile(`(?:^|[^\d.年月])((\d\d|[零一二三四五六七八九]{2})年?[到至~-](\d\d|[零一二三四五六七八九]{2})年)`)

var hanDigits = strings.NewReplacer("零", "0", "一", "1", "二", "2", "三", "3", "四", "4", "五", "5", "六", "6", "七", "7", "八", "8", "九", "9")

// shortYears adds years of two digits to the expressions of time of a turn.
func shortYears(turn string, anchor memory.Time, times []when.Match) []when.Match {
	for _, m := range twoDigits.FindAllStringSubmatchIndex(turn, -1) {
		from, to := fullYear(turn[m[4]:m[5]], anchor), fullYear(turn[m[6]:m[7]], anchor)
		if from > to || slices.ContainsFunc(times, func(t when.Match) bool { return t.Start < m[3] && m[2] < t.End }) {
			continue
		}
		year := func(y int) memory.Time {
			return memory.Time{Micros: time.Date(y, 1, 1, 0, 0, 0, 0, anchor.Std().Location()).UnixMicro(), Offset: anchor.Offset, Gran: memory.Year}
		}
		times = append(times, when.Match{
			Start: m[2], End: m[3], Interval: memory.Interval{From: year(from), To: year(to + 1)}, Relation: when.During, Explicit: true,
		})
	}
	slices.SortStableFunc(times, func(a, b when.Match) int { return cmp.Compare(a.Start, b.Start) })
	return times
}

// fullYear is the latest year up to the anchor's that ends in the digits.
func fullYear(digits string, anchor memory.Time) int {
	n, err := strconv.Atoi(hanDigits.Replace(digits))
	if err != nil {
		return 0
	}
	y := anchor.Std().Year()/100*100 + n
	if y > anchor.Std().Year() {
		y -= 100
	}
	return y
}
