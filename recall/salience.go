package recall

import (
	"math"

	"engram/memory"
)

// startKind and startSource give the salience at which an episode starts,
// relative to an ordinary message of a person. They are set by hand: no data
// set that was at hand has such kinds (docs/evaluation.md lists them as untuned).
// What a model said is weighed by the fitted weights already.
var (
	startKind   = map[memory.Kind]float64{memory.Instruction: 0.5, memory.Action: -0.1, memory.Observation: -0.1}
	startSource = map[memory.Source]float64{memory.Import: -0.2, memory.Web: -0.4}
)

// salience is what an episode weighs whatever the question: where it comes
// from, what came of using it, and whether somebody pinned it. It is a pure
// function of the records of the view.
func (se *search) salience(doc int) float64 {
	d := se.space.Index.Doc(doc)
	use := se.view.Uses(int(d.Episode))
	s := startKind[d.Signals.Kind] + startSource[d.Signals.Source]
	// Use saturates, so that what was popular once does not drown the rest.
	s += 0.3 * math.Tanh(float64(use.Helped-use.Hurt)/3)
	return s + float64(0.2*use.Reward)
}

// ageDays is how long before the point of view an episode happened, at least 0.
func (se *search) ageDays(doc int) float64 {
	at := se.now
	if !se.query.Valid.IsZero() {
		at = se.query.Valid
	}
	return max(0, float64(at.Micros-se.entry(doc).Episode.Occurred.Micros)/dayMicros)
}
