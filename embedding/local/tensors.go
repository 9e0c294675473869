package local

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"engram/internal/matmul"
)

// The model's file is a safetensors file: the length of a header as eight
// bytes, the header in JSON (type, shape and place of each tensor), and the
// tensors, all little-endian. Its metadata hold format and checksum.
const (
	formatKey   = "format"
	formatName  = "engram use 1"
	checksumKey = "crc32c" // of the tensors, in hexadecimal
	metadataKey = "__metadata__"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Types of tensors, by their names in safetensors.
const (
	typeU8  = "U8"
	typeI8  = "I8"
	typeI32 = "I32"
	typeF32 = "F32"
)

// entry describes a tensor in the header.
type entry struct {
	Type  string `json:"dtype"`
	Shape []int  `json:"shape"`
	Place [2]int `json:"data_offsets"`
}

// tensors are those of a file that was read. The first error stays in err, and
// what is read after it is empty.
type tensors struct {
	entries map[string]entry
	data    []byte
	err     error
}

// readTensors reads a file and verifies its format and checksum.
func readTensors(name string) (*tensors, error) {
	file, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("%w: there is no %s", ErrNotInstalled, name)
	}
	if err != nil {
		return nil, err
	}
	if len(file) < 8 || binary.LittleEndian.Uint64(file) > uint64(len(file)-8) {
		return nil, fmt.Errorf("%w: %s has no header", ErrDamaged, name)
	}
	size := int(binary.LittleEndian.Uint64(file))
	header, data := file[8:8+size], file[8+size:]
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, fmt.Errorf("%w: read the header of %s: %w", ErrDamaged, name, err)
	}
	var metadata map[string]string
	if err := json.Unmarshal(raw[metadataKey], &metadata); err != nil || metadata[formatKey] != formatName {
		return nil, fmt.Errorf("%w: %s is no %q", ErrDamaged, name, formatName)
	}
	if checksum(data) != metadata[checksumKey] {
		return nil, fmt.Errorf("%w: the checksum of %s is wrong", ErrDamaged, name)
	}
	delete(raw, metadataKey)
	t := &tensors{entries: make(map[string]entry, len(raw)), data: data}
	for key, value := range raw {
		var e entry
		if err := json.Unmarshal(value, &e); err != nil {
			return nil, fmt.Errorf("%w: read the header of %s: %w", ErrDamaged, name, err)
		}
		t.entries[key] = e
	}
	return t, nil
}

func checksum(data []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(data, castagnoli))
}

func (t *tensors) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
	}
}

// raw gives the bytes of a tensor of the type and number of elements, 0 for any.
func (t *tensors) raw(name, kind string, size, count int) []byte {
	e := t.entries[name]
	from, to := e.Place[0], e.Place[1]
	if e.Type != kind || from < 0 || to < from || to > len(t.data) || (to-from)%size != 0 || count > 0 && to-from != count*size {
		t.fail("the tensor %s is no %s of %d elements", name, kind, count)
		return nil
	}
	return t.data[from:to:to]
}

func (t *tensors) bytes(name string, count int) []byte { return t.raw(name, typeU8, 1, count) }

func (t *tensors) floats(name string, count int) []float32 {
	data := t.raw(name, typeF32, 4, count)
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

func (t *tensors) ints(name string, count int) []int32 {
	data := t.raw(name, typeI32, 4, count)
	values := make([]int32, len(data)/4)
	for i := range values {
		values[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

// one gives the only element, or 0 if an error has left none.
func one(values []float32) float32 {
	if len(values) == 0 {
		return 0
	}
	return values[0]
}

func (t *tensors) matrix(name string, k, n int) *matmul.Matrix {
	data := t.raw(name, typeI8, 1, k*n)
	scale, bias := t.floats(name+".scale", n), t.floats(name+".bias", n)
	if t.err != nil {
		return nil
	}
	q := make([]int8, len(data))
	for i, b := range data {
		q[i] = int8(b)
	}
	return matmul.New(k, n, q, scale, bias)
}

func (t *tensors) norm(name string, n int) norm {
	return norm{gain: t.floats(name+".gain", n), bias: t.floats(name+".bias", n)}
}

// trie reads a trie and checks that no walk leaves it.
func (t *tensors) trie(name string) trie {
	labels := t.bytes(name+".label", 0)
	tr := trie{label: labels, first: t.ints(name+".first", len(labels)+1), piece: t.ints(name+".piece", len(labels))}
	if t.err != nil {
		return tr
	}
	for i, first := range tr.first {
		if first < 0 || int(first) > len(labels) || i > 0 && (first < tr.first[i-1] || tr.piece[i-1] < noPiece || tr.piece[i-1] >= vocabulary) {
			t.fail("the trie %s is broken", name)
			break
		}
	}
	return tr
}

// tensorWriter collects tensors for a file.
type tensorWriter struct {
	entries map[string]any
	data    []byte
}

func newTensorWriter() *tensorWriter { return &tensorWriter{entries: map[string]any{}} }

// add appends a tensor. Its name, with the type, is new.
func (w *tensorWriter) add(name, kind string, data []byte, shape ...int) {
	from := len(w.data)
	w.data = append(w.data, data...)
	w.entries[name] = entry{kind, shape, [2]int{from, len(w.data)}}
}

func (w *tensorWriter) floats(name string, values []float32) {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	w.add(name, typeF32, data, len(values))
}

func (w *tensorWriter) ints(name string, values []int32) {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	w.add(name, typeI32, data, len(values))
}

// write writes the file. The same tensors give the same bytes.
func (w *tensorWriter) write(to io.Writer, source string) error {
	w.entries[metadataKey] = map[string]string{formatKey: formatName, checksumKey: checksum(w.data), "source": source}
	header, err := json.Marshal(w.entries)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header, w.data} {
		if _, err := to.Write(part); err != nil {
			return err
		}
	}
	return nil
}
