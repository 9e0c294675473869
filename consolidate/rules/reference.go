package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"engram/consolidate"
	"engram/memory"
)

// who is a subject at its place in a sentence.
type who struct {
	name  string // the subject of the assertion
	rel   string // "sister" of "my sister Anna"
	end   int    // the token behind it
	self  bool
	pet   bool   // an animal without a name
	full  string // "my sister Anna"
	thing bool   // no person
}

// references finds out who is meant. It is of one turn.
type references struct {
	self    string
	known   map[string]bool    // names that were subjects before, in lower case
	last    who                // the person named last
	thing   string             // the thing that was a subject last
	places  []mention          // subjects of the sentence at hand
	topic   string             // what the turn is about: a project
	split   map[string]bool    // first names, in lower case, that two persons bear
	things2 map[string]bool    // known names, in lower case, that are of no person
	others  map[memory.ID]bool // earlier turns of other speakers
}

// toldByAnother reports whether another speaker told an assertion, of a person.
func (r *references) toldByAnother(a memory.Assertion) bool {
	return personal[a.Predicate] && len(a.Provenance) > 0 && r.others[a.Provenance[0].Episode]
}

type mention struct {
	at    int
	w     who
	named bool // a proper name, by its place
}

func newReferences(w consolidate.Window) *references {
	r := &references{self: selfName(w.Turn), known: map[string]bool{}, split: map[string]bool{}, things2: map[string]bool{}, others: map[memory.ID]bool{}}
	for _, a := range w.Recent {
		r.known[strings.ToLower(a.Subject)] = true
		if projectPredicates[a.Predicate] {
			r.things2[strings.ToLower(a.Subject)] = true
		}
		if a.Predicate == "nickname" || a.Predicate == "name" {
			r.known[strings.ToLower(a.Object)] = true
		}
	}
	for _, t := range w.Before {
		if t.Speaker != "" {
			r.known[strings.ToLower(t.Speaker)] = true
		}
		r.others[t.ID] = selfName(t) != r.self
	}
	if r.last = lastPerson(w, r.self); r.last.name == "" && len(w.Before) > 0 {
		r.last.name = introduced(w.Before[len(w.Before)-1].Text)
	}
	return r
}

// selfName gives the subject for "I".
func selfName(t consolidate.Turn) string {
	if t.Speaker != "" && !strings.EqualFold(t.Speaker, "user") {
		return t.Speaker
	}
	return "user"
}

// lastPerson gives whom the newest assertion of the latest turns of this
// session is about, unless that is the speaker.
func lastPerson(w consolidate.Window, self string) who {
	near := map[memory.ID]bool{}
	for _, t := range w.Before[max(0, len(w.Before)-3):] {
		near[t.ID] = true
	}
	for _, a := range slices.Backward(w.Recent) {
		if a.Subject == self || len(a.Provenance) == 0 || !near[a.Provenance[0].Episode] {
			continue
		}
		return who{name: a.Subject}
	}
	return who{}
}

// at gives the readings of a subject at token i, the likeliest first.
func (r *references) at(l *language, s *sentence, i int, x subject) []who {
	var out []who
	if x.kind == "X" {
		out = r.things(l, s, i, x.possessive)
	} else {
		out = r.persons(l, s, i, x)
	}
	return out
}

func (r *references) persons(l *language, s *sentence, i int, x subject) []who {
	var out []who
	add := func(w who) {
		if w.self && x.kind == "P" || !w.self && x.kind == "I" {
			return
		}
		out = append(out, w)
	}
	if i >= len(s.toks) {
		return nil
	}
	if x.possessive {
		for _, w := range r.owners(l, s, i) {
			add(w)
			if n := w.end; !s.zh && n < len(s.toks) && l.words["adjective_of"][s.toks[n].word] {
				w.end++
				add(w)
			}
		}
		return out
	}
	for _, w := range r.named(l, s, i) {
		add(w)
		if q := qualifier(s, w.end); !s.zh && !w.self && q > w.end && s.toks[w.end].word == "from" {
			from := w
			from.end = q
			add(from)
		}
		if w.end < len(s.toks) && s.toks[w.end].word == "," {
			if n := apposition(s, w.end); n > 0 {
				w.end = n
				add(w)
			}
		}
	}
	if x.kind != "E" && x.kind != "P" && len(out) == 0 && l.elliptic(s, i) && l.startsSentence(s, i) {
		return []who{{name: r.self, self: true, end: i}}
	}
	if x.kind == "E" && (len(out) == 0 || !out[0].self) && l.startsSentence(s, i) {
		return append(out, who{name: r.self, self: true, end: i})
	}
	// "I live in Paris and work at …": the subject of before.
	if len(out) == 0 && (l.endsAt("and", s, i) || !s.zh && i > 0 && s.toks[i-1].word == "," && l.words["verb"][s.toks[i].word]) || s.zh && len(out) == 0 {
		if w, ok := r.carried(i); ok {
			w.end = i
			add(w)
		}
	}
	return out
}

