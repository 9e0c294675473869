package recall

import (
	"strings"
	"testing"

	"engram/index"
	"engram/memory"
)

func TestIntent(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, tt := range []struct{ question, want string }{
		{"The heron", ""},
		{"When did she move?", "when"},
		{"What year was it?", "when"},
		{"How long was the trip?", "when number"},
		{"How many dogs has he?", "number"},
		{"Who has a dog?", "name"},
		{"Where is the dog?", "name"},
		{"Which dog is older?", "name advice"},
		{"What did you recommend?", "advice"},
		{"Have you told me of it?", ""},
		{"Can you suggest a book?", "advice"},
		{"How should I paint the wall?", "advice"},
		{"Summarize our talks.", "digest"},
		{"Give me an overview of how it progressed.", "digest"},
		{"In what order did I mention them?", "order"},
		{"Walk me through the timeline.", "order"},
		{"Can you recap the order of events?", "digest"},
		{"How does it evolve over time?", ""},
		{"border", ""},
		{"他什么时候搬家的？", "when"},
		{"几月几号去的？", "when"},
		{"他有几只猫？", "number"},
		{"谁养了猫？", "name"},
		{"你之前推荐了什么？", "advice"},
		{"怎么做红烧肉？", "advice"},
		{"总结一下我们聊过的。", "digest"},
		{"按先后顺序说说。", "order"},
		{"项目的进展怎么样？", ""},
	} {
		q := parse(tt.question, today, w.index, 0)
		var got []string
		for _, f := range []struct {
			name string
			on   bool
		}{
			{"when", q.asksWhen}, {"number", q.asksNumber}, {"name", q.asksName},
			{"advice", q.asksAdvice}, {"order", q.wantsOrder}, {"digest", q.wantsDigest},
		} {
			if f.on {
				got = append(got, f.name)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.question, strings.Join(got, " "), tt.want)
		}
	}
}

func TestNamedSpeaker(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, name := range []string{"Ann", "Mary Jane", "user", "assistant", "小明", "用户", "", "J.", "İrem"} {
		w.tell(&memory.Episode{Text: "hello", Speaker: name})
	}
	for question, want := range map[string]string{
		"What does Ann like?":       "Ann",
		"what does ann like":        "Ann",
		"Ann's dog":                 "Ann",
		"the Annex and the Hannah":  "",
		"the annexed; then Ann.":    "Ann",
		"Do Ann and mary jane sing": "", // two
		"Mary Jane sings":           "Mary Jane",
		"Mary sings":                "",
		"What did the user say?":    "",
		"用户喜欢什么？":                   "",
		"小明喜欢什么？":                   "小明",
		"Does J. sing?":             "J.",
		"":                          "",
	} {
		got := ""
		if id, _ := namedSpeaker(question, w.index, w.index.Len(w.fold.Len())); id != index.None {
			got = w.index.SpeakerName(id)
		}
		if got != want {
			t.Errorf("%q names %q, want %q", question, got, want)
		}
	}
	if id, _ := namedSpeaker("What does 小明 like?", w.index, 2); id != index.None {
		t.Error("names somebody who has not spoken yet")
	}
}
