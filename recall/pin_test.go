package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

// pinnedBlock gives the lines of the pinned block of a context.
func pinnedBlock(a memory.Answer) []string {
	_, block, ok := strings.Cut(a.Context, pinnedTitle)
	if !ok {
		return nil
	}
	var out []string
	for l := range strings.Lines(block) {
		if l[0] != '[' && l[0] != ' ' {
			break
		}
		out = append(out, strings.TrimSuffix(l, "\n"))
	}
	return out
}

func TestPinnedBlock(t *testing.T) {
	t.Parallel()
	w := world(t, chatter(10)...)
	w.tell(&memory.Episode{Text: "Hello. Always answer in English. How are you?", Speaker: "Ann"})
	w.tell(&memory.Episode{Text: "Always answer in French.", Source: memory.Assistant}) // a model instructs nobody
	w.tell(&memory.Episode{Text: "Keep it short.", Kind: memory.Instruction, Speaker: "Ann"})
	hand := w.say("My locker is number 7.")
	w.tell(&memory.Feedback{Pin: []memory.ID{hand}})
	want := []string{"[11] Ann: Always answer in English.", "[13] Ann: Keep it short.", "[14] user: My locker is number 7."}
	for _, question := range []string{"How was the weather?", "Where is the quetzal?", "What is my locker?", "How should you answer?"} {
		a := w.ask(question)
		if got := pinnedBlock(a); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
		for _, it := range a.Items {
			if whole := it.Seq == 13 || it.Seq == 14; whole && !it.Pinned {
				t.Errorf("%q: [%d] is not marked as pinned", question, it.Seq)
			}
		}
		if n := strings.Count(a.Context, "locker"); n != 1 {
			t.Errorf("%q: what is pinned as a whole stands %d times in the context", question, n)
		}
	}
	a := w.recall(memory.Query{Question: "Where is the quetzal?", Explain: true})
	for _, it := range a.Items {
		if why := it.Explanation.Why; len(why) != 1 || it.Seq == 14 && why[0] != "pinned by hand" || it.Seq == 11 && why[0] != "a standing instruction" {
			t.Errorf("[%d] is there because %q", it.Seq, why)
		}
		if it.Seq == 11 && (!it.Excerpt || !it.Pinned) {
			t.Errorf("[11] is shown in part: %+v", it)
		}
	}
}

// With little room, what was pinned by hand comes first, by priority; the
// newer instruction before the older; and the block stays in its share. (What
// does not fit is passed over, so the lines by hand are the short ones here.)
func TestPinnedShare(t *testing.T) {
	t.Parallel()
	w := world(t)
	for i := range 30 {
		w.tell(&memory.Episode{Text: fmt.Sprintf("Always greet person %d in the morning.", i), Speaker: "Ann"})
	}
	low := w.say("Wifi name: heron.")
	high := w.say("Wifi key: otter.")
	minus, plus := -1, 2
	w.tell(&memory.Feedback{Pin: []memory.ID{low}, Priority: &minus})
	w.tell(&memory.Feedback{Pin: []memory.ID{high}, Priority: &plus})
	before := 0
	for budget := range someBudgets {
		a := w.recall(memory.Query{Question: "Where is the quetzal?", Budget: budget})
		check(t, w, a)
		block := pinnedBlock(a)
		if len(block) == 0 {
			continue
		}
		cost := w.r.CountTokens(pinnedTitle + strings.Join(block, "\n") + "\n")
		if most := min(budget/pinnedShare, pinnedMax); cost > most {
			t.Errorf("of %d tokens the block takes %d, its share is %d", budget, cost, most)
		}
		if n := len(block); n < before {
			t.Errorf("%d tokens: %d pins, with fewer tokens there were %d", budget, n, before)
		}
		before = len(block)
		all := strings.Join(block, "\n")
		if !strings.Contains(all, "otter") || len(block) > 1 && !strings.Contains(all, "heron") || len(block) > 2 && !strings.Contains(all, "person 29") {
			t.Errorf("%d tokens: not the most binding:\n%s", budget, all)
		}
		if !slices.IsSortedFunc(block, func(a, b string) int { return len(mark(a)) - len(mark(b)) + strings.Compare(mark(a), mark(b)) }) {
			t.Errorf("%d tokens: not in the order of the log:\n%s", budget, all)
		}
	}
	if before < 10 || before >= 32 {
		t.Errorf("8,000 tokens hold %d pins", before)
	}
}

