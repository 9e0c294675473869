package text

import (
	"strings"

	snowball "github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// stemmer reduces the word of the environment in place.
type stemmer func(*snowball.Env) bool

// latinStemmers are the stemmers chosen by the language of the text.
var latinStemmers = map[string]stemmer{
	"da": danish.Stem, "de": german.Stem, "es": spanish.Stem, "fi": finnish.Stem, "fr": french.Stem,
	"hu": hungarian.Stem, "it": italian.Stem, "nl": dutch.Stem, "no": norwegian.Stem, "pt": portuguese.Stem,
	"ro": romanian.Stem, "sv": swedish.Stem, "tr": turkish.Stem,
}

// stem returns what f makes of the lower-case word w.
func stem(f stemmer, w string) string {
	var env snowball.Env
	env.SetCurrent(w)
	f(&env)
	if s := env.Current(); s != "" {
		return s
	}
	return w
}

// stemByScript returns the primary form of a lower-case word of letters: the
// stem by the stemmer of its script, for Latin the English one.
func stemByScript(w string) string {
	switch r := firstLetter(w); {
	case r < 0x0250 || 0x1E00 <= r && r < 0x1F00:
		return stem(english.Stem, w)
	case 0x0400 <= r && r < 0x0530:
		return stem(russian.Stem, cyrillic.Replace(w))
	case 0x0600 <= r && r < 0x0700:
		return stem(arabic.Stem, w)
	case 0x0900 <= r && r < 0x0980:
		return stemHindi(w)
	case 0x0B80 <= r && r < 0x0C00:
		return stem(tamil.Stem, w)
	}
	return w
}

// cyrillic writes ё as most people do and takes stress marks away.
var cyrillic = strings.NewReplacer("ё", "е", "\u0301", "")

func firstLetter(w string) rune {
	for _, r := range w {
		return r
	}
	return 0
}
