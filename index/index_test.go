package index

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/memory"
	"engram/text"
)

func TestSessionsInterleave(t *testing.T) {
	t.Parallel()
	x := build(said("a", "", "one"), said("b", "", "two"), said("a", "", "three"), said("", "", "four"), said("a", "", "five"), said("b", "", "six"))
	type at struct{ Prev, Next, Place int32 }
	want := []at{{None, 2, 0}, {None, 5, 0}, {0, 4, 1}, {None, None, 0}, {2, None, 2}, {1, None, 1}}
	for i := range want {
		d := x.Doc(i)
		if got := (at{d.Prev, d.Next, d.Place}); got != want[i] {
			t.Errorf("document %d: %+v, want %+v", i, got, want[i])
		}
	}
	if x.Sessions() != 3 || !slices.Equal(x.Session(x.Doc(0).Session), []int32{0, 2, 4}) {
		t.Errorf("%d sessions, the first holds %v", x.Sessions(), x.Session(x.Doc(0).Session))
	}
}

// A long text is searched in parts, which know their episode and stand beside
// each other and beside the turns around them.
func TestLongTextsAreParts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The heron walks along the shore again. ", 60)
	x := build(said("s", "Ann", "before"), said("s", "Ann", long), said("s", "Ann", "after"))
	from, to := x.DocsOf(1)
	parts := text.Parts(long, MaxWords)
	if len(parts) < 3 || from != 1 || to != 1+len(parts) || x.Len(3) != len(parts)+2 {
		t.Fatalf("documents %d to %d of %d, for %d parts", from, to, x.Len(3), len(parts))
	}
	for i, p := range parts {
		d := x.Doc(from + i)
		if d.Episode != 1 || int(d.Part) != i || int(d.Parts) != len(parts) || int(d.Start) != p.Start || int(d.End) != p.End {
			t.Errorf("part %d: %+v, want the bytes %+v", i, d, p)
		}
		if int(d.Prev) != from+i-1 || int(d.Next) != from+i+1 || int(d.Place) != i+1 {
			t.Errorf("part %d stands between %d and %d at place %d", i, d.Prev, d.Next, d.Place)
		}
		if int(d.Words) > MaxWords+1 { // and the speaker's name
			t.Errorf("part %d has %d words", i, d.Words)
		}
	}
	if d := x.Doc(0); d.Parts != 1 || d.End != int32(len("before")) {
		t.Errorf("a short text: %+v", d)
	}
}

// Parts cover what can be seen of each text, and Len and DocsOf agree.
func TestDocumentsOfEpisodes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		episodes := world().Draw(t, "episodes")
		x := build(episodes...)
		next := 0
		for i, e := range episodes {
			from, to := x.DocsOf(i)
			if from != next || to <= from || x.Len(i) != from {
				t.Fatalf("episode %d: documents %d to %d, want them from %d on", i, from, to, next)
			}
			next = to
			shown := ""
			for d := from; d < to; d++ {
				doc := x.Doc(d)
				if int(doc.Episode) != i || x.SpeakerName(doc.Speaker) != e.Speaker {
					t.Fatalf("document %d is of episode %d by %q", d, doc.Episode, x.SpeakerName(doc.Speaker))
				}
				shown += e.Text[doc.Start:doc.End]
			}
			if squeeze(shown) != squeeze(e.Text) {
				t.Fatalf("the parts of episode %d say %q, it says %q", i, shown, e.Text)
			}
		}
		if from, to := x.DocsOf(len(episodes)); from != next || to != next || x.Len(len(episodes)+9) != next {
			t.Fatalf("behind the last episode: %d to %d", from, to)
		}
	})
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func TestSpeakersBefore(t *testing.T) {
	t.Parallel()
	x := build(said("", "Ann", "a"), said("", "", "b"), said("", "Bo", "c"), said("", "Ann", "d"), said("", "小明", "e"))
	for n, want := range []string{"", "Ann", "Ann", "Ann Bo", "Ann Bo", "Ann Bo 小明"} {
		var got []string
		for _, id := range x.Speakers(n) {
			got = append(got, x.SpeakerName(id))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("before document %d: %q, want %q", n, got, want)
		}
	}
}

