package rules

import (
	"slices"
	"strings"

	"engram/memory"
)

// This file decides what a Chinese statement does to what was told before, by
// the words of its turn: %correcting (说错了) and %retracting (算了).

// retell makes a correction or a taking back of a statement, if the words of the
// turn say so and an earlier turn told what it touches.
func (r *reader) retell(a memory.Assertion, one bool, valid memory.Interval) memory.Assertion {
	if r.back {
		if b, ok := r.backOf(a, one); ok {
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

// backOf makes the taking back of the End of a value, or of what replaced it. A
// value that was taken back before holds again as it was told first.
func (r *reader) backOf(a memory.Assertion, one bool) (memory.Assertion, bool) {
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

// fuller gives the value of the slot that is meant by the words of an End: 绿色小电驴 by 小电驴.
func (b belief) fuller(a memory.Assertion) string {
	held := b.values(a.Subject, a.Predicate)
	for _, v := range held {
		if strings.EqualFold(v.Object, a.Object) {
			return a.Object
		}
	}
	for _, v := range held {
		if a.Object != "" && sameValue(strings.ToLower(v.Object), strings.ToLower(a.Object)) {
			return v.Object
		}
	}
	return a.Object
}

// thing gives the full name of a thing that was told of before: 水箱 is 咖啡机的水箱, if that is the only one of which was told.
func (b belief) thing(name string) string {
	full := ""
	for _, a := range b {
		if a.Subject == name || full != "" && strings.HasSuffix(a.Subject, "的"+name) && a.Subject != full {
			return name
		}
		if strings.HasSuffix(a.Subject, "的"+name) {
			full = a.Subject
		}
	}
	if full == "" {
		return name
	}
	return full
}

// toldOf makes what a template "told $x" says of what was told last with that
// value: "X的事取消了" takes it back, and "X不去了" does if it was still to come,
// else that is its end. "=> change" puts it back into its slot. "=> correction"
// is of what was told last with a value like it.
func (r *reader) toldOf(l *language, s *sentence, m *match, t template, w who) []memory.Assertion {
	for _, v := range r.objects(l, s, m, "$"+strings.TrimPrefix(t.predicate, "$"), w) {
		if t.news == memory.Correction {
			return r.mistaken(v)
		}
		old, ok := r.recent[:r.before].meant(v)
		switch {
		case !ok:
			continue
		case t.news == memory.Change:
			return r.again(old)
		case denies(old.News):
			return nil
		}
		a := memory.Assertion{Subject: old.Subject, Predicate: old.Predicate, Object: old.Object, News: t.news, Source: r.turn.Source}
		if t.news == memory.End && (old.Predicate == "plan" || old.Valid.From.Micros > r.turn.Occurred.Micros) {
			a.News = memory.TakingBack
		}
		if a.News == memory.TakingBack {
			a.Replaces = old.Object
		} else if events[old.Predicate] {
			return nil
		}
		return []memory.Assertion{a}
	}
	return nil
}

// lastDue gives that of which a deadline was told last.
func (b belief) lastDue() string {
	for _, a := range slices.Backward(b) {
		if a.Predicate == "deadline" {
			return a.Subject
		}
	}
	return ""
}

// opinions are the predicates whose values are no names that one misspells.
var opinions = map[string]bool{
	"likes": true, "dislikes": true, "prefers": true, "hobby": true, "plan": true, "remember": true, "instruction": true, "decided": true, "uses": true, "feature": true,
}

// timed are the predicates that say when their subject takes place.
var timed = map[string]bool{"meeting_time": true, "start_date": true, "launch_date": true}

// meant gives what was told last with a value, or of a meeting: 例会取消了. The words
// may be a part of the value, or end with it; 美团的外卖 is not 美团.
func (b belief) meant(words string) (memory.Assertion, bool) {
	w := strings.TrimSuffix(strings.ToLower(words), "的事")
	for _, a := range slices.Backward(b) {
		v := strings.ToLower(a.Object)
		if strings.EqualFold(a.Subject, words) && timed[a.Predicate] || v != "" && sameValue(v, w) && (strings.Contains(v, w) || strings.HasSuffix(w, v)) {
			return a, true
		}
	}
	return memory.Assertion{}, false
}

// mistaken corrects what was told last with a value of the same kind as v (a
// number with its unit, a city, a post, other words), if the turn says that
// something was wrong: 口误,是雅阁. Among words only the latest turn counts, if it
// told one such value.
func (r *reader) mistaken(v string) []memory.Assertion {
	if !r.wrong {
		return nil
	}
	shape := r.rules.zh.shapeOf(v)
	var found []memory.Assertion
	for _, old := range slices.Backward(r.recent[:r.before]) {
		if denies(old.News) || old.Object == "" || r.refs.toldByAnother(old) || events[old.Predicate] || opinions[old.Predicate] || r.rules.zh.shapeOf(old.Object) != shape {
			continue
		}
		if len(found) > 0 && !sameTurn(old, found[0]) {
			break
		}
		found = append(found, old)
	}
	if len(found) == 0 || len(found) > 1 && shape == "" || strings.EqualFold(found[0].Object, v) {
		return nil
	}
	old := found[0]
	return []memory.Assertion{{Subject: old.Subject, Predicate: old.Predicate, Object: v, Replaces: old.Object, News: memory.Correction, Source: r.turn.Source}}
}

// sameTurn reports whether two assertions were told in one turn.
func sameTurn(a, b memory.Assertion) bool {
	return len(a.Provenance) > 0 && len(b.Provenance) > 0 && a.Provenance[0].Episode == b.Provenance[0].Episode
}

// shapeOf gives the kind of a value: of a number or date its words with "#" for
// the digits (#公斤, #月#号), of others the class of the first or last word; "" for
// other words.
func (l *language) shapeOf(v string) string {
	s := sentence{text: v, toks: tokenize(nil, v, 0, nil)}
	if l.wordAt("city", &s, 0) > 0 {
		return "city"
	}
	if l.endsAt("job", &s, len(s.toks)) {
		return "job"
	}
	shape := strings.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789.,一二两三四五六七八九十百千万亿半零", r) {
			return '#'
		}
		return r
	}, v)
	for strings.Contains(shape, "##") {
		shape = strings.ReplaceAll(shape, "##", "#")
	}
	if !strings.Contains(shape, "#") {
		return ""
	}
	return strings.TrimRight(shape, "元块钱")
}

// planned gives a taking back the value that was announced; false if what was
// told about the slot was no announcement. Of what nothing was told, it stands.
func (r *reader) planned(a *memory.Assertion) bool {
	old, ok := r.recent[:r.before].slot(a.Subject, a.Predicate)
	if !ok {
		return true
	}
	if old.Valid.From.Micros <= r.turn.Occurred.Micros {
		return false
	}
	a.Object, a.Replaces = old.Object, old.Object
	return true
}

// again puts a value that was told before into its slot, and ends what is there.
func (r *reader) again(old memory.Assertion) []memory.Assertion {
	a := memory.Assertion{Subject: old.Subject, Predicate: old.Predicate, Object: old.Object, News: memory.Change, Source: r.turn.Source}
	now, ok := r.recent.slot(old.Subject, old.Predicate)
	if ok && strings.EqualFold(now.Object, old.Object) {
		return nil
	}
	if !ok || r.rules.single(old.Predicate) {
		return []memory.Assertion{a}
	}
	e := a
	e.News, e.Object = memory.End, now.Object
	return []memory.Assertion{e, a}
}
