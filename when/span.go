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
	vague    bool
	relation Relation
	repeats  unit // a plain date without its year, month or week: comes again after one of these
	moment   bool // a clock time, which ends as it begins
	ranged   bool // from one date to another, which forms do not build on
	whole    unit // the day, week, month or year that a date is, if it is one
	never    bool // no time after all: hides the readings that it covers
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

// sayable reports whether the span is not empty and both ends are in the years
// 1 to 9999.
func (s span) sayable() bool {
	ok := func(t time.Time) bool { return t.IsZero() || t.Year() >= 1 && t.Year() <= 9999 }
	return ok(s.from) && ok(s.to) && !(s.from.IsZero() && s.to.IsZero()) && (!s.closed() || s.from.Before(s.to))
}

func (s span) closed() bool { return !s.from.IsZero() && !s.to.IsZero() }

// is reports whether the span is just one unit of the calendar.
func (s span) is(u unit) bool {
	p := u.period(s.from, 0)
	return s.closed() && s.from.Equal(p.from) && s.to.Equal(p.to)
}

// unit gives the day, week, month or year that the span is.
func (s span) unit() unit {
	days := s.to.Sub(s.from) / (24 * time.Hour)
	switch {
	case s.gran == memory.Year && s.is(year):
		return year
	case s.gran == memory.Month && days <= 31 && s.is(month):
		return month
	case s.gran == memory.Day && days <= 7 && s.is(week):
		return week
	case s.gran == memory.Day && days <= 1 && s.is(day):
		return day
	}
	return 0
}

// as gives s, no longer a plain date, and as certain as its base.
func (s span) as(base span) span {
	s.explicit, s.vague = base.explicit, s.vague || base.vague
	return s
}

// roughly marks s as vague.
func (s span) roughly() span {
	s.vague = true
	return s
}

// move gives s some of its repetitions later.
func (s span) move(n int) span {
	s.from, s.to = s.repeats.add(s.from, n), s.repeats.add(s.to, n)
	return s
}

// unit is a unit of the calendar.
type unit int

const (
	minute unit = iota + 1
	hour
	day
	week
	month
	year
	quarter
	weekend
)

// add moves t by n units.
func (u unit) add(t time.Time, n int) time.Time {
	switch u {
	case minute:
		return t.Add(time.Duration(n) * time.Minute)
	case hour:
		return t.Add(time.Duration(n) * time.Hour)
	case week, weekend:
		return t.AddDate(0, 0, 7*n)
	case month:
		return t.AddDate(0, n, 0)
	case quarter:
		return t.AddDate(0, 3*n, 0)
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
	case minute, hour:
		length, gran := time.Minute, memory.Minute
		if u == hour {
			length, gran = time.Hour, memory.Hour
		}
		from := time.Date(y, m, d, t.Hour(), t.Minute(), 0, 0, t.Location())
		if u == hour {
			from = time.Date(y, m, d, t.Hour(), 0, 0, 0, t.Location())
		}
		from = from.Add(time.Duration(n) * length)
		return span{from: from, to: from.Add(length), gran: gran}
	case week: // from Monday
		d -= (int(t.Weekday()) + 6) % 7
	case weekend: // of that week
		d += 5 - (int(t.Weekday())+6)%7
	case month:
		d, gran = 1, memory.Month
	case quarter:
		m, d, gran = m-(m-1)%3, 1, memory.Month
	case year:
		m, d, gran = time.January, 1, memory.Year
	case day:
	}
	from := u.add(time.Date(y, m, d, 0, 0, 0, 0, t.Location()), n)
	if u == weekend {
		return span{from: from, to: from.AddDate(0, 0, 2), gran: gran}
	}
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

// monthsFrom gives n months from the month m of the year y on.
func monthsFrom(y, m, n int, loc *time.Location) span {
	from := time.Date(y, time.Month(m), 1, 0, 0, 0, 0, loc)
	return span{from: from, to: from.AddDate(0, n, 0), gran: memory.Month}
}

// within gives the part of the day s from one minute of it to another; past
// 24:00 it is the day after.
func (s span) within(from, to int, gran memory.Granularity) span {
	at := func(minute int) time.Time { return s.from.Add(time.Duration(minute) * time.Minute) }
	return span{from: at(from), to: at(to), gran: gran}.as(s)
}

// open gives all that lies on one side of s. A clock time is a moment: what is
// until 3 pm does not take the hour from 3 pm on.
func (s span) open(on Relation) span {
	out := span{gran: s.gran, relation: on}.as(s)
	end := s.to
	if s.moment {
		end = s.from
	}
	switch on {
	case Since:
		out.from = s.from
	case After:
		out.from = end
	case Before:
		out.to = s.from
	case Until, By:
		out.to = end
	case During:
	}
	return out
}
