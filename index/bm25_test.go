package index

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/memory"
	"engram/text"
)

// okapi is BM25 as the papers write it: idf · tf (k1 + 1) / (tf + k1 (1 - b + b · length / average)).
func okapi(idf, tf, length, average, k1, b float64) float64 {
	return idf * tf * (k1 + 1) / (tf + k1*(1-b+b*length/average))
}

// average is that of the lengths of the first n documents, at least 1.
func (o *oracle) average(n int) float64 {
	total := 0
	for _, d := range o.docs[:n] {
		total += d.length
	}
	return max(1, float64(total)/float64(n))
}

// idf is Lucene's, over the first n documents; 0 for a term that none has.
func (o *oracle) idf(term string, n int) float64 {
	df := 0.0
	for _, d := range o.docs[:n] {
		if d.tf[term] > 0 {
			df++
		}
	}
	if df == 0 {
		return 0
	}
	return math.Log(1 + (float64(n)-df+0.5)/(df+0.5))
}

// score is the BM25 of document i for a question, among the first n.
func (o *oracle) score(question string, i, n int) float64 {
	total := 0.0
	for _, t := range text.Terms(nil, question) {
		d := o.docs[i]
		total += okapi(o.idf(t.Term, n), float64(d.tf[t.Term]), float64(d.length), o.average(n), 0.9, 0.4)
	}
	return total
}

// windowScore is the BM25 of document i and its neighbours as one text three
// times as long as a turn; a neighbour without any word adds only its length.
func (o *oracle) windowScore(question string, i, n int) float64 {
	tf, length := map[string]int{}, 0
	for _, j := range []int{o.docs[i].prev, i, o.docs[i].next} {
		if j < 0 || j >= n {
			continue
		}
		length += o.docs[j].length
		for term, f := range o.docs[j].tf {
			tf[term] += f
		}
	}
	total := 0.0
	for _, t := range text.Terms(nil, question) {
		total += okapi(o.idf(t.Term, n), float64(tf[t.Term]), float64(length), 3*o.average(n), 1.2, 0.75)
	}
	return total
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

func TestScoresAreThoseOfTheOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		episodes := world().Draw(t, "episodes")
		x, o := build(episodes...), newOracle(episodes)
		if x.Len(len(episodes)) != len(o.docs) {
			t.Fatalf("%d documents, the oracle has %d", x.Len(len(episodes)), len(o.docs))
		}
		n := rapid.IntRange(1, len(o.docs)).Draw(t, "documents")
		question := words(6).Draw(t, "question")
		q := x.Parse(question, n)
		s := x.Search(&q, nil)
		defer s.Release()
		best := 0.0
		for i := range o.docs {
			want, window := 0.0, 0.0
			if i < n {
				want, window = o.score(question, i, n), o.windowScore(question, i, n)
				if got := x.Window(&q, &s, i); !near(got, window) {
					t.Fatalf("the window of document %d of %d has %v, want %v", i, n, got, window)
				}
			}
			if got := s.Of(int32(i)); !near(got, want) {
				t.Fatalf("document %d of %d has %v, want %v", i, n, got, want)
			}
			if touched := slices.Contains(s.Touched(), int32(i)); touched != (want > 0) {
				t.Fatalf("document %d of %d with the score %v: touched is %v", i, n, want, touched)
			}
			best = max(best, want)
		}
		if !near(s.Max, best) {
			t.Fatalf("the best has %v, want %v", s.Max, best)
		}
	})
}

