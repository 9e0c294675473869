package recall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"engram/index"
	"engram/index/vectors"
	"engram/memory"
	"engram/timeline"
)

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// builtinRecaller is shared: a Recaller has no state.
var builtinRecaller = sync.OnceValue(func() *Recaller {
	w, err := Builtin()
	if err != nil {
		panic(err)
	}
	v, err := BuiltinVectors()
	if err != nil {
		panic(err)
	}
	r, err := New(w, v)
	if err != nil {
		panic(err)
	}
	return r
})

// today is when the questions are asked: a Sunday.
var today = memory.At(time.Date(2026, 3, 8, 9, 0, 0, 0, time.UTC))

// on gives ten o'clock of a day.
func on(t failer, day string) memory.Time {
	t.Helper()
	at, err := memory.ParseTime(day+"T10:00Z", nil)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// memoryWorld is a log that is folded and indexed, with nothing around it.
type memoryWorld struct {
	t      failer
	r      *Recaller
	fold   *timeline.Fold
	index  *index.Index
	said   *index.Index
	random *rand.ChaCha8

	vectors  *vectors.Set // nil: none
	meaning  *vectors.Vector
	model    string
	reranked *Reranked
}

// world folds and indexes episodes, each recorded a second after the other.
func world(t failer, episodes ...memory.Episode) *memoryWorld {
	t.Helper()
	w := &memoryWorld{t: t, r: builtinRecaller(), fold: timeline.New(timeline.Schema{}), index: index.New(), said: index.New(), random: rand.NewChaCha8([32]byte{1})}
	for i := range episodes {
		w.tell(&episodes[i])
	}
	return w
}

// tell appends a record; an episode gets the defaults of the write path.
func (w *memoryWorld) tell(b memory.Body) memory.ID {
	w.t.Helper()
	if e, ok := b.(*memory.Episode); ok {
		filled := *e
		if filled.Kind == "" {
			filled.Kind = memory.Message
		}
		if filled.Source == "" {
			filled.Source = memory.User
		}
		if filled.Occurred.IsZero() {
			filled.Occurred = today
		}
		b = &filled
	}
	if err := b.Validate(); err != nil {
		w.t.Fatal(err)
	}
	seq := w.fold.Head() + 1
	id, err := memory.NewID(int64(seq)*1000, w.random)
	if err != nil {
		w.t.Fatal(err)
	}
	before, asserted := w.fold.Len(), w.fold.Assertions()
	w.fold.Apply(memory.Record{Seq: seq, Recorded: today.Micros - 1e9 + int64(seq)*1e6, ID: id, Body: b})
	if w.fold.Len() > before {
		w.index.Add(before, w.fold.Entry(before).Episode)
	}
	if w.fold.Assertions() > asserted {
		w.said.Add(asserted, &memory.Episode{Text: Words(b.(*memory.Assertion), w.fold.Schema())})
	}
	return id
}

// say appends a message of the user.
func (w *memoryWorld) say(text string) memory.ID { return w.tell(&memory.Episode{Text: text}) }

// id of an episode by its place in the log.
func (w *memoryWorld) id(ordinal int) memory.ID { return w.fold.Entry(ordinal).ID }

// recall answers as the engine does.
func (w *memoryWorld) recall(q memory.Query) memory.Answer {
	w.t.Helper()
	return w.recallAt(q, today)
}

func (w *memoryWorld) recallAt(q memory.Query, now memory.Time) memory.Answer {
	w.t.Helper()
	if err := q.Resolve(); err != nil {
		w.t.Fatal(err)
	}
	return w.r.Recall(w.space(q.Known), q, now)
}

func (w *memoryWorld) space(k memory.Known) Space {
	return Space{
		Scope: memory.Scope{Tenant: "default", Space: "world"}, Head: memory.Position{Seq: w.fold.Head()},
		View: w.fold.View(k), Fold: w.fold, Index: w.index, Said: w.said,
		Vectors: w.vectors, Meaning: w.meaning, Model: w.model, Reranked: w.reranked,
	}
}

func (w *memoryWorld) ask(question string) memory.Answer {
	w.t.Helper()
	return w.recall(memory.Query{Question: question})
}

// texts of the items in order of rank.
func texts(a memory.Answer) []string {
	out := make([]string, len(a.Items))
	for i, it := range a.Items {
		out[i] = it.Text
	}
	return out
}

// has reports whether an item says the words.
func has(a memory.Answer, words string) bool {
	return slices.ContainsFunc(a.Items, func(i memory.Item) bool { return strings.Contains(i.Text, words) })
}

func toJSON(t failer, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// same fails unless two answers are equal byte for byte.
func same(t failer, what string, a, b memory.Answer) {
	t.Helper()
	if x, y := toJSON(t, a), toJSON(t, b); !bytes.Equal(x, y) {
		t.Fatalf("%s: the answers differ\n%s\n%s", what, x, y)
	}
}

// chatter is n turns about nothing in particular.
func chatter(n int) []memory.Episode {
	subjects := strings.Fields("weather garden lunch train music painting coffee hiking movie laundry")
	moods := strings.Fields("nice long quiet busy strange sunny boring funny slow lovely")
	out := make([]memory.Episode, n)
	for i := range out {
		out[i] = memory.Episode{
			Text:    fmt.Sprintf("The %s was %s for person %d", subjects[i%10], moods[i/10%10], i),
			Session: fmt.Sprint("chat", i/30), Speaker: []string{"Ann", "Bo"}[i%2],
		}
	}
	return out
}
