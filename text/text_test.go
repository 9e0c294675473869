package text

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"nothing", "", ""},
		{"blank", " \n\t ", ""},
		{"signs", "... -- !? () '", ""},
		{"stop words", "Is it what we had, or don't they?", ""},
		{"contractions", "I'm sure she's here and they've won't", "sure"},
		{"cannot", "can't cannot could", ""},
		{"stop words in compounds", "and/or is_of", ""},
		{"possessive", "James' and John's", "jame john^"},
		{"first word and names", "Anna met Bob. Carl met Dora, Eve", "anna met bob^ carl met dora^ eve^"},
		{"no sentence after Dr.", "Ask Dr. Who and Mr. Smith", "ask dr^ mr^ smith^"},
		{"new line", "Buy\nMilk", "buy milk"},
		{"camel", "getUserName", "getusernam get* user* name*"},
		{"camel capital", "MyHTTPServer2", "myhttpserver2 http* server* 2*"},
		{"capitals", "NASA", "nasa"},
		{"capitals amid", "at NASA", "nasa^"},
		{"snake", "max_retry_count", "max_retry_count max* retri* count*"},
		{"dunder", "__init__", "init"},
		{"kebab", "well-known", "well-known wellknown* well* known*"},
		{"money", "$1,250", "$1,250 1,250* 1250*"},
		{"money suffix", "$5k", "$5k 5*"},
		{"percent", "40%", "40% 40*"},
		{"unit", "250ms", "250ms 250* ms*"},
		{"time", "3:30pm", "3:30pm 3:30* pm*"},
		{"list", "1,2,3", "1 2 3"},
		{"list of thousands", "1,000,000", "1,000,000 1000000*"},
		{"date", "2023-05-08", "2023-05-08 2023* 05* 5* 08* 8*"},
		{"acronym", "U.S.A.", "usa"},
		{"for example", "e.g. cats, i.e. dogs", "cat dog"},
		{"mail", "a@b.org", "a@b.org b.org* org*"},
		{"hash", "a1b2c3d4e5f6a7b8", "a1b2c3d4e5f6a7b8"},
		{"emoji", "👍🏽 🎂", "👍 🎂"},
		{"han", "吃烤鸭", "吃 吃烤 烤 烤鸭 鸭"},
		{"han function pair", "我们的鸭", "的鸭 鸭"},
		{"han function only", "我们的", ""},
		{"one hiragana", "は", ""},
		{"one katakana", "ア", "ア"},
		{"one thai", "ก", "ก"},
		{"thai", "แมว", "แม แมว มว"},
		{"invalid", "good\xff\xfebad \xe4\xb8", "good bad"},
		{"nul", "a1\x00b2", "a1 1* b2 2*"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(marks(c.text), " "); got != c.want {
				t.Errorf("%q: got %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestPositions(t *testing.T) {
	s := "The big well-known 東京 ｔｅｘｔ here"
	want := []Token{
		{"big", 1, 4, 7, false, false},
		{"well-known", 2, 8, 18, false, false},
		{"wellknown", 2, 8, 18, true, false},
		{"well", 2, 8, 12, true, false},
		{"known", 3, 13, 18, true, false},
		{"東", 4, 19, 22, false, false},
		{"東京", 4, 19, 25, false, false},
		{"京", 5, 22, 25, false, false},
		{"text", 6, 26, 38, false, false},
	}
	if got := Terms(nil, s); !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// Offsets lead back through what normalisation drops and widens.
func TestOffsets(t *testing.T) {
	s := "ﬁne co\u00adop ｶﾞｽ ½x don’t Caroline’s"
	var got []string
	for _, k := range Terms(nil, s) {
		if !k.Alt {
			got = append(got, s[k.Start:k.End])
		}
	}
	if want := []string{"ﬁne", "co\u00adop", "ｶﾞｽ", "½", "½x", "Caroline’s"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnalyzerSameAsTerms(t *testing.T) {
	texts := []string{"Die Häuser sind alt und ich bin jung", "Häuser and houses", "Las casas que no son mías", "Häuser"}
	var a Analyzer
	for range 3 {
		for _, s := range texts {
			if got, want := a.Terms(nil, s), Terms(nil, s); !slices.Equal(got, want) {
				t.Errorf("%q: %v, without memory %v", s, got, want)
			}
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"123 !?", ""}, {"👍", ""},
		{"cats", "en"}, {"What did you do?", "en"}, {"Caroline", "en"}, {"La La Land", "en"}, {"Die Hard", "en"},
		{"José lives in São Paulo", "en"}, {"We had crème brûlée at the café in Besançon", "en"},
		{"see https://github.com/li-wei/a_b?tab=readme", "en"},
		{"Was kostet die Wohnung?", "de"}, {"Wo ist mein Hund?", "de"},
		{"Où habite ton frère ?", "fr"}, {"Qu'est-ce que tu fais dans la vie ?", "fr"},
		{"¿Dónde vives?", "es"}, {"Me gusta el pan", "es"},
		{"Onde você mora?", "pt"}, {"Não sei o que fazer", "pt"},
		{"Dove abita la mia amica?", "it"}, {"Waar woont je broer?", "nl"},
		{"Var bor din bror och hur mår han?", "sv"}, {"Hvor bor du og hvad laver du?", "da"},
		{"Missä sinä asut ja mitä teet?", "fi"}, {"Hol van a könyv és mi az?", "hu"},
		{"Unde este cartea și ce faci?", "ro"}, {"Kitap nerede ve bu ne?", "tr"},
		{"Где ты живёшь?", "ru"}, {"Де ти живеш і що їси?", "uk"}, {"Πού μένεις;", "el"},
		{"أين تسكن؟", "ar"}, {"کجا زندگی می‌کنی؟", "fa"}, {"इसका नाम क्या है?", "hi"}, {"שלום עולם", "he"},
		{"你住在哪里？", "zh"}, {"我在 Google 工作", "zh"}, {"東京に住んでいます", "ja"}, {"タワー", "ja"},
		{"어디에 살아요?", "ko"}, {"คุณอยู่ที่ไหน", "th"}, {"தமிழ் மொழி", "ta"},
	} {
		if got := Language(c.text); got != c.want {
			t.Errorf("Language(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCrosses(t *testing.T) {
	for term, want := range map[string]bool{"的计": true, "划是": true, "计划": false, "计": false, "的": false, "": false, "of": false, "計画の": false} {
		if got := Crosses(term); got != want {
			t.Errorf("Crosses(%q) = %v", term, got)
		}
	}
}

func TestScript(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"123 !?", ""}, {"👍", ""}, {"cats", Latin}, {"Wo ist mein Hund?", Latin}, {"Não sei", Latin},
		{"你住在哪里？", "zh"}, {"Ann的妹妹搬到哪里去了？", "zh"}, {"Где ты живёшь?", "ru"}, {"東京に住んでいます", "ja"},
	} {
		if got := Script(c.text); got != c.want {
			t.Errorf("Script(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// TestLinear feeds what could make a careless scanner quadratic.
func TestLinear(t *testing.T) {
	const n = 300_000
	for _, unit := range []string{"a", "a_", "a.", "a-", "1.", "1,", "a@", "a+", "a'", "a/", "://", "www.", ".", "A", "aA", "a1", " ", "漢", "ア",
		"ก", "가", "\u0301", "é", "ｱ", "\u200d", "\xff", "👍", "! ", "!\"", "a. ", "l'", "#", "@a", "$1", "İ", "²", "a\u0301", "\n", "e\u0301.", "1.111,22.", "1.", " 1.", "a&", "A.", "://a", "v1."} {
		s := strings.Repeat(unit, n/len(unit))
		start := time.Now()
		Terms(nil, s)
		Sentences(s)
		Parts(s, 20)
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%d bytes of %q took %v", len(s), unit, d)
		}
	}
}

// Any number of goroutines may call the functions of the package; run with -race.
func TestConcurrent(t *testing.T) {
	s := "Die Häuser von O’Brien, 北京 und ﬁnally café"
	want := Terms(nil, s)
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for range 100 {
				if got := Terms(nil, s); !slices.Equal(got, want) {
					t.Fatalf("got %v, want %v", got, want)
				}
			}
		})
	}
}
