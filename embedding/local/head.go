package local

import (
	"math"

	"engram/internal/matmul"
)

// headTexts is how many texts go through the dense layers together.
const headTexts = 64

// hiddenDim is the width of the first two dense layers.
const hiddenDim = 320

// denseSizes are the rows and columns of the dense layers. Layers 1 and 3 add
// what the layer before them was given.
var denseSizes = [4][2]int{{Dim, hiddenDim}, {hiddenDim, hiddenDim}, {hiddenDim, Dim}, {Dim, Dim}}

// head turns the sums of the spans of each text into its vector.
func (n *network) head(texts [][]*span) [][]float32 {
	rows := len(texts)
	sums := make([]float32, rows*featureDim)
	for i, spans := range texts {
		for _, s := range spans {
			add(sums[i*featureDim:(i+1)*featureDim], s.sum)
		}
	}
	// The mean of the projections is the projection of the sum; it is divided
	// by the root of the length.
	mean := multiply(n.mean, sums, rows, false)
	for i, spans := range texts {
		tokens := float32(0)
		for _, s := range spans {
			tokens += float32(s.to - s.from)
		}
		root := float32(math.Sqrt(float64(max(tokens, 1))))
		for j, x := range mean[i*Dim : (i+1)*Dim] {
			mean[i*Dim+j] = (x + tokens*n.meanBias[j]) / root
		}
	}
	y := n.residual(1, mean, rows)
	for i, x := range y {
		y[i] = max(x, 0)
	}
	z := n.residual(3, y, rows)
	vectors := make([][]float32, rows)
	for i, spans := range texts {
		vectors[i] = make([]float32, Dim)
		if len(spans) > 0 {
			n.unit(vectors[i], z[i*Dim:(i+1)*Dim])
		}
	}
	return vectors
}

// residual is dense layer i over the layer before, plus the bypass of both.
func (n *network) residual(i int, x []float32, rows int) []float32 {
	y := multiply(n.dense[i], multiply(n.dense[i-1], x, rows, true), rows, false)
	add(y, multiply(n.bypass[i], x, rows, false))
	return y
}

// unit squashes a row and scales it to the length 1.
func (n *network) unit(dst, row []float32) {
	for j, x := range row {
		dst[j] = float32(math.Tanh(float64(x)))
	}
	length := float32(math.Sqrt(float64(max(squares4(dst), n.least))))
	for j := range dst {
		dst[j] /= length
	}
}

// multiply gives the product of rows that follow each other.
func multiply(m *matmul.Matrix, x []float32, rows int, relu bool) []float32 {
	y := make([]float32, rows*m.N)
	from, to := make([]int, rows), make([]int, rows)
	for i := range rows {
		from[i], to[i] = i*m.K, i*m.N
	}
	m.Mul(matmul.Rows{Of: y, At: to}, matmul.Rows{Of: x, At: from}, relu)
	return y
}