// antecedent gives whom "she" at token i means: the person named last, in this
// sentence or before.
func (r *references) antecedent(i int) who {
	for _, p := range slices.Backward(r.places) {
		if p.at < i && !p.w.self && p.w.name != "" && (p.w.rel != "" || r.known[strings.ToLower(p.w.name)] || p.named) {
			return p.w
		}
	}
	return r.last
}

// carried gives the latest subject of the sentence before token i.
func (r *references) carried(i int) (who, bool) {
	for _, p := range slices.Backward(r.places) {
		if p.at < i {
			return p.w, true
		}
	}
	return who{}, false
}

// apposition gives the token behind ", …," at i, at most eight words long.
func apposition(s *sentence, i int) int {
	for j := i + 1; j < len(s.toks) && j < i+9; j++ {
		if s.toks[j].kind == sign {
			if s.toks[j].word == "," && j > i+1 {
				return j + 1
			}
			return 0
		}
	}
	return 0
}

// named reads "I", "he", "my sister", "my sister Anna", "Anna".
func (r *references) named(l *language, s *sentence, i int) []who {
	if n := l.wordAt("self", s, i); n > 0 {
		if s.zh {
			if w, ok := r.relative(l, s, i, i+n, who{name: r.self, self: true}); ok {
				return []who{w, {name: r.self, self: true, end: i + n}}
			}
		}
		return []who{{name: r.self, self: true, end: i + n}}
	}
	if n := l.wordAt("third", s, i); n > 0 {
		w := r.antecedent(i)
		if w.name == "" || w.name == r.self {
			return nil
		}
		w.end = i + n
		return []who{w}
	}
	if s.zh {
		return r.hanNames(l, s, i)
	}
	for _, o := range r.owners(l, s, i) {
		if w, ok := r.relative(l, s, i, o.end, o); ok {
			return []who{w}
		}
	}
	if w, ok := r.withRole(l, s, i); ok {
		return []who{w}
	}
	if w, ok := r.properName(l, s, i); ok {
		return []who{w}
	}
	return nil
}

// withRole reads a name behind what its bearer is: "our lab tech Rosalind", "the
// PI, Dr. Halloran,", "coach Imelda".
func (r *references) withRole(l *language, s *sentence, i int) (who, bool) {
	w := s.toks[i].word
	j := i
	if l.words["my"][w] || l.words["his"][w] || w == "the" {
		j++
	}
	for end := j; end < len(s.toks) && end < j+4 && s.toks[end].kind == word && !s.toks[end].off; end++ {
		if !l.words["job"][s.toks[end].word] && !l.words["role"][s.toks[end].word] {
			if s.toks[end].upper && end > i {
				break
			}
			continue
		}
		at, comma := end+1, false
		if at < len(s.toks) && s.toks[at].word == "," && j > i {
			at, comma = at+1, true
		}
		n, ok := r.properName(l, s, at)
		if !ok || n.end <= at {
			continue
		}
		if comma {
			if n.end >= len(s.toks) || s.toks[n.end].word != "," {
				return who{}, false
			}
			n.end++
		}
		return n, true
	}
	return who{}, false
}

// owners reads "my", "his", "Anna's", "my sister's".
func (r *references) owners(l *language, s *sentence, i int) []who {
	if s.zh {
		return r.hanOwners(l, s, i)
	}
	if i >= len(s.toks) {
		return nil
	}
	switch w := s.toks[i].word; {
	case l.words["my"][w]:
		self := who{name: r.self, self: true, end: i + 1}
		if rel, ok := r.relative(l, s, i, i+1, self); ok && rel.end < len(s.toks) && s.toks[rel.end].word == "'s" {
			rel.end++
			return []who{rel, self}
		}
		return []who{self}
	case l.words["his"][w]:
		o := r.antecedent(i)
		if o.name == "" {
			return nil
		}
		o.end = i + 1
		return []who{o}
	}
	if n, ok := r.properName(l, s, i); ok && n.end < len(s.toks) && s.toks[n.end].word == "'s" {
		n.end++
		return []who{n}
	}
	return nil
}

