package recall

import (
	"fmt"
	"strings"

	"engram/memory"
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

// verdict gives the share of the question's words, weighted by rarity, that
// the best items hold together.
func (se *search) verdict(ranked []*candidate) memory.Verdict {
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
