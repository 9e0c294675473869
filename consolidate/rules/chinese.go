package rules

import (
	"slices"
	"strings"

	"engram/when"
)

// This file is what is special to Chinese: phrases without spaces, measure
// words, and questions that begin somewhere in a sentence.

func init() { //nolint:gochecknoinits // joins the table of capture.go
	captures["place"] = takePlace
	captures["mode"], captures["instrument"], captures["illness"] = endsIn("mode"), endsIn("instrument_word"), endsIn("illness")
	captures["liked"] = func(m *matcher, c capture, i int, last bool) []taken {
		return list(m, i, func(i int) []taken { return m.refuse(takeHan(m, c, i, true), i, "no_like", "no_like_end") })
	}
	captures["tongues"] = func(m *matcher, c capture, i int, last bool) []taken {
		return list(m, i, func(i int) []taken { return endsIn("tongue")(m, c, i, true) })
	}
	captures["series"] = takeSeries
	captures["ride"], captures["card"], captures["certificate"], captures["blood"] = endsIn("ride"), endsIn("card_word"), endsIn("certificate_word"), endsIn("blood_word")
	captures["brand"], captures["titled"], captures["counted"] = takeBrand, takeTitled, takeCounted
	captures["sum"], captures["thing"], captures["when"], captures["todo"] = takeSum, takeThing, takeWhen, takeTodo
	captures["meeting"] = endsIn("meeting_word")
	captures["visit"] = takeVisit
	captures["org"] = takeOrg
	captures["campus"], captures["team"], captures["club"] = endsIn("school"), endsIn("team"), endsIn("club")
	captures["post"] = takePost
	captures["who"] = takeHanWho
	captures["end"] = takeEnd
	captures["project"] = takeProject
	captures["measure"] = takeMeasure
}