func TestSpeakersAreSearched(t *testing.T) {
	t.Parallel()
	x := build(said("", "Anna", "I said nothing."), said("", "Bo", "I said nothing."), said("", "小明", "好的"))
	for question, want := range map[string]int{"What does Anna think?": 0, "小明怎么说": 2} {
		q := x.Parse(question, 3)
		s := x.Search(&q, nil)
		for d := range 3 {
			if (s.Of(int32(d)) > 0) != (d == want) {
				t.Errorf("%q: document %d has %v", question, d, s.Of(int32(d)))
			}
		}
		s.Release()
	}
}

func TestTextKeepsOrderAndCapitals(t *testing.T) {
	t.Parallel()
	x := build(said("", "Bo", "heron Paris heron"))
	q := x.Parse("heron Paris Bo", 1)
	var got []string
	for _, w := range x.Text(0) {
		name := q.Words[q.Place(w.Term())].Text
		if w.Upper() {
			name += "^"
		}
		got = append(got, name)
	}
	// The speaker's name says nothing about capitals.
	if diff := cmp.Diff([]string{"bo", "heron", "pari^", "heron"}, got); diff != "" {
		t.Error(diff)
	}
	if x.TF(&q.Words[0], 0) != 2 || x.Vocabulary() != 3 {
		t.Errorf("heron occurs %d times among %d terms", x.TF(&q.Words[0], 0), x.Vocabulary())
	}
}

func TestSameWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b *memory.Episode
		want bool
	}{
		{said("s", "Ann", "My flight is on 3 June."), said("t", "Ann", "my flight is on 3 june"), false}, // a capital inside
		{said("s", "Ann", "My flight is on 3 June."), said("t", "Ann", "My flight is on 3 June!"), true},
		{said("", "Ann", "My flight is on 3 June."), said("", "Ann", "My flight is on 4 June."), false},
		{said("", "Ann", "My flight is on 3 June."), said("", "Bo", "My flight is on 3 June."), false},
		{said("", "", "小明中午吃了面条。"), said("", "", "小明中午吃了饺子。"), false},
		{said("", "", "heron and otter"), said("", "", "otter and heron"), false},
		{said("", "", "It is"), said("", "", "It was"), false}, // nothing to compare
	} {
		if got := build(tt.a, tt.b).SameWords(0, 1); got != tt.want {
			t.Errorf("%q by %q and %q by %q: %v", tt.a.Text, tt.a.Speaker, tt.b.Text, tt.b.Speaker, got)
		}
	}
}

func TestCostsAreCountedOnce(t *testing.T) {
	t.Parallel()
	x := build(said("", "", "heron"))
	calls := 0
	count := func() int { calls++; return 6 + calls }
	for range 3 {
		if x.LineCost(0, count) != 7 || x.HeadingCost(0, func() int { return 3 }) != 3 {
			t.Error("a cost changed")
		}
	}
	if calls != 1 {
		t.Errorf("counted %d times", calls)
	}
}

func TestTextsWithoutWords(t *testing.T) {
	t.Parallel()
	x := build(said("", "", "\u200b"), said("", "", "?!"), said("", "", "🦩"), said("", "", strings.Repeat("…", 5000)))
	if x.Len(4) < 4 {
		t.Errorf("%d documents of 4 episodes", x.Len(4))
	}
	q := x.Parse("anything 🦩 ?!", x.Len(4))
	s := x.Search(&q, nil)
	s.Release()
}

// Everything but Add may be called at once. For -race.
func TestManySearchesAtOnce(t *testing.T) {
	t.Parallel()
	const n = 2000
	x := build(crowd(n)...)
	ask := func(i int) string {
		q := x.Parse(fmt.Sprintf("Ann %s %s", coin(i%40), coin(i%7)), n-i%3)
		s := x.Search(&q, nil)
		defer s.Release()
		best, at := -1.0, 0
		for _, d := range s.Touched() {
			if v := x.Window(&q, &s, int(d)); v > best || v == best && int(d) < at {
				best, at = v, int(d)
			}
		}
		return fmt.Sprint(s.Max, best, at, len(s.Touched()), x.LineCost(at, func() int { return at + 1 }))
	}
	want := make([]string, 120)
	for i := range want {
		want[i] = ask(i)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range want {
				if k := (j + 15*i) % len(want); ask(k) != want[k] {
					t.Errorf("question %d gives another answer beside others", k)
				}
			}
		})
	}
	wg.Wait()
}
