package bitemporal

import (
	"fmt"
	"strings"
	"time"

	"engram/memory"
)

// dateWords says dates as a person would at some moment.
type dateWords interface {
	// when is adverbial: "in March", "last Friday", 去年三月.
	when(t memory.Time, said time.Time) string
	// name is the date by itself: "March 2024".
	name(t memory.Time) string
	// space stands between sentences.
	space() string
}

// daysBetween counts midnights from said to t, in the offset of said.
func daysBetween(t, said time.Time) int {
	day := func(x time.Time) int64 {
		return time.Date(x.Year(), x.Month(), x.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400
	}
	return int(day(t.In(said.Location())) - day(said))
}

func dayOf(t memory.Time) memory.Time {
	t.Gran = memory.Day
	return t
}

type englishDates struct{}

func (englishDates) space() string { return " " }

func (d englishDates) when(t memory.Time, said time.Time) string {
	s := t.Std()
	years := s.Year() - said.Year()
	switch t.Gran {
	case memory.Year:
		return relative(years, []string{"last year", "this year", "next year"}, "in "+s.Format("2006"))
	case memory.Month:
		switch {
		case years == 0:
			return "in " + s.Month().String()
		case years == -1 && s.Month() > said.Month():
			return "last " + s.Month().String()
		}
		return "in " + s.Format("January 2006")
	}
	if t.Gran == memory.Hour {
		return "at " + s.Format("3 pm") + " " + d.when(dayOf(t), said)
	}
	switch days := daysBetween(s, said); {
	case days >= -1 && days <= 1:
		return relative(days, []string{"yesterday", "today", "tomorrow"}, "")
	case days < 0 && days >= -6:
		return fmt.Sprintf("%d days ago", -days)
	case days > 0 && days <= 6:
		return fmt.Sprintf("in %d days", days)
	case years == 0:
		return "on " + s.Format("January 2")
	}
	return "on " + s.Format("January 2, 2006")
}

func (englishDates) name(t memory.Time) string {
	switch t.Gran {
	case memory.Year:
		return t.Std().Format("2006")
	case memory.Month:
		return t.Std().Format("January 2006")
	}
	return t.Std().Format("January 2, 2006")
}

// relative gives the words for -1, 0 and 1, else the other ones.
func relative(n int, near []string, far string) string {
	if n < -1 || n > 1 {
		return far
	}
	return near[n+1]
}

type chineseDates struct{}

func (chineseDates) space() string { return "" }

var chineseMonths = strings.Fields("一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月")

func (d chineseDates) when(t memory.Time, said time.Time) string {
	s := t.Std()
	years := s.Year() - said.Year()
	year := relative(years, []string{"去年", "今年", "明年"}, fmt.Sprintf("%d年", s.Year()))
	if years == -2 {
		year = "前年"
	}
	switch t.Gran {
	case memory.Year:
		return year
	case memory.Month:
		return year + chineseMonths[s.Month()-1]
	}
	if t.Gran == memory.Hour {
		return fmt.Sprintf("%s%d点", d.when(dayOf(t), said), s.Hour())
	}
	switch days := daysBetween(s, said); {
	case days >= -1 && days <= 1:
		return relative(days, []string{"昨天", "今天", "明天"}, "")
	case days == -2:
		return "前天"
	case days == 2:
		return "后天"
	case days < 0 && days >= -6:
		return fmt.Sprintf("%d天前", -days)
	case days > 0 && days <= 6:
		return fmt.Sprintf("%d天后", days)
	case years == 0:
		return fmt.Sprintf("%d月%d号", s.Month(), s.Day())
	}
	return d.name(t)
}

func (chineseDates) name(t memory.Time) string {
	s := t.Std()
	switch t.Gran {
	case memory.Year:
		return fmt.Sprintf("%d年", s.Year())
	case memory.Month:
		return fmt.Sprintf("%d年%d月", s.Year(), s.Month())
	}
	return fmt.Sprintf("%d年%d月%d日", s.Year(), s.Month(), s.Day())
}
