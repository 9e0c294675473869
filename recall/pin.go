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

// maxPins is how many of the last instructions are looked at.
const maxPins = 200

// tasksTaken is how many instructions that do not read as if they held for ever
// are shown: the newest are likely still to be done.
const tasksTaken = 5

// pinned lists what holds whatever is asked, the most binding first: what was
// pinned by hand, then instructions and sentences that read like standing
// ones, then the last few other instructions; newer ones first.
func (se *search) pinned() []pin {
	if se.without(stepPinned) {
		return nil
	}
	out := se.pinnedByHand()
	byHand := len(out)
	var tasks []pin
	standing := se.space.Index.Standing(se.docs)
	standing = standing[max(0, len(standing)-maxPins):]
	said := map[uint64]bool{} // the same instruction again
	for i := len(standing) - 1; i >= 0; i-- {
		d := int(standing[i])
		if !se.allows(d) || said[se.space.Index.Doc(d).Print] || slices.ContainsFunc(out[:byHand], func(p pin) bool { return p.doc == d }) {
			continue
		}
		said[se.space.Index.Doc(d).Print] = true
		if se.space.Index.Doc(d).Signals.Kind != memory.Instruction || index.Lasting(se.text(d)) {
			out = append(out, se.standingPin(d, "a standing instruction"))
		} else if len(tasks) < tasksTaken {
			tasks = append(tasks, se.standingPin(d, "one of the last instructions"))
		}
	}
	return append(out, tasks...)
}

func (se *search) pinnedByHand() []pin {
	var out []pin
	pins := se.view.Pins()
	slices.SortStableFunc(pins, func(a, b timeline.Pin) int { return cmp.Compare(b.Priority, a.Priority) })
	for _, hand := range pins {
		from, to := se.space.Index.DocsOf(hand.Ordinal)
		for d := from; d < to; d++ {
			if se.allows(d) {
				out = append(out, pin{doc: d, line: se.line(d), whole: true, why: "pinned by hand"})
			}
		}
	}
	return out
}

// standingPin shows the sentences of a document that instruct.
func (se *search) standingPin(doc int, why string) pin {
	e, words := se.entry(doc), se.text(doc)
	spans := index.Standing(words, e.Episode.Kind)
	parts := make([]string, len(spans))
	for i, s := range spans {
		parts[i] = strings.TrimSpace(words[s.Start:s.End])
	}
	said := strings.Join(parts, " ")
	return pin{
		doc: doc, line: line(e.Episode, e.Seq, said, 0),
		whole: said == strings.TrimSpace(words), why: why,
	}
}
