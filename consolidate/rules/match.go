package rules

import "strings"

// match is a pattern that was found in a sentence.
type match struct {
	rule       *rule
	start, end int // tokens
	values     map[string][]span
	who        who
	others     []who // further subjects of the pattern
}

// span is a range of tokens.
type span struct{ from, to int }

// matcher tries patterns at one sentence.
type matcher struct {
	l      *language
	s      *sentence
	refs   *references
	values []capturedValue
	who    who
	others []who
}

type capturedValue struct {
	name  string
	spans []span
}

// find gives the matches of all rules, in no order.
func (m *matcher) find() []match {
	var out []match
	tried := map[*node]bool{}
	try := func(c candidate) {
		key := &c.pattern[0]
		if tried[key] {
			return
		}
		tried[key] = true
		out = m.all(out, c)
	}
	for i := range m.s.toks {
		if t := &m.s.toks[i]; !t.off {
			for _, c := range m.l.index[t.word] {
				try(c)
			}
		}
	}
	for _, c := range m.l.always {
		try(c)
	}
	return out
}

// all tries a pattern at each place where it may begin.
func (m *matcher) all(out []match, c candidate) []match {
	for i := 0; i < len(m.s.toks); i++ {
		t := &m.s.toks[i]
		if t.off || t.kind == sign && t.word != "\"" && t.word != "《" || t.skip && !m.startsWithWord(c.pattern, t.word) || !c.rule.flags["anywhere"] && !m.begins(i) {
			continue
		}
		m.values, m.who, m.others = m.values[:0], who{}, nil
		end := -1
		if m.seq(c.pattern, 0, i, func(to int) bool { end = to; return true }) {
			values := map[string][]span{}
			for _, v := range m.values {
				values[v.name] = v.spans
			}
			if c.rule.flags["final"] && !m.l.endsItem(m.s, end) {
				continue
			}
			out = append(out, match{c.rule, i, end, values, m.who, m.others})
			i = end - 1
		}
	}
	return out
}

func (m *matcher) startsWithWord(p []node, w string) bool {
	switch n := p[0].(type) {
	case literal:
		return string(n) == w
	case set:
		return n[w]
	case choice, capture:
		return true
	}
	return false
}

// begins reports whether a statement may begin at token i: behind a sign, a
// conjunction or a filler.
func (m *matcher) begins(i int) bool {
	for i > 0 && m.s.toks[i-1].skip {
		i--
	}
	return i == 0 || m.s.toks[i-1].kind == sign || m.l.endsAt("before", m.s, i) || m.fronted(i)
}

// fronted reports whether "I", "my" stands at token i behind a phrase with a
// preposition that was put first: "For the recipe app our database …".
func (m *matcher) fronted(i int) bool {
	return !m.s.zh && (m.l.words["self"][m.s.toks[i].word] || m.l.words["my"][m.s.toks[i].word]) && m.l.words["fronts"][m.s.toks[0].word]
}

// seq matches the nodes from n on at token i, and calls then with the end.
func (m *matcher) seq(p []node, n, i int, then func(int) bool) bool {
	if n == len(p) {
		return then(i)
	}
	next := func(to int) bool { return m.seq(p, n+1, to, then) }
	for {
		if m.one(p, n, i, next) {
			return true
		}
		// Fillers and times between the words.
		if i >= len(m.s.toks) || !m.s.toks[i].skip || m.s.toks[i].off || n == 0 {
			return false
		}
		i++
	}
}

// one matches the node p[n] at token i.
func (m *matcher) one(p []node, n, i int, next func(int) bool) bool {
	if c, ok := p[n].(choice); ok {
		for _, alt := range c {
			if m.seq2(alt, i, next) {
				return true
			}
		}
		return false
	}
	if c, ok := p[n].(capture); ok && c.kind == "end" {
		return m.l.endsHan(m.s, i) && next(i)
	}
	if i >= len(m.s.toks) || m.s.toks[i].off {
		return false
	}
	t := &m.s.toks[i]
	switch x := p[n].(type) {
	case literal:
		return string(x) == t.word && next(i+1)
	case set:
		return x[t.word] && next(i+1)
	case subject:
		return m.subject(x, i, next)
	case capture:
		mark := len(m.values)
		last := optional(p[n+1:])
		for _, c := range m.take(x, i, last, n == len(p)-1) {
			m.values = append(m.values[:mark], capturedValue{x.name, c.spans})
			if next(c.end) {
				return true
			}
		}
		m.values = m.values[:mark]
	}
	return false
}

// seq2 matches an alternative; an empty one takes nothing.
func (m *matcher) seq2(alt []node, i int, next func(int) bool) bool {
	if len(alt) == 0 {
		return next(i)
	}
	return m.seq(alt, 0, i, next)
}

func (m *matcher) subject(x subject, i int, next func(int) bool) bool {
	old, n := m.who, len(m.others)
	for _, w := range m.refs.at(m.l, m.s, i, x) {
		m.who, m.others = old, m.others[:n]
		if old.name == "" {
			m.who = w
		} else {
			m.others = append(m.others, w)
		}
		if next(w.end) {
			return true
		}
	}
	m.who, m.others = old, m.others[:n]
	return false
}

// literalText joins the words of the spans.
func (m *matcher) literalText(spans []span) string {
	var parts []string
	for _, sp := range spans {
		parts = append(parts, m.s.words(sp.from, sp.to))
	}
	return strings.Join(parts, " ")
}

// optional reports whether nothing must follow.
func optional(p []node) bool {
	for _, n := range p {
		c, ok := n.(choice)
		if !ok || len(c[len(c)-1]) > 0 {
			return false
		}
	}
	return true
}

// take gives the readings of a capture at token i.
func (m *matcher) take(c capture, i int, last, final bool) []taken {
	if class, ok := strings.CutPrefix(c.kind, "%"); ok {
		if n := m.l.wordAt(class, m.s, i); n > 0 && (!final || m.s.zh || !m.inPhrase(i+n)) {
			return []taken{{[]span{{i, i + n}}, i + n}}
		}
		return nil
	}
	base, class, of := strings.Cut(c.kind, "@")
	if !of {
		return captures[c.kind](m, c, i, last)
	}
	// "np@team": the first or last word is of the class.
	var out []taken
	for _, t := range captures[base](m, c, i, last) {
		sp := t.spans[0]
		if m.l.wordAt(class, m.s, sp.from) > 0 || m.l.endsAt(class, m.s, sp.to) {
			out = append(out, t)
		}
	}
	return out
}
