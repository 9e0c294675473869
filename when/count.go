package when

import (
	"time"

	"engram/memory"
)

// counted are times that lie some units away from the anchor or a date.
var counted = []pattern{
	// three weeks ago, 三周前, half a year ago
	row("N UNIT ago", ago(-1)),
	row("COUNT UNIT ago", ago(-1)),
	row("about|around|roughly|almost|nearly|over N UNIT ago", roughly(ago(-1))),
	row("about|around|roughly|almost|nearly|over COUNT UNIT ago", roughly(ago(-1))),
	row("N HALF UNIT ago", ago(-1)),
	row("COUNT HALF UNIT ago", ago(-1)),
	row("COUNT UNIT HALF ago", ago(-1)),
	row("half a|an UNIT ago", halfAgo(-1)),
	row("N UNIT ago today", exactly),
	row("COUNT UNIT ago today", exactly),
	row("COUNT UNIT back !and|to|from|then|pain", ago(-1)),
	row("<!第 N ZUNIT 之前|以前|前 !后|台|端|往|夕", ago(-1)),
	row("<!第 N ZUNIT 之后|以后|后 !来|面|天|者|边|台|续|悔|期|的", ago(1)),
	row("<!ANYN FEW ZUNIT 之前|以前|前", ago(-1)),
	row("<!ANYN FEW ZUNIT 之后|以后|后 !来|面", ago(1)),
	row("N 个半月 之前|以前|前", agoOf(month, -1, true)),
	row("N 个半月 之后|以后|后", agoOf(month, 1, true)),
	row("N 年半 之前|以前|前", agoOf(year, -1, true)),
	row("N 年半 之后|以后|后", agoOf(year, 1, true)),
	row("<!多|大|前|后|上|下 半 ZUNIT 之前|以前|前", halfAgo(-1)),
	row("<!多|大|前|后|上|下 半 ZUNIT 之后|以后|后 !来|面", halfAgo(1)),
	row("N 多 ZUNIT 之前|以前|前", roughly(ago(-1))),
	row("N 个多月 之前|以前|前", roughly(agoOf(month, -1, false))),
	row("N 年多 之前|以前|前", roughly(agoOf(year, -1, false))),
	row("the other day", recently),
	row("<!之|以|目 前几天|前些天|前两天|前些日子", recently),
	row("再过 N ZUNIT", ago(1)),

	// in two days, two weeks from now; not "I read it in two days"
	row("<!once|twice|times (in) N UNIT !of", ahead),
	row("<!once|twice|times (in) COUNT UNIT !of", ahead),
	row("(in) N UNIT ' s? time", ago(1)),
	row("(in) COUNT UNIT ' s? time", ago(1)),
	row("N UNIT from_now|hence", ago(1)),
	row("COUNT UNIT from_now|hence", ago(1)),

	// the past three years, 过去三年, the next two weeks
	row("past|last|previous N UNIT !of", passed(-1)),
	row("past|last|previous COUNT UNIT !of", passed(-1)),
	row("(the) past PERIOD !of", passed(-1)),
	row("next|coming|following N UNIT !of", passed(1)),
	row("next|coming|following COUNT UNIT !of", passed(1)),
	row("<!将|接|附|靠|临|走|跑|飞 过去|最近|近 的? 这? N ZUNIT", passed(-1)),
	row("<!将|接|附|靠|临|走|跑|飞 过去|最近|近 的? 这? FEW ZUNIT", passed(-1)),
	row("未来|接下来|今后 的? N ZUNIT", passed(1)),
	row("未来|接下来|今后 的? FEW ZUNIT", passed(1)),

	// two weeks before 8 May, 5月8日三天后
	row("N UNIT after|following|from|later_than WHEN", apart(1)),
	row("COUNT UNIT after|following|from|later_than WHEN", apart(1)),
	row("N UNIT before|prior_to|earlier_than WHEN", apart(-1)),
	row("COUNT UNIT before|prior_to|earlier_than WHEN", apart(-1)),
	row("PER before|prior_to WHEN", justBefore),
	row("PER after|following WHEN", justAfter),
	row("(DATE) (,|.|;)? (and|then|but)? N UNIT later|after|afterwards", apart(1)),
	row("(DATE) (,|.|;)? (and|then|but)? COUNT UNIT later|after|afterwards", apart(1)),
	row("DATE 的? N ZUNIT 之后|以后|后 !来|面", apart(1)),
	row("DATE 之后|后 的? N ZUNIT", apart(1)),
	row("DATE 的? N ZUNIT 之前|以前|前", apart(-1)),
	row("DATE 之前|前 的? N ZUNIT", apart(-1)),
}

