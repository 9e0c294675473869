package main

import "fmt"

// The registers of the kernels on amd64: DI out, SI q, BX the first of the
// rows in hand, CX how many rows are left, DX size, R8 stride, R9–R11 the
// other rows in hand, AX the place in a row.
var rowsX86 = [4]string{"BX", "R9", "R10", "R11"}

// x86 is what differs between the kernels on amd64. Vector registers: 0–3
// sums, 4 numbers of q, 5 of a row, 9 what sums start with, 10 constants.
type x86 struct {
	name  string
	reg   string // letter of the vector registers
	block int    // numbers in one step
	start func(a *asm)
	zero  string   // sets the sum %[1]d to its start
	query string   // loads numbers of q
	row   []string // adds the products of the row at %[3]s to the sum %[1]d, by way of %[2]d
}

// widen multiplies as int16: the sum of two products is at most 2·128² and
// fits int32, whatever the numbers are.
func widen(name, reg string, block int) x86 {
	zero := "VPXOR " + reg + "%[1]d, " + reg + "%[1]d, " + reg + "%[1]d"
	if reg == "Z" {
		zero = "VPXORD Z%[1]d, Z%[1]d, Z%[1]d"
	}
	return x86{
		name: name, reg: reg, block: block, start: func(*asm) {}, zero: zero,
		query: "VPMOVSXBW (SI)(AX*1), " + reg + "4",
		row: []string{
			"VPMOVSXBW (%[3]s)(AX*1), " + reg + "%[2]d",
			"VPMADDWD " + reg + "4, " + reg + "%[2]d, " + reg + "%[2]d",
			"VPADDD " + reg + "%[2]d, " + reg + "%[1]d, " + reg + "%[1]d",
		},
	}
}

// vnni multiplies unsigned by signed numbers without saturation. A row with
// its sign bits flipped is the row + 128, unsigned; so sums start with
// -128 · the sum of q.
func vnni() x86 {
	return x86{
		name: "rowsVNNI", reg: "Z", block: 64,
		start: func(a *asm) {
			a.comment("Z10 = 128 in each byte; Z9 = -128 · q, summed by lane")
			a.op("MOVL $0x80808080, AX")
			a.op("VPBROADCASTD AX, Z10")
			a.op("VPXORD Z9, Z9, Z9")
			a.op("VPXORD Z0, Z0, Z0")
			a.op("XORQ AX, AX")
			a.label("VNNI_bias")
			a.op("VMOVDQU64 (SI)(AX*1), Z4")
			a.op("VPDPBUSD Z4, Z10, Z0")
			a.op("ADDQ $64, AX")
			a.op("CMPQ AX, DX")
			a.op("JLT VNNI_bias")
			a.op("VPSUBD Z0, Z9, Z9")
		},
		zero:  "VMOVDQA64 Z9, Z%[1]d",
		query: "VMOVDQU64 (SI)(AX*1), Z4",
		row: []string{
			"VPXORD (%[3]s)(AX*1), Z10, Z%[2]d",
			"VPDPBUSD Z4, Z%[2]d, Z%[1]d",
		},
	}
}

func amd64() string {
	a := newAsm()
	for _, k := range []x86{widen("rowsAVX2", "Y", 16), widen("rowsAVX512", "Z", 32), vnni()} {
		k.write(a)
	}
	return a.String()
}

// write walks the rows four at a time, so that their sums are folded together,
// and the last ones one by one.
func (k x86) write(a *asm) {
	l := k.name[len("rows"):]
	a.function(k.name, "MOVQ", [6]string{"DI", "SI", "BX", "CX", "DX", "R8"})
	k.start(a)
	a.op("JMP %s_more", l)
	a.label(l + "_four")
	a.op("LEAQ (BX)(R8*1), R9")
	a.op("LEAQ (R9)(R8*1), R10")
	a.op("LEAQ (R10)(R8*1), R11")
	k.multiply(a, l+"_four_step", 4)
	k.fold(a, 4)
	a.op("VPHADDD Y1, Y0, Y0")
	a.op("VPHADDD Y3, Y2, Y2")
	a.op("VPHADDD Y2, Y0, Y0")
	a.op("VEXTRACTI128 $1, Y0, X1")
	a.op("VPADDD X1, X0, X0")
	a.op("VMOVDQU X0, (DI)")
	a.op("ADDQ $16, DI")
	a.op("LEAQ (BX)(R8*4), BX")
	a.op("SUBQ $4, CX")
	a.label(l + "_more")
	a.op("CMPQ CX, $4")
	a.op("JGE %s_four", l)
	a.op("TESTQ CX, CX")
	a.op("JZ %s_done", l)
	a.label(l + "_one")
	k.multiply(a, l+"_one_step", 1)
	k.fold(a, 1)
	a.op("VEXTRACTI128 $1, Y0, X1")
	a.op("VPADDD X1, X0, X0")
	a.op("VPHADDD X0, X0, X0")
	a.op("VPHADDD X0, X0, X0")
	a.op("VMOVD X0, (DI)")
	a.op("ADDQ $4, DI")
	a.op("ADDQ R8, BX")
	a.op("DECQ CX")
	a.op("JNZ %s_one", l)
	a.label(l + "_done")
	a.op("VZEROUPPER")
	a.op("RET")
}

// multiply sums the products of n rows in the vector registers 0 to n-1, one row
// after the other: rows that are read side by side come from memory at less than
// half the speed, since what fetches ahead follows one line.
func (k x86) multiply(a *asm, label string, n int) {
	for i := range n {
		step := fmt.Sprintf("%s%d", label, i)
		a.op(k.zero, i)
		a.op("XORQ AX, AX")
		a.label(step)
		a.op("%s", k.query)
		for _, format := range k.row {
			a.op(format, i, 5, rowsX86[i])
		}
		a.op("ADDQ $%d, AX", k.block)
		a.op("CMPQ AX, DX")
		a.op("JLT %s", step)
	}
}

// fold adds the upper halves of n registers of 512 bits to the lower ones.
func (k x86) fold(a *asm, n int) {
	if k.reg != "Z" {
		return
	}
	for i := range n {
		a.op("VEXTRACTI64X4 $1, Z%d, Y5", i)
		a.op("VPADDD Y5, Y%d, Y%d", i, i)
	}
}
