package vectors

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/memory"
)

func quantise(t testing.TB, v ...float32) Vector {
	t.Helper()
	q, err := Quantise(v)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestQuantiseRoundsHalvesToEven(t *testing.T) {
	t.Parallel()
	got := quantise(t, 127, -127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 100.4, 100.6, 0)
	if want := []int8{127, -127, 0, 2, 2, 0, -2, -2, 100, 101, 0}; !slices.Equal(got.Values, want) {
		t.Errorf("got %v, want %v", got.Values, want)
	}
}

func TestQuantiseTakesAnyLength(t *testing.T) {
	t.Parallel()
	want := quantise(t, 3, -4)
	if want.Scale != float32(1/math.Sqrt(95*95+127*127)) || !slices.Equal(want.Values, []int8{95, -127}) {
		t.Errorf("got %v", want)
	}
	for _, scale := range []float32{1e-20, 0.5, 2, 1e30} {
		got := quantise(t, 3*scale, -4*scale)
		if got.Scale != want.Scale || !slices.Equal(got.Values, want.Values) {
			t.Errorf("%v times as long: got %v, want %v", scale, got, want)
		}
	}
	if zeros := quantise(t, 0, 0); zeros.Scale != 0 || !slices.Equal(zeros.Values, []int8{0, 0}) {
		t.Errorf("zeros became %v", zeros)
	}
	for _, v := range [][]float32{nil, {}, {1, float32(math.NaN())}, {float32(math.Inf(-1))}} {
		if _, err := Quantise(v); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%v: got %v", v, err)
		}
	}
}

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	got := Vector{Scale: 0.0078125, Values: []int8{-127, 0, 1, 127}}.Encode()
	if want := "\x00\x00\x00\x3c\x81\x00\x01\x7f"; string(got) != want {
		t.Errorf("got %x, want %x", got, want)
	}
}

func TestDecodeReadsWhatEncodeWrote(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want, err := Quantise(rapid.SliceOfN(rapid.Float32Range(-10, 10), 1, 40).Draw(t, "vector"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(want.Encode())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
	})
	for _, data := range []string{"", "\x00\x00\x00\x00", "\x00\x00\xc0\x7f\x01", "\x00\x00\x00\xbf\x01", "\x00\x00\x80\x7f\x01", "\x00\x00\x00\x40\x01"} {
		if _, err := Decode([]byte(data)); !errors.Is(err, memory.ErrCorrupt) {
			t.Errorf("%x: got %v", data, err)
		}
	}
}
