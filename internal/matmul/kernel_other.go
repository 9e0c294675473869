//go:build (!amd64 && !arm64) || purego

package matmul

var best = portableKernel

// kernels gives those that this processor runs, the fastest first.
func kernels() []kernel { return []kernel{portableKernel} }

func (kn kernel) run(t *tile, _ int) { tilePortable(t) }
