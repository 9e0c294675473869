package when

import (
	"os"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// golden is one line of testdata/english.tsv or chinese.tsv.
type golden struct {
	anchor memory.Time
	line   int
	text   string   // without brackets
	want   []string // as telling gives them
}

func readGolden(t testing.TB, file string) []golden {
	t.Helper()
	var out []golden
	var anchor memory.Time
	for i, line := range readLines(t, file) {
		sentence, meanings, ok := strings.Cut(line, "\t")
		switch {
		case strings.HasPrefix(line, "@ "):
			anchor = at(t, line[2:])
		case ok:
			g := golden{anchor: anchor, line: i + 1}
			words := g.bracketed(sentence)
			list := strings.Split(meanings, " ; ")
			if len(list) != len(words) {
				t.Fatalf("%s:%d: %d brackets mean %d times", file, i+1, len(words), len(list))
			}
			for i, w := range words {
				g.want = append(g.want, "["+w+"] "+spelledOut(t, list[i], anchor.Std().Location()))
			}
			out = append(out, g)
		}
	}
	return out
}

func readLines(t testing.TB, file string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "#") {
			lines[i] = ""
		}
	}
	return lines
}

// bracketed sets the text and gives what stands in brackets.
func (g *golden) bracketed(sentence string) (words []string) {
	for {
		before, rest, ok := strings.Cut(sentence, "[")
		g.text += before
		if !ok {
			return words
		}
		w, after, _ := strings.Cut(rest, "]")
		g.text += w
		words, sentence = append(words, w), after
	}
}

// spelledOut gives a meaning with both ends and their offsets: "2023-05" is
// "[2023-05+08:00, 2023-06+08:00)".
func spelledOut(t testing.TB, meaning string, loc *time.Location) string {
	t.Helper()
	end := func(s string) memory.Time {
		if s == ".." {
			return memory.Time{}
		}
		out, err := memory.ParseTime(s, loc)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	var relation, flags string
	for _, r := range relations {
		if cut, ok := strings.CutPrefix(meaning, r+" "); ok && r != "" {
			relation, meaning = r+" ", cut
		}
	}
	if body, marks, ok := strings.Cut(strings.TrimSpace(meaning), " "); ok && !strings.HasSuffix(body, ",") {
		meaning, flags = body, marks
	} else if i := strings.LastIndex(meaning, " "); ok && strings.ContainsAny(meaning[i:], "!~") {
		meaning, flags = meaning[:i], meaning[i+1:]
	}
	from, to, ok := strings.Cut(meaning, ", ")
	iv := memory.Interval{From: end(from)}
	if ok {
		iv.To = end(to)
	} else {
		iv.To = iv.From
		iv.To.Micros = iv.From.End()
	}
	return relation + iv.String() + " " + flags
}

var relations = []string{During: "", Since: "since", After: "after", Before: "before", Until: "until", By: "by"}

// telling gives a match as the golden tables do.
func telling(text string, m Match) string {
	s := "[" + text[m.Start:m.End] + "] "
	if m.Relation != During {
		s += relations[m.Relation] + " "
	}
	s += m.Interval.String() + " "
	if m.Explicit {
		s += "!"
	}
	if m.Approximate {
		s += "~"
	}
	return s
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"english.tsv", "chinese.tsv"} {
		for _, g := range readGolden(t, file) {
			var got []string
			for _, m := range Find(g.text, g.anchor) {
				got = append(got, telling(g.text, m))
			}
			if g, w := strings.Join(got, "; "), strings.Join(g.want, "; "); g != w {
				t.Errorf("%s\n got %s\nwant %s", file, g, w)
			}
		}
	}
}

func TestNever(t *testing.T) {
	t.Parallel()
	for _, text := range readLines(t, "never.txt") {
		if got := Find(text, at(t, anchor)); len(got) > 0 {
			t.Errorf("%q gives %s", text, show(text, got))
		}
	}
}
