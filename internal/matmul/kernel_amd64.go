//go:build amd64 && !purego

package matmul

import "golang.org/x/sys/cpu"

var (
	avx2Kernel   = kernel{"avx2", avx2, 6, 16}
	avx512Kernel = kernel{"avx512", avx512, 8, 32}

	best = kernels()[0]
)

// kernels gives those that this processor runs, the fastest first.
func kernels() []kernel {
	all := []kernel{portableKernel}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append([]kernel{avx2Kernel}, all...)
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW {
		all = append([]kernel{avx512Kernel}, all...)
	}
	return all
}

func (kn kernel) run(t *tile, rows int) {
	switch kn.kind {
	case avx512:
		tileAVX512(t, rows)
	case avx2:
		tileAVX2(t, rows)
	default:
		tilePortable(t)
	}
}

//go:noescape
func tileAVX512(t *tile, rows int)

//go:noescape
func tileAVX2(t *tile, rows int)
