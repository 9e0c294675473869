package rules

import (
	"strings"

	"engram/memory"
)

// alias adds that a name means somebody: template "alias $name = S".
func (r *reader) alias(l *language, s *sentence, m *match, t template, w who) {
	name, ok := r.word(l, s, m, strings.Trim(t.subject, "\""), w)
	entity, ok2 := r.word(l, s, m, t.object, w)
	if !ok || !ok2 {
		return
	}
	if rest, mine := strings.CutPrefix(name, "my "); mine && r.refs.self != "user" {
		name = r.refs.self + "'s " + rest // others have a brother too
	}
	r.same(name, entity)
}

// same adds an alias once.
func (r *reader) same(name, entity string) {
	if strings.EqualFold(name, entity) || name == "" || entity == "" {
		return
	}
	for _, a := range r.found.Aliases {
		if strings.EqualFold(a.Name, name) {
			return
		}
	}
	r.found.Aliases = append(r.found.Aliases, memory.Association{Rel: memory.SameAs, Name: name, Entity: entity})
	r.refs.known[strings.ToLower(name)] = true
}

// namesakes finds the names that two persons of the turn bear ("Anna from
// work", "my cousin Anna"): they keep what tells them apart.
func (r *reader) namesakes(sentences []sentence) {
	full := map[string]string{}
	for i := range sentences {
		s := &sentences[i]
		l := r.rules.language(s)
		r.refs.note(l, s)
		for _, p := range r.refs.places {
			if p.w.self || p.w.name == "" {
				continue
			}
			key := strings.ToLower(p.w.name)
			if s.zh && p.w.rel != "" && p.w.full != p.w.name && strings.Contains(r.turn.Text, "的"+p.w.name) {
				r.refs.split[key] = true
			}
			if old, ok := full[key]; ok && old != p.w.full && p.w.rel != "" && strings.Contains(old, " ") {
				r.refs.split[key] = true
			}
			if p.w.full != p.w.name {
				full[key] = p.w.full
			}
		}
	}
	r.refs.places = nil
	// "There are two Sams."
	for i := range sentences {
		s := &sentences[i]
		for j := 1; !s.zh && j < len(s.toks); j++ {
			t := &s.toks[j]
			if name, plural := strings.CutSuffix(t.word, "s"); plural && t.upper && r.rules.en.words["number"][s.toks[j-1].word] && len(name) > 1 {
				r.refs.split[name] = true
			}
		}
	}
}
