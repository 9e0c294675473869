package timeline

import (
	"maps"
	"slices"

	"engram/memory"
)

// naming is one statement of who is who.
type naming struct {
	row          int32
	name, entity string // entity is empty for Apart
}

// identities says what names mean.
type identities struct {
	means  map[string]string   // of the names that mean another, what was said of each
	entity map[string]string   // of the names that mean another
	names  map[string][]string // of the entities that have others, sorted
}

// of gives the entity that a folded name means.
func (w *identities) of(name string) string {
	if e, ok := w.entity[name]; ok {
		return e
	}
	return name
}

// all gives the folded names of an entity, its own first.
func (w *identities) all(entity string) []string {
	return append([]string{entity}, w.names[entity]...)
}

func (f *Fold) addNaming(at int32, a *memory.Association) {
	n := naming{row: at, name: Key(a.Name)}
	if a.Rel == memory.SameAs {
		n.entity = Key(a.Entity)
	}
	f.beliefs.names = append(f.beliefs.names, n)
	f.beliefs.forget()
}

// identify follows the statements of who is who that active lets through.
func (b *beliefs) identify(active func(row int32) bool) *identities {
	means := map[string]string{}
	for _, n := range b.names {
		switch {
		case !active(n.row):
		case n.entity == "":
			delete(means, n.name)
		case !leads(means, n.entity, n.name): // a circle is ignored
			means[n.name] = n.entity
		}
	}
	out := &identities{means: means, entity: map[string]string{}, names: map[string][]string{}}
	for name, e := range means {
		for means[e] != "" {
			e = means[e]
		}
		out.entity[name] = e
		out.names[e] = append(out.names[e], name)
	}
	for _, names := range out.names {
		slices.Sort(names)
	}
	return out
}

// leads reports whether the way from one name passes another.
func leads(means map[string]string, from, to string) bool {
	for ; from != ""; from = means[from] {
		if from == to {
			return true
		}
	}
	return false
}

// identities gives what names mean in the view's log. Who is who is no news: it
// counts whatever the view knows.
func (v View) identities() *identities {
	b := v.f.beliefs
	all := View{f: v.f, seq: v.head, head: v.head}
	switch {
	case len(b.names) == 0:
		return &identities{}
	case v.head != v.f.Head():
		return b.identify(all.active)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.who == nil {
		b.who = b.identify(all.active)
	}
	return b.who
}

// entity gives the entity that a folded name means in the view's log.
func (v View) entity(name string) string { return v.identities().of(name) }

// NamesOf lists the folded names of an entity: the one given, the one that it
// means, and all others that mean the same. An empty name has none.
func (v View) NamesOf(name string) []string {
	if Key(name) == "" {
		return nil
	}
	out := v.identities().all(v.entity(Key(name)))
	slices.Sort(out)
	return out
}

// Means reports whether a name is another one, or means it by the aliases that count.
func (v View) Means(name, other string) bool {
	return leads(v.identities().means, Key(name), Key(other))
}

// Aliases lists the folded names that mean an entity of another name, sorted.
func (v View) Aliases() []string { return slices.Sorted(maps.Keys(v.identities().entity)) }

// Subject gives the entity, by its folded name, that the i-th assertion is about.
func (v View) Subject(i int) string { return v.entity(Key(v.f.beliefs.claims[i].body.Subject)) }
