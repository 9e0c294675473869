package main

import "fmt"

// x86 is an instruction set with its vectors: their letter and the number of
// float32 in one. A tile is rows × (2 × lanes) sums in registers.
type x86 struct {
	vector      string
	lanes, rows int
	zero        string
	weights     int // the first of two registers for weights, then spare ones
	spare       int
}

// rowPointers hold where the rows of a begin. R14 and R15 have their meaning in
// Go, and the others their use here: DI tile, SI weights, AX index, CX length.
var rowPointers = []string{"R8", "R9", "R10", "R11", "R12", "R13", "DX", "BX"}

func amd64() string {
	s := newSource("amd64")
	x86{vector: "Z", lanes: 16, rows: 8, zero: "VPXORQ", weights: 16, spare: 18}.function(s, "tileAVX512")
	x86{vector: "Y", lanes: 8, rows: 6, zero: "VXORPS", weights: 12, spare: 14}.function(s, "tileAVX2")
	return s.String()
}

func (x x86) function(s *source, name string) {
	s.function(name, fmt.Sprintf("computes 1 to %d rows of %d columns.", x.rows, 2*x.lanes),
		"\tMOVQ t+0(FP), DI\n\tMOVQ rows+8(FP), AX\n", "CMPQ AX, $%d", "JEQ", x.rows)
	for rows := x.rows; rows > 0; rows-- {
		s.label("rows%d", rows)
		x.begin(s, rows)
		x.loop(s, rows)
		x.end(s, rows)
	}
}

func (x x86) reg(i int) string { return fmt.Sprintf("%s%d", x.vector, i) }

func (x x86) begin(s *source, rows int) {
	s.op("MOVQ tile_a(DI), AX")
	s.op("MOVQ tile_aAt(DI), BX")
	for r := range rows {
		s.op("MOVQ %d(BX), %s", 8*r, rowPointers[r]) // BX comes last
		s.op("LEAQ (AX)(%s*4), %s", rowPointers[r], rowPointers[r])
	}
	s.op("MOVQ tile_b(DI), SI")
	s.op("MOVQ tile_k(DI), CX")
	s.op("XORQ AX, AX")
	for i := range 2 * rows {
		s.op("%s %s, %s, %s", x.zero, x.reg(i), x.reg(i), x.reg(i))
	}
}

// loop adds one weight of each column times one element of each row a turn.
func (x x86) loop(s *source, rows int) {
	w0, w1 := x.reg(x.weights), x.reg(x.weights+1)
	s.label("loop%d", rows)
	s.op("VPMOVSXBD (SI), %s", w0)
	s.op("VPMOVSXBD %d(SI), %s", x.lanes, w1)
	s.op("VCVTDQ2PS %s, %s", w0, w0)
	s.op("VCVTDQ2PS %s, %s", w1, w1)
	for r := range rows {
		element := x.reg(x.spare + r%2)
		s.op("VBROADCASTSS (%s)(AX*4), %s", rowPointers[r], element)
		s.op("VFMADD231PS %s, %s, %s", w0, element, x.reg(2*r))
		s.op("VFMADD231PS %s, %s, %s", w1, element, x.reg(2*r+1))
	}
	s.op("ADDQ $32, SI")
	s.op("INCQ AX")
	s.op("CMPQ AX, CX")
	s.op("JLT loop%d", rows)
}

// end scales, adds the bias, and stores.
func (x x86) end(s *source, rows int) {
	s.op("MOVQ tile_scale(DI), AX")
	s.op("MOVQ tile_bias(DI), BX")
	for half := range 2 {
		scale, bias := x.reg(x.weights), x.reg(x.weights+1)
		s.op("VMOVUPS %d(AX), %s", 4*half*x.lanes, scale)
		s.op("VMOVUPS %d(BX), %s", 4*half*x.lanes, bias)
		for r := range rows {
			s.op("VFMADD213PS %s, %s, %s", bias, scale, x.reg(2*r+half))
		}
	}
	s.op("VBROADCASTSS tile_floor(DI), %s", x.reg(x.spare))
	s.op("MOVQ tile_c(DI), AX")
	s.op("MOVQ tile_cAt(DI), BX")
	for r := range rows {
		s.op("MOVQ %d(BX), CX", 8*r)
		s.op("LEAQ (AX)(CX*4), CX")
		for half := range 2 {
			sum := x.reg(2*r + half)
			s.op("VMAXPS %s, %s, %s", x.reg(x.spare), sum, sum)
			s.op("VMOVUPS %s, %d(CX)", sum, 4*half*x.lanes)
		}
	}
	s.op("VZEROUPPER")
	s.op("RET")
}
