package text

import (
	"os"
	"strings"
	"testing"
)

func sample(b *testing.B, name string, size int) string {
	b.Helper()
	t, err := os.ReadFile("testdata/" + name)
	if err != nil {
		b.Fatal(err)
	}
	return strings.Repeat(string(t), size/len(t)+1)
}

// One message at a time, as the index does.
func benchmarkAnalyzer(b *testing.B, name string) {
	s := sample(b, name, 500)
	var a Analyzer
	var dst []Token
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		dst = a.Terms(dst[:0], s)
	}
}

func BenchmarkAnalyzerEnglish(b *testing.B) { benchmarkAnalyzer(b, "en.txt") }
func BenchmarkAnalyzerChinese(b *testing.B) { benchmarkAnalyzer(b, "zh.txt") }
func BenchmarkAnalyzerRussian(b *testing.B) { benchmarkAnalyzer(b, "ru.txt") }
func BenchmarkAnalyzerGerman(b *testing.B)  { benchmarkAnalyzer(b, "de.txt") }

// BenchmarkTermsEnglish has nothing remembered: the cost of a first sight.
func BenchmarkTermsEnglish(b *testing.B) {
	s := sample(b, "en.txt", 500)
	var dst []Token
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		dst = Terms(dst[:0], s)
	}
}

func BenchmarkTermsQuery(b *testing.B) {
	const q = "What did Caroline say about the adoption agencies in May?"
	var dst []Token
	b.SetBytes(int64(len(q)))
	b.ReportAllocs()
	for b.Loop() {
		dst = Terms(dst[:0], q)
	}
}

func BenchmarkParts(b *testing.B) {
	s := sample(b, "en.txt", 10_000)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Parts(s, 120)
	}
}

func BenchmarkSentences(b *testing.B) {
	s := sample(b, "en.txt", 10_000)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Sentences(s)
	}
}

func BenchmarkLanguage(b *testing.B) {
	s := sample(b, "en.txt", 500)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Language(s)
	}
}
