package matmul

import (
	"math"
	"unsafe"
)

// lowest is the floor of results that keep their sign.
const lowest = -math.MaxFloat32

var portableKernel = kernel{"portable", portable, 1, 4}

// tilePortable is what all kernels compute: one row, four columns.
func tilePortable(t *tile) {
	a := unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(t.a), *t.aAt*4)), t.k) // #nosec G103 -- mul has checked the bounds
	b := unsafe.Slice(t.b, (t.k-1)*panelCols+4)                                   // #nosec G103 -- the last row of a panel ends there
	var c0, c1, c2, c3 float32
	for p, x := range a {
		w := b[p*panelCols : p*panelCols+4 : p*panelCols+4]
		c0 += x * float32(w[0])
		c1 += x * float32(w[1])
		c2 += x * float32(w[2])
		c3 += x * float32(w[3])
	}
	scale, bias := unsafe.Slice(t.scale, 4), unsafe.Slice(t.bias, 4)            // #nosec G103 -- a tile has four columns
	c := unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(t.c), *t.cAt*4)), 4) // #nosec G103 -- mul has checked the bounds
	for j, sum := range [4]float32{c0, c1, c2, c3} {
		c[j] = max(sum*scale[j]+bias[j], t.floor)
	}
}
