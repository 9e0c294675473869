//go:build !purego

package dot

import "golang.org/x/sys/cpu"

const (
	idAVX2 = 1 + iota
	idAVX512
	idVNNI
)

// available lists the kernels that this processor can run, best first.
func available() []kernel {
	var list []kernel
	wide := cpu.X86.HasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW
	if wide && cpu.X86.HasAVX512VNNI {
		list = append(list, kernel{idVNNI, "avx512vnni", 64})
	}
	if wide {
		list = append(list, kernel{idAVX512, "avx512", 32})
	}
	if cpu.X86.HasAVX2 {
		list = append(list, kernel{idAVX2, "avx2", 16})
	}
	return append(list, portable)
}

// run calls directly, as pointers given to a function variable would move what
// they point at to the heap.
func run(id int, out *int32, q, rows *int8, n, size, stride int) {
	switch id {
	case idAVX2:
		rowsAVX2(out, q, rows, n, size, stride)
	case idAVX512:
		rowsAVX512(out, q, rows, n, size, stride)
	case idVNNI:
		rowsVNNI(out, q, rows, n, size, stride)
	}
}

// The kernels multiply the first size numbers of q and of n rows; rows begin
// stride bytes after each other. size is a positive multiple of the block.

//go:noescape
func rowsAVX2(out *int32, q, rows *int8, n, size, stride int)

//go:noescape
func rowsAVX512(out *int32, q, rows *int8, n, size, stride int)

//go:noescape
func rowsVNNI(out *int32, q, rows *int8, n, size, stride int)
