//go:build arm64 && !purego

package matmul

import "golang.org/x/sys/cpu"

var (
	neonKernel = kernel{"neon", neon, 6, 16}

	best = kernels()[0]
)

// kernels gives those that this processor runs, the fastest first. Darwin does
// not tell of ASIMD, which all its processors have, and x/sys knows that.
func kernels() []kernel {
	if cpu.ARM64.HasASIMD {
		return []kernel{neonKernel, portableKernel}
	}
	return []kernel{portableKernel}
}

func (kn kernel) run(t *tile, rows int) {
	if kn.kind == neon {
		tileNEON(t, rows)
	} else {
		tilePortable(t)
	}
}

//go:noescape
func tileNEON(t *tile, rows int)
