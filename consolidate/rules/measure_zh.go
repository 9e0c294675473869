package rules

// This file drops the measure words of Chinese: 一只猫 is 猫.

// takeMeasure takes nothing or "一只", "两个", "那台", 个.
func takeMeasure(m *matcher, _ capture, i int, _ bool) []taken {
	var out []taken
	n := m.l.wordAt("count", m.s, i)
	if k := m.l.wordAt("measure", m.s, i+n); k > 0 && (n > 0 || m.l.bare(m.s, i)) {
		out = append(out, taken{nil, i + n + k})
	} else if n > 0 && m.l.wordAt("demonstrative", m.s, i) == n {
		out = append(out, taken{nil, i + n})
	}
	return append(out, taken{nil, i})
}

// bare reports whether a measure word stands at token i without a number: 张床, but
// not 张总 or 张伟.
func (l *language) bare(s *sentence, i int) bool {
	named := l.wordAt("surname", s, i) > 0 && (l.wordAt("title", s, i+1) > 0 || l.wordAt("given", s, i+1) > 0)
	return l.wordAt("bare", s, i) > 0 && l.wordAt("no_measure", s, i) == 0 && !named
}

// takeCounted takes "一辆", "两个", 只; unlike measure never nothing.
func takeCounted(m *matcher, _ capture, i int, _ bool) []taken {
	n := m.l.wordAt("count", m.s, i)
	k := m.l.wordAt("measure", m.s, i+n)
	if k == 0 || n == 0 && !m.l.bare(m.s, i) || m.l.wordAt("not_owned", m.s, i+n+k) > 0 || len(m.refs.hanName(m.l, m.s, i+n+k)) > 0 {
		return nil
	}
	return []taken{{nil, i + n + k}}
}

// uncount drops the measure word of a value: 一只猫 is 猫.
func (l *language) uncount(v string) string {
	if len(l.words["measure"]) == 0 {
		return v
	}
	s := sentence{text: v, toks: tokenize(nil, v, 0, nil)}
	n := l.wordAt("count", &s, 0)
	k := l.wordAt("measure", &s, n)
	if k == 0 || n == 0 && (l.wordAt("bare", &s, 0) == 0 || l.wordAt("surname", &s, 0) > 0) || l.wordAt("no_measure", &s, n) > 0 || n+k >= len(s.toks) {
		return v
	}
	rest := v[s.toks[n+k].start:]
	if l.hasWord("no_count", rest) {
		return v
	}
	return rest
}
