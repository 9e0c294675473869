package bitemporal

import (
	"cmp"
	"slices"

	"engram/memory"
)

// This file is the truth for those who only hear the words. The statements of
// the tellings say more than their words (which statement a correction means, that
// it is the same again) or, rarely, something else (a date that nobody spoke), so
// a listener of the words is given what a careful one would take from them:
//
//   - Everything is known from its own words, and was said when they were.
//   - "Not X", "never mind X": means the latest statement about the value X. A
//     taking back does not say about whom, so that may be another's.
//   - What is said once more is a statement of its own, without a date. "As I said"
//     of an event is no second event.
//   - Guesses ("either X or Y, I forget") say nothing, and so do assistants.
//   - "I" in what a page or tool says is not the user.
//   - Who was shopping for a canoe need not have bought one.

// spoken gives the world as it sounds: its log without the statements, and
// slots that were told what the words say.
func (w *World) spoken() *World {
	v := &World{Name: w.Name, Lang: w.Lang, Seed: w.Seed, Index: w.Index, names: map[string]string{}, from: w.from, to: w.to, spokenOnly: true}
	for nick, name := range w.names {
		v.names[nick], v.names[bare(nick)] = name, name
	}
	places := map[int]int{} // in the whole log → in that of the words
	for i, r := range w.Records {
		if r.Body.Type() == memory.TypeAssertion {
			continue
		}
		r.Seq = memory.Seq(len(v.Records) + 1)
		v.Records = append(v.Records, r)
		places[i+1] = len(v.Records)
	}
	e := &ear{slots: map[*Slot]*Slot{}, over: map[*telling]bool{}}
	for _, s := range w.Slots {
		heard := &Slot{Subject: s.Subject, Predicate: s.Predicate, Life: s.Life, topic: s.topic}
		e.slots[s], v.Slots = heard, append(v.Slots, heard)
	}
	echoes := map[*turn]*telling{}
	for _, s := range w.Slots {
		for _, t := range s.told {
			if t.echo != nil {
				echoes[t.echo] = t
			}
		}
	}
	for _, t := range w.turns {
		at := *t
		at.place, at.told = places[t.place], nil
		v.turns = append(v.turns, &at)
		for _, told := range t.told {
			e.hear(told, &at)
		}
		if told := echoes[t]; told != nil && told.slot.topic.kind != event {
			e.note(told, &at, telling{how: "again", news: memory.Change, value: told.value})
		}
	}
	for _, s := range v.Slots {
		s.listen()
	}
	return v
}

// ear takes statements from words, in their order.
type ear struct {
	slots map[*Slot]*Slot // the slots of the world → those that were heard of
	heard []*telling
	over  map[*telling]bool // what was taken back
}

// note adds a statement about the slot of told to what was heard.
func (e *ear) note(told *telling, at *turn, t telling) {
	t.slot = cmp.Or(t.slot, e.slots[told.slot])
	t.words, t.order, t.recorded = at, len(e.heard)+1, at.recorded
	at.told = append(at.told, &t)
	e.heard = append(e.heard, &t)
	t.slot.told = append(t.slot.told, &t)
}

// hear takes from the words of a telling what they say.
func (e *ear) hear(told *telling, at *turn) {
	t := telling{how: told.how, news: told.news, value: told.value, from: told.from, to: told.to}
	switch {
	case told.how == "unsure", at.source == memory.Assistant, at.source != memory.User && told.slot.Subject == "user":
		return
	case told.how == "late" && slices.Contains([]string{"bought", "met"}, canonical[told.slot.Predicate][0]):
		return // "was shopping for", "was with"
	case told.how == "rumour", told.how == "rumour_end":
		t.from = memory.Time{} // the words have no date
	case told.how == "late":
		t.news = memory.Late
		if told.from.IsZero() {
			t.from = told.names.from
		}
	case told.news == memory.End:
		t.value = cmp.Or(told.value, told.about)
	case told.news == memory.Correction:
		t.replaces = choose(told.how == "redate", told.value, told.about)
	case told.news == memory.TakingBack:
		e.takeBack(told, &t)
	}
	if t.news == memory.TakingBack && t.names == nil {
		return // it means nothing that was heard
	}
	e.note(told, at, t)
}

// takeBack finds what a taking back means.
func (e *ear) takeBack(told, t *telling) {
	value, slot := fold(cmp.Or(told.about, told.value)), e.slots[told.slot]
	latest := func(fits func(o *telling) bool) *telling {
		for _, o := range slices.Backward(e.heard) {
			if !e.over[o] && fits(o) {
				return o
			}
		}
		return nil
	}
	again := func() { t.news, t.value = memory.Change, cmp.Or(told.about, told.value) }
	t.value = ""
	switch told.how {
	case "back":
		t.names = latest(func(o *telling) bool {
			begun := o.news == memory.Change || o.news == memory.Correction
			return begun && fold(o.value) == value && o.how != "again" && o.words.source == memory.User
		})
		if t.names != nil {
			t.slot = t.names.slot
		}
	case "back_end":
		t.names = latest(func(o *telling) bool { return o.slot == slot && fold(o.value) == value })
		if t.names == nil || t.names.news != memory.End {
			t.names = nil
			again()
		}
	default: // back_back
		t.names = latest(func(o *telling) bool {
			return o.slot == slot && o.news == memory.TakingBack && fold(o.names.value) == value
		})
		if t.names == nil {
			again()
			break
		}
		delete(e.over, t.names.names)
	}
	if t.names != nil {
		e.over[t.names] = true
	}
}
