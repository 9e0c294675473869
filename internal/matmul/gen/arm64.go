package main

// On NEON a tile is up to six rows of 16 columns: sums in V0 to V23, weights in
// V24 to V27. R0 is the tile, R1 the weights, R2 the length, R8 onward the rows.
const neonRows = 6

func arm64() string {
	s := newSource("arm64")
	s.function("tileNEON", "computes 1 to 6 rows of 16 columns.",
		"\tMOVD t+0(FP), R0\n\tMOVD rows+8(FP), R1\n", "CMP $%d, R1", "BEQ", neonRows)
	for rows := neonRows; rows > 0; rows-- {
		s.label("rows%d", rows)
		neonBegin(s, rows)
		neonLoop(s, rows)
		neonEnd(s, rows)
	}
	return s.String()
}

func neonBegin(s *source, rows int) {
	s.op("MOVD tile_a(R0), R3")
	s.op("MOVD tile_aAt(R0), R4")
	for r := range rows {
		s.op("MOVD %d(R4), R5", 8*r)
		s.op("ADD R5<<2, R3, R%d", 8+r)
	}
	s.op("MOVD tile_b(R0), R1")
	s.op("MOVD tile_k(R0), R2")
	s.op("MOVD $32, R3")
	for i := range 4 * rows {
		s.op("VEOR V%d.B16, V%d.B16, V%d.B16", i, i, i)
	}
}

// neonLoop widens 16 weights from int8 over int16 and int32 to float32, and
// adds them times one element of each row.
func neonLoop(s *source, rows int) {
	s.label("loop%d", rows)
	s.op("VLD1.P (R1)(R3), [V30.B16]")
	s.word(0x0F08A400, 30, 28, "SXTL V28.8H, V30.8B")
	s.word(0x4F08A400, 30, 29, "SXTL2 V29.8H, V30.16B")
	for half := range 2 {
		s.word(0x0F10A400, 28+half, 24+2*half, "SXTL V.4S, V.4H")
		s.word(0x4F10A400, 28+half, 25+2*half, "SXTL2 V.4S, V.8H")
	}
	for i := 24; i < 28; i++ {
		s.word(0x4E21D800, i, i, "SCVTF V.4S, V.4S")
	}
	for r := range rows {
		element := 28 + r%2
		s.op("VLD1R.P 4(R%d), [V%d.S4]", 8+r, element)
		for i := range 4 {
			s.op("VFMLA V%d.S4, V%d.S4, V%d.S4", 24+i, element, 4*r+i)
		}
	}
	s.op("SUBS $1, R2")
	s.op("BNE loop%d", rows)
}

// neonEnd scales, adds the bias, and stores.
func neonEnd(s *source, rows int) {
	s.op("MOVD tile_scale(R0), R3")
	s.op("MOVD tile_bias(R0), R4")
	s.op("VLD1 (R3), [V24.S4, V25.S4, V26.S4, V27.S4]")
	s.op("MOVD $tile_floor(R0), R5")
	s.op("VLD1R (R5), [V28.S4]")
	s.op("MOVD tile_c(R0), R6")
	s.op("MOVD tile_cAt(R0), R7")
	for r := range rows {
		s.op("MOVD %d(R7), R5", 8*r)
		s.op("ADD R5<<2, R6, R5")
		for i := range 4 {
			s.op("ADD $%d, R4, R3", 16*i)
			s.op("VLD1 (R3), [V29.S4]")
			s.op("VFMLA V%d.S4, V%d.S4, V29.S4", 24+i, 4*r+i)
			s.word(0x4E20F400|28<<16, 29, 4*r+i, "FMAX V.4S, V29.4S, V28.4S")
		}
		s.op("VST1 [V%d.S4, V%d.S4, V%d.S4, V%d.S4], (R5)", 4*r, 4*r+1, 4*r+2, 4*r+3)
	}
	s.op("RET")
}

// word writes an instruction that the assembler does not know: its code, with
// the registers of source and destination put in.
func (s *source) word(code uint32, src, dst int, says string) {
	s.op("WORD $0x%08X // %s", code|uint32(src)<<5|uint32(dst), says)
}
