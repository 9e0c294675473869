package eval

import (
	"slices"
	"strings"
	"time"

	"engram/memory"
	"engram/when"
)

// dateSpan is a stretch of time that words mean, µs since 1970 UTC.
type dateSpan struct{ from, to int64 }

// inside reports whether d says at least as exactly what o says.
func (d dateSpan) inside(o dateSpan) bool { return o.from <= d.from && d.to <= o.to }

// answerShare gives the share of the reference answer's dates, numbers and
// content words that a context holds. "7 May 2023" is held by a turn of that
// day, and by "yesterday" in one of the next; "three" is 3, and "1,000" 1000.
// ok is false for an answer without any of them.
func (m *measures) answerShare(s *shown, q *Question) (share float64, ok bool) {
	dates, rest := explicitDates(q.Answer, q.Ask.At)
	terms := distinctTerms(strings.ToLower(rest))
	if len(dates)+len(terms) == 0 {
		return 0, false
	}
	held := 0
	if len(dates) > 0 {
		spans := m.datesShown(s)
		for _, d := range dates {
			if slices.ContainsFunc(spans, func(o dateSpan) bool { return o.inside(d) }) {
				held++
			}
		}
	}
	if s.terms == nil {
		s.terms = map[string]bool{}
		for _, t := range distinctTerms(s.text) {
			s.terms[digits(t)] = true
		}
	}
	for _, t := range terms {
		if s.terms[digits(t)] {
			held++
		}
	}
	return float64(held) / float64(len(dates)+len(terms)), true
}

// explicitDates finds the dates that are named as such, and gives the words
// without them.
func explicitDates(s string, anchor memory.Time) (dates []dateSpan, rest string) {
	var b strings.Builder
	last := 0
	for _, match := range when.Find(s, anchor) {
		if !match.Explicit || match.Start < last {
			continue
		}
		dates = append(dates, spanOf(match.Interval))
		b.WriteString(s[last:match.Start])
		b.WriteByte(' ')
		last = match.End
	}
	b.WriteString(s[last:])
	return dates, b.String()
}

func spanOf(i memory.Interval) dateSpan {
	from, to := i.Bounds()
	return dateSpan{from, to}
}

// datesShown gives what the turns in a context say of time.
func (m *measures) datesShown(s *shown) []dateSpan {
	var out []dateSpan
	for _, key := range s.Ranked {
		if i, ok := m.at[key]; ok {
			out = append(out, m.turnDates(i)...)
		}
	}
	if s.Ranked == nil && s.spans == nil {
		s.spans = []dateSpan{}
		for i, words := range m.whole {
			if strings.Contains(s.text, words) {
				s.spans = append(s.spans, m.turnDates(i)...)
			}
		}
	}
	out = append(out, s.spans...)
	for _, value := range s.Holding {
		dates, _ := explicitDates(value, memory.Time{})
		out = append(out, dates...)
	}
	return out
}

// turnDates gives the day of a turn and the dates in its words.
func (m *measures) turnDates(i int) []dateSpan {
	if m.dates[i] != nil {
		return m.dates[i]
	}
	at := m.turns[i].Occurred
	out := []dateSpan{}
	if !at.IsZero() {
		y, mo, d := at.Std().Date()
		day := time.Date(y, mo, d, 0, 0, 0, 0, at.Std().Location())
		out = append(out, dateSpan{day.UnixMicro(), day.AddDate(0, 0, 1).UnixMicro()})
	}
	for _, match := range when.Find(m.turns[i].Text, at) {
		out = append(out, spanOf(match.Interval))
	}
	m.dates[i] = out
	return out
}

var numberWords = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "once": "1", "twice": "2",
	"零": "0", "一": "1", "二": "2", "两": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9", "十": "10",
}

// digits gives a number as its digits, and any other term as it is.
func digits(term string) string {
	if n, ok := numberWords[term]; ok {
		return n
	}
	if term != "" && term[0] >= '0' && term[0] <= '9' {
		return strings.ReplaceAll(term, ",", "")
	}
	return term
}
