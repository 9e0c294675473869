package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// pieces make texts that are denser in what matters than random strings.
var pieces = []string{
	"word", "Word", "the", "don’t", "O'Brien", "café", "İ", "ß", "ﬁ", "é", "e\u0301", "\u0301", "\u00ad", "\u200b", "\u200d", "’", "'", "\"", "”",
	" ", " ", " ", "\n", "\r\n", "\u3000", ".", "!", "?", "…", "。", "！", "؟", "।", ",", "-", "_", "/", "\\", "@", "#", "$", "%", "&", "+", ":", "://",
	"www.", "a.b", "1", "08", "3.14", "1,000", "2023-05-08", "T10:30", "٢", "２", "v1.2", "C++", "camelCase", "HTTPServer", "snake_case", "a@b.c",
	"的", "北京", "什么", "々", "ア", "ｶﾞ", "ー", "りん", "です", "학교", "ㅋ", "은", "แมว", "ำ", "ឆ្មា", "книги", "ё", "كِتَاب", "किताबें", "தமிழ்", "👍🏽", "½", "㎞",
	"Mr.", "z.", "B.", "\xff", "\xe4\xb8", "\x00", "\ufeff", "\ufffd",
}

func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40), func(p []string) string { return strings.Join(p, "") }),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

func TestTermsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkTerms(t, texts().Draw(t, "text")) })
}

type fataler interface{ Fatalf(string, ...any) }

func checkTerms(t fataler, s string) {
	valid := utf8.ValidString(s)
	pos := 0
	toks := Terms(nil, s)
	for _, k := range toks {
		if k.Start < 0 || k.Start >= k.End || k.End > len(s) {
			t.Fatalf("%q: token %+v out of bounds", s, k)
		}
		if valid && (!utf8.RuneStart(s[k.Start]) || k.End < len(s) && !utf8.RuneStart(s[k.End])) {
			t.Fatalf("%q: token %+v cuts a rune", s, k)
		}
		if k.Term == "" || len(k.Term) > 2*maxTerm || !utf8.ValidString(k.Term) || strings.ContainsFunc(k.Term, unicode.IsSpace) {
			t.Fatalf("%q: bad term %+v", s, k)
		}
		// A pair of characters comes after the character it ends with has been seen.
		if k.Pos < pos-1 {
			t.Fatalf("%q: position %d after %d", s, k.Pos, pos)
		}
		pos = max(pos, k.Pos)
	}
	var a Analyzer
	for range 2 {
		if again := a.Terms(nil, s); !slices.Equal(again, toks) {
			t.Fatalf("%q: %v with memory, %v without", s, again, toks)
		}
	}
	Language(s)
}

func TestSpanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkSpans(t, texts().Draw(t, "text"), rapid.IntRange(1, 30).Draw(t, "words"))
	})
}

func checkSpans(t fataler, s string, words int) {
	covers(t, s, Sentences(s))
	parts := Parts(s, words)
	covers(t, s, parts)
	for _, p := range parts {
		part := s[p.Start:p.End]
		if n := CountWords(part); n > words {
			t.Fatalf("%q: part %q has %d words, limit %d", s, part, n, words)
		}
		if n := utf8.RuneCountInString(part); n > max(partChars(words), 1) {
			t.Fatalf("%q: part %q has %d characters, limit %d", s, part, n, partChars(words))
		}
	}
	if len(parts) > 1 && CountWords(s) <= words && utf8.RuneCountInString(s) <= partChars(words) {
		t.Fatalf("%q: %d parts of a text within the limit", s, len(parts))
	}
}

// covers checks that spans are in order, apart, not blank, and leave out
// nothing but white space.
func covers(t fataler, s string, spans []Span) {
	at := 0
	for _, sp := range spans {
		if sp.Start < at || sp.End <= sp.Start || sp.End > len(s) {
			t.Fatalf("%q: bad span %v in %v", s, sp, spans)
		}
		if strings.TrimFunc(s[at:sp.Start], unicode.IsSpace) != "" {
			t.Fatalf("%q: %v leaves out %q", s, spans, s[at:sp.Start])
		}
		if strings.TrimFunc(s[sp.Start:sp.End], unicode.IsSpace) == "" {
			t.Fatalf("%q: blank span %v", s, sp)
		}
		at = sp.End
	}
	if strings.TrimFunc(s[at:], unicode.IsSpace) != "" {
		t.Fatalf("%q: %v leaves out %q at the end", s, spans, s[at:])
	}
}

// Two texts of one language on two lines have the terms of both.
func TestTermsOfLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := texts().Draw(t, "a"), texts().Draw(t, "b")
		both := a + "\n" + b
		if !utf8.ValidString(both) || Language(a) != Language(both) || Language(b) != Language(both) {
			t.Skip()
		}
		in := map[string]bool{}
		for _, k := range Terms(nil, both) {
			in[k.Term] = true
		}
		for _, k := range append(Terms(nil, a), Terms(nil, b)...) {
			if !in[k.Term] {
				t.Fatalf("%q + %q: %q is lost", a, b, k.Term)
			}
		}
	})
}

// A text finds itself, and in capitals too.
func TestTextFindsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "text")
		if len(Terms(nil, s)) > 0 && !share(s, s) {
			t.Fatalf("%q does not meet itself", s)
		}
		up := strings.ToUpper(s)
		if isASCII(s) && len(Terms(nil, s)) > 0 && len(Terms(nil, up)) > 0 && !share(s, up) {
			t.Fatalf("%q does not meet itself in capitals: %v %v", s, marks(s), marks(up))
		}
	})
}

func FuzzText(f *testing.F) {
	for _, p := range pieces {
		f.Add(p, 5)
	}
	f.Add("Mr. Smith's café – don’t! 你好。", 3)
	f.Fuzz(func(t *testing.T, s string, words int) {
		if len(s) > 1<<12 {
			t.Skip()
		}
		checkTerms(t, s)
		checkSpans(t, s, max(1, words%50))
	})
}
