package matmul

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// setup gives a matrix of the size, and rows of a that overlap as windows of a
// convolution do, with room for the product.
func setup(k, n, rows int) (m *Matrix, c, a Rows) {
	r := rand.New(rand.NewPCG(uint64(k), uint64(n)))
	q, scale, bias := make([]int8, k*n), make([]float32, n), make([]float32, n)
	for i := range q {
		q[i] = int8(r.IntN(256) - 128)
	}
	for j := range n {
		scale[j], bias[j] = float32(r.Float64()/128/math.Sqrt(float64(k))), float32(r.NormFloat64())
	}
	a = Rows{Of: make([]float32, rows*7+k), At: make([]int, rows)}
	c = Rows{Of: make([]float32, rows*(n+3)), At: make([]int, rows)}
	for i := range a.Of {
		a.Of[i] = float32(r.NormFloat64())
	}
	for i := range rows {
		a.At[i], c.At[i] = i*7, (rows-1-i)*(n+3)
	}
	return New(k, n, q, scale, bias), c, a
}

// exact computes the product in float64, straight from the definition.
func exact(m *Matrix, a Rows, i, j int, relu bool) float64 {
	sum := 0.0
	for p := range m.K {
		w := m.panels[j/panelCols*panelCols*m.K+p*panelCols+j%panelCols]
		sum += float64(a.Of[a.At[i]+p]) * float64(w)
	}
	sum = sum*float64(m.scale[j]) + float64(m.bias[j])
	if relu {
		return max(sum, 0)
	}
	return sum
}

func TestKernelsAgree(t *testing.T) {
	t.Parallel()
	for _, kn := range kernels() {
		for _, size := range [][3]int{{1, 32, 1}, {2, 64, 2}, {3, 32, 7}, {31, 96, 8}, {320, 512, 3}, {512, 320, 5}, {512, 256, 25}, {1280, 256, 13}} {
			for _, relu := range []bool{false, true} {
				t.Run(fmt.Sprint(kn.name, size, relu), func(t *testing.T) {
					t.Parallel()
					m, c, a := setup(size[0], size[1], size[2])
					m.mul(kn, c, a, relu)
					for i := range a.At {
						for j := range m.N {
							if got, want := float64(c.Of[c.At[i]+j]), exact(m, a, i, j, relu); math.Abs(got-want) > 1e-5 {
								t.Fatalf("row %d, column %d: %v, want %v", i, j, got, want)
							}
						}
						// What lies between the rows of c is not touched.
						if between := c.Of[c.At[i]+m.N : c.At[i]+m.N+3]; slices.Max(between) != 0 || slices.Min(between) != 0 {
							t.Fatalf("row %d wrote beyond its end: %v", i, between)
						}
					}
				})
			}
		}
	}
}

func TestARowDoesNotDependOnOthers(t *testing.T) {
	t.Parallel()
	for _, kn := range kernels() {
		m, c, a := setup(512, 64, 21)
		m.mul(kn, c, a, false)
		for i := range a.At {
			for last := i; last < min(i+9, len(a.At)); last++ {
				alone := Rows{Of: make([]float32, 64*(last-i+1)), At: make([]int, last-i+1)}
				for r := range alone.At {
					alone.At[r] = r * 64
				}
				m.mul(kn, alone, Rows{a.Of, a.At[i : last+1]}, false)
				if !slices.Equal(alone.Of[:64], c.Of[c.At[i]:c.At[i]+64]) {
					t.Fatalf("%s: row %d of 21 differs from the first of %d", kn.name, i, len(alone.At))
				}
			}
		}
	}
}

func TestNoRows(t *testing.T) {
	t.Parallel()
	m, _, _ := setup(3, 32, 1)
	m.Mul(Rows{}, Rows{}, true)
}

func TestBoundsAreChecked(t *testing.T) {
	t.Parallel()
	m, c, a := setup(40, 32, 2)
	short := func(r Rows) Rows { return Rows{r.Of, []int{0, len(r.Of) - 31}} }
	for name, call := range map[string]func(){
		"a reaches beyond": func() { m.Mul(c, short(a), false) },
		"c reaches beyond": func() { m.Mul(short(c), a, false) },
		"negative":         func() { m.Mul(c, Rows{a.Of, []int{0, -1}}, false) },
		"fewer rows":       func() { m.Mul(c, Rows{a.Of, a.At[:1]}, false) },
		"odd columns":      func() { New(1, 31, make([]int8, 31), make([]float32, 31), make([]float32, 31)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func BenchmarkMul(b *testing.B) {
	for _, kn := range kernels() {
		for _, size := range [][3]int{{1280, 256, 192}, {1280, 256, 16}, {512, 768, 192}, {512, 320, 1}} {
			b.Run(fmt.Sprint(kn.name, size), func(b *testing.B) {
				m, c, a := setup(size[0], size[1], size[2])
				for b.Loop() {
					m.mul(kn, c, a, true)
				}
				b.ReportMetric(2*float64(size[0]*size[1]*size[2])*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
	}
}
