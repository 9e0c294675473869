package vectors

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkScan searches one core's worth: vectors of 512 numbers.
func BenchmarkScan(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("docs=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			draw := func() Vector {
				v := Vector{Scale: 1.0 / 1024, Values: make([]int8, 512)}
				for i := 0; i < len(v.Values); i += 8 {
					for j, word := 0, rng.Uint64(); j < 8; j, word = j+1, word>>8 {
						v.Values[i+j] = int8(word) | 1
					}
				}
				return v
			}
			s := New("fake", 512)
			for doc := range n {
				if err := s.Put(doc, draw()); err != nil {
					b.Fatal(err)
				}
			}
			q := query(b, s, draw())
			b.SetBytes(int64(n * 512))
			b.ReportAllocs()
			for b.Loop() {
				s.Scan(q, n, 10, nil)
			}
		})
	}
}