// relative reads "sister" and "sister Anna" at token i, whose owner begins at
// token from.
func (r *references) relative(l *language, s *sentence, from, i int, owner who) (who, bool) {
	for !s.zh && i < len(s.toks) && l.words["of_relation"][s.toks[i].word] {
		i++
	}
	n := l.wordAt("relation", s, i)
	if n == 0 {
		return who{}, false
	}
	rel := s.words(i, i+n)
	w := who{name: s.words(from, i+n), rel: strings.ToLower(rel), end: i + n}
	if !s.zh {
		w.name = lowerFirst(w.name)
		if !strings.HasPrefix(w.name, "my ") || r.self != "user" {
			w.name = owner.name + "'s " + strings.ToLower(rel)
		}
		if owner.self && r.self == "user" {
			w.name = "my " + strings.ToLower(rel)
		}
	} else if r.self != "user" && owner.self {
		w.name = r.self + "的" + rel
	}
	w.full = w.name
	// An apposed name: "my boss, Annelise, …".
	if !s.zh && w.end+2 < len(s.toks) && s.toks[w.end].word == "," {
		if n, ok := r.properName(l, s, w.end+1); ok && n.end < len(s.toks) && (s.toks[n.end].word == "," || s.toks[n.end].kind == sign && n.end == len(s.toks)-1) {
			w.full, w.name, w.end = w.name+" "+n.name, n.name, n.end
			if s.toks[n.end].word == "," {
				w.end++
			}
			return w, true
		}
	}
	if name, ok := r.nameAfter(l, s, w.end); ok {
		w.full, w.name, w.end = w.name+" "+name.name, name.name, name.end
		if s.zh {
			w.full = strings.ReplaceAll(w.full, " ", "")
		}
		if r.split[strings.ToLower(name.name)] || !s.zh && r.known[strings.ToLower(w.full)] && w.full != w.name {
			w.name = w.full
		}
	}
	return w, true
}

// nameAfter reads the name of a relative.
func (r *references) nameAfter(l *language, s *sentence, i int) (who, bool) {
	if s.zh {
		return r.hanNameAfter(l, s, i)
	}
	return r.properName(l, s, i)
}

// properName reads up to three words with upper-case letters.
func (r *references) properName(l *language, s *sentence, i int) (who, bool) {
	end := i
	for end < len(s.toks) && end-i < 3 {
		t := &s.toks[end]
		if t.off || t.kind != word || t.han || !t.upper || l.words["no_name"][t.word] {
			break
		}
		end++
	}
	if end == i || strings.HasSuffix(s.toks[i].word, "ing") && end == i+1 && l.startsSentence(s, i) {
		return who{}, false
	}
	name := s.words(i, end)
	if q := qualifier(s, end); r.split[strings.ToLower(name)] || q > end && r.known[strings.ToLower(s.words(i, q))] {
		if q := qualifier(s, end); q > end {
			return who{name: s.words(i, q), full: s.words(i, q), end: q}, true
		}
	}
	return who{name: name, full: name, end: end}, true
}

// qualifier gives the end of "from work" behind a name that two persons bear.
func qualifier(s *sentence, i int) int {
	if i+1 < len(s.toks) && (s.toks[i].word == "from" || s.toks[i].word == "in" || s.toks[i].word == "at") {
		end := i + 1
		for end < len(s.toks) && end < i+3 && s.toks[end].kind == word && (end == i+1 || s.toks[end-1].word == "the" || s.toks[end-1].word == "my" || s.toks[end-1].word == "our") {
			end++
		}
		return end
	}
	return i
}

// things reads what is no person: "the grant application", "our database".
func (r *references) things(l *language, s *sentence, i int, possessive bool) []who {
	if i >= len(s.toks) {
		return nil
	}
	if !possessive {
		if n := l.wordAt("it", s, i); n > 0 && r.thing != "" {
			return []who{{name: r.thing, end: i + n, thing: true}}
		}
	}
	m := matcher{l: l, s: s, refs: r}
	for i < len(s.toks) && (l.words["determiner"][s.toks[i].word] || l.words["my"][s.toks[i].word]) {
		i++
	}
	end := m.phraseEnd(i, 6)
	if !s.zh && l.wordAt("relation", s, i) > 0 {
		return nil
	}
	var out []who
	for e := end; e > i; e-- {
		if !s.zh && e == i+1 && s.toks[i].kind == number {
			continue
		}
		w := who{name: s.words(i, e), end: e, thing: true}
		if !s.zh && l.startsSentence(s, i) && s.toks[i].upper && !r.known[strings.ToLower(w.name)] {
			w.name = uncapitalized(s, i, e)
		}
		if possessive {
			switch {
			case e < len(s.toks) && (s.toks[e].word == "'s" || s.zh && s.toks[e].word == "的"):
				w.end = e + 1
			case e > i+1 && s.toks[e-1].word == "'s":
				w.name = s.words(i, e-1)
			default:
				continue
			}
		}
		out = append(out, w)
	}
	if s.zh {
		slices.Reverse(out)
	}
	return out
}

