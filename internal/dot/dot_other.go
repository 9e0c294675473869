//go:build purego || !(amd64 || arm64)

package dot

func available() []kernel { return []kernel{portable} }

// run is for processors with kernels; this one has none.
func run(int, *int32, *int8, *int8, int, int, int) {}
