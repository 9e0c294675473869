package bitemporal

import (
	"engram/memory"
)

// This file draws what is true in a slot and how it is told.

// live draws the life of a slot and tells it.
func (b *builder) live(s *Slot, turns int) {
	most := 2 + turns/300
	switch s.topic.kind {
	case single:
		b.liveSingle(s, b.between(1, 1+most))
	case plural:
		for _, v := range shuffled(b, s.topic.values)[:b.between(1, 3)] {
			b.livePlural(s, v, b.between(1, 2))
		}
	default:
		for range b.between(1, 1+most) {
			b.happen(s)
		}
	}
}

// liveSingle has one value after the other, some with nothing between.
func (b *builder) liveSingle(s *Slot, changes int) {
	at, last := b.rng.IntN(b.days/3), ""
	var before *telling
	for i := range changes {
		stay := Stay{Value: b.other(s, last), From: at}
		if i < changes-1 || b.maybe(20) {
			stay.To = at + b.length(changes)
		}
		next := stay.To
		if b.maybe(25) {
			next += b.between(1, 60)
		}
		s.Life = append(s.Life, stay)
		before = b.stay(s, stay, before, next > stay.To)
		at, last = next, stay.Value
	}
}

// length of a stay in days; some are very short.
func (b *builder) length(changes int) int {
	if b.maybe(10) {
		return b.between(1, 4)
	}
	return b.between(5, 5+2*b.days/(changes+1))
}

func (b *builder) livePlural(s *Slot, value string, times int) {
	at := b.rng.IntN(b.days / 2)
	for i := range times {
		stay := Stay{Value: value, From: at}
		if i < times-1 || b.maybe(30) {
			stay.To = at + b.length(times+1)
		}
		s.Life = append(s.Life, stay)
		b.stay(s, stay, nil, true)
		at = stay.To + b.between(1, 90)
	}
}

// stay tells of one stay: how it began, that it went on, that it ended, and what
// is false about it. before is the telling of the stay that it follows.
func (b *builder) stay(s *Slot, y Stay, before *telling, gap bool) *telling {
	first := b.begin(s, y, before)
	until := y.To
	if until == 0 {
		until = max(b.days, y.From+2)
	}
	within := func() int64 { return b.hour(b.between(y.From, until-1)) }
	if b.maybe(35) {
		b.again(s, y, first, within())
	}
	if y.To > 0 && b.maybe(75) && (gap || b.maybe(20)) {
		b.end(s, y)
	}
	if b.maybe(15) {
		b.falsePlan(s, y, within())
	}
	if b.maybe(10) {
		b.falseEnd(s, y, within())
	}
	if b.maybe(12) || s.topic.byTools && b.maybe(60) {
		b.rumour(s, y, within())
	}
	if s.topic.kind == single && b.maybe(4) {
		one := b.other(s)
		two := b.other(s, one)
		b.say(within(), memory.User, "unsure",
			&telling{slot: s, news: memory.Change, value: one, about: two}, &telling{slot: s, news: memory.Change, value: two})
	}
	return first
}

// begin tells that a stay began, in one of the ways in which people do.
func (b *builder) begin(s *Slot, y Stay, before *telling) *telling {
	t := &telling{slot: s, news: memory.Change, value: y.Value}
	switch p := b.rng.IntN(100); {
	case p < 30:
		b.inTime(t, y, before)
	case p < 42:
		t.from = b.date(y.From, memory.Day)
		b.say(b.hour(y.From+b.between(2, 150)), memory.User, "change_dated", t)
	case p < 54:
		t.from = b.date(y.From, memory.Month)
		b.say(b.hour(y.From+b.between(0, 200)), memory.User, "change_dated", t)
	case p < 58:
		t.from = b.date(y.From, memory.Year)
		b.say(b.hour(y.From+b.between(0, 500)), memory.User, "change_dated", t)
	case p < 64:
		b.say(b.hour(y.From+b.between(1, 30)), memory.User, "change", t)
	case p < 74:
		b.planned(t, y)
	case p < 83:
		b.wrongValue(t, y)
	case p < 90:
		b.wrongDate(t, y)
	case y.To > 0:
		b.bounded(t, y)
	default:
		t.from = b.date(y.From, memory.Day)
		b.say(b.hour(y.From+b.between(2, 700)), memory.User, "change_dated", t)
	}
	return t
}

// inTime tells of a change on its day, at times in one breath with the end of
// what was before.
func (b *builder) inTime(t *telling, y Stay, before *telling) {
	at := b.hour(y.From)
	if b.maybe(40) {
		t.from = b.date(y.From, memory.Day)
		if b.maybe(25) && t.slot.topic.kind != event {
			t.from = b.hourOf(at)
		}
		b.say(at, memory.User, "change_dated", t)
		return
	}
	if before != nil && b.maybe(30) {
		words := b.say(at, memory.User, "end", &telling{slot: t.slot, news: memory.End, value: before.value})
		b.tell(words, "change", t)
		return
	}
	b.say(at, memory.User, "change", t)
}

