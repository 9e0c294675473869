package rules

import (
	"slices"
	"strings"
	"time"

	"engram/memory"
	"engram/when"
)

// This file finds out what time a Chinese statement is of, beyond times.go.

// announced gives the time of the clause before token i, if that says that
// something has changed: 前天房东换人了,现在…
func (l *language) announced(s *sentence, i int) []when.Match {
	start := s.clauseStart(i)
	if start < 2 || s.toks[start].kind != sign {
		return nil
	}
	var out []when.Match
	told := false
	for k := start - 1; k >= 0 && s.toks[k].clause == s.toks[start-1].clause; k-- {
		if s.toks[k].kind == timeWord {
			out = append(out, s.times[s.toks[k].span])
		}
		told = told || l.wordAt("announce", s, k) > 0
	}
	if !told || len(out) != 1 {
		return nil
	}
	return out
}

// noteValues notes the expressions of time that are values of matches: they say
// nothing of when other statements hold.
func (s *sentence) noteValues(matches []match) {
	s.values = map[int]bool{}
	for i := range s.toks {
		if s.toks[i].kind == timeWord && slices.ContainsFunc(matches, func(m match) bool { return m.takes(i) }) {
			s.values[i] = true
		}
	}
}

// onlyTime reports whether the clause says nothing else behind its time at
// token i than that something began or took place then: 这周一刚报到, 是2024年的事.
func (l *language) onlyTime(s *sentence, i int) bool {
	for i < len(s.toks) && s.toks[i].kind != sign {
		n := max(l.wordAt("announce", s, i), l.wordAt("took_place", s, i))
		if n == 0 && (s.toks[i].skip || l.words["between_time"][s.toks[i].word]) {
			n = 1
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}

// nearest moves "10月1日起" to the coming one, if that is nearer than the past.
func nearest(s *sentence, m *match, times []when.Match, anchor memory.Time) []when.Match {
	for i := m.start; i < s.clauseEnd(m.end-1); i++ {
		if w := s.toks[i].word; w == "了" || w == "过" || w == "的" {
			return times // it has happened
		}
	}
	out := slices.Clone(times)
	half := 183 * 24 * time.Hour.Microseconds()
	for i, t := range out {
		if !t.Explicit && (t.Relation == when.Since || t.Relation == when.During && !m.rule.flags["past"]) && t.Interval.From.Gran >= memory.Month && anchor.Micros-t.Interval.From.Micros > half && !strings.Contains(s.text[t.Start:t.End], "年") {
			out[i] = ahead([]when.Match{t}, anchor)[0]
		}
	}
	return out
}

// once reports whether the clause of a match, or the one before if it is nothing
// else, says that it was so long ago.
func (l *language) once(s *sentence, m *match) bool {
	start := s.clauseStart(m.start)
	if start > 1 && start <= 4 {
		start = 0
	}
	for i := start; i < m.end; i++ {
		if l.wordAt("once", s, i) > 0 && !m.takes(i) && !l.inside("not_once", s, i) {
			return true
		}
	}
	return false
}
