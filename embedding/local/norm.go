package local

import "math"

// norm shifts and scales a row so that it has the mean 0 and the variance 1,
// and then by the gain and bias of each element.
type norm struct {
	gain, bias []float32
	least      float32 // is added to the variance
}

// apply works in place. The order of all sums is fixed.
func (n norm) apply(row []float32) {
	mean := sum4(row) / float32(len(row))
	for i := range row {
		row[i] -= mean
	}
	variance := squares4(row) / float32(len(row))
	factor := 1 / float32(math.Sqrt(float64(variance+n.least)))
	gain, bias := n.gain[:len(row)], n.bias[:len(row)]
	for i, x := range row {
		row[i] = x*factor*gain[i] + bias[i]
	}
}

// sum4 adds in four sums, which do not wait for each other. The length of the
// row is a multiple of four.
func sum4(row []float32) float32 {
	var a, b, c, d float32
	for ; len(row) >= 4; row = row[4:] {
		a += row[0]
		b += row[1]
		c += row[2]
		d += row[3]
	}
	return (a + b) + (c + d)
}

// squares4 adds the squares likewise.
func squares4(row []float32) float32 {
	var a, b, c, d float32
	for ; len(row) >= 4; row = row[4:] {
		a += row[0] * row[0]
		b += row[1] * row[1]
		c += row[2] * row[2]
		d += row[3] * row[3]
	}
	return (a + b) + (c + d)
}

// add adds src to dst.
func add(dst, src []float32) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] += x
	}
}
