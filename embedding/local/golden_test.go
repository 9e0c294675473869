package local

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The golden files are made by testdata/make_goldens.py.

type sentence struct{ language, text string }

func sentences(t testing.TB) []sentence {
	t.Helper()
	data, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []sentence
	for line := range strings.Lines(string(data)) {
		language, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, sentence{language, text})
	}
	return all
}

// goldenTexts are the sentences, those of each language as one text, and all
// as one.
func goldenTexts(t testing.TB) []string {
	t.Helper()
	var texts, languages []string
	of := map[string][]string{}
	for _, s := range sentences(t) {
		texts = append(texts, s.text)
		if of[s.language] == nil {
			languages = append(languages, s.language)
		}
		of[s.language] = append(of[s.language], s.text)
	}
	all := strings.Join(texts, " ")
	for _, language := range languages {
		texts = append(texts, strings.Join(of[language], " "))
	}
	return append(texts, all)
}

func goldenVectors(t testing.TB) [][]float64 {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.npy")
	if err != nil {
		t.Fatal(err)
	}
	_, values, ok := cutNPY(data)
	if !ok || len(values)%(2*Dim) != 0 {
		t.Fatal("testdata/vectors.npy is no array of vectors")
	}
	vectors := make([][]float64, len(values)/(2*Dim))
	for i := range vectors {
		vectors[i] = make([]float64, Dim)
		for j := range vectors[i] {
			vectors[i][j] = float64(int16(binary.LittleEndian.Uint16(values[2*(i*Dim+j):]))) / 32767
		}
	}
	return vectors
}

func TestTokensAreThoseOfTheLibrary(t *testing.T) {
	t.Parallel()
	e := setup(t, Options{})
	f, err := os.Open(filepath.Join("testdata", "tokens.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<24)
	count, wrong := 0, 0
	for ; lines.Scan(); count++ {
		var golden struct {
			Text   string
			Base64 []byte
			IDs    []int32
		}
		if err := json.Unmarshal(lines.Bytes(), &golden); err != nil {
			t.Fatal(err)
		}
		text := golden.Text + string(golden.Base64)
		if got := e.tokens.encode(text); !slices.Equal(got, golden.IDs) {
			if wrong++; wrong < 5 {
				t.Errorf("%.200q has the ids %v, want %v", text, got, golden.IDs)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if count < 2000 || wrong > 0 {
		t.Errorf("%d of %d texts have other ids than in the library; at least 2000 are to be compared", wrong, count)
	}
}

func TestVectorsAreThoseOfThePackage(t *testing.T) {
	t.Parallel()
	e := setup(t, Options{})
	texts, golden := goldenTexts(t), goldenVectors(t)
	if len(texts) != len(golden) || len(golden) < 300 {
		t.Fatalf("%d texts and %d vectors; at least 300 are to be compared", len(texts), len(golden))
	}
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	worst := 1.0
	for i, v := range vectors {
		cosine := cosine(v, golden[i])
		if worst = min(worst, cosine); cosine < 0.99999 {
			t.Errorf("%.60q: cosine %v", texts[i], cosine)
		}
	}
	t.Logf("%d vectors, cosine at least %.8f", len(vectors), worst)
}

func cosine[A, B float32 | float64](a []A, b []B) float64 {
	var dot, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	return dot / math.Sqrt(aa*bb)
}
