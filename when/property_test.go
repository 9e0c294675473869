package when

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"engram/memory"

	"pgregory.net/rapid"
)

// pieces are what random texts are made of.
func pieces(t testing.TB) []string {
	out := []string{" ", " ", ",", "-", "/", ":", ".", "年", "月", "日", "号", "点", "半", "之后", "以前", "前", "后", "下午", "3", "12", "2023", "31", "五", "十", "of", "ago", "days", "pm", "\xff"}
	for _, table := range [][][2]string{english, chinese} {
		for _, c := range table {
			out = append(out, c[0])
		}
	}
	for _, file := range []string{"english.tsv", "chinese.tsv"} {
		for _, g := range readGolden(t, file) {
			out = append(out, g.text)
		}
	}
	return append(out, "from", "to", "between", "until", "the", "last", "week", "before", "first", "到", "从", "第", "个", "周", "一", "千", "百", "since", "several", "half")
}

// holds checks what is true of the matches of any text.
func holds(t interface{ Fatalf(string, ...any) }, text string, anchor memory.Time) {
	last := 0
	for _, m := range Find(text, anchor) {
		if m.Start < last || m.End <= m.Start || m.End > len(text) {
			t.Fatalf("%q: span [%d, %d) after %d", text, m.Start, m.End, last)
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[m.Start:m.End]) {
			t.Fatalf("%q: span [%d, %d) cuts a rune", text, m.Start, m.End)
		}
		if err := m.Interval.Validate(); err != nil || m.Interval.IsZero() {
			t.Fatalf("%q: %s: %v", text, m.Interval, err)
		}
		if from, to := m.Interval.Bounds(); from >= to {
			t.Fatalf("%q: %s is empty", text, m.Interval)
		}
		last = m.End
	}
}

func TestFindHolds(t *testing.T) {
	t.Parallel()
	list := pieces(t)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(list), rapid.String())).Draw(t, "text"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		year := rapid.IntRange(-62135596800, 253402300799).Draw(t, "second")
		anchor := memory.Micros(int64(year) * 1e6)
		anchor.Offset = int16(rapid.IntRange(-1080, 1080).Draw(t, "offset"))
		holds(t, text, anchor)
	})
}

// An explicit date means the same from every anchor of one offset. (It may be
// covered by a longer reading from some of them.)
func TestExplicit(t *testing.T) {
	t.Parallel()
	list := pieces(t)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(list)).Draw(t, "text"), " ")
		meaning := map[[2]int]string{}
		for range 2 {
			anchor := rapid.Int64Range(0, 4e15).Draw(t, "anchor")
			for _, m := range Find(text, memory.Micros(anchor)) {
				span, got := [2]int{m.Start, m.End}, telling(text, m)
				if want, ok := meaning[span]; ok && want != got && (m.Explicit || strings.Contains(want, "!")) {
					t.Fatalf("%q: %s from one anchor, %s from another", text, want, got)
				}
				meaning[span] = got
			}
		}
	})
}

// What is told in days and weeks moves with an anchor that moves by whole weeks.
func TestShiftedByWeeks(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, file := range []string{"english.tsv", "chinese.tsv"} {
		for _, line := range readLines(t, file) {
			text, _, _ := strings.Cut(line, "\t")
			texts = append(texts, strings.NewReplacer("[", "", "]", "").Replace(text))
		}
	}
	texts = slices.DeleteFunc(texts, func(text string) bool { return !movesByDays(text) })
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		anchor := memory.Micros(rapid.Int64Range(0, 3e15).Draw(t, "anchor"))
		anchor.Offset = int16(rapid.IntRange(-1080, 1080).Draw(t, "offset"))
		weeks := rapid.Int64Range(0, 1000).Draw(t, "weeks")
		moved := anchor
		moved.Micros += weeks * weekMicros
		a, b := Find(text, anchor), Find(text, moved)
		if len(a) != len(b) {
			t.Fatalf("%q: %d matches, then %d", text, len(a), len(b))
		}
		for i := range a {
			fromA, toA := a[i].Interval.Bounds()
			fromB, toB := b[i].Interval.Bounds()
			if !a[i].Interval.From.IsZero() && fromB-fromA != weeks*weekMicros || !a[i].Interval.To.IsZero() && toB-toA != weeks*weekMicros {
				t.Fatalf("%q: %s, %d weeks later %s", text, telling(text, a[i]), weeks, telling(text, b[i]))
			}
		}
	})
	if len(texts) < 60 {
		t.Fatalf("only %d texts move by days", len(texts))
	}
}

const weekMicros = 7 * 24 * 3600 * 1e6

// movesByDays reports whether all that a text says is told by days and weeks.
func movesByDays(text string) bool {
	return byDays.MatchString(text) && !byCalendar.MatchString(text) && len(Find(text, memory.Micros(0))) > 0
}

// What is told by days and weeks, and what by the calendar, in the golden tables.
var (
	byDays     = regexp.MustCompile(`(?i)day\b|days?\b|weeks?\b|weekend|night|morning|hours?\b|minutes|[昨今明前后]天|[昨今明]晚|周|星期|礼拜|天前|天后|小时|分钟`)
	byCalendar = regexp.MustCompile(`(?i)\d{4}|\d(st|nd|rd|th)|month|year|quarter|(january|february|march|april|may|june|july|august|september|october|november|december|christmas|halloween|valentine|patrick|summer|winter|spring|fall|boxing) ?|[月年号节]|五一|国庆|元旦|夏天|季`)
)

func FuzzFind(f *testing.F) {
	for _, p := range pieces(f) {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, text string) { holds(t, text, at(t, anchor)) })
}
