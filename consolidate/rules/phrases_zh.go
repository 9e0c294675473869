package rules

import (
	"slices"
	"strings"
)

// This file takes Chinese phrases, which have no spaces: where they begin and end,
// and what falls silent.

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
	// 其实是六月我养了两条金鱼的: 是 … 的 stands around the statement.
	if end > i+2 && m.s.toks[end-1].word == "的" && slices.ContainsFunc(m.s.toks[:i], func(t token) bool { return t.word == "是" }) {
		end--
	}
	if end-i == limit && m.inPhrase(end) || !m.l.endsHan(m.s, end) {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// hanEnd gives the end of the phrase that begins at i; it may begin with what
// stands in 《》 or in quotation marks.
func (m *matcher) hanEnd(i, limit int) int {
	if i >= len(m.s.toks) || m.l.wordAt("no_start", m.s, i) > 0 && !m.l.inside("not_stop", m.s, i) {
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
	for i < len(s.toks) {
		t := &s.toks[i]
		if t.off {
			return t.kind == sign
		}
		if n := l.wordAt("tail", s, i); n > 0 && !l.inside("not_stop", s, i) {
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

// speaks reports whether somebody speaks of himself or another in the tokens
// [from, to): then a short quotation is no name.
func (s *sentence) speaks(from, to int) bool {
	return slices.ContainsFunc(s.toks[from:to], func(t token) bool { return t.han && strings.Contains("我你他她您", t.word) })
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