// takeHan takes a noun phrase. One that nothing follows in its pattern must end
// where a statement may end, since what goes on is not understood.
func takeHan(m *matcher, c capture, i int, last bool) []taken {
	limit := c.max
	if limit == 0 {
		limit = 14
	}
	end := m.hanEnd(i, limit)
	if end == i || end-i == 1 && m.s.toks[i].kind == word && m.l.words["no_value"][m.s.toks[i].word] {
		return nil
	}
	if !last {
		return lazily(i, end, false)
	}
	if end-i == limit && m.inPhrase(end) || !m.l.endsHan(m.s, end) {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// hanEnd gives the end of the phrase that begins at i; it may begin with what
// stands in 《》 or in quotation marks.
func (m *matcher) hanEnd(i, limit int) int {
	if i >= len(m.s.toks) || m.l.wordAt("no_start", m.s, i) > 0 {
		return i
	}
	end := i
	if closing := map[string]string{"《": "》", "\"": "\""}[m.s.toks[i].word]; closing != "" {
		for end++; end < len(m.s.toks) && end-i < limit; end++ {
			if m.s.toks[end].word == closing {
				return end + 1
			}
		}
		return i
	}
	for end < len(m.s.toks) && end-i < limit && m.inPhrase(end) {
		end++
	}
	return end
}

// endsHan reports whether a statement may end before token i: at a sign, a time
// or a particle, and before what begins another one.
func (l *language) endsHan(s *sentence, i int) bool {
	for i < len(s.toks) && !s.toks[i].off {
		t := &s.toks[i]
		if n := l.wordAt("tail", s, i); n > 0 {
			i += n
			continue
		}
		return t.kind == sign && t.word != "?" && t.word != "\"" || t.kind == sign && !s.question || t.kind == timeWord || t.skip || t.kind == sign && i == len(s.toks)-1 ||
			l.wordAt("np_end", s, i) > 0 || l.separator(s, i) > 0
	}
	return i >= len(s.toks) || i > 0 && s.toks[i-1].kind == sign
}

// takeEnd takes nothing, where a statement may end.
func takeEnd(m *matcher, _ capture, i int, _ bool) []taken {
	if !m.l.endsHan(m.s, i) {
		return nil
	}
	return []taken{{nil, i}}
}

// takePlace takes the name of a place, or what is like one.
func takePlace(m *matcher, c capture, i int, last bool) []taken {
	return slices.DeleteFunc(m.refuse(takeHan(m, c, i, last), i, "no_place", "no_place_end"), func(t taken) bool {
		return slices.ContainsFunc(m.indices(i, t.end), func(k int) bool { return m.l.wordAt("no_place_in", m.s, k) > 0 })
	})
}

// takeVisit takes the name of a place that somebody may travel to: a city, or
// what ends like the name of one.
func takeVisit(m *matcher, c capture, i int, last bool) []taken {
	return slices.DeleteFunc(m.refuse(takeHan(m, c, i, last), i, "no_place", "no_place_end"), func(t taken) bool {
		return m.l.wordAt("city", m.s, i) == 0 && !m.l.endsAt("sight", m.s, t.end)
	})
}

// indices are the tokens [from, to).
func (m *matcher) indices(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// takeOrg takes an employer: no city, and nothing that is no name of a firm.
func takeOrg(m *matcher, c capture, i int, last bool) []taken {
	return slices.DeleteFunc(m.refuse(takeHan(m, c, i, last), i, "no_org", "no_org_end"), func(t taken) bool {
		return m.l.words["city"][m.spaced(i, t.end)]
	})
}

// refuse drops the readings from token i on that begin with a word of a class,
// or end with one of another.
func (m *matcher) refuse(all []taken, i int, begin, end string) []taken {
	if m.l.wordAt(begin, m.s, i) > 0 {
		return nil
	}
	return slices.DeleteFunc(all, func(t taken) bool { return m.l.endsAt(end, m.s, t.end) })
}

// spaced gives the tokens [from, to) as the classes write them.
func (m *matcher) spaced(from, to int) string {
	words := make([]string, 0, to-from)
	for _, t := range m.s.toks[from:to] {
		words = append(words, t.word)
	}
	return strings.Join(words, " ")
}

// endsIn takes a phrase that ends in a word of the class.
func endsIn(class string) func(m *matcher, c capture, i int, last bool) []taken {
	return func(m *matcher, c capture, i int, last bool) []taken {
		all := takeHan(m, c, i, last)
		slices.Reverse(all)
		return slices.DeleteFunc(all, func(t taken) bool {
			n := 0
			for k := i; k < t.end; k++ {
				if k+m.l.wordAt(class, m.s, k) == t.end && m.l.wordAt(class, m.s, k) > 0 {
					n = t.end - k
					break
				}
			}
			return n == 0 || n == t.end-i && n < 2
		})
	}
}

// takeSeries takes phrases that 、 or 和 separate, before something else: 花生和海鲜 in 对花生和海鲜过敏.
func takeSeries(m *matcher, c capture, i int, last bool) []taken {
	if last {
		return takeList(m, c, i, true)
	}
	var spans []span
	for {
		end := m.hanEnd(i, 12)
		n := m.l.separator(m.s, end)
		if end > i && n > 0 && len(spans) < 8 {
			spans = append(spans, span{i, end})
			i = end + n
			continue
		}
		var out []taken
		for e := i + 1; e <= end; e++ {
			out = append(out, taken{append(slices.Clone(spans), span{i, e}), e})
		}
		return out
	}
}

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

// takeBrand takes a telephone: what begins with a maker's name.
func takeBrand(m *matcher, c capture, i int, last bool) []taken {
	if m.l.wordAt("phone", m.s, i) == 0 {
		return nil
	}
	return takeHan(m, c, i, last)
}

// takeTitled takes 《…》.
func takeTitled(m *matcher, c capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].word != "《" {
		return nil
	}
	return []taken{{[]span{{i, m.hanEnd(i, 20)}}, m.hanEnd(i, 20)}}
}

// takeCounted takes "一辆", "两个", 只; unlike measure never nothing.
func takeCounted(m *matcher, _ capture, i int, _ bool) []taken {
	n := m.l.wordAt("count", m.s, i)
	k := m.l.wordAt("measure", m.s, i+n)
	if k == 0 || n == 0 && (m.l.wordAt("bare", m.s, i) == 0 || m.l.wordAt("no_measure", m.s, i) > 0) || m.l.wordAt("not_owned", m.s, i+n+k) > 0 {
		return nil
	}
	return []taken{{nil, i + n + k}}
}

// takeSum takes a number with its units: 18元一碗, 一万二, 178.
func takeSum(m *matcher, _ capture, i int, _ bool) []taken {
	end := i
	for end < len(m.s.toks) && !m.s.toks[end].off && (m.s.toks[end].kind == number || m.l.wordAt("number", m.s, end) > 0) {
		end++
	}
	if end == i {
		return nil
	}
	number := end
	if n := m.l.wordAt("unit", m.s, end); n > 0 {
		end += n
		for end < len(m.s.toks) && m.l.wordAt("number", m.s, end) > 0 {
			end++
		}
	}
	// 一碗, 每月, 一个月 behind it.
	if k := m.l.wordAt("rate", m.s, end); k > 0 {
		end += k
	}
	if end-i == 1 && number == end && m.s.toks[i].kind == word {
		return nil // 一
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeThing takes a thing that has measures, without 我这台.
func takeThing(m *matcher, c capture, i int, last bool) []taken {
	i += m.l.wordAt("self", m.s, i)
	for _, t := range takeMeasure(m, c, i, false) {
		return takeHan(m, c, t.end, last)
	}
	return nil
}

// takeWhen takes a date or a time that comes again: 每周三下午四点.
func takeWhen(m *matcher, _ capture, i int, _ bool) []taken {
	end, seen := i, false
	for end < len(m.s.toks) && !m.s.toks[end].off && end-i < 10 {
		t := &m.s.toks[end]
		if t.kind != timeWord && t.kind != number && m.l.wordAt("clock_word", m.s, end) == 0 {
			break
		}
		seen = seen || t.kind == timeWord || t.word == "周" || t.word == "点" || t.kind == number
		end++
	}
	if !seen || !m.l.endsHan(m.s, end) {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeTodo takes what somebody means to do: a verb of %doing with its object.
func takeTodo(m *matcher, _ capture, i int, _ bool) []taken {
	for i < len(m.s.toks) && (m.s.toks[i].skip || m.s.toks[i].kind == timeWord) {
		i++
	}
	if m.l.wordAt("doing", m.s, i) == 0 {
		return nil
	}
	return takeHan(m, capture{max: 12}, i, true)
}

// takeProject takes what is known to be a subject, or ends in a word for a project.
func takeProject(m *matcher, c capture, i int, _ bool) []taken {
	all := takeHan(m, c, i, false)
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(t taken) bool {
		name := strings.ToLower(m.s.words(i, t.end))
		return !m.l.endsAt("project", m.s, t.end) && !m.refs.known[name+"项目"]
	})
}

// takePost takes a phrase that ends in a job; what stands before 的 is not part of it.
func takePost(m *matcher, c capture, i int, last bool) []taken {
	var out []taken
	for _, t := range takeHan(m, c, i, last) {
		if !m.l.endsAt("job", m.s, t.end) {
			continue
		}
		for k := t.end - 1; k > i; k-- {
			if m.s.toks[k].word == "的" {
				t.spans = []span{{k + 1, t.end}}
				break
			}
		}
		if t.spans[0].from < t.end {
			out = append(out, t)
		}
	}
	return out
}

// takeHanWho takes the name of a person.
func takeHanWho(m *matcher, _ capture, i int, last bool) []taken {
	var out []taken
	for _, w := range m.refs.hanName(m.l, m.s, i) {
		if !last || m.l.endsHan(m.s, w.end) {
			out = append(out, taken{[]span{{i, w.end}}, w.end})
		}
	}
	return out
}

// takeMeasure takes nothing or "一只", "两个", "那台", 个.
func takeMeasure(m *matcher, _ capture, i int, _ bool) []taken {
	var out []taken
	n := m.l.wordAt("count", m.s, i)
	if k := m.l.wordAt("measure", m.s, i+n); k > 0 && (n > 0 || m.l.wordAt("no_measure", m.s, i) == 0) {
		out = append(out, taken{nil, i + n + k})
	} else if n > 0 && m.l.wordAt("demonstrative", m.s, i) == n {
		out = append(out, taken{nil, i + n})
	}
	return append(out, taken{nil, i})
}

// uncount drops the measure word of a value: 一只猫 is 猫.
func (l *language) uncount(v string) string {
	if len(l.words["measure"]) == 0 {
		return v
	}
	s := sentence{text: v, toks: tokenize(nil, v, 0, nil)}
	n := l.wordAt("count", &s, 0)
	k := l.wordAt("measure", &s, n)
	if k == 0 || n == 0 && l.wordAt("bare", &s, 0) == 0 || l.wordAt("no_measure", &s, n) > 0 || n+k >= len(s.toks) {
		return v
	}
	rest := v[s.toks[n+k].start:]
	if l.words["no_count"][strings.Join(strings.Split(rest, ""), " ")] || l.words["no_count"][rest] {
		return v
	}
	return rest
}

// hanQuestion silences a Chinese question from the clause on in which the first
// word of a question stands, or all of it if there is none.
func (l *language) hanQuestion(s *sentence) {
	from := 0
	for i := range s.toks {
		if l.wordAt("question", s, i) > 0 {
			from = s.clauseStart(i)
			break
		}
	}
	s.mute(from, len(s.toks))
}

// inside reports whether token i is part of a word of the class.
func (l *language) inside(class string, s *sentence, i int) bool {
	for j := max(0, i-l.longest[class]+1); j <= i; j++ {
		if n := l.wordAt(class, s, j); n > i-j {
			return true
		}
	}
	return false
}

// dated reports whether the times name a beginning.
func dated(times []when.Match) bool {
	return slices.ContainsFunc(times, func(t when.Match) bool { return !t.Interval.From.IsZero() })
}
