// Package dot gives dot products of int8 vectors. Kernels in assembly, chosen
// by what the processor can do, give bit for bit what the portable code gives.
// It may import golang.org/x/sys/cpu only.
package dot

import "fmt"

//go:generate go run ./gen

// Rows sets out[i] to the dot product of q and row i of rows, which holds
// len(out) rows of len(q) numbers, one behind the other; other lengths panic.
// Sums are int32 and wrap around, which takes more than 131,071 dimensions.
// Rows is fastest if len(q) is a multiple of 64.
func Rows(out []int32, q, rows []int8) { chosen.rows(out, q, rows) }

// Kernel names the code that Rows runs on this processor: "portable", "avx2",
// "avx512", "avx512vnni", "neon" or "neondot".
func Kernel() string { return chosen.name }

// kernel is one way to calculate.
type kernel struct {
	id    int // which function of the architecture runs it; 0 is the portable code
	name  string
	block int // it takes vectors of a multiple of so many numbers
}

var portable = kernel{name: "portable"}

// chosen is the best that this processor can do.
var chosen = available()[0]

// rows is Rows by this kernel. What is left behind the last whole block is
// added by the portable code.
func (k kernel) rows(out []int32, q, rows []int8) {
	if len(rows) != len(out)*len(q) {
		panic(fmt.Sprintf("dot: %d numbers are not %d rows of %d", len(rows), len(out), len(q)))
	}
	size := 0
	if k.id != portable.id {
		size = len(q) - len(q)%k.block
	}
	if size > 0 && len(out) > 0 {
		run(k.id, &out[0], &q[0], &rows[0], len(out), size, len(q))
	} else {
		clear(out)
	}
	if size == len(q) {
		return
	}
	rest := q[size:]
	for i := range out {
		out[i] += product(rest, rows[i*len(q)+size:(i+1)*len(q)])
	}
}

// product is the portable code.
func product(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	for len(a) >= 4 && len(b) >= 4 {
		s0 += int32(a[0]) * int32(b[0])
		s1 += int32(a[1]) * int32(b[1])
		s2 += int32(a[2]) * int32(b[2])
		s3 += int32(a[3]) * int32(b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}