// What later documents say changes nothing about a prefix: replay rests on it.
// The bits must be equal, not only the values.
func TestAPrefixIsAnIndexOfItsOwn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		episodes := world().Draw(t, "episodes")
		k := rapid.IntRange(0, len(episodes)).Draw(t, "prefix")
		long, short := build(episodes...), build(episodes[:k]...)
		n := long.Len(k)
		if n != short.Len(k) {
			t.Fatalf("%d and %d documents", n, short.Len(k))
		}
		if diff := cmp.Diff(short.Speakers(n), long.Speakers(n)); diff != "" {
			t.Fatalf("speakers differ: %s", diff)
		}
		if !slices.Equal(short.Standing(n), long.Standing(n)) {
			t.Fatalf("standing instructions differ: %v and %v", short.Standing(n), long.Standing(n))
		}
		question := words(6).Draw(t, "question")
		a, b := short.Parse(question, n), long.Parse(question, n)
		if diff := cmp.Diff(a.Words, b.Words); diff != "" || a.Known != b.Known || a.All != b.All || a.Bare != b.Bare {
			t.Fatalf("the question reads differently: %s\n%v %v %v\n%v %v %v", diff, a.Known, a.All, a.Bare, b.Known, b.All, b.Bare)
		}
		as, bs := short.Search(&a, nil), long.Search(&b, nil)
		defer as.Release()
		defer bs.Release()
		if as.Max != bs.Max || len(as.Touched()) != len(bs.Touched()) {
			t.Fatalf("best %v of %d, and %v of %d", as.Max, len(as.Touched()), bs.Max, len(bs.Touched()))
		}
		for d := range n {
			if as.Of(int32(d)) != bs.Of(int32(d)) || short.Window(&a, &as, d) != long.Window(&b, &bs, d) {
				t.Fatalf("document %d: %v and %v, windows %v and %v", d, as.Of(int32(d)), bs.Of(int32(d)), short.Window(&a, &as, d), long.Window(&b, &bs, d))
			}
			for i := range a.Words {
				if short.TF(&a.Words[i], d) != long.TF(&b.Words[i], d) {
					t.Fatalf("%s occurs %d and %d times in document %d", a.Words[i].Text, short.TF(&a.Words[i], d), long.TF(&b.Words[i], d), d)
				}
			}
		}
	})
}

// What is not let through counts as if it were not there, also in windows.
func TestSearchLetsOnlySomeThrough(t *testing.T) {
	t.Parallel()
	x := build(said("", "", "heron report"), said("", "", "heron"), said("", "", "report"), said("", "", "nothing"))
	q := x.Parse("heron report", 4)
	s := x.Search(&q, func(d int) bool { return d != 0 })
	defer s.Release()
	if s.Of(0) != 0 || s.Of(1) == 0 || s.Of(2) == 0 || s.Of(None) != 0 || s.Of(99) != 0 {
		t.Errorf("scores %v %v %v", s.Of(0), s.Of(1), s.Of(2))
	}
	open := x.Search(&q, nil)
	defer open.Release()
	if x.Window(&q, &s, 1) >= x.Window(&q, &open, 1) {
		t.Error("a document that is not let through adds its words to the window of its neighbour")
	}
}

// The working memory of a search is clean when another takes it, also after
// the index has grown.
func TestSearchesDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	x := build(said("", "", "heron"), said("", "", "report"))
	for i := range 50 {
		q := x.Parse([]string{"heron", "report"}[i%2], i+2)
		s := x.Search(&q, nil)
		if s.Of(int32(i%2)) == 0 || s.Of(int32(1-i%2)) != 0 {
			t.Fatalf("search %d: %v and %v", i, s.Of(0), s.Of(1))
		}
		s.Release()
		x.Add(i+2, said("", "", "otter"))
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	x := build(said("", "Ann", "The heron saw the heron in Paris"), said("", "", "我住在柏林"))
	rarest := math.Log(1 + 2.5/0.5)
	for _, tt := range []struct {
		question string
		words    []string
		bare     bool
		unknown  int // distinct words that occur nowhere
	}{
		{"Where is the heron of Paris?", []string{"heron", "pari"}, false, 0},
		{"Heron herons HERON", []string{"heron"}, false, 0},
		{"What about it, and where was he?", nil, true, 0},
		{"", nil, true, 0},
		{"?!…", nil, true, 0},
		{"otter", nil, false, 1},
		{"otter otter heron", []string{"heron"}, false, 1},
		{"柏林", []string{"柏", "柏林", "林"}, false, 0},
		{"吗", nil, true, 0},
	} {
		q := x.Parse(tt.question, 2)
		var got []string
		known := 0.0
		for _, w := range q.Words {
			got = append(got, w.Text)
			known += w.IDF
		}
		if !slices.Equal(got, tt.words) || q.Bare != tt.bare {
			t.Errorf("%q: words %q, bare %v; want %q, %v", tt.question, got, q.Bare, tt.words, tt.bare)
		}
		if !near(q.Known, known) || !near(q.All, known+float64(tt.unknown)*rarest) {
			t.Errorf("%q: known %v, all %v; want %v, %v", tt.question, q.Known, q.All, known, known+float64(tt.unknown)*rarest)
		}
	}
	if q := x.Parse("heron", 0); len(q.Words) != 0 || q.Bare {
		t.Errorf("in an empty prefix: %+v", q)
	}
}