func (b *builder) planned(t *telling, y Stay) {
	if t.slot.topic.plan == "" {
		b.say(b.hour(y.From), memory.User, "change", t)
		return
	}
	t.from = b.date(y.From, pick(b, []memory.Granularity{memory.Day, memory.Day, memory.Month}))
	b.say(b.hour(y.From-b.between(1, 60)), memory.User, "plan", t)
	if b.maybe(50) {
		b.say(b.hour(y.From), memory.User, "change", &telling{slot: t.slot, news: memory.Change, value: y.Value})
	}
}

// wrongValue tells something else first, and corrects it once or twice.
func (b *builder) wrongValue(t *telling, y Stay) {
	wrong := &telling{how: "wrong_value", slot: t.slot, news: memory.Change, value: b.other(t.slot, y.Value)}
	if b.maybe(50) {
		wrong.from = b.date(y.From, pick(b, []memory.Granularity{memory.Day, memory.Month}))
	}
	on := y.From + b.between(0, 5)
	b.say(b.hour(on), memory.User, choose(wrong.from.IsZero(), "change", "change_dated"), wrong)
	if b.maybe(15) {
		second := &telling{slot: t.slot, value: b.other(t.slot, y.Value, wrong.value)}
		on = b.correct(second, wrong, on+b.between(0, 10))
		wrong = second
	}
	b.correct(t, wrong, on+b.between(0, 40))
}

// correct says t instead of wrong, with or without a word that tells which
// statement is meant.
func (b *builder) correct(t, wrong *telling, on int) int {
	t.news, t.about = memory.Correction, wrong.value
	switch b.rng.IntN(3) {
	case 0:
		t.names = wrong
	case 1:
		t.replaces = wrong.value
	}
	at := max(b.hour(on), wrong.words.occurred+3e6)
	b.say(at, memory.User, choose(t.from.IsZero(), "correct", "redate"), t)
	return on + 1
}

// wrongDate tells a wrong day first. The correction says the right one, at
// times only as a month.
func (b *builder) wrongDate(t *telling, y Stay) {
	on := y.From + b.between(0, 60)
	wrong := &telling{how: "wrong_date", slot: t.slot, news: memory.Change, value: y.Value, from: b.date(min(y.From+b.between(-60, 60), on), memory.Day)}
	b.say(b.hour(on), memory.User, "change_dated", wrong)
	t.from = b.date(y.From, pick(b, []memory.Granularity{memory.Day, memory.Day, memory.Month}))
	t.news = memory.Correction
	if b.maybe(50) {
		t.names = wrong
	} else {
		t.replaces = wrong.value
	}
	b.say(max(b.hour(on+b.between(0, 60)), wrong.words.occurred+3e6), memory.User, "redate", t)
}

// bounded tells of a stay when it is long over; at times one of its ends was
// wrong.
func (b *builder) bounded(t *telling, y Stay) {
	t.news = memory.Late
	if b.maybe(15) {
		t.news = memory.Change // "from … to …" in other words
	}
	t.from, t.to = b.date(y.From, b.gran()), b.date(y.To, b.gran())
	if t.from.Micros >= t.to.Micros {
		t.from, t.to = b.date(y.From, memory.Day), b.date(y.To, memory.Day)
	}
	on := y.To + b.between(0, 400)
	b.say(b.hour(on), memory.User, "late", t)
	if !b.maybe(20) {
		return
	}
	fix := &telling{slot: t.slot, news: memory.Correction, value: y.Value, names: t, from: t.from, to: b.date(y.To+b.between(1, 40), memory.Day)}
	b.say(max(b.hour(on+b.between(0, 30)), t.words.occurred+3e6), memory.User, "late", fix)
	if b.maybe(50) {
		fix.from = memory.Time{} // as before, as everybody knows by now
	}
}

func (b *builder) gran() memory.Granularity {
	return pick(b, []memory.Granularity{memory.Day, memory.Day, memory.Month, memory.Month, memory.Year})
}

// again says what is known, in other words or with its date; at times only
// whoever writes statements down notices that it is the same.
func (b *builder) again(s *Slot, y Stay, first *telling, at int64) {
	t := &telling{slot: s, news: memory.Change, value: y.Value}
	how := b.rng.IntN(4)
	if s.topic.kind == event {
		how %= 2 // without its date it would be another event
	}
	switch how {
	case 0:
		if first.echo == nil && first.words.occurred < at && !first.loose && len(first.words.told) == 1 {
			first.echo = b.turn(at, memory.User)
			first.echo.text = b.sentence("again", first.echo, []*telling{t.as(s.Subject)})
			return
		}
		if s.topic.kind == event {
			return
		}
	case 1:
		t.from = b.date(y.From, pick(b, []memory.Granularity{memory.Day, memory.Month}))
		b.say(at, memory.User, "change_dated", t)
		return
	}
	b.say(at, memory.User, "again", t)
}

