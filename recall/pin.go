package recall

import (
	"cmp"
	"slices"
	"strings"

	"engram/index"
	"engram/memory"
	"engram/timeline"
)

// The pinned block takes at most an eighth of the budget and pinnedMax tokens.
// Some 200 tokens of standing instructions lift the evidence of questions about
// them that lies within 2,000 tokens from 74 to 92 % (docs/evaluation.md).
const (
	pinnedShare = 8
	pinnedMax   = 400
)

// pinned lists what holds whatever is asked, the most binding first: what was
// pinned by hand, then instructions, then sentences that read like standing
// instructions; newer ones first.
func (se *search) pinned() []pin {
	var out []pin
	pins := se.view.Pins()
	slices.SortStableFunc(pins, func(a, b timeline.Pin) int { return cmp.Compare(b.Priority, a.Priority) })
	x := se.space.Index
	for _, hand := range pins {
		from, to := x.DocsOf(hand.Ordinal)
		for d := from; d < to; d++ {
			if se.allows(d) {
				out = append(out, pin{doc: d, line: se.line(d), whole: true, why: "pinned by hand"})
			}
		}
	}
	byHand := len(out)
	for _, kind := range []bool{true, false} {
		standing := x.Standing(se.docs)
		for i := len(standing) - 1; i >= 0; i-- {
			d := int(standing[i])
			if (x.Doc(d).Signals.Kind == memory.Instruction) != kind || !se.allows(d) {
				continue
			}
			if slices.ContainsFunc(out[:byHand], func(p pin) bool { return p.doc == d }) {
				continue
			}
			out = append(out, se.standingPin(d))
		}
	}
	return out
}

// standingPin shows the sentences of a document that instruct.
func (se *search) standingPin(doc int) pin {
	e, words := se.entry(doc), se.text(doc)
	spans := index.Standing(words, e.Episode.Kind)
	parts := make([]string, len(spans))
	for i, s := range spans {
		parts[i] = strings.TrimSpace(words[s.Start:s.End])
	}
	said := strings.Join(parts, " ")
	return pin{
		doc: doc, line: line(e.Episode, e.Seq, said, 0),
		whole: said == strings.TrimSpace(words), why: "a standing instruction",
	}
}
