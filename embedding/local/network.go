package local

import (
	"engram/internal/matmul"
)

const (
	convDim    = 256                     // of each convolution
	featureDim = Dim + 3*convDim         // of a token: its embedding and three convolutions
	chunks     = 17                      // the table's rows are quantised in chunks: those of id mod 17
	rowBytes   = Dim * quantisedBits / 8 // of the table
)

// branches are the convolutions: how many tokens each looks at, and how many of
// them stand before its own.
var branches = [3]struct{ order, left int }{{2, 0}, {3, 1}, {5, 2}}

// network is the model without its tokenizer.
type network struct {
	table        []byte                  // the embeddings of the tokens, six bits a number
	levels       [chunks][levels]float32 // what the six bits mean
	project      *matmul.Matrix          // embedding → input of the convolutions
	projectNorm  norm
	first, after [3]*matmul.Matrix // the two layers of each convolution
	featureNorm  norm
	mean         *matmul.Matrix // features → vector, to be averaged
	meanBias     []float32
	dense        [4]*matmul.Matrix
	bypass       [4]*matmul.Matrix // of dense layers 1 and 3 alone: from the input of the layer before
	least        float32           // of a variance and of a squared length
}

func newNetwork(t *tensors) *network {
	n := &network{
		table:       t.bytes("table", vocabulary*rowBytes),
		project:     t.matrix("project", Dim, 3*convDim),
		projectNorm: t.norm("project.norm", 3*convDim),
		featureNorm: t.norm("feature.norm", featureDim),
		mean:        t.matrix("mean", featureDim, Dim),
		meanBias:    t.floats("mean.lengthbias", Dim),
	}
	for i, b := range branches {
		n.first[i] = t.matrix(convName(b.order, 1), b.order*convDim, convDim)
		n.after[i] = t.matrix(convName(b.order, 2), b.order*convDim, convDim)
	}
	for i, size := range denseSizes {
		n.dense[i] = t.matrix(denseName(i), size[0], size[1])
	}
	n.bypass[1], n.bypass[3] = t.matrix("bypass1", Dim, hiddenDim), t.matrix("bypass3", hiddenDim, Dim)
	scale, low, least := t.floats("table.scale", chunks), t.floats("table.low", chunks), t.floats("least", 1)
	if t.err != nil {
		return nil
	}
	n.least = least[0]
	n.projectNorm.least, n.featureNorm.least = n.least, n.least
	for c := range n.levels {
		for q := range n.levels[c] {
			// The conversion keeps the two roundings that the weights were made with.
			n.levels[c][q] = float32(float32(q)*scale[c]) + low[c]
		}
	}
	return n
}

// embed writes the embedding of a token.
func (n *network) embed(dst []float32, id int32) {
	packed := n.table[int(id)*rowBytes : int(id+1)*rowBytes]
	level := &n.levels[id%chunks]
	for len(dst) >= 4 && len(packed) >= 3 {
		bits := uint(packed[0]) | uint(packed[1])<<8 | uint(packed[2])<<16
		dst[0], dst[1] = level[bits%levels], level[bits>>6%levels]
		dst[2], dst[3] = level[bits>>12%levels], level[bits>>18%levels]
		dst, packed = dst[4:], packed[3:]
	}
}

// tokenWeights and headWeights count the weights that each token and each text
// is multiplied by.
func (n *network) tokenWeights() float64 {
	return weights(n.project) + weights(n.first[:]...) + weights(n.after[:]...)
}

func (n *network) headWeights() float64 {
	return weights(n.mean, n.bypass[1], n.bypass[3]) + weights(n.dense[:]...)
}

func weights(matrices ...*matmul.Matrix) float64 {
	sum := 0
	for _, m := range matrices {
		sum += m.K * m.N
	}
	return float64(sum)
}