// few marks the count of "a few" in tables of words.
const few = 1000

func count(r *reading, v int) {
	if r.n, r.few = v, v == few; r.few {
		r.n = 5
	}
}

// ago is the minute, hour, day, week, month or year that lies so many of them
// back or ahead. "A few" are two to five of them. Where there is a half more,
// half a year counts in months and half a month in weeks.
func ago(sign int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		u, n := r.unit, sign*r.n
		s := u.period(r.now, n)
		if r.half {
			var at time.Time
			u, at = u.half(u.add(r.now, n), sign)
			s = u.period(at, 0)
		}
		if r.few {
			s = cover(s, u.period(r.now, sign*2))
		}
		s.vague = r.few || r.half && r.unit > hour && r.unit != year
		return s, true
	}
}

// half moves t by half of the unit and gives the unit that says it.
func (u unit) half(t time.Time, sign int) (unit, time.Time) {
	switch u {
	case year:
		return month, month.period(t, 6*sign).from
	case month:
		return week, day.add(t, 15*sign)
	case week:
		return day, day.add(t, 3*sign)
	case day:
		return hour, hour.add(t, 12*sign)
	default:
		return minute, minute.add(t, 30*sign)
	}
}

// cover gives all from the first to the last of two spans.
func cover(a, b span) span {
	if b.from.Before(a.from) {
		a.from = b.from
	}
	if b.to.After(a.to) {
		a.to = b.to
	}
	return a
}

func agoOf(u unit, sign int, half bool) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		r.unit, r.half = u, half
		return ago(sign)(r)
	}
}

func halfAgo(sign int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		r.n, r.half = 0, true
		return ago(sign)(r)
	}
}

func roughly(mean func(*reading) (span, bool)) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		s, ok := mean(r)
		return s.roughly(), ok
	}
}

// exactly is the day, not the whole unit: "two weeks ago today".
func exactly(r *reading) (span, bool) {
	return day.period(r.unit.add(r.now, -r.n), 0), r.unit >= day && !r.few
}

// recently is the week before today.
func recently(r *reading) (span, bool) {
	today := day.period(r.now, 0).from
	return span{from: day.add(today, -7), to: today, gran: memory.Day, vague: true}, true
}

// ahead is the unit that lies so many ahead: in a sentence of the future, or
// behind words such as "starts". Else "in two days" is how long something took.
func ahead(r *reading) (span, bool) {
	s, ok := ago(1)(r)
	t := r.scan.tense(r.at)
	return s, ok && (t == future || t != past && r.n > 1 && r.scan.leadsTo(r.at))
}

// passed is the time of so many units up to now or from now on: whole days up
// to today or from today on, of hours and minutes the minutes.
func passed(sign int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		if r.unit == weekend {
			return weekend.period(r.now, -1), sign < 0 && r.n <= 1
		}
		u := day
		if r.unit < day {
			u = minute
		}
		now := u.period(r.now, 0)
		other := r.unit.add(now.from, sign*max(r.n, 1))
		s := span{from: now.from, to: other, gran: now.gran, vague: r.few}
		if sign < 0 {
			s.from, s.to = other, now.from
		}
		return s, true
	}
}

// apart is the unit that lies so many from a date; weeks from a day are a day,
// as both are exact.
func apart(sign int) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) {
		u, base, n := r.unit, r.date.from, sign*r.n
		if sign > 0 && !r.date.moment {
			base = r.date.lastDay()
		}
		if u == week && r.date.is(day) {
			u, n = day, 7*n
		}
		s := u.period(base, n)
		if r.few {
			s = cover(s, u.period(base, n*2/5))
		}
		s.vague = r.few
		return s.as(r.date), u >= day || r.date.gran > memory.Day
	}
}

// justBefore is the whole unit of time that ends where the date begins: the
// week before 9 June is the seven days before.
func justBefore(r *reading) (span, bool) {
	if r.unit == weekend {
		return weekendBefore(r)
	}
	s := span{from: r.unit.add(r.date.from, -1), to: r.date.from, gran: r.beside()}
	return s.as(r.date), true
}

func justAfter(r *reading) (span, bool) {
	if r.unit == weekend {
		return weekendAfter(r)
	}
	s := span{from: r.date.to, to: r.unit.add(r.date.to, 1), gran: r.beside()}
	return s.as(r.date), true
}

// beside is how exact a unit beside a date is: as the finer of both.
func (r *reading) beside() memory.Granularity {
	return max(r.unit.period(r.now, 0).gran, r.date.gran)
}
