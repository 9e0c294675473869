package rules

import (
	"strings"

	"engram/memory"
)

// This file decides what a Chinese statement does to what was told before, by
// the words of its turn: %correcting (说错了) and %retracting (算了).

// retell makes a correction or a taking back of a statement, if the words of the
// turn say so and an earlier turn told what it touches.
func (r *reader) retell(a memory.Assertion, one bool, valid memory.Interval) memory.Assertion {
	if r.back {
		if b, ok := r.back2(a, one); ok {
			return b
		}
	}
	if !r.wrong {
		return a
	}
	told := r.recent[:r.before].values(a.Subject, a.Predicate)
	words := strings.ToLower(r.turn.Text)
	for _, old := range told {
		if !strings.EqualFold(old.Object, a.Object) && strings.Contains(words, strings.ToLower(old.Object)) && !strings.Contains(strings.ToLower(a.Object), strings.ToLower(old.Object)) {
			return corrects(a, old.Object)
		}
	}
	for _, old := range told {
		if !strings.EqualFold(old.Object, a.Object) {
			continue
		}
		if !valid.From.IsZero() && valid.From.Micros != old.Valid.From.Micros {
			return corrects(a, old.Object)
		}
		return a
	}
	if one && len(told) > 0 && valid.To.IsZero() {
		return corrects(a, told[0].Object)
	}
	return a
}

func corrects(a memory.Assertion, old string) memory.Assertion {
	a.News, a.Replaces = memory.Correction, old
	return a
}

// back2 makes the taking back of the End of a value, or of what replaced it. A
// value that was taken back before holds again as it was told first.
func (r *reader) back2(a memory.Assertion, one bool) (memory.Assertion, bool) {
	told := r.recent[:r.before]
	for i := len(told) - 1; i >= 0; i-- {
		old := told[i]
		if !strings.EqualFold(old.Subject, a.Subject) || old.Predicate != a.Predicate {
			continue
		}
		same := strings.EqualFold(old.Object, a.Object)
		switch {
		case old.News == memory.End && (same || old.Object == ""):
			a.News, a.Object, a.Replaces = memory.TakingBack, old.Object, old.Object
			return a, true
		case old.News == memory.TakingBack && same:
			if first, ok := told[:i].latest(a); ok {
				a.Valid = first.Valid
			}
			return a, true
		case same:
			return a, false
		case one && old.News != memory.End && old.News != memory.TakingBack && !r.wrong:
			a.News, a.Object, a.Replaces = memory.TakingBack, old.Object, old.Object
			return a, true
		}
	}
	return a, false
}

// latest gives the last statement of the same value that is no taking back.
func (b belief) latest(a memory.Assertion) (memory.Assertion, bool) {
	for i := len(b) - 1; i >= 0; i-- {
		if strings.EqualFold(b[i].Subject, a.Subject) && b[i].Predicate == a.Predicate && strings.EqualFold(b[i].Object, a.Object) && b[i].News != memory.TakingBack {
			return b[i], true
		}
	}
	return memory.Assertion{}, false
}

// untold takes back what was told last with a value: "X的事取消了".
func (r *reader) untold(l *language, s *sentence, m *match, t template, w who) []memory.Assertion {
	for _, v := range r.objects(l, s, m, "$"+strings.TrimPrefix(t.predicate, "$"), w) {
		v = strings.ToLower(v)
		for i := r.before - 1; i >= 0; i-- {
			old := r.recent[i]
			if old.Object == "" || !sameValue(strings.ToLower(old.Object), v) {
				continue
			}
			if t.news == memory.Change {
				return r.again(old)
			}
			if old.News == memory.TakingBack {
				return nil
			}
			return []memory.Assertion{{
				Subject: old.Subject, Predicate: old.Predicate, Object: old.Object, Replaces: old.Object,
				News: memory.TakingBack, Source: r.turn.Source,
			}}
		}
	}
	return nil
}

// again puts a value that was told before into its slot, and ends what is there.
func (r *reader) again(old memory.Assertion) []memory.Assertion {
	a := memory.Assertion{Subject: old.Subject, Predicate: old.Predicate, Object: old.Object, News: memory.Change, Source: r.turn.Source}
	var out []memory.Assertion
	for _, v := range r.recent.values(old.Subject, old.Predicate) {
		if strings.EqualFold(v.Object, old.Object) {
			return nil
		}
		if !oneValue[old.Predicate] {
			e := a
			e.News, e.Object = memory.End, v.Object
			out = append(out, e)
		}
	}
	return append(out, a)
}

// oneValue are predicates with one value at a time, as timeline/schema.txt has them.
var oneValue = map[string]bool{
	"lives_in": true, "works_at": true, "job_title": true, "studies_at": true, "major": true, "name": true, "age": true, "birthday": true,
	"phone_model": true, "car": true, "laptop": true, "marital_status": true, "partner": true, "status": true, "owner": true, "lead": true,
	"deadline": true, "start_date": true, "launch_date": true, "meeting_time": true, "budget": true, "price": true, "salary": true, "rent": true,
	"weight": true, "height": true, "size": true, "amount": true, "framework": true, "database": true, "deployment": true, "hosting": true,
	"language_used": true, "version": true, "build_status": true, "team": true, "manager": true, "phone_number": true, "email": true, "address": true,
}
