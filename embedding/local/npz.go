package local

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// npz is an archive of arrays as numpy writes them: a zip of .npy files. The
// first error stays in err, and what is read after it is empty.
type npz struct {
	zip *zip.Reader
	err error
}

func newNPZ(data []byte) *npz {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	return &npz{z, err}
}

var (
	npyType  = regexp.MustCompile(`'descr': '([^']*)'`)
	npyShape = regexp.MustCompile(`'fortran_order': False, 'shape': \(([^)]*)\)`)
)

// array gives the bytes of an array of a type in numpy's notation ("<f4"), of
// count elements in the order of C.
func (z *npz) array(name, kind string, size, count int) []byte {
	data := z.file(name + ".npy")
	if z.err != nil {
		return nil
	}
	header, values, ok := cutNPY(data)
	typed, shaped := npyType.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if !ok || typed == nil || shaped == nil || typed[1] != kind || product(shaped[1]) != count || len(values) != count*size {
		z.err = fmt.Errorf("the array %s is no %s of %d elements", name, kind, count)
		return nil
	}
	return values
}

func (z *npz) file(name string) []byte {
	if z.err != nil {
		return nil
	}
	f, err := z.zip.Open(name)
	if err != nil {
		z.err = err
		return nil
	}
	data, err := io.ReadAll(f)
	if err != nil {
		z.err = fmt.Errorf("read %s: %w", name, err)
	}
	if err := f.Close(); err != nil && z.err == nil {
		z.err = fmt.Errorf("close %s: %w", name, err)
	}
	return data
}

// cutNPY parts the header, a Python dictionary, from the values.
func cutNPY(data []byte) (header string, values []byte, ok bool) {
	const magic = "\x93NUMPY\x01\x00"
	if len(data) < len(magic)+2 || string(data[:len(magic)]) != magic {
		return "", nil, false
	}
	begin := len(magic) + 2
	end := begin + int(binary.LittleEndian.Uint16(data[len(magic):]))
	if end > len(data) {
		return "", nil, false
	}
	return string(data[begin:end]), data[end:], true
}

// product multiplies the numbers of a shape such as "512, 256"; none give 1.
func product(shape string) int {
	result := 1
	for part := range strings.SplitSeq(shape, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > math.MaxInt32 {
			return -1
		}
		result *= n
	}
	return result
}

func (z *npz) floats(name string, count int) []float32 {
	data := z.array(name, "<f4", 4, count)
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

// double gives the only element of an array.
func (z *npz) double(name string) float64 {
	if data := z.array(name, "<f8", 8, 1); data != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(data))
	}
	return 0
}
