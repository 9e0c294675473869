//go:build !purego

package dot

import "golang.org/x/sys/cpu"

const (
	idNEON = 1 + iota
	idDot
)

// available lists the kernels that this processor can run, best first.
func available() []kernel {
	list := []kernel{{idNEON, "neon", 16}, portable}
	if cpu.ARM64.HasASIMDDP {
		list = append([]kernel{{idDot, "neondot", 16}}, list...)
	}
	return list
}

// run calls directly, as pointers given to a function variable would move what
// they point at to the heap.
func run(id int, out *int32, q, rows *int8, n, size, stride int) {
	switch id {
	case idNEON:
		rowsNEON(out, q, rows, n, size, stride)
	case idDot:
		rowsDot(out, q, rows, n, size, stride)
	}
}

// The kernels multiply the first size numbers of q and of n rows; rows begin
// stride bytes after each other. size is a positive multiple of the block.

//go:noescape
func rowsNEON(out *int32, q, rows *int8, n, size, stride int)

//go:noescape
func rowsDot(out *int32, q, rows *int8, n, size, stride int)
