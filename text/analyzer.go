package text

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxTerm is the longest term in bytes; longer ones (keys, encoded data)
	// are cut, in documents and queries alike.
	maxTerm = 128

	// maxCached bounds the words an Analyzer remembers: some 10 MB.
	maxCached = 1 << 16

	// minCachedText is the size from which remembering words within one text
	// costs less than it saves.
	minCachedText = 2 << 10
)

// Analyzer makes terms and remembers the stems of the words it has seen, which
// is several times faster over many texts. The zero value is ready for use; it
// gives the same terms as the function Terms. It is not safe for concurrent use.
type Analyzer struct {
	words   map[string]*word
	noCache bool
}

// Terms appends the index terms of s to dst.
func (a *Analyzer) Terms(dst []Token, s string) []Token {
	sc := scanner{a: a, dst: dst, src: normalise(s), first: true}
	lang := languageOf(sc.src.text)
	sc.stops = scriptStops | inEnglish
	if f, ok := latinStemmers[lang]; ok {
		sc.lang, sc.stemmer, sc.stops = lang, f, scriptStops|langOf(lang)
	}
	sc.run()
	return sc.dst
}

// word is what is known of a word as it stands in a text.
type word struct {
	stops langSet // languages in which it is left out
	forms []form  // the primary form first, at least one

	// The stem by the language of the last text in a language other than
	// English; lang tells which.
	lang, langStem string
}

// form is one index form of a word.
type form struct {
	term string
	alt  bool
}

// lookup returns what is known of the word raw, from memory if it can.
func (a *Analyzer) lookup(raw string) *word {
	if w := a.words[raw]; w != nil {
		return w
	}
	if a.noCache || len(raw) > maxTerm {
		w := newWord(raw)
		return &w
	}
	if a.words == nil || len(a.words) >= maxCached {
		a.words = make(map[string]*word)
	}
	raw = strings.Clone(raw) // not to keep the whole text
	w := newWord(raw)
	a.words[raw] = &w
	return &w
}

// newWord works out the forms of a word, which may have an apostrophe inside.
func newWord(raw string) word {
	w := lower(clip(raw, maxTerm))
	if pluralOfCapitals(raw) {
		w = w[:len(w)-1]
	}
	set := stopWords[w]
	base, whole := w, ""
	if strings.IndexByte(w, '\'') >= 0 && set == 0 {
		base, whole = apostrophe(w)
		set = stopWords[base]
	}
	if !lettersOnly(base) { // numbers, names with digits: no stem
		forms := []form{{base, false}}
		if f := fold(base); f != base && f != "" {
			forms = append(forms, form{f, true})
		}
		return word{stops: set, forms: forms}
	}
	if whole != "" { // O'Brien: found as o'brien, obrien and brien
		return word{forms: []form{
			{whole, false}, {stemByScript(strings.ReplaceAll(whole, "'", "")), true}, {stemByScript(base), true},
		}}
	}
	primary := stemByScript(base)
	forms := []form{{primary, false}}
	if f := fold(base); f != base && f != "" {
		if f = stemByScript(f); f != primary {
			forms = append(forms, form{f, true})
		}
	}
	return word{stops: set, forms: forms}
}

// byLanguage returns the stem of the word by the stemmer of the language of the
// text, "" if it is one of the forms.
func (w *word) byLanguage(raw, lang string, f stemmer) string {
	if w.lang == lang {
		return w.langStem
	}
	w.lang, w.langStem = lang, ""
	base := lower(clip(raw, maxTerm))
	if lang == "tr" {
		base = lowerTurkish(clip(raw, maxTerm))
	}
	if strings.IndexByte(base, '\'') >= 0 {
		base, _ = apostrophe(base)
	}
	if firstLetter(base) >= 0x0250 {
		return ""
	}
	s := stem(f, base)
	for _, f := range w.forms {
		if f.term == s {
			return ""
		}
	}
	w.langStem = s
	return s
}

// apostrophe resolves a lower-case word with an apostrophe inside: it takes
// possessives, contractions and elided articles off and returns the base. If
// the apostrophe belongs to the word ("o'brien"), whole is the word and base
// its longest part.
func apostrophe(w string) (base, whole string) {
	i := strings.LastIndexByte(w, '\'')
	head, tail := w[:i], w[i+1:]
	switch tail {
	case "s", "ll", "d", "ve", "re", "m", "t", "":
		if tail != "t" || strings.HasSuffix(head, "n") {
			if strings.IndexByte(head, '\'') >= 0 {
				return apostrophe(head)
			}
			return head, ""
		}
	}
	i = strings.IndexByte(w, '\'')
	if head, tail = w[:i], w[i+1:]; elisions[head] && (utf8.RuneCountInString(tail) > 1 || stopWords[tail] != 0) {
		if strings.IndexByte(tail, '\'') >= 0 {
			return apostrophe(tail)
		}
		return tail, ""
	}
	base = head
	for _, p := range strings.Split(tail, "'") {
		if len(p) >= len(base) {
			base = p
		}
	}
	return base, w
}

// elisions are French, Italian and Catalan words that lose their vowel before
// another word: "l'homme" is found as "homme" in a text of any language.
var elisions = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("l d j m n s t c qu jusqu lorsqu puisqu quoiqu presqu quelqu dell all dall nell sull coll quell quest un sant bell") {
		m[w] = true
	}
	return m
}()

func lettersOnly(w string) bool {
	for i := 0; i < len(w); i++ {
		if c := w[i]; c < utf8.RuneSelf && asciiClass[c] != letter && c != '\'' && c != '-' {
			return false
		}
	}
	return true
}

// pluralOfCapitals says that w is like "PDFs", of which Snowball would keep the
// s for want of a vowel.
func pluralOfCapitals(w string) bool {
	n := len(w) - 1
	if n < 2 || n >= maxTerm || w[n] != 's' {
		return false
	}
	for i := 0; i < n; i++ {
		if !upperASCII(w[i]) {
			return false
		}
	}
	return true
}
