package dot

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plain is the definition.
func plain(q, rows []int8) []int32 {
	out := []int32{}
	for ; len(rows) > 0; rows = rows[len(q):] {
		var sum int32
		for i := range q {
			sum += int32(q[i]) * int32(rows[i])
		}
		out = append(out, sum)
	}
	return out
}

// check runs a kernel with guards around all that it reads and writes.
func check(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, k kernel, q, rows []int8) {
	t.Helper()
	n := len(rows) / len(q)
	guarded := slices.Repeat([]int32{77}, n+16)
	k.rows(guarded[8:8+n], q, rows)
	if got, want := guarded[8:8+n], plain(q, rows); !slices.Equal(got, want) {
		t.Fatalf("%s: %d rows of %d: got %v, want %v", k.name, n, len(q), got, want)
	}
	for i, g := range guarded {
		if (i < 8 || i >= 8+n) && g != 77 {
			t.Fatalf("%s: %d rows of %d: wrote %d places from the first result", k.name, n, len(q), i-8)
		}
	}
}

// number draws extremes often.
func number() *rapid.Generator[int8] {
	return rapid.OneOf(rapid.SampledFrom([]int8{-128, -127, -1, 0, 1, 127}), rapid.Int8())
}

func TestKernelsEqualTheDefinition(t *testing.T) {
	t.Parallel()
	for _, k := range available() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				size := rapid.OneOf(rapid.IntRange(1, 200), rapid.SampledFrom([]int{64, 128, 384, 512})).Draw(t, "size")
				n := rapid.IntRange(0, 9).Draw(t, "rows")
				at := rapid.IntRange(0, 3).Draw(t, "offset") // rows need not be aligned
				q := rapid.SliceOfN(number(), size, size).Draw(t, "q")
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
				rows := make([]int8, at+n*size)
				for i := range rows {
					rows[i] = int8(rng.Uint32())
				}
				copy(rows[at:], rapid.SliceOfN(number(), 0, n*size).Draw(t, "first numbers"))
				check(t, k, q, rows[at:])
			})
		})
	}
}

// TestExtremes has every sum at its largest, in lanes of every width.
func TestExtremes(t *testing.T) {
	t.Parallel()
	for _, k := range available() {
		for _, size := range []int{1, 15, 16, 17, 32, 63, 64, 65, 512, 4096} {
			for _, a := range []int8{-128, -127, 0, 127} {
				for _, b := range []int8{-128, -127, 0, 127} {
					check(t, k, slices.Repeat([]int8{a}, size), slices.Repeat([]int8{b}, 5*size))
				}
			}
		}
	}
}

// TestAllPairs multiplies every number by every number.
func TestAllPairs(t *testing.T) {
	t.Parallel()
	rows := make([]int8, 256*64)
	for i := range rows {
		rows[i] = int8(i / 64)
	}
	for _, k := range available() {
		for n := -128; n < 128; n++ {
			q := make([]int8, 64)
			q[(n+128)%64] = int8(n)
			check(t, k, q, rows)
		}
	}
}

// TestSumsWrap goes beyond int32.
func TestSumsWrap(t *testing.T) {
	t.Parallel()
	for _, k := range available() {
		check(t, k, slices.Repeat([]int8{-128}, 1<<18), slices.Repeat([]int8{-128}, 5<<18))
		check(t, k, slices.Repeat([]int8{-128}, 1<<18), slices.Repeat([]int8{127}, 1<<18))
	}
}

func TestRowsRefusesOtherLengths(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("3 numbers were taken for a row of 2")
		}
	}()
	Rows(make([]int32, 1), make([]int8, 2), make([]int8, 3))
}

func TestRowsOfNothing(t *testing.T) {
	t.Parallel()
	out := []int32{5, 5}
	Rows(out, nil, nil)
	Rows(nil, []int8{1}, nil)
	if !slices.Equal(out, []int32{0, 0}) {
		t.Errorf("got %v", out)
	}
}

func FuzzRows(f *testing.F) {
	f.Add(uint16(64), []byte("some bytes that become the query and the rows"))
	f.Fuzz(func(t *testing.T, size uint16, data []byte) {
		n := int(size)%1024 + 1
		numbers := make([]int8, max(2*n, len(data)-len(data)%n))
		for i := range data[:min(len(data), len(numbers))] {
			numbers[i] = int8(data[i])
		}
		for _, k := range available() {
			check(t, k, numbers[:n], numbers[n:])
		}
	})
}

// BenchmarkRows asks for vectors in memory (in MB/s of vectors) and in the
// first cache.
func BenchmarkRows(b *testing.B) {
	const size = 512
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([]int8, 200_000*size)
	for i := 0; i < len(rows); i += 8 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], rng.Uint64())
		for j, c := range word {
			rows[i+j] = int8(c)
		}
	}
	for _, k := range available() {
		for _, n := range []int{32, len(rows) / size} {
			b.Run(fmt.Sprintf("%s/rows=%d", k.name, n), func(b *testing.B) {
				out := make([]int32, n)
				b.SetBytes(int64(n * size))
				for b.Loop() {
					k.rows(out, rows[:size], rows[:n*size])
				}
			})
		}
	}
}
