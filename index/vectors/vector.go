package vectors

import (
	"encoding/binary"
	"fmt"
	"math"

	"engram/memory"
)

// Vector is a direction in int8: Scale · Values has the length 1. A zero Scale
// stands for the vector of zeros, which has no direction and is near nothing.
type Vector struct {
	Scale  float32
	Values []int8 // -127 to 127
}

// Quantise rounds a vector of any length to int8, its largest number to 127 or
// -127 and halves to even. The same numbers give the same bytes on every
// processor. Scale is that of the rounded numbers: their own length finds the
// nearest better than that of v (TestRecallOfInt8). A vector without
// dimensions, or with a number that is infinite or none, gives
// memory.ErrInvalid.
func Quantise(v []float32) (Vector, error) {
	if len(v) == 0 {
		return Vector{}, fmt.Errorf("the vector has no dimensions: %w", memory.ErrInvalid)
	}
	largest := 0.0
	for i, x := range v {
		f := float64(x)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return Vector{}, fmt.Errorf("number %d of the vector is %v: %w", i, f, memory.ErrInvalid)
		}
		largest = max(largest, math.Abs(f))
	}
	out := Vector{Values: make([]int8, len(v))}
	if largest == 0 {
		return out, nil
	}
	squares := 0 // whole numbers, so their order does not matter
	for i, x := range v {
		q := int8(math.RoundToEven(float64(x) / largest * limit))
		out.Values[i] = q
		squares += int(q) * int(q)
	}
	out.Scale = float32(1 / math.Sqrt(float64(squares)))
	return out, nil
}

const limit = 127 // of a quantised number: symmetric, so -128 is not used

// Encode gives the bytes of v for a store: Scale as 4 bytes little-endian
// (IEEE 754), then one byte for each number.
func (v Vector) Encode() []byte {
	data := make([]byte, 4+len(v.Values))
	binary.LittleEndian.PutUint32(data, math.Float32bits(v.Scale))
	for i, x := range v.Values {
		data[4+i] = byte(x)
	}
	return data
}

// Decode reads what Encode gave. Other bytes give memory.ErrCorrupt.
func Decode(data []byte) (Vector, error) {
	if len(data) <= 4 {
		return Vector{}, fmt.Errorf("%d bytes are no vector: %w", len(data), memory.ErrCorrupt)
	}
	v := Vector{Scale: math.Float32frombits(binary.LittleEndian.Uint32(data)), Values: make([]int8, len(data)-4)}
	if !(v.Scale >= 0 && v.Scale <= 1) { // nor is it NaN
		return Vector{}, fmt.Errorf("a vector with the scale %v: %w", v.Scale, memory.ErrCorrupt)
	}
	for i, b := range data[4:] {
		v.Values[i] = int8(b)
	}
	return v, nil
}
