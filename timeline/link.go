package timeline

import (
	"bytes"
	"cmp"
	"slices"

	"engram/memory"
)

// tie is an association as the fold keeps it, at the episode it starts from.
type tie struct {
	row  int32 // of the association
	link memory.Link
}

// addAssociation ignores an association of which either end is not in the log.
func (f *Fold) addAssociation(at int32, a *memory.Association) {
	from, ok := f.ordinal(a.From)
	if _, known := f.rows[a.To]; ok && known {
		f.links[from] = append(f.links[from], tie{row: at, link: memory.Link{Rel: a.Rel, To: a.To}})
	}
}

// Links gives the links of episode i, its own as they were stated and the
// active associations that start at it, by relation and target, each once.
// The slice is the caller's.
func (v View) Links(i int) []memory.Link {
	if i >= v.n {
		return nil
	}
	links := slices.Clone(v.f.entries[i].Episode.Links)
	for _, t := range v.f.links[int32(i)] {
		if v.active(t.row) {
			links = append(links, t.link)
		}
	}
	slices.SortFunc(links, func(a, b memory.Link) int {
		return cmp.Or(cmp.Compare(a.Rel, b.Rel), bytes.Compare(a.To[:], b.To[:]))
	})
	return slices.Compact(links)
}
