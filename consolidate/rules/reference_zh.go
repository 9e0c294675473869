package rules

import (
	"strings"

	"engram/consolidate"
)

// hanNames reads a person at the beginning of a Chinese clause: a relative
// without 我 (外公), a person with what tells him from others (市场部的王芳), or
// a name.
func (r *references) hanNames(l *language, s *sentence, i int) []who {
	if l.wordAt("kin", s, i) > 0 && l.wordAt("no_relative", s, i) == 0 {
		if w, ok := r.relative(l, s, i, i, who{name: r.self, self: true}); ok {
			if w.rel == w.name {
				w.name, w.full = "我"+w.name, "我"+w.name
				if r.self != "user" {
					w.name = r.self + "的" + w.rel
				}
			}
			return []who{w}
		}
	}
	if w, ok := r.qualified(l, s, i); ok {
		return []who{w}
	}
	return r.hanName(l, s, i)
}

// qualified reads 市场部的王芳.
func (r *references) qualified(l *language, s *sentence, i int) (who, bool) {
	for n := 2; n <= 5 && i+n+1 < len(s.toks); n++ {
		if t := &s.toks[i+n-1]; !t.han || t.off || l.wordAt("not_in_name", s, i+n-1) > 0 || l.wordAt("pronoun", s, i+n-1) > 0 {
			return who{}, false
		}
		if s.toks[i+n].word != "的" {
			continue
		}
		if l.wordAt("surname", s, i+n+1) == 0 {
			return who{}, false
		}
		for _, w := range r.hanNameAt(l, s, i+n+1, false) {
			name := s.words(i, w.end)
			return who{name: name, full: name, end: w.end}, true
		}
		return who{}, false
	}
	return who{}, false
}

// hanName reads a name: one that is known, 老 or 小 or 阿 with one character, a
// surname with one or two or with a title, a character twice, two or three that
// given names are made of, or a name in Latin letters. Behind it must stand what may follow a
// subject. The likelier first.
func (r *references) hanName(l *language, s *sentence, i int) []who {
	return r.hanNameAt(l, s, i, true)
}

func (r *references) hanNameAt(l *language, s *sentence, i int, strict bool) []who {
	if i >= len(s.toks) || s.toks[i].off || s.toks[i].kind != word {
		return nil
	}
	for n := 8; n >= 1; n-- {
		if i+n <= len(s.toks) && s.toks[i+n-1].kind == word && r.known[strings.ToLower(s.words(i, i+n))] {
			return []who{{name: s.words(i, i+n), full: s.words(i, i+n), end: i + n}}
		}
	}
	if l.wordAt("no_name", s, i) > 0 {
		return nil
	}
	var out []who
	add := func(n int, unsure bool) {
		if i+n > len(s.toks) || !l.followsName(s, i+n, unsure && strict) {
			return
		}
		for j := i + 1; j < i+n; j++ {
			if !s.toks[j].han && !s.toks[j].upper || s.toks[j].off || l.wordAt("not_in_name", s, j) > 0 {
				return
			}
		}
		name := s.words(i, i+n)
		out = append(out, who{name: name, full: name, end: i + n})
	}
	if !s.toks[i].han {
		if s.toks[i].upper && l.wordAt("technique", s, i) == 0 {
			add(1, false)
		}
		return out
	}
	surname := l.wordAt("surname", s, i)
	if n := l.wordAt("before_name", s, i); n > 0 {
		add(n+1+l.wordAt("title", s, i+n+1), false)
		add(n+1, false)
	}
	for n := 1; n <= 3 && surname > 0; n++ {
		if k := l.wordAt("title", s, i+n); k > 0 {
			add(n+k, false)
		}
	}
	if k := l.wordAt("title", s, i+1); k > 0 && l.wordAt("given", s, i) > 0 {
		add(1+k, false)
	}
	if surname > 0 {
		add(surname+1, true)
		add(surname+2, true)
	}
	if i+1 < len(s.toks) && s.toks[i].word == s.toks[i+1].word && !s.toks[i].skip {
		add(2, true) // 丫丫
	}
	if l.wordAt("given", s, i) > 0 && i+1 < len(s.toks) && l.wordAt("given", s, i+1) > 0 {
		if i+2 < len(s.toks) && l.wordAt("given", s, i+2) > 0 {
			add(3, true)
		}
		add(2, true)
	}
	return out
}

// followsName reports whether what stands at i may follow the name of a subject;
// strictly: no sign and no end.
func (l *language) followsName(s *sentence, i int, strict bool) bool {
	if i >= len(s.toks) || s.toks[i].kind == sign {
		return !strict || i > 0 && i < len(s.toks) && l.named(s, i)
	}
	t := &s.toks[i]
	return t.skip || t.kind != word || !t.han || !strict && l.endsHan(s, i) || l.wordAt("after_name", s, i) > 0
}

// named reports whether a relation or 叫 stands in the six tokens before i, so
// that what ends at i is likely to be a name.
func (l *language) named(s *sentence, i int) bool {
	for j := max(0, i-6); j < i-1; j++ {
		if l.wordAt("relation", s, j) > 0 || l.wordAt("called", s, j) > 0 {
			return true
		}
	}
	return false
}

// hanOwners reads 我的, 我, 她的, 王芳的, 我妹妹的.
func (r *references) hanOwners(l *language, s *sentence, i int) []who {
	var out []who
	for _, w := range r.named(l, s, i) {
		if w.end < len(s.toks) && s.toks[w.end].word == "的" {
			with := w
			with.end++
			out = append(out, with)
		}
		out = append(out, w)
	}
	return out
}

// hanNameAfter reads the name of a relative: 王芳, 叫王芳.
func (r *references) hanNameAfter(l *language, s *sentence, i int) (who, bool) {
	if n := l.wordAt("called", s, i); n > 0 {
		m := matcher{l: l, s: s, refs: r}
		for _, t := range takeHan(&m, capture{max: 5}, i+n, true) {
			name := s.words(i+n, t.end)
			return who{name: name, full: name, end: t.end}, true
		}
		return who{}, false
	}
	for _, w := range r.hanName(l, s, i) {
		if l.endsAt("title", s, w.end) && w.end-i == 1 {
			continue
		}
		return w, true
	}
	return who{}, false
}

// mentioned gives the person that a Chinese turn names last: whom 他 in the next
// one means, if nothing was told of anybody.
func (r *reader) mentioned(turn consolidate.Turn) who {
	defer func() { r.refs.places = nil }()
	var last who
	sentences := r.rules.split(turn.Text, turn.Occurred)
	for i := range sentences {
		s := &sentences[i]
		if !s.zh {
			continue
		}
		r.refs.note(r.rules.zh, s)
		for _, p := range r.refs.places {
			if !p.w.self {
				last = p.w
			}
		}
		for k := range s.toks {
			if r.rules.zh.wordAt("called", s, k) > 0 {
				if w, ok := r.refs.hanNameAfter(r.rules.zh, s, k); ok {
					last = w
				}
			}
		}
	}
	return last
}