// mark is the part of a line in brackets.
func mark(l string) string { return l[:strings.IndexByte(l, ']')] }

// The block is the same whatever is asked, so that prompt caches hit.
func TestPinnedBlockIsStable(t *testing.T) {
	t.Parallel()
	w := busy(t)
	w.tell(&memory.Feedback{Pin: []memory.ID{w.id(5)}})
	want := pinnedBlock(w.ask(busyQuestions[0]))
	if len(want) < 3 {
		t.Fatalf("the block is %q", want)
	}
	for _, question := range busyQuestions {
		if got := pinnedBlock(w.ask(question)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestPinnedBlockIsFiltered(t *testing.T) {
	t.Parallel()
	w := world(t, chatter(10)...)
	then := w.fold.Head()
	w.tell(&memory.Episode{Text: "Always answer in English.", Speaker: "Ann", Session: "a"})
	w.tell(&memory.Episode{Text: "Always answer in Chinese.", Speaker: "Bo", Session: "b"})
	hand := w.tell(&memory.Episode{Text: "My locker is number 7.", Speaker: "Ann", Session: "a"})
	pin := w.tell(&memory.Feedback{Pin: []memory.ID{hand}})
	for _, tt := range []struct {
		name  string
		query memory.Query
		want  int
	}{
		{"all", memory.Query{}, 3},
		{"speaker", memory.Query{Filter: memory.Filter{Speakers: []string{"Bo"}}}, 1},
		{"session", memory.Query{Filter: memory.Filter{Sessions: []string{"a"}}}, 2},
		{"none", memory.Query{Filter: memory.Filter{Sessions: []string{"none"}}}, 0},
		{"before", memory.Query{AsOf: memory.AsOf{Known: memory.Known{Seq: then}}}, 0},
		{"before the pin", memory.Query{AsOf: memory.AsOf{Known: memory.Known{Seq: then + 3}}}, 2},
	} {
		tt.query.Question = "How was the weather?"
		if got := pinnedBlock(w.recall(tt.query)); len(got) != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
	w.tell(&memory.Retract{Targets: []memory.ID{w.id(10)}})
	w.tell(&memory.Retract{Targets: []memory.ID{pin}})
	if got := pinnedBlock(w.ask("How was the weather?")); len(got) != 1 || !strings.Contains(got[0], "Chinese") {
		t.Errorf("after taking back: %q", got)
	}
}

// Instructions that do not read as if they held for ever are likely done:
// only the last of them are shown.
func TestOnlyTheLastTasksArePinned(t *testing.T) {
	t.Parallel()
	w := world(t)
	w.tell(&memory.Episode{Text: "Never call before nine.", Kind: memory.Instruction})
	for i := range 9 {
		w.tell(&memory.Episode{Text: fmt.Sprintf("Buy %d eggs.", i+2), Kind: memory.Instruction})
	}
	got := pinnedBlock(w.ask("How was the weather?"))
	if len(got) != 1+tasksTaken || !strings.Contains(got[0], "Never call") || !strings.Contains(got[1], "Buy 6 eggs") {
		t.Errorf("pinned %q", got)
	}
}

// A long text that is pinned by hand is shown in all its parts, each a line.
func TestALongPinnedTextIsShownInParts(t *testing.T) {
	t.Parallel()
	w := world(t)
	id := w.say(strings.Repeat("The manual says a lot about herons. ", 30))
	w.tell(&memory.Feedback{Pin: []memory.ID{id}})
	a := w.recall(memory.Query{Question: "what?", Budget: 8000})
	check(t, w, a)
	if got := pinnedBlock(a); len(got) != w.index.Len(1) || !strings.Contains(got[1], "user: … ") {
		t.Errorf("%d lines for %d parts", len(got), w.index.Len(1))
	}
}
