package recall

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"engram/index"
	"engram/memory"
	"engram/text"
)

// The signals of the verdict, in the order of their values. There are few: what
// told more on one data set told the opposite on another (docs/evaluation.md).
const (
	vHeld        = iota // share of the question's words, by rarity, that the best items or the facts hold together
	vUnknown            // share of them that occur nowhere in the memory
	vPerson             // the most that an item of the speaker holds whom the question names, minus the most that one of others holds
	signalsWords        // the signals before this one are there without vectors

	vNear       = iota - 1 // cosine of the question and the nearest of the best items
	signalCount = iota - 1
)

var signalNames = [signalCount]string{vHeld: "held", vUnknown: "unknown", vPerson: "person", vNear: "near"}

// SignalNames lists the signals of the verdict by their names in the weights
// file: for spaces with vectors, or for those without.
func SignalNames(vectors bool) []string {
	if vectors {
		return signalNames[:]
	}
	return signalNames[:signalsWords]
}

const (
	shownItems  = 5  // of the best items count as what is shown
	personItems = 20 // of the best items are compared by who said them
	maxMissing  = 10 // missing words are named: a question may be 64 KiB long, its verdict is a sentence
)

// grounds are what the verdict goes by.
type grounds struct {
	signals [signalCount]float64
	missing []string // words that are in the memory, but not in the best items
	byFacts bool     // the facts hold more than the best items
	abroad  bool     // the question is in another language than the best items
}

// verdict says how likely it is that what is shown holds the answer.
func (se *search) verdict(facts []memory.Fact, ranked []*candidate) memory.Verdict {
	cal := &se.judge.Verdict
	e := se.grounds(facts, ranked)
	switch {
	case e.byFacts:
		return se.judged(&e, fmt.Sprintf("The facts hold %.0f %% of the question's words by rarity.", 100*e.signals[vHeld]))
	case len(ranked) == 0:
		return memory.Verdict{Why: "Nothing that can be seen from here has to do with the question."}
	case se.words.Bare:
		return memory.Verdict{
			Answerable: true, Score: max(0.5, cal.Threshold), // nothing speaks for or against it
			Why: "The question has no word to look for: these are the newest records that it may mean.",
		}
	case len(se.words.Words) == 0 && se.meaning == nil:
		return memory.Verdict{Why: "No word of the question occurs in this memory."}
	}
	why := fmt.Sprintf("The best items hold %.0f %% of the question's words by rarity", 100*e.signals[vHeld])
	if e.abroad {
		why = "The question is in another language than the best items, so that its words say nothing"
	}
	if len(e.missing) > 0 {
		why += "; they lack: " + strings.Join(e.missing, ", ")
	}
	if se.judge.UsesVectors() {
		why += fmt.Sprintf("; the nearest in meaning has a cosine of %.2f", e.signals[vNear])
	}
	if e.signals[vPerson] < 0 {
		why += "; others say more of it than " + se.space.Index.SpeakerName(se.question.speaker)
	}
	return se.judged(&e, why+".")
}

// judged turns signals into a probability. It is rounded, so that it is the
// same on every processor.
func (se *search) judged(e *grounds, why string) memory.Verdict {
	w := se.judge
	if e.byFacts { // how near the words beside them are says nothing of facts
		w = &se.r.words
	}
	z := w.Verdict.Bias
	for i, v := range w.signals {
		z += float64(v * e.signals[i])
	}
	score := math.Round(1e6/(1+math.Exp(-z))) / 1e6
	return memory.Verdict{Answerable: score >= w.Verdict.Threshold, Score: score, Why: why}
}

func (se *search) grounds(facts []memory.Fact, ranked []*candidate) grounds {
	var e grounds
	if all := se.words.All; all > 0 {
		e.signals[vUnknown] = max(0, 1-se.words.Known/all)
	}
	if se.judge.UsesVectors() {
		for _, c := range ranked[:min(len(ranked), shownItems)] {
			e.signals[vNear] = max(e.signals[vNear], c.cosine)
		}
	}
	if !se.words.Bare {
		se.weigh(&e, ranked)
	}
	if e.abroad = se.abroad(ranked); e.abroad {
		// Its words speak neither for nor against: as if half of them were there.
		e.signals[vHeld], e.signals[vUnknown], e.signals[vPerson], e.missing = 0.5, 0.5, 0, nil
	}
	if share := se.factsShare(facts); len(facts) > 0 && share >= e.signals[vHeld] {
		e.byFacts, e.missing = true, nil
		e.signals[vHeld] = share
		e.signals[vUnknown] = min(e.signals[vUnknown], 1-share)
		e.signals[vPerson] = max(0, e.signals[vPerson])
	}
	return e
}

// abroad reports whether the question is in other letters than each of the best
// items, so in another language: its words cannot be there, and it is found by
// meaning. Languages of the same letters are not told apart: a note of three
// words does not say which is its own.
func (se *search) abroad(ranked []*candidate) bool {
	if se.meaning == nil || se.words.Known == se.words.All {
		return false
	}
	asked := text.Script(se.query.Question)
	return asked != "" && !slices.ContainsFunc(ranked[:min(len(ranked), shownItems)], func(c *candidate) bool {
		said := text.Script(se.text(c.doc))
		return said == "" || said == asked
	})
}

// weigh looks for the question's words in the best items. Names of speakers
// count only where there is no other word: they stand beside the items.
func (se *search) weigh(e *grounds, ranked []*candidate) {
	words, all := se.words.Words, se.words.All
	counts := func(i int) bool { return !se.question.named[words[i].Text] }
	for i := range words {
		if !counts(i) {
			all -= words[i].IDF
		}
	}
	if all <= 1e-9 {
		counts, all = func(int) bool { return true }, se.words.All
	}
	held, total := make([]bool, len(words)), 0.0
	last := make([]int, len(words)) // the last item, from 1, that has the word
	own, others := 0.0, 0.0
	for n, c := range ranked[:min(len(ranked), personItems)] {
		here := 0.0
		for _, w := range se.space.Index.Text(c.doc) {
			i := se.words.Place(w.Term())
			if i < 0 || last[i] == n+1 || !counts(i) {
				continue
			}
			last[i] = n + 1
			here += words[i].IDF
			if n < shownItems && !held[i] {
				held[i] = true
				total += words[i].IDF
			}
		}
		if se.space.Index.Doc(c.doc).Speaker == se.question.speaker {
			own = max(own, here)
		} else {
			others = max(others, here)
		}
	}
	e.signals[vHeld] = min(1, ratio(total, all))
	if se.question.speaker != index.None {
		e.signals[vPerson] = ratio(own-others, all)
	}
	for i, w := range words {
		if !held[i] && counts(i) && !w.Alt {
			e.missing = append(e.missing, w.Text)
		}
	}
	if len(e.missing) > maxMissing {
		e.missing = append(e.missing[:maxMissing], "…")
	}
}

// factsShare gives the share of the question's words, by their rarity among
// assertions, that the facts hold together.
func (se *search) factsShare(facts []memory.Fact) float64 {
	if len(facts) == 0 {
		return 0
	}
	q := se.space.Said.Parse(se.query.Question, se.space.Said.Len(se.view.Assertions()))
	terms := map[string]bool{}
	for i := range facts {
		for _, t := range text.Terms(nil, Words(&memory.Assertion{Subject: facts[i].Subject, Predicate: facts[i].Predicate, Object: facts[i].Object}, se.space.Fold.Schema())) {
			terms[t.Term] = true
		}
	}
	held := 0.0
	for _, w := range q.Words {
		if terms[w.Text] {
			held += w.IDF
		}
	}
	return ratio(held, q.All)
}
