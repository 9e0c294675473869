package text

import (
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"none", "  \n ", nil},
		{"one", "  Hello there ", []string{"Hello there"}},
		{"two", "It rained. We stayed.", []string{"It rained.", "We stayed."}},
		{"signs", "Really?! Yes... No!", []string{"Really?!", "Yes...", "No!"}},
		{"lower case goes on", "It was approx. ten, e.g. more. ok", []string{"It was approx. ten, e.g. more. ok"}},
		{"ellipsis", "Well... maybe not", []string{"Well... maybe not"}},
		{"titles", "I saw Mr. Smith and Dr. Wu. They left.", []string{"I saw Mr. Smith and Dr. Wu.", "They left."}},
		{"initials", "J. R. R. Tolkien wrote it. So did I. He knew.", []string{"J. R. R. Tolkien wrote it.", "So did I.", "He knew."}},
		{"acronyms", "In the U.S. Army they eat at 5 p.m. or so.", []string{"In the U.S. Army they eat at 5 p.m. or so."}},
		{"decimals", "It is 3.14 now. 2.5 was before.", []string{"It is 3.14 now.", "2.5 was before."}},
		{"addresses", "See example.com. It is at a.b@c.de! Good.", []string{"See example.com.", "It is at a.b@c.de!", "Good."}},
		{"quotes", `He said "Stop." Then "Go!" (Really.) "Yes."`, []string{`He said "Stop."`, `Then "Go!"`, `(Really.)`, `"Yes."`}},
		{"curly quotes", "“Stop.” “Go.” Ok", []string{"“Stop.”", "“Go.”", "Ok"}},
		{"lines", "one\ntwo\r\n\n- three\n* four", []string{"one", "two", "- three", "* four"}},
		{"list", "1. Buy milk. Now.\n  12. Sleep", []string{"1. Buy milk.", "Now.", "12. Sleep"}},
		{"markdown", "**Bold.** Next one.", []string{"**Bold.**", "Next one."}},
		{"german", "Das ist z.B. Käse und z. B. Brot. Am 3. Mai und am 3. 5. war Schluss. Gut.",
			[]string{"Das ist z.B. Käse und z. B. Brot.", "Am 3. Mai und am 3. 5. war Schluss.", "Gut."}},
		{"spanish", "¿Qué? ¡Nada! La Sra. Muñoz no.", []string{"¿Qué?", "¡Nada!", "La Sra. Muñoz no."}},
		{"french", "« Où ? » Là. M. Dupont dort.", []string{"« Où ? »", "Là.", "M. Dupont dort."}},
		{"chinese", "你好。我很好！“真的吗？”对；好…走", []string{"你好。", "我很好！", "“真的吗？”", "对；", "好…", "走"}},
		{"japanese", "「行く。」と言った。うん", []string{"「行く。」", "と言った。", "うん"}},
		{"ascii signs in chinese", "你好!我很好", []string{"你好!", "我很好"}},
		{"arabic", "هل أنت هنا؟ نعم. لا", []string{"هل أنت هنا؟", "نعم.", "لا"}},
		{"hindi", "यह राम है। वह सीता है।", []string{"यह राम है।", "वह सीता है।"}},
		{"thai", "อาหารอร่อย ฉันชอบ", []string{"อาหารอร่อย", "ฉันชอบ"}},
		{"russian", "Он ушёл. Она осталась.", []string{"Он ушёл.", "Она осталась."}},
		{"emoji", "Great! 🎂 Yes", []string{"Great!", "🎂 Yes"}},
		{"invalid", "a.\xff B", []string{"a.\xff B"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, sp := range Sentences(c.text) {
				got = append(got, c.text[sp.Start:sp.End])
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestParts(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for _, c := range []struct {
		name, text string
		words      int
		want       []string
	}{
		{"blank", " \n ", 5, nil},
		{"whole", " One two. \n Three ", 5, []string{" One two. \n Three "}},
		{"sentences", "One two three. Four five. Six seven eight.", 5, []string{"One two three. Four five.", "Six seven eight."}},
		{"monster", "One two three four five six seven. Eight.", 3, []string{"One two three", "four five six", "seven. Eight."}},
		{"rest of a monster", "One two three four five six seven eight. Nine.", 3, []string{"One two three", "four five six", "seven eight. Nine."}},
		{"no spaces", strings.Repeat("x", 40), 2, []string{strings.Repeat("x", 15), strings.Repeat("x", 15), strings.Repeat("x", 10)}},
		{"chinese", "一二三四五六。七八九。", 4, []string{"一二三四五六。", "七八九。"}},
		{"chinese monster", "一二三四五六七八", 4, []string{"一二三四五六", "七八"}},
		{"default", long, 0, []string{long}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, sp := range Parts(c.text, c.words) {
				got = append(got, c.text[sp.Start:sp.End])
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestCountWords(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, " - !": 0, "one": 1, "don't stop": 2, "a-b c_d e.f": 3, "x - y": 2,
		"一二三": 2, "我在 Google 工作": 4, "ラーメン": 3, "학교에서 만났다": 2, "แมวดำ": 2,
	} {
		if got := CountWords(s); got != want {
			t.Errorf("CountWords(%q) = %d, want %d", s, got, want)
		}
	}
}
