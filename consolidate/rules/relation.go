package rules

import (
	"slices"
	"strings"

	"engram/memory"
)

// relations adds who is whose: "my sister Lena" says that Lena is a sister.
// The classes rel_X list the words for the predicate X.
func (r *reader) relations(l *language, s *sentence) {
	for i := range s.toks {
		if s.toks[i].off || !s.zh && i > 0 && l.words["my"][s.toks[i-1].word] {
			continue
		}
		for _, o := range r.refs.owners(l, s, i) {
			w, ok := r.refs.relative(l, s, i, o.end, o)
			if !ok || w.rel == w.name || w.full == w.name && !strings.Contains(w.full, " ") || strings.HasSuffix(w.name, w.rel) {
				continue
			}
			p := l.relationPredicate(w.rel)
			if p == "" || o.pet || !s.zh && !l.listed(p) {
				break
			}
			name := strings.TrimSpace(w.name[strings.LastIndex(w.name, w.rel)+1:])
			if !strings.Contains(w.name, w.rel) {
				name = w.name
			}
			r.keep(memory.Assertion{
				Subject: o.name, Predicate: p, Object: name, Source: r.turn.Source,
				Provenance: []memory.Span{{Episode: r.turn.ID, Start: s.toks[i].start, End: s.toks[w.end-1].end}},
			})
			break
		}
	}
}

// listed reports whether a predicate has a class rel_X.
func (l *language) listed(p string) bool { return slices.Contains(l.relationClasses, p) }

// relationPredicate gives the predicate for a word such as "mum".
func (l *language) relationPredicate(rel string) string { return l.predicateFor("", rel) }

// predicateFor gives the predicate for a noun by the classes rel_X; of those
// whose X begins with "favorite_" if that is the prefix, else of the others.
func (l *language) predicateFor(prefix, noun string) string {
	noun = strings.ToLower(noun)
	for _, p := range l.relationClasses {
		if strings.HasPrefix(p, "favorite_") != (prefix == "favorite_") {
			continue
		}
		if l.words["rel_"+p][noun] || l.hasWord("rel_"+p, noun) {
			return p
		}
	}
	if l.words["no_relation"][noun] {
		return ""
	}
	return prefix + predicateOf(noun)
}

// alike reports whether two instructions or preferences are about the same:
// they have the same last word ("window seat", "aisle seat"), or begin alike
// ("reply in English", "reply in German").
func (l *language) alike(a, b string) bool {
	if len(l.suffixes) > 0 {
		return l.hanAlike(a, b)
	}
	x, y := l.essence(a), l.essence(b)
	if len(x) < 2 || len(y) < 2 {
		return false
	}
	return x[len(x)-1] == y[len(y)-1] && len(x) == len(y) || x[0] == y[0] && x[1] == y[1] && l.words["preposition"][x[1]]
}

// essence gives the words that matter: without "please", "always", "from now on".
func (l *language) essence(s string) []string {
	var out []string
	for _, t := range tokenize(nil, s, 0, nil) {
		if t.kind != sign && !l.words["politeness"][t.word] {
			out = append(out, t.word)
		}
	}
	return out
}