// looksNamed reports whether a word with an upper-case letter at the beginning
// of a statement is a name: an auxiliary or a comma follows, or the sentence
// does not begin there.
func (l *language) looksNamed(s *sentence, i int, w who) bool {
	if s.zh {
		return true
	}
	if !s.toks[i].upper || w.rel != "" || w.end >= len(s.toks) {
		return false
	}
	k := w.end
	for k+1 < len(s.toks) && s.toks[k].skip {
		k++
	}
	next := s.toks[k].word
	return i > 0 && !l.startsSentence(s, i) || next == "is" || next == "'s" || next == "has" || next == "was" || l.words["acts"][next] || len(next) > 4 && s.toks[k].kind == word && !s.toks[k].upper && strings.HasSuffix(next, "s") && !strings.HasSuffix(next, "ss")
}

// note remembers the subjects of a sentence, before its rules are tried.
func (r *references) note(l *language, s *sentence) {
	r.places = nil
	m := matcher{l: l, s: s, refs: r}
	for i := 0; i < len(s.toks); i++ {
		t := &s.toks[i]
		if t.off || t.kind == sign || s.zh && t.skip || !m.begins(i) || l.wordAt("third", s, i) > 0 && r.antecedent(i).name == "" {
			continue
		}
		for _, w := range r.named(l, s, i) {
			if s.zh && !w.self && w.end < len(s.toks) && s.toks[w.end].word == "家" {
				break // 我邻居家的狗
			}
			r.places = append(r.places, mention{i, w, l.looksNamed(s, i, w)})
			i = max(i, w.end-1)
			break
		}
	}
}

// remember takes the person of a sentence as the one that "she" of the next means.
func (r *references) remember(l *language, s *sentence, matches []match) {
	for _, p := range r.places {
		if !p.w.self && p.w.name != "" && (s.zh || p.w.rel != "" || r.known[strings.ToLower(p.w.name)]) {
			r.last = p.w
		}
	}
	for i := range s.toks {
		if l.words["pet"][s.toks[i].word] && !s.toks[i].off {
			r.last = who{name: s.toks[i].word, pet: true}
		}
	}
	for _, m := range matches {
		if m.who.thing {
			r.thing = m.who.name
			continue
		}
		if m.who.name != "" && !m.who.self {
			r.last = m.who
			r.last.pet = false
			r.known[strings.ToLower(m.who.name)] = true
		}
	}
}

// startsSentence reports whether only signs, fillers and interjections stand
// before token i.
func (l *language) startsSentence(s *sentence, i int) bool {
	for j := i - 1; j >= 0; j-- {
		if t := &s.toks[j]; t.kind != sign && !t.skip && !l.words["interjection"][t.word] {
			return t.kind != sign && i-1 > j && (s.toks[i-1].word == "—" || s.toks[i-1].word == ":" || s.toks[i-1].word == ";" || s.toks[i-1].word == "!")
		}
	}
	return true
}

// introduced gives the name that a turn introduces between commas: "our
// intern, Luca, starts".
func introduced(turn string) string {
	parts := strings.Split(turn, ", ")
	for i := 1; i+1 < len(parts); i++ {
		if p := parts[i]; startsUpper(p) && !strings.ContainsAny(p, " .!?") {
			return p
		}
	}
	return ""
}

// uncapitalized gives the words [from, to) without the upper-case letter of the
// beginning of a sentence, unless it belongs to a name or abbreviation.
func uncapitalized(s *sentence, from, to int) string {
	v, first := s.words(from, to), s.words(from, from+1)
	if lowerFirst(first) != strings.ToLower(first) || strings.ContainsAny(first, "0123456789") {
		return v
	}
	for i := from + 1; i < to; i++ {
		if s.toks[i].upper {
			return v
		}
	}
	return lowerFirst(v)
}

// lowerFirst gives v with a small first letter.
func lowerFirst(v string) string {
	_, n := utf8.DecodeRuneInString(v)
	return strings.ToLower(v[:n]) + v[n:]
}
