package rules

import (
	"slices"
	"strings"
)

// match is a pattern that was found in a sentence.
type match struct {
	rule       *rule
	start, end int // tokens
	values     map[string][]span
	who        who
	others     []who  // further subjects of the pattern
	aspect     aspect // tense.go
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
	starts []int8 // whether a statement may begin at a token: 1 yes, -1 no, 0 not asked yet
	aspect aspect // of what was passed over or matched by another form
	more   bool   // something must follow behind the alternatives at hand
	elided int    // 1 + the token before which "I am" is left out; 0: none
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
		if tried[key] || c.rule.flags["ended"] && len(m.s.ended) == 0 {
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
			for _, w := range t.also {
				for _, c := range m.l.index[w] {
					try(c)
				}
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
		if t.off || t.kind == sign && t.word != "\"" && t.word != "《" || t.skip && !m.startsWithWord(c.pattern, t.word) || !c.rule.flags["anywhere"] && !m.beginsAt(i) {
			continue
		}
		m.values, m.who, m.others, m.elided = m.values[:0], who{}, nil, 0
		m.aspect = 0
		end, found := -1, aspect(0)
		if m.seq(c.pattern, 0, i, func(to int) bool { end, found = to, m.aspect; return true }) {
			values := map[string][]span{}
			for _, v := range m.values {
				values[v.name] = v.spans
			}
			if c.rule.flags["final"] && !m.l.endsItem(m.s, end) || m.elided > 0 && m.l.predicateAt(m.s, end) {
				continue
			}
			out = append(out, match{c.rule, i, end, values, m.who, m.others, found})
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
	case choice:
		return !m.s.zh || slices.ContainsFunc(n, func(alt []node) bool {
			if len(alt) == 0 {
				return len(p) > 1 && m.startsWithWord(p[1:], w) // left out: {S}? 现在
			}
			return m.startsWithWord(alt, w)
		})
	case capture:
		return !m.s.zh || w == "\x00time"
	}
	return false
}

// beginsAt is begins, asked once for each token.
func (m *matcher) beginsAt(i int) bool {
	if m.starts == nil {
		m.starts = make([]int8, len(m.s.toks))
	}
	if m.starts[i] == 0 {
		if m.starts[i] = -1; m.begins(i) {
			m.starts[i] = 1
		}
	}
	return m.starts[i] > 0
}

// begins reports whether a statement may begin at token i: behind a sign, a
// conjunction or a filler.
func (m *matcher) begins(i int) bool {
	for i > 0 && m.s.toks[i-1].skip {
		i--
	}
	return i == 0 || m.s.toks[i-1].kind == sign || m.l.endsAt("before", m.s, i) || m.fronted(i)
}

// fronted reports whether "I" stands at token i, or "my" behind a phrase with a
// preposition that was put first: "For the recipe app our database …".
func (m *matcher) fronted(i int) bool {
	if m.s.zh || !m.l.words["self"][m.s.toks[i].word] && !m.l.words["my"][m.s.toks[i].word] {
		return false
	}
	if m.s.toks[i].word == "i" {
		return true
	}
	for j := i - 1; j >= 0 && j > i-8 && m.s.toks[j].kind != sign; j-- {
		if m.l.words["fronts"][m.s.toks[j].word] && (j == 0 || m.s.toks[j-1].kind == sign || m.l.endsAt("before", m.s, j)) {
			return true
		}
	}
	return false
}

// seq matches the nodes from n on at token i, and calls then with the end.
func (m *matcher) seq(p []node, n, i int, then func(int) bool) bool {
	if n == len(p) {
		return then(i)
	}
	next := func(to int) bool { return m.seq(p, n+1, to, then) }
	before := m.aspect
	for {
		if m.one(p, n, i, next) {
			return true
		}
		// Fillers and times between the words.
		if i >= len(m.s.toks) || !m.s.toks[i].skip || m.s.toks[i].off || n == 0 {
			m.aspect = before
			return false
		}
		m.aspect |= m.s.toks[i].means
		i++
	}
}

// one matches the node p[n] at token i.
func (m *matcher) one(p []node, n, i int, next func(int) bool) bool {
	if c, ok := p[n].(choice); ok {
		return m.choose(c, i, m.more || m.s.zh && !optional(p[n+1:]), next)
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
		return string(x) == t.word && next(i+1) || slices.Contains(t.also, string(x)) && m.otherForm(t, i, next) || x == "am" && m.elided == i+1 && next(i)
	case set:
		return x[t.word] && next(i+1) || slices.ContainsFunc(t.also, func(w string) bool { return x[w] }) && m.otherForm(t, i, next) || x["am"] && m.elided == i+1 && next(i)
	case subject:
		return m.subject(x, i, next)
	case capture:
		mark := len(m.values)
		last := optional(p[n+1:]) && !m.more
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

// otherForm goes on behind token i, which was matched by another form.
func (m *matcher) otherForm(t *token, i int, next func(int) bool) bool {
	before := m.aspect
	m.aspect |= t.alsoMeans
	ok := next(i + 1)
	m.aspect = before
	return ok
}

// choose matches one of the alternatives; more says that something must follow
// behind them.
func (m *matcher) choose(c choice, i int, more bool, next func(int) bool) bool {
	before := m.more
	defer func() { m.more = before }()
	then := func(to int) bool {
		m.more = before
		ok := next(to)
		m.more = more
		return ok
	}
	for _, alt := range c {
		m.more = more
		if m.mayBegin(alt, i) && m.seq2(alt, i, then) {
			return true
		}
	}
	return false
}

// mayBegin reports whether the first word of an alternative, if it is one, is at
// token i; of most alternatives it is not, and this is the cheapest way to know.
func (m *matcher) mayBegin(alt []node, i int) bool {
	if len(alt) == 0 {
		return true
	}
	w, ok := alt[0].(literal)
	return !ok || w == "am" || i < len(m.s.toks) && (m.s.toks[i].word == string(w) || len(m.s.toks[i].also) > 0)
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
		if m.s.zh && w.end == i && !m.beginsAt(i) {
			continue // a subject is left out only at the beginning
		}
		if m.elided = 0; w.end == i && m.l.elliptic(m.s, i) {
			m.elided = i + 1
		}
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

// elliptic reports whether "I am" or "I" may be left out before token i, at the
// beginning of a sentence: "Learning Finnish now", "Allergic to nuts".
func (l *language) elliptic(s *sentence, i int) bool {
	return !s.zh && i < len(s.toks) && (strings.HasSuffix(s.toks[i].word, "ing") && !l.words["no_gerund"][s.toks[i].word] || l.wordAt("elliptic", s, i) > 0)
}

// predicateAt reports whether a verb follows at token i, so that what stands
// before it was its subject: "Living in Rome is expensive".
func (l *language) predicateAt(s *sentence, i int) bool {
	for i < len(s.toks) && s.toks[i].skip {
		i++
	}
	return i < len(s.toks) && l.words["predicate"][s.toks[i].word]
}