func (t *telling) as(subject string) *telling {
	t.subject = subject
	return t
}

// end tells that a stay is over: in time or late, exactly or not, with or
// without its value.
func (b *builder) end(s *Slot, y Stay) {
	t := &telling{slot: s, news: memory.End, value: y.Value}
	if b.maybe(15) && s.topic.kind == single {
		t.value, t.about = "", y.Value // only its words name it
	}
	if b.maybe(40) {
		b.say(b.hour(y.To), memory.User, "end", t)
		return
	}
	date := b.date(y.To, pick(b, []memory.Granularity{memory.Day, memory.Day, memory.Month, memory.Month, memory.Year}))
	if b.maybe(50) {
		t.from = date
	} else {
		t.to = date
	}
	if b.maybe(15) {
		b.say(b.hour(y.To-b.between(1, 30)), memory.User, "end_plan", t)
		return
	}
	b.say(b.hour(y.To+b.between(0, 200)), memory.User, "end_dated", t)
}

// falsePlan announces what will not come, and takes it back; at times that is
// taken back too.
func (b *builder) falsePlan(s *Slot, y Stay, at int64) {
	plan := &telling{how: "false_plan", slot: s, news: memory.Change, value: b.other(s, y.Value)}
	frame := "change"
	if s.topic.plan != "" && b.maybe(70) {
		frame = "plan"
		plan.from = b.date(b.dayOf(at)+b.between(1, 90), pick(b, []memory.Granularity{memory.Day, memory.Month}))
	}
	b.say(at, memory.User, frame, plan)
	back := &telling{slot: s, news: memory.TakingBack, about: plan.value}
	switch b.rng.IntN(4) {
	case 0:
		back.value = plan.value
	case 1:
		back.replaces = plan.value
	case 2:
		back.names = plan
	default: // whatever was said last
	}
	at += int64(b.between(1, 24*50)) * 3600e6
	b.say(at, memory.User, "back", back)
	if b.maybe(20) {
		at += int64(b.between(1, 24*20)) * 3600e6
		b.say(at, memory.User, "back_back", &telling{slot: s, news: memory.TakingBack, names: back, value: plan.value})
	}
}

func (b *builder) dayOf(at int64) int { return int((at - b.from) / day.Microseconds()) }

// falseEnd tells an end that did not come, and takes it back.
func (b *builder) falseEnd(s *Slot, y Stay, at int64) {
	end := &telling{how: "false_end", slot: s, news: memory.End, value: y.Value}
	b.say(at, memory.User, "end", end)
	at += int64(b.between(1, 24*30)) * 3600e6
	if b.maybe(30) { // no word of taking back: it simply is so again
		b.say(at, memory.User, "again", &telling{slot: s, news: memory.Change, value: y.Value})
		return
	}
	back := &telling{slot: s, news: memory.TakingBack, about: y.Value}
	if b.maybe(50) {
		back.names = end
	}
	b.say(at, memory.User, "back_end", back)
}

// rumour has a source that is trusted less, or of a tool on its own matter more,
// say something, true or not.
func (b *builder) rumour(s *Slot, y Stay, at int64) {
	source := pick(b, []memory.Source{memory.Tool, memory.Assistant, memory.Import, memory.Web})
	if s.topic.byTools {
		source = memory.Tool
	}
	t := &telling{slot: s, news: memory.Change, value: pick(b, s.topic.values)}
	if b.maybe(30) {
		t.from = b.date(b.dayOf(at)-b.between(0, 40), memory.Day)
	}
	frame := "rumour"
	if b.maybe(25) {
		t.news, t.value, frame = memory.End, y.Value, "rumour_end"
	}
	b.say(at, source, frame, t)
}

// happen draws an event and tells it.
func (b *builder) happen(s *Slot) {
	y := Stay{Value: b.other(s), From: b.rng.IntN(b.days)}
	y.To = y.From + 1
	t := &telling{slot: s, news: memory.Change, value: y.Value}
	switch p := b.rng.IntN(100); {
	case p < 25:
		b.say(b.hour(y.From), memory.User, "change", t)
	case p < 45:
		t.from = b.date(y.From, memory.Day)
		b.say(b.hour(y.From+b.between(0, 100)), memory.User, "change_dated", t)
	case p < 60:
		t.from = b.date(y.From, pick(b, []memory.Granularity{memory.Month, memory.Month, memory.Year}))
		b.say(b.hour(y.From+b.between(0, 400)), memory.User, "change_dated", t)
	case p < 72:
		y.To = y.From + b.between(2, 20)
		b.bounded(t, y)
	case p < 82:
		b.planned(t, y)
	case p < 90:
		b.wrongValue(t, y)
	case p < 95:
		b.wrongDate(t, y)
	default:
		b.falsePlan(s, y, b.hour(y.From))
		return
	}
	s.Life = append(s.Life, y)
	if b.maybe(20) {
		b.again(s, y, t, b.hour(y.From+b.between(0, 60)))
	}
}

func choose[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
