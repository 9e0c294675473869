package main

import "fmt"

// The registers of the kernels on arm64: R0 out, R1 q, R2 rows, R3 how many
// rows are left, R4 size, R5 stride, R6–R9 the places in the rows in hand, R10
// that in q, R11 what is left of a row. Vector registers: 0–3 sums, 4 numbers
// of q, 16–19 of the rows, 20 and 21 products.

func arm64() string {
	a := newAsm()
	writeNEON(a, "rowsNEON", func(sum, row int) {
		// A product fits int16, the sum of two need not.
		a.word(0x0e20c000, 20, 4, row, "SMULL V20.8H, V4.8B, V%d.8B", row)
		a.word(0x4e20c000, 21, 4, row, "SMULL2 V21.8H, V4.16B, V%d.16B", row)
		a.word(0x4e606800, sum, 20, 0, "SADALP V%d.4S, V20.8H", sum)
		a.word(0x4e606800, sum, 21, 0, "SADALP V%d.4S, V21.8H", sum)
	})
	writeNEON(a, "rowsDot", func(sum, row int) {
		a.word(0x4e809400, sum, 4, row, "SDOT V%d.4S, V4.16B, V%d.16B", sum, row)
	})
	return a.String()
}

// word writes an instruction that Go's assembler does not know by name, with
// its registers: the result, the first and the second operand.
func (a *asm) word(code, d, n, m int, format string, args ...any) {
	a.op("WORD $%#08x // %s", code|m<<16|n<<5|d, fmt.Sprintf(format, args...))
}

// writeNEON walks the rows four at a time, so that q is loaded once for four
// and their sums are folded together, and the last ones one by one.
func writeNEON(a *asm, name string, multiply func(sum, row int)) {
	a.function(name, "MOVD", [6]string{"R0", "R1", "R2", "R3", "R4", "R5"})
	a.op("B more")
	a.label("four")
	stepNEON(a, "four_step", 4, multiply)
	a.op("VADDP V1.S4, V0.S4, V0.S4")
	a.op("VADDP V3.S4, V2.S4, V2.S4")
	a.op("VADDP V2.S4, V0.S4, V0.S4")
	a.op("VST1.P [V0.S4], 16(R0)")
	a.op("ADD R5<<2, R2")
	a.op("SUB $4, R3")
	a.label("more")
	a.op("CMP $4, R3")
	a.op("BGE four")
	a.op("CBZ R3, done")
	a.label("one")
	stepNEON(a, "one_step", 1, multiply)
	a.op("VADDP V0.S4, V0.S4, V0.S4")
	a.op("VADDP V0.S4, V0.S4, V0.S4")
	a.op("VMOV V0.S[0], R6")
	a.op("MOVW.P R6, 4(R0)")
	a.op("ADD R5, R2")
	a.op("SUB $1, R3")
	a.op("CBNZ R3, one")
	a.label("done")
	a.op("RET")
}

// stepNEON sums the products of n rows in the vector registers 0 to n-1.
func stepNEON(a *asm, label string, n int, multiply func(sum, row int)) {
	a.op("MOVD R2, R6")
	for i := 1; i < n; i++ {
		a.op("ADD R5, R%d, R%d", 5+i, 6+i)
	}
	a.op("MOVD R1, R10")
	a.op("MOVD R4, R11")
	for i := range n {
		a.op("VEOR V%d.B16, V%d.B16, V%d.B16", i, i, i)
	}
	a.label(label)
	a.op("VLD1.P 16(R10), [V4.B16]")
	for i := range n {
		a.op("VLD1.P 16(R%d), [V%d.B16]", 6+i, 16+i)
		multiply(i, 16+i)
	}
	a.op("SUBS $16, R11")
	a.op("BNE %s", label)
}
