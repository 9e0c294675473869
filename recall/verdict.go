package recall

import (
	"fmt"
	"strings"

	"engram/memory"
	"engram/text"
)

// answerableFloor is the least share of the question's words at which a
// memory claims to hold an answer. It is low and not calibrated: no score of
// retrieval alone separates what can be answered from what cannot
// (docs/evaluation.md), and a paraphrase shares few words.
const answerableFloor = 0.1

// verdictItems is how many of the best items the verdict looks at.
const verdictItems = 5

// maxMissing is how many missing words the verdict names: a question may be
// 64 KiB long, its verdict is a sentence.
const maxMissing = 10

// verdict says how well what is shown holds the question's words: the facts or
// the best items, whichever do better.
func (se *search) verdict(facts []memory.Fact, ranked []*candidate) memory.Verdict {
	v := se.itemsVerdict(ranked)
	share := se.factsShare(facts)
	if len(facts) == 0 || share < v.Score {
		return v
	}
	return memory.Verdict{
		Answerable: share >= answerableFloor, Score: share,
		Why: fmt.Sprintf("The facts hold %.0f %% of the question's words by rarity.", 100*share),
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
		for _, t := range text.Terms(nil, Words(&memory.Assertion{Subject: facts[i].Subject, Predicate: facts[i].Predicate, Object: facts[i].Object})) {
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

// itemsVerdict gives the share of the question's words, weighted by rarity,
// that the best items hold together.
func (se *search) itemsVerdict(ranked []*candidate) memory.Verdict {
	if len(ranked) == 0 {
		return memory.Verdict{Why: "Nothing that can be seen from here has to do with the question."}
	}
	if se.words.Bare {
		return memory.Verdict{Answerable: true, Why: "The question has no word to look for: these are the newest records that it may mean."}
	}
	held, missing := 0.0, []string(nil)
	for i := range se.words.Words {
		w := &se.words.Words[i]
		found := false
		for _, c := range ranked[:min(len(ranked), verdictItems)] {
			found = found || se.space.Index.TF(w, c.doc) > 0
		}
		if found {
			held += w.IDF
		} else if !w.Alt {
			missing = append(missing, w.Text)
		}
	}
	if len(missing) > maxMissing {
		missing = append(missing[:maxMissing], "…")
	}
	score := ratio(held, se.words.All)
	v := memory.Verdict{Answerable: score >= answerableFloor, Score: score}
	switch {
	case len(se.words.Words) == 0:
		v.Why = "No word of the question occurs in this memory."
	case len(missing) > 0:
		v.Why = fmt.Sprintf("The best items hold %.0f %% of the question's words by rarity; they lack: %s.", 100*score, strings.Join(missing, ", "))
	default:
		v.Why = fmt.Sprintf("The best items hold %.0f %% of the question's words by rarity.", 100*score)
	}
	return v
}
