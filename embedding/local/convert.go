package local

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// The table of embeddings has six bits a number.
const (
	quantisedBits = 6
	levels        = 1 << quantisedBits
	chunkRows     = 7530 // some more than the vocabulary needs
)

// convName and denseName name matrices in the model's file.
func convName(order, layer int) string { return fmt.Sprintf("conv%d.%d", order, layer) }
func denseName(layer int) string       { return fmt.Sprintf("dense%d", layer) }

// convertWeights reads the arrays of weights.npz and adds them as tensors.
// Weights that are multiples of one number, as all matrices here are, become
// int8, exactly.
func convertWeights(z *npz, w *tensorWriter) error {
	c := converter{z: z, w: w}
	c.table()
	w.floats("least", []float32{float32(z.double("eps"))})
	c.project()
	for _, b := range branches {
		for layer := 1; layer <= 2; layer++ {
			suffix := fmt.Sprintf("%d_%d", layer, b.order)
			q, scale := c.quantise("w"+suffix, b.order*convDim, convDim)
			c.matrix(convName(b.order, layer), q, b.order*convDim, fill(scale, convDim), z.floats("b"+suffix, convDim))
		}
	}
	w.floats("feature.norm.gain", z.floats("ln_g", featureDim))
	w.floats("feature.norm.bias", z.floats("ln_b", featureDim))
	c.plain("mean", "cnn_W", featureDim, Dim)
	w.floats("mean.lengthbias", z.floats("cnn_b", Dim))
	for i, size := range denseSizes {
		c.plain(denseName(i), "d"+strconv.Itoa(i), size[0], size[1])
	}
	c.plain("bypass1", "p1", Dim, hiddenDim)
	c.plain("bypass3", "p3", hiddenDim, Dim)
	return z.err
}

type converter struct {
	z *npz
	w *tensorWriter
}

// table packs the rows of the chunks in the order of their tokens, four numbers
// in three bytes.
func (c converter) table() {
	packed := make([]byte, vocabulary*rowBytes)
	for chunk := range chunks {
		rows := c.z.array("q"+strconv.Itoa(chunk+1), "|u1", 1, chunkRows*Dim)
		if rows == nil {
			return
		}
		if slices.Max(rows) >= levels {
			c.z.err = fmt.Errorf("the table has numbers of more than %d bits", quantisedBits)
			return
		}
		for id := chunk; id < vocabulary; id += chunks {
			row, dst := rows[id/chunks*Dim:], packed[id*rowBytes:(id+1)*rowBytes]
			for i := 0; i < rowBytes; i, row = i+3, row[4:] {
				bits := uint(row[0]) | uint(row[1])<<6 | uint(row[2])<<12 | uint(row[3])<<18
				dst[i], dst[i+1], dst[i+2] = byte(bits), byte(bits>>8), byte(bits>>16)
			}
		}
	}
	c.w.add("table", typeU8, packed, vocabulary, rowBytes)
	c.w.floats("table.scale", c.z.floats("scale", chunks))
	c.w.floats("table.low", c.z.floats("lo", chunks))
}

// project puts the three projections beside each other.
func (c converter) project() {
	n := len(branches) * convDim
	all := make([]byte, Dim*n)
	var scales, bias, normGain, normBias []float32
	for i, b := range branches {
		order := strconv.Itoa(b.order)
		q, scale := c.quantise("proj"+order, Dim, convDim)
		if q == nil {
			return
		}
		for p := range Dim {
			copy(all[p*n+i*convDim:], q[p*convDim:(p+1)*convDim])
		}
		scales = append(scales, fill(scale, convDim)...)
		bias = append(bias, c.z.floats("proj_b"+order, convDim)...)
		normGain = append(normGain, c.z.floats("ln_g"+order, convDim)...)
		normBias = append(normBias, c.z.floats("ln_b"+order, convDim)...)
	}
	c.matrix("project", all, Dim, scales, bias)
	c.w.floats("project.norm.gain", normGain)
	c.w.floats("project.norm.bias", normBias)
}

// plain adds a matrix without bias.
func (c converter) plain(name, array string, k, n int) {
	q, scale := c.quantise(array, k, n)
	c.matrix(name, q, k, fill(scale, n), fill(0, n))
}

func (c converter) matrix(name string, q []byte, k int, scale, bias []float32) {
	c.w.add(name, typeI8, q, k, len(scale))
	c.w.floats(name+".scale", scale)
	c.w.floats(name+".bias", bias)
}

// quantise gives the weights as int8, and their scale: the greatest is ±127.
func (c converter) quantise(array string, k, n int) (q []byte, scale float32) {
	values := c.z.floats(array, k*n)
	if len(values) == 0 {
		return nil, 0
	}
	greatest := max(slices.Max(values), -slices.Min(values))
	scale = greatest / 127
	q = make([]byte, len(values))
	for i, v := range values {
		whole := float32(math.Round(float64(v / scale)))
		if whole*scale != v {
			c.z.err = fmt.Errorf("the weights of %s are not of 8 bits", array)
			return nil, 0
		}
		q[i] = byte(int8(whole))
	}
	return q, scale
}

func fill(value float32, n int) []float32 { return slices.Repeat([]float32{value}, n) }