func TestParseCountsAndPlaces(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 40 {
		all = append(all, coin(i))
	}
	x := build(said("", "", strings.Join(all, " ")))
	for _, n := range []int{1, fewWords, fewWords + 1, 40} { // by a scan and by a map
		q := x.Parse(strings.Join(all[:n], " ")+" "+all[n-1], 1)
		if len(q.Words) != n || q.Words[n-1].Count != 2 {
			t.Fatalf("%d words, the last %v times; want %d and 2", len(q.Words), q.Words[n-1].Count, n)
		}
		for i, w := range q.Words {
			if q.Place(w.Term) != i {
				t.Errorf("of %d words, word %d stands at %d", n, i, q.Place(w.Term))
			}
		}
		if q.Place(9999) != -1 {
			t.Error("a word that is not in the question has a place")
		}
	}
}

// The longest question that a memory takes: 64 KiB, of any kind.
func TestHugeQuestions(t *testing.T) {
	t.Parallel()
	x := build(said("", "Ann", "The heron report is due on 4 June."), said("", "", "我住在柏林。"), said("", "", strings.Repeat("long heron tale. ", 300)))
	var distinct strings.Builder
	for i := 0; distinct.Len() < memory.MaxQuestion; i++ {
		fmt.Fprintf(&distinct, "w%d heron ", i)
	}
	for name, question := range map[string]string{
		"one word":    strings.Repeat("heron ", memory.MaxQuestion/6),
		"one letter":  strings.Repeat("a", memory.MaxQuestion),
		"distinct":    distinct.String(),
		"Chinese":     strings.Repeat("柏林", memory.MaxQuestion/6),
		"stop words":  strings.Repeat("the ", memory.MaxQuestion/4),
		"blanks":      strings.Repeat(" ", memory.MaxQuestion),
		"marks":       strings.Repeat("\u0301", memory.MaxQuestion/2),
		"punctuation": strings.Repeat("?!", memory.MaxQuestion/2),
	} {
		q := x.Parse(question, 5)
		s := x.Search(&q, nil)
		for d := range x.Len(3) {
			if v := s.Of(int32(d)) + x.Window(&q, &s, d); math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				t.Errorf("%s: document %d has %v", name, d, v)
			}
		}
		s.Release()
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("Where is the heron?", "The heron is in Paris.", "Ann")
	f.Add("我住在哪里？", "我住在柏林。", "小明")
	f.Add("O'Brien's node.js 3.5", "O’Brien runs node.js 3.5 \x00\u202e", "")
	f.Add(strings.Repeat("a ", 300), strings.Repeat("a b. ", 300), "\xff")
	f.Fuzz(func(t *testing.T, question, words, speaker string) {
		x := build(said("", speaker, words), said("s", speaker, question), said("", "", words+question))
		total := x.Len(3)
		for n := range total + 1 {
			q := x.Parse(question, n)
			s := x.Search(&q, nil)
			for d := range n {
				if v := s.Of(int32(d)); v < 0 || v > s.Max || math.IsNaN(v) {
					t.Errorf("document %d of %d has %v of %v", d, n, v, s.Max)
				}
				if v := x.Window(&q, &s, d); v < 0 || math.IsNaN(v) {
					t.Errorf("the window of document %d of %d has %v", d, n, v)
				}
			}
			if q.Known > q.All+1e-9 {
				t.Errorf("known %v of %v", q.Known, q.All)
			}
			s.Release()
		}
	})
}
