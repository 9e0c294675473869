package timeline

import (
	"cmp"
	"slices"

	"engram/memory"
)

// at gives the view of the same log that knows what is up to a place.
func (v View) at(seq memory.Seq) View {
	v.seq = seq
	return v
}

// counting gives the claims that count when the log is known up to the view.
func (v View) counting(claims []*claim) []*claim {
	return pick(claims, v.counts)
}

// counts reports whether a claim is known and active, has evidence that is, and
// has not lost a dispute.
func (v View) counts(c *claim) bool {
	if c.known > v.seq {
		return false
	}
	if len(v.f.retractors) > 0 && (!v.standing(c.row) || !v.hasEvidence(c)) {
		return false
	}
	return !slices.ContainsFunc(v.f.beliefs.rulings[c.row], v.active)
}

// hasEvidence reports whether an episode that a claim was read out of is active.
// One without any speaks for itself.
func (v View) hasEvidence(c *claim) bool {
	rows := v.evidence(c)
	return len(rows) == 0 || slices.ContainsFunc(rows, v.active)
}

// heard gives the spans of a claim's words that are active in the view.
func (v View) heard(c *claim) []memory.Span {
	var out []memory.Span
	for _, p := range c.body.Provenance {
		if i, ok := v.f.ordinal(p.Episode); ok && v.f.entries[i].row < c.row && v.active(v.f.entries[i].row) {
			out = append(out, p)
		}
	}
	return out
}

// evidence gives the rows of the episodes that a claim was read out of.
func (v View) evidence(c *claim) []int32 {
	var out []int32
	for _, p := range c.body.Provenance {
		if i, ok := v.f.ordinal(p.Episode); ok && v.f.entries[i].row < c.row {
			out = append(out, v.f.entries[i].row)
		}
	}
	return out
}

// moment is a place of the log at which a claim may begin or cease to count.
type moment struct {
	at    memory.Seq
	claim int // in the slot
}

// moments lists them for a slot, in order, each once.
func (v View) moments(claims []*claim) []moment {
	var out []moment
	for i, c := range claims {
		out = append(out, moment{c.known, i})
		evidence, rulings := v.evidence(c), v.f.beliefs.rulings[c.row]
		for _, row := range slices.Concat(evidence, rulings) {
			out = append(out, moment{v.f.log[row].seq, i})
		}
		for _, row := range v.undoing(slices.Concat([]int32{c.row}, evidence, rulings)) {
			out = append(out, moment{v.f.log[row].seq, i})
		}
	}
	out = slices.DeleteFunc(out, func(m moment) bool { return m.at > v.head })
	slices.SortFunc(out, func(a, b moment) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.claim, b.claim)) })
	return slices.Compact(out)
}

// undoing gives the retracts of rows, those of these retracts, and so on.
func (v View) undoing(rows []int32) []int32 {
	if len(v.f.retractors) == 0 {
		return nil
	}
	seen := map[int32]bool{}
	var out []int32
	for len(rows) > 0 {
		row := rows[len(rows)-1]
		rows = rows[:len(rows)-1]
		for _, r := range v.f.retractors[row] {
			if !seen[r] {
				seen[r] = true
				out, rows = append(out, r), append(rows, r)
			}
		}
	}
	return out
}
