package index

import "testing"

// A space of 100,000 turns is asked a question of common and rare words.
func BenchmarkSearch(b *testing.B) {
	const n = 100_000
	x := build(crowd(n)...)
	question := "What did Ann say about " + coin(3) + ", " + coin(250) + " and " + coin(800) + "?"
	b.ReportAllocs()
	for b.Loop() {
		q := x.Parse(question, n)
		s := x.Search(&q, nil)
		s.Release()
	}
}

func BenchmarkAdd(b *testing.B) {
	episodes := crowd(1000)
	x := New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		x.Add(i, episodes[i%len(episodes)])
	}
}
