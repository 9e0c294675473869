// Package matmul multiplies float32 rows by a matrix of int8 weights: the one
// product that the built-in encoder needs. Kernels in assembly for AVX-512,
// AVX2 and NEON are written by gen and agree with the portable code within
// rounding (1e-5). It may import golang.org/x/sys/cpu only.
//
// The build tag purego leaves the assembly out.
package matmul

import "fmt"

//go:generate go run ./gen

// panelCols is how many columns of a matrix lie together in memory. Every
// kernel takes a divisor of it at a time.
const panelCols = 32

// Matrix is a matrix of K rows and N columns whose element (p, j) is
// scale[j] × q[p][j], and a bias for each column. It is never changed and may
// be used from many goroutines at once.
type Matrix struct {
	K, N int

	panels      []int8 // panel after panel: K rows of panelCols weights
	scale, bias []float32
}

// New makes a matrix of the weights q, row after row; its columns have the
// scales and biases given. It panics if the lengths do not fit k and n, or if n
// is no multiple of 32.
func New(k, n int, q []int8, scale, bias []float32) *Matrix {
	if k <= 0 || n <= 0 || n%panelCols != 0 || len(q) != k*n || len(scale) != n || len(bias) != n {
		panic(fmt.Sprintf("matmul: %d weights, %d scales and %d biases do not make a matrix of %d × %d", len(q), len(scale), len(bias), k, n))
	}
	m := &Matrix{K: k, N: n, panels: make([]int8, 0, k*n), scale: scale, bias: bias}
	for j := 0; j < n; j += panelCols {
		for p := range k {
			m.panels = append(m.panels, q[p*n+j:p*n+j+panelCols]...)
		}
	}
	return m
}

// Rows are rows of one stride or none in a slice: row i begins at element
// At[i], and rows may overlap.
type Rows struct {
	Of []float32
	At []int
}

// Mul sets row i of c, N elements, to row i of a, K elements, times the matrix,
// plus the bias; with relu, what is negative becomes zero. The result of a row
// depends on that row alone, bit for bit, whatever rows stand beside it. It
// panics if a row reaches beyond its slice or the numbers of rows differ.
func (m *Matrix) Mul(c, a Rows, relu bool) { m.mul(best, c, a, relu) }

// Path names the kernel in use: avx512, avx2, neon or portable.
func Path() string { return best.name }

// kernel computes tiles of at most rows × cols elements. Its function is found
// by its kind: unlike calls by pointer, direct calls let no tile escape.
type kernel struct {
	name       string
	kind       kind
	rows, cols int
}

type kind int

const (
	portable kind = iota
	avx2
	avx512
	neon
)

// tile is the work of one call of a kernel. The assembly reads its fields.
type tile struct {
	k           int      // length of the rows of a
	a           *float32 // rows begin at aAt elements from here
	aAt         *int
	b           *int8 // k rows, panelCols apart
	scale, bias *float32
	c           *float32 // the columns of this tile; rows begin at cAt elements from here
	cAt         *int
	floor       float32 // results are at least this
}

func (m *Matrix) mul(kn kernel, c, a Rows, relu bool) {
	checkRows(c, m.N)
	checkRows(a, m.K)
	if len(c.At) != len(a.At) {
		panic(fmt.Sprintf("matmul: %d rows give %d rows", len(a.At), len(c.At)))
	}
	if len(a.At) == 0 {
		return
	}
	t := tile{k: m.K, a: &a.Of[0], floor: lowest}
	if relu {
		t.floor = 0
	}
	for j := 0; j < m.N; j += kn.cols {
		// The columns of a panel that is wider than the tile lie within its rows.
		t.b = &m.panels[j/panelCols*panelCols*m.K+j%panelCols]
		t.scale, t.bias, t.c = &m.scale[j], &m.bias[j], &c.Of[j]
		for i := 0; i < len(a.At); i += kn.rows {
			t.aAt, t.cAt = &a.At[i], &c.At[i]
			kn.run(&t, min(kn.rows, len(a.At)-i))
		}
	}
}

func checkRows(r Rows, n int) {
	for _, at := range r.At {
		if at < 0 || at+n > len(r.Of) {
			panic(fmt.Sprintf("matmul: a row of %d from %d reaches beyond %d", n, at, len(r.Of)))
		}
	}
}
