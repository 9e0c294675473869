package recall

import (
	"testing"

	"pgregory.net/rapid"

	"engram/memory"
)

// given is an answer with what was asked to get it.
type given struct {
	query  memory.Query
	answer memory.Answer
}

var (
	lifeTexts = []string{
		"The heron report is due on 4 June.", "The heron report is due on 3 June.", "我住在柏林。", "我搬到上海了。",
		"Please always answer in English.", "Where is the report?", "It is on the shared drive.", "Paris", "I saw two herons yesterday.",
		"Always water the heron garden. " + longTale, longTale,
	}
	lifeQuestions = []string{
		"When is the heron report due?", "我住在哪里？", "Where is the report?", "In which order did we speak of herons?", "Summarize everything.",
		"How many herons did I see on 7 March?", "What did Ann say yesterday?", "heron", "?", "quetzal",
	}
	longTale = func() string {
		s := ""
		for range 40 {
			s += "The heron walked along the shore of the lake in Berlin. "
		}
		return s
	}()
)

func pick[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

// live lets one thing happen in a log.
func live(t *rapid.T, w *memoryWorld, ids []memory.ID) memory.ID {
	if len(ids) > 0 {
		target := []memory.ID{pick(t, "target", ids...)}
		reward := pick(t, "reward", -1.0, 0.5)
		switch pick(t, "happens", "speak", "speak", "speak", "retract", "use", "hurt", "pin", "unpin") {
		case "retract":
			return w.tell(&memory.Retract{Targets: target})
		case "use":
			return w.tell(&memory.Feedback{Used: target, Helped: target, Reward: &reward})
		case "hurt":
			return w.tell(&memory.Feedback{Hurt: target})
		case "pin":
			return w.tell(&memory.Feedback{Pin: target})
		case "unpin":
			return w.tell(&memory.Feedback{Unpin: target})
		}
	}
	return w.tell(&memory.Episode{
		Text:    pick(t, "text", lifeTexts...),
		Session: pick(t, "session", "", "s1", "s2"),
		Speaker: pick(t, "speaker", "Ann", "Bo", "assistant"),
		Kind:    pick(t, "kind", memory.Message, memory.Message, memory.Instruction, memory.Observation),
		Source:  pick(t, "source", memory.User, memory.User, memory.Assistant, memory.Tool),
		Key:     pick(t, "key", "", "", "k1", "k2"),
	})
}

func anyQuery(t *rapid.T) memory.Query {
	q := memory.Query{
		Question: pick(t, "question", lifeQuestions...),
		Budget:   pick(t, "budget", 0, 60, 200),
		Limit:    pick(t, "limit", 0, 0, 2),
		Ranker:   pick(t, "ranker", memory.Linear, memory.Linear, memory.RRF, memory.Fixed),
		Explain:  rapid.Bool().Draw(t, "explain"),
		Without:  pick(t, "without", nil, nil, []string{stepWords}, []string{stepTurns, stepSessions}, []string{stepNovelty, "window"}, Steps()),
	}
	if q.Ranker == memory.Fixed {
		q.Weights = map[string]float64{"semantic": 1, "recency": 0.5, "salience": 0.3}
	}
	q.Filter.Speakers = pick(t, "speakers", nil, nil, []string{"Ann"})
	return q
}

// An answer that was given at a position is given again from that position,
// byte for byte, whatever was appended since.
func TestAPositionAnswersAsItDid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := world(t)
		var ids []memory.ID
		var answers []given
		for range rapid.IntRange(2, 25).Draw(t, "steps") {
			ids = append(ids, live(t, w, ids))
			if rapid.Bool().Draw(t, "ask") {
				q := anyQuery(t)
				answers = append(answers, given{q, w.recall(q)})
			}
		}
		for _, g := range answers {
			then := w.space(g.answer.Query.Known)
			then.Head.Seq, then.View = g.answer.Head, w.fold.ViewOf(g.answer.Head, g.answer.Query.Known)
			same(t, "asked again", w.r.Recall(then, g.answer.Query, g.answer.Now), g.answer)
		}
	})
}
