package rules

import (
	"strings"
	"time"

	"engram/memory"
	"engram/when"
)

// timesOf gives the expressions of time that belong to a match: inside of it
// but not part of a value, before it in its clause, or behind it up to the end
// of the clause (and behind a comma: ", since July").
func (l *language) timesOf(s *sentence, m *match, stops []int) []when.Match {
	var out []when.Match
	add := func(i int) {
		if !l.habit(s, i) {
			t := s.times[s.toks[i].span]
			if i > 0 && l.words["until"][s.toks[i-1].word] && t.Relation == when.During {
				t.Relation = when.Until
			}
			out = append(out, t)
		}
	}
	for i := m.start; i < m.end; i++ {
		if s.toks[i].kind == timeWord && !m.takes(i) {
			add(i)
		}
	}
	for i := m.start - 1; i >= 0; i-- {
		t := &s.toks[i]
		if t.kind == timeWord && !s.values[i] {
			add(i)
			break
		}
		if t.off || !t.skip && t.word != "," && !(m.rule.flags["past"] && (t.word == ")" || t.word == "(")) && l.wordAt("before_time", s, i) == 0 && !l.words["and"][t.word] && !l.words["between_time"][t.word] {
			break
		}
	}
	if len(out) > 0 && !m.rule.flags["past"] {
		return out
	}
	if s.zh && len(out) == 0 {
		if told := l.announced(s, m.start); len(told) > 0 {
			return told
		}
	}
	for i := m.end; i < len(s.toks); i++ {
		t := &s.toks[i]
		if t.kind == timeWord {
			add(i)
			continue
		}
		if i > m.end && contains(stops, i) || t.kind == sign && !l.timeFollows(s, i) || t.kind != sign && t.clause != s.toks[m.end-1].clause && !l.timeFollows(s, i-1) && !(s.zh && l.timeFollows(s, s.clauseStart(i))) {
			break
		}
	}
	return out
}

func contains(list []int, x int) bool {
	for _, v := range list {
		if v == x {
			return true
		}
	}
	return false
}

// timeFollows reports whether behind the comma at i only a time follows, with
// words such as "since" or "started there".
func (l *language) timeFollows(s *sentence, i int) bool {
	if i < 0 || s.toks[i].word != "," && s.toks[i].word != "(" && s.toks[i].word != "—" {
		return false
	}
	for i++; i < len(s.toks); i++ {
		switch t := &s.toks[i]; {
		case t.kind == timeWord:
			return !s.zh || l.onlyTime(s, i+1)
		case t.skip || l.wordAt("before_time", s, i) > 0 || l.words["began"][t.word]:
		default:
			return false
		}
	}
	return false
}

// moment gives the words of a value; of an expression of time without the
// preposition that it begins with ("by 31 May").
func (l *language) moment(s *sentence, sp span) string {
	v := s.words(sp.from, sp.to)
	if sp.to <= sp.from || s.toks[sp.from].kind != timeWord {
		return v
	}
	if s.zh {
		for _, w := range []string{"最晚", "最迟", "截止到", "截止", "截至"} {
			v = strings.TrimPrefix(v, w)
		}
		return v
	}
	for {
		first, rest, ok := strings.Cut(v, " ")
		if !ok || !l.words["before_time"][strings.ToLower(first)] {
			return v
		}
		v = rest
	}
}

// habit reports whether the time is one that comes again and again: "every
// Monday", "on Tuesday evenings".
func (l *language) habit(s *sentence, i int) bool {
	return i > 0 && l.words["every"][s.toks[i-1].word] || i+1 < len(s.toks) && l.words["habit"][s.toks[i+1].word]
}

// takes reports whether token i is part of a value.
func (m *match) takes(i int) bool {
	for _, spans := range m.values {
		for _, sp := range spans {
			if sp.from <= i && i < sp.to {
				return true
			}
		}
	}
	return false
}

// interval makes one interval of the times. During an event it has both ends;
// a state goes on, unless it is bounded.
func interval(times []when.Match, bounded bool) memory.Interval {
	var iv memory.Interval
	for _, t := range times {
		switch t.Relation {
		case when.Until, when.Before, when.By:
			if iv.To.IsZero() {
				iv.To = t.Interval.To
			}
		default:
			if !iv.From.IsZero() {
				continue
			}
			iv.From = t.Interval.From
			if bounded && iv.To.IsZero() || t.Relation == when.During && t.Explicit && isRange(t) {
				iv.To = t.Interval.To
			}
		}
	}
	if iv.Validate() != nil {
		return memory.Interval{}
	}
	return iv
}

// isRange reports whether the expression names two ends ("from … to …").
func isRange(t when.Match) bool {
	f, to := t.Interval.From, t.Interval.To
	return !f.IsZero() && !to.IsZero() && f.End() < to.Micros
}

// ahead moves a time that comes again each year into the future: "on 1
// September I start" means the next one.
func ahead(times []when.Match, anchor memory.Time) []when.Match {
	out := make([]when.Match, len(times))
	for i, t := range times {
		if !t.Explicit && t.Relation != when.Until && !t.Interval.From.IsZero() && t.Interval.From.End() < anchor.Micros &&
			anchor.Micros-t.Interval.From.Micros < 366*24*time.Hour.Microseconds() && t.Interval.From.Gran >= memory.Month {
			next := nextYear
			if t.Interval.From.Gran == memory.Day && anchor.Micros-t.Interval.From.Micros < 7*24*time.Hour.Microseconds() {
				next = nextWeek
			}
			// "From April on", said in June, is this year's.
			if t.Relation == when.Since && next(t.Interval.From).Micros-anchor.Micros > anchor.Micros-t.Interval.From.Micros && t.Interval.From.Gran < memory.Day {
				out[i] = t
				continue
			}
			t.Interval.From, t.Interval.To = next(t.Interval.From), next(t.Interval.To)
		}
		out[i] = t
	}
	return out
}

func nextYear(t memory.Time) memory.Time {
	if !t.IsZero() {
		t.Micros = t.Std().AddDate(1, 0, 0).UnixMicro()
	}
	return t
}

func nextWeek(t memory.Time) memory.Time {
	if !t.IsZero() {
		t.Micros = t.Std().AddDate(0, 0, 7).UnixMicro()
	}
	return t
}

// startsAt reports whether the time before the match is one from which on
// something will hold: "starting Monday".
func (l *language) startsAt(s *sentence, m *match) bool {
	for i := m.start - 1; i >= 0 && (s.toks[i].skip || s.toks[i].word == ","); i-- {
		if l.startsThere(s, i) {
			return true
		}
	}
	for i := m.start + 1; i < len(s.toks); i++ {
		if l.startsThere(s, i) {
			return true
		}
	}
	return false
}

func (l *language) startsThere(s *sentence, i int) bool {
	if s.toks[i].kind != timeWord {
		return false
	}
	phrase := strings.ToLower(s.words(i, i+1))
	if strings.HasPrefix(phrase, "from ") && strings.HasSuffix(phrase, " on") {
		return true
	}
	first, _, _ := strings.Cut(phrase, " ")
	return l.words["starting"][first] || l.endsAt("starting", s, i)
}

// isLong reports whether an interval is too long for a visit.
func isLong(iv memory.Interval) bool {
	return !iv.From.IsZero() && !iv.To.IsZero() && iv.To.Micros-iv.From.Micros > 90*24*time.Hour.Microseconds()
}
