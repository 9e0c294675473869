package when

import (
	"time"

	"engram/memory"
)

// span is what an expression means. A zero end is open.
type span struct {
	from, to time.Time
	gran     memory.Granularity
	explicit bool
}

func (s span) interval() memory.Interval {
	return memory.Interval{From: s.end(s.from), To: s.end(s.to)}
}

func (s span) end(t time.Time) memory.Time {
	if t.IsZero() {
		return memory.Time{}
	}
	out := memory.At(t)
	out.Gran = s.gran
	return out
}

// sayable reports whether both ends are in the years 1 to 9999.
func (s span) sayable() bool {
	ok := func(t time.Time) bool { return t.IsZero() || t.Year() >= 1 && t.Year() <= 9999 }
	return ok(s.from) && ok(s.to) && !(s.from.IsZero() && s.to.IsZero())
}

// unit is a unit of the calendar.
type unit int

const (
	day unit = iota + 1
	week
	month
	year
)

// add moves t by n units.
func (u unit) add(t time.Time, n int) time.Time {
	switch u {
	case week:
		return t.AddDate(0, 0, 7*n)
	case month:
		return t.AddDate(0, n, 0)
	case year:
		return t.AddDate(n, 0, 0)
	default:
		return t.AddDate(0, 0, n)
	}
}

// period gives the unit that lies n units from the one that holds t.
func (u unit) period(t time.Time, n int) span {
	y, m, d := t.Date()
	gran := memory.Day
	switch u {
	case week: // from Monday
		d -= (int(t.Weekday()) + 6) % 7
	case month:
		d, gran = 1, memory.Month
	case year:
		m, d, gran = time.January, 1, memory.Year
	case day:
	}
	from := u.add(time.Date(y, m, d, 0, 0, 0, 0, t.Location()), n)
	return span{from: from, to: u.add(from, 1), gran: gran}
}

// date gives a day, or a month or year where the rest is 0; false if there is
// no such day.
func date(y, m, d int, loc *time.Location) (span, bool) {
	u, at := year, time.Date(y, time.Month(max(m, 1)), max(d, 1), 0, 0, 0, 0, loc)
	switch {
	case d > 0:
		u = day
	case m > 0:
		u = month
	}
	return u.period(at, 0), y >= 1 && (d == 0 || at.Day() == d)
}

// within gives the part of the day s from one minute of it to another; past
// 24:00 it is the day after.
func (s span) within(from, to int, gran memory.Granularity) span {
	at := func(minute int) time.Time { return s.from.Add(time.Duration(minute) * time.Minute) }
	return span{from: at(from), to: at(to), gran: gran, explicit: s.explicit}
}

// side is where something lies from a date or clock time.
type side int

const (
	since  side = iota + 1 // from its beginning
	after                  // from its end
	before                 // until its beginning
)

// open gives all that lies on one side of s.
func (s span) open(on side) span {
	out := span{gran: s.gran, explicit: s.explicit}
	switch on {
	case since:
		out.from = s.from
	case after:
		out.from = s.to
	case before:
		out.to = s.from
	}
	return out
}
