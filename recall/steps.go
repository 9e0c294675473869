package recall

import (
	"fmt"
	"slices"
	"strings"

	"engram/memory"
)

// The channels and steps of the read path that a query may leave out, to find
// out what they are worth.
const (
	stepWords      = "words"      // the search for the question's words: it counts as having none
	stepNeighbours = "neighbours" // the turns beside a match enter the pool
	stepSessions   = "sessions"   // the sessions that match best enter the pool
	stepVectors    = "vectors"    // the search by meaning: the question counts as having no vector, and the weights for words rank
	stepNewest     = "newest"     // the newest records, or those at the question's dates, enter the pool
	stepDates      = "dates"      // the dates in the question are read
	stepSalience   = "salience"   // where a record comes from and what came of using it
	stepSpoken     = "spoken"     // a question about order looks at what people said
	stepNovelty    = "novelty"    // what was said before word for word is left out
	stepSpread     = "spread"     // a question about everything gets one part of each episode first
	stepRerank     = "rerank"     // a reranker puts the best in another order
	stepWorth      = "worth"      // what promises most for its length is packed first, not what promises most
	stepPinned     = "pinned"     // the block of standing instructions
	stepAliases    = "aliases"    // facts of whom the question calls by another name
	stepFacts      = "facts"      // the block of facts
	stepTurns      = "turns"      // the words themselves: without them facts and pins are shown alone
)

// Steps lists what memory.Query.Without may name: the channels and steps of
// the read path, then the features of the ranker, which count 0 when they are
// left out. Two names are both; "words" then takes every feature of the
// question's words along.
func Steps() []string {
	steps := []string{
		stepWords, stepNeighbours, stepSessions, stepVectors, stepNewest, stepDates, stepSalience, stepSpoken, stepNovelty, stepSpread,
		stepRerank, stepWorth, stepPinned, stepAliases, stepFacts, stepTurns,
	}
	for _, name := range FeatureNames {
		if !slices.Contains(steps, name) {
			steps = append(steps, name)
		}
	}
	return steps
}

// CheckSteps refuses names that are none of Steps with memory.ErrInvalid.
func CheckSteps(without []string) error {
	for _, name := range without {
		if steps := Steps(); !slices.Contains(steps, name) {
			return fmt.Errorf("step %q is none of %s: %w", name, strings.Join(steps, ", "), memory.ErrInvalid)
		}
	}
	return nil
}

// without reports whether the query leaves a step out.
func (se *search) without(step string) bool { return slices.Contains(se.query.Without, step) }

// blank takes the features that the query leaves out from the candidates.
func (se *search) blank(pool []*candidate) {
	for _, name := range se.query.Without {
		if i := slices.Index(FeatureNames[:], name); i >= 0 {
			for _, c := range pool {
				c.features[i] = 0
			}
		}
	}
}
