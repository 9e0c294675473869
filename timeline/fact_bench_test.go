package timeline

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"engram/memory"
)

// changes is a slot with n dated changes of its value, told in the order of
// events or in any.
func changes(n int, shuffled bool, values int) []memory.Record {
	when := rand.New(rand.NewPCG(1, 2)).Perm(n)
	log := make([]memory.Record, n)
	for i := range log {
		day := i
		if shuffled {
			day = when[i]
		}
		log[i] = memory.Record{
			Seq: memory.Seq(i + 1), Recorded: jan1.UnixMicro() + int64(i)*3600e6, ID: id(i + 1),
			Body: &memory.Assertion{
				Subject: "ann", Predicate: "lives_in", Object: fmt.Sprint("place ", day%values),
				Valid: memory.Interval{From: memory.At(jan1.AddDate(0, 0, day))},
			},
		}
	}
	return log
}

func BenchmarkSlotOf1000(b *testing.B) {
	for name, log := range map[string][]memory.Record{
		"in order":               changes(1000, false, 1000),
		"in any order":           changes(1000, true, 1000),
		"re-heard":               changes(1000, false, 1),
		"re-heard, in any order": changes(1000, true, 1),
		"few values":             changes(1000, true, 3),
	} {
		f := beliefFold(log)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.beliefs.forget()
				f.View(memory.Known{}).Rectangles("ann", "lives_in")
			}
		})
	}
}

func BenchmarkCurrentFactOf1000(b *testing.B) {
	f := beliefFold(changes(1000, true, 1000))
	for b.Loop() {
		if facts := f.View(memory.Known{}).Facts(FactQuery{Subject: "ann", At: jan1.AddDate(0, 0, 500).UnixMicro()}); len(facts) != 1 {
			b.Fatal(facts)
		}
	}
}

// BenchmarkMillion folds 1M assertions over 100k slots and reads one subject of 5 slots.
func BenchmarkMillion(b *testing.B) {
	log := make([]memory.Record, 1_000_000)
	some := rand.New(rand.NewPCG(1, 2))
	predicates := []string{"lives_in", "status", "likes", "visited", "owns"}
	for i := range log {
		log[i] = memory.Record{
			Seq: memory.Seq(i + 1), Recorded: int64(i), ID: memory.ID{12: byte(i >> 24), 13: byte(i >> 16), 14: byte(i >> 8), 15: byte(i)},
			Body: &memory.Assertion{
				Subject: fmt.Sprint("someone ", some.IntN(20_000)), Predicate: predicates[some.IntN(5)], Object: fmt.Sprint("thing ", some.IntN(100)),
				Valid: memory.Interval{From: memory.At(jan1.AddDate(0, 0, some.IntN(3000)))},
			},
		}
	}
	var f *Fold
	b.Run("apply", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f = beliefFold(log)
		}
	})
	b.Run("facts of a subject", func(b *testing.B) {
		for b.Loop() {
			v := f.View(memory.Known{Seq: memory.Seq(1 + some.IntN(len(log)))})
			v.Facts(FactQuery{Subject: fmt.Sprint("someone ", some.IntN(20_000)), At: jan1.AddDate(0, 0, some.IntN(3000)).UnixMicro()})
		}
	})
}
