package when

import (
	"strings"
	"testing"
	"unicode/utf8"

	"engram/memory"

	"pgregory.net/rapid"
)

// anchor is a Wednesday.
const anchor = "2023-05-17T10:30:00+08:00"

func at(t testing.TB, s string) memory.Time {
	t.Helper()
	out, err := memory.ParseTime(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// show gives the matches as "[words] interval", with ! for explicit ones and
// without the anchor's offset.
func show(text string, matches []Match) string {
	var out []string
	for _, m := range matches {
		s := "[" + text[m.Start:m.End] + "] " + strings.ReplaceAll(strings.Trim(m.Interval.String(), "[)"), "+08:00", "")
		if m.Explicit {
			s += " !"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestFind(t *testing.T) {
	t.Parallel()
	for _, table := range [][][2]string{english, chinese} {
		for _, c := range table {
			if got := show(c[0], Find(c[0], at(t, anchor))); got != c[1] {
				t.Errorf("%q\n got %s\nwant %s", c[0], got, c[1])
			}
		}
	}
}

var english = [][2]string{
	{"We met on 8 May 2023.", "[8 May 2023] 2023-05-08, 2023-05-09 !"},
	{"8th May 2023", "[8th May 2023] 2023-05-08, 2023-05-09 !"},
	{"the 8th of May, 2023", "[8th of May, 2023] 2023-05-08, 2023-05-09 !"},
	{"May 8th, 2023", "[May 8th, 2023] 2023-05-08, 2023-05-09 !"},
	{"May 8, 2023", "[May 8, 2023] 2023-05-08, 2023-05-09 !"},
	{"May 8 2023", "[May 8 2023] 2023-05-08, 2023-05-09 !"},
	{"MAY 8, 2023", "[MAY 8, 2023] 2023-05-08, 2023-05-09 !"},
	{"on december 31, 1999", "[december 31, 1999] 1999-12-31, 2000-01-01 !"},
	{"Feb. 29, 2024", "[Feb. 29, 2024] 2024-02-29, 2024-03-01 !"},
	{"Sept 3rd 2021", "[Sept 3rd 2021] 2021-09-03, 2021-09-04 !"},
	{"May 8", "[May 8] 2023-05-08, 2023-05-09"},
	{"on May 8th I", "[May 8th] 2023-05-08, 2023-05-09"},
	{"May the 4th", "[May the 4th] 2023-05-04, 2023-05-05"},
	{"8 May", "[8 May] 2023-05-08, 2023-05-09"},
	{"22nd of June", "[22nd of June] 2022-06-22, 2022-06-23"},
	{"Dec 25", "[Dec 25] 2022-12-25, 2022-12-26"},
	{"May 2023", "[May 2023] 2023-05, 2023-06 !"},
	{"in May 2023", "[May 2023] 2023-05, 2023-06 !"},
	{"May, 2023", "[May, 2023] 2023-05, 2023-06 !"},
	{"june of 2019", "[june of 2019] 2019-06, 2019-07 !"},
	{"in May", "[May] 2023-05, 2023-06"},
	{"in june", "[june] 2022-06, 2022-07"},
	{"during March", "[March] 2023-03, 2023-04"},
	{"the first week of April", "[first week of April] 2023-04-01, 2023-04-08"},
	{"since May", "[since May] 2023-05, .."},
	{"since October", "[since October] 2022-10, .."},
	{"last May", "[last May] 2022-05, 2022-06"},
	{"last March", "[last March] 2023-03, 2023-04"},
	{"early May", "[early May] 2023-05-01, 2023-05-11"},
	{"mid-May", "[mid-May] 2023-05-11, 2023-05-21"},
	{"late february", "[late february] 2023-02-21, 2023-03-01"},
	{"in late June 2020", "[late June 2020] 2020-06-21, 2020-07-01 !"},
	{"2023-05-08", "[2023-05-08] 2023-05-08, 2023-05-09 !"},
	{"(2023-05-08)", "[2023-05-08] 2023-05-08, 2023-05-09 !"},
	{"2023-05-08T15:04:05Z", "[2023-05-08] 2023-05-08, 2023-05-09 !"},
	{"2023/5/8", "[2023/5/8] 2023-05-08, 2023-05-09 !"},
	{"in 2023", "[2023] 2023, 2024 !"},
	{"during 2019", "[2019] 2019, 2020 !"},
	{"since 2019", "[since 2019] 2019, .. !"},
	{"today", "[today] 2023-05-17, 2023-05-18"},
	{"Yesterday", "[Yesterday] 2023-05-16, 2023-05-17"},
	{"yesterday's", "[yesterday] 2023-05-16, 2023-05-17"},
	{"tomorrow", "[tomorrow] 2023-05-18, 2023-05-19"},
	{"the day before yesterday", "[the day before yesterday] 2023-05-15, 2023-05-16"},
	{"the day after tomorrow", "[the day after tomorrow] 2023-05-19, 2023-05-20"},
	{"last week", "[last week] 2023-05-08, 2023-05-15"},
	{"this week", "[this week] 2023-05-15, 2023-05-22"},
	{"next week", "[next week] 2023-05-22, 2023-05-29"},
	{"last month", "[last month] 2023-04, 2023-05"},
	{"this month", "[this month] 2023-05, 2023-06"},
	{"next month", "[next month] 2023-06, 2023-07"},
	{"last year", "[last year] 2022, 2023"},
	{"this year", "[this year] 2023, 2024"},
	{"next year", "[next year] 2024, 2025"},
	{"3 days ago", "[3 days ago] 2023-05-14, 2023-05-15"},
	{"a day ago", "[a day ago] 2023-05-16, 2023-05-17"},
	{"two weeks ago", "[two weeks ago] 2023-05-01, 2023-05-08"},
	{"a couple of weeks ago", "[a couple of weeks ago] 2023-05-01, 2023-05-08"},
	{"six months ago", "[six months ago] 2022-11, 2022-12"},
	{"10 years ago", "[10 years ago] 2013, 2014"},
	{"last night", "[last night] 2023-05-16T18, 2023-05-17T06"},
	{"tonight", "[tonight] 2023-05-17T18, 2023-05-18T06"},
	{"this morning", "[this morning] 2023-05-17T06, 2023-05-17T12"},
	{"yesterday afternoon", "[yesterday afternoon] 2023-05-16T12, 2023-05-16T18"},
	{"yesterday in the evening", "[yesterday in the evening] 2023-05-16T18, 2023-05-17T00"},
	{"the morning of 8 May 2023", "[morning of 8 May 2023] 2023-05-08T06, 2023-05-08T12 !"},
	{"yesterday at 3 pm", "[yesterday at 3 pm] 2023-05-16T15, 2023-05-16T16"},
	{"yesterday at 3:30pm", "[yesterday at 3:30pm] 2023-05-16T15:30, 2023-05-16T15:31"},
	{"yesterday at 12 a.m.", "[yesterday at 12 a.m.] 2023-05-16T00, 2023-05-16T01"},
	{"yesterday at noon", "[yesterday at noon] 2023-05-16T12, 2023-05-16T13"},
	{"3 p.m. yesterday", "[3 p.m. yesterday] 2023-05-16T15, 2023-05-16T16"},
	{"10 o'clock on May 8", "[10 o'clock on May 8] 2023-05-08T10, 2023-05-08T11"},
	{"yesterday after 3 pm", "[yesterday after 3 pm] 2023-05-16T15, 2023-05-17T00"},
	{"after 3 pm yesterday", "[after 3 pm yesterday] 2023-05-16T15, 2023-05-17T00"},
	{"yesterday before 10 am", "[yesterday before 10 am] 2023-05-16T00, 2023-05-16T10"},
	{"yesterday afternoon after 3:15 pm", "[yesterday afternoon after 3:15 pm] 2023-05-16T15:15, 2023-05-17T00:00"},
	{"yesterday afternoon at 3", "[yesterday afternoon at 3] 2023-05-16T15, 2023-05-16T16"},
	{"last night at 11", "[last night at 11] 2023-05-16T23, 2023-05-17T00"},
	{"last night around 2 am", "[last night around 2 am] 2023-05-17T02, 2023-05-17T03"},
	{"May 8, 2023 at 15:04", "[May 8, 2023 at 15:04] 2023-05-08T15:04, 2023-05-08T15:05 !"},
	{"after 8 May 2023", "[after 8 May 2023] 2023-05-09, .. !"},
	{"before 8 May 2023", "[before 8 May 2023] .., 2023-05-08 !"},
	{"since 8 May", "[since 8 May] 2023-05-08, .."},
	{"before May 2023", "[before May 2023] .., 2023-05 !"},
	{"since last week", "[since last week] 2023-05-08, .."},
	{"before yesterday", "[before yesterday] .., 2023-05-16"},
	{"either May 8, 2023 or yesterday", "[May 8, 2023] 2023-05-08, 2023-05-09 !; [yesterday] 2023-05-16, 2023-05-17"},
	{"8-10 May 2023", "[8-10 May 2023] 2023-05-08, 2023-05-11 !"},
	{"Feb 30, 2023 or today", "[today] 2023-05-17, 2023-05-18"},
}

var chinese = [][2]string{
	{"2023年5月8日", "[2023年5月8日] 2023-05-08, 2023-05-09 !"},
	{"我们2023年5月8号见过", "[2023年5月8号] 2023-05-08, 2023-05-09 !"},
	{"2023 年 5 月 8 日", "[2023 年 5 月 8 日] 2023-05-08, 2023-05-09 !"},
	{"二〇二三年五月八日", "[二〇二三年五月八日] 2023-05-08, 2023-05-09 !"},
	{"二零二三年十二月三十一日", "[二零二三年十二月三十一日] 2023-12-31, 2024-01-01 !"},
	{"2023年5月", "[2023年5月] 2023-05, 2023-06 !"},
	{"2023年5月份", "[2023年5月份] 2023-05, 2023-06 !"},
	{"2023年", "[2023年] 2023, 2024 !"},
	{"在2019年买的", "[2019年] 2019, 2020 !"},
	{"5月8号", "[5月8号] 2023-05-08, 2023-05-09"},
	{"5月8日", "[5月8日] 2023-05-08, 2023-05-09"},
	{"五月七号", "[五月七号] 2023-05-07, 2023-05-08"},
	{"十一月二十三日", "[十一月二十三日] 2022-11-23, 2022-11-24"},
	{"三月十号", "[三月十号] 2023-03-10, 2023-03-11"},
	{"六月三十号", "[六月三十号] 2022-06-30, 2022-07-01"},
	{"五月份", "[五月份] 2023-05, 2023-06"},
	{"六月去的", "[六月] 2022-06, 2022-07"},
	{"去年三月", "[去年三月] 2022-03, 2022-04"},
	{"去年3月5日", "[去年3月5日] 2022-03-05, 2022-03-06"},
	{"今年五月", "[今年五月] 2023-05, 2023-06"},
	{"今年的六月", "[今年的六月] 2023-06, 2023-07"},
	{"明年1月", "[明年1月] 2024-01, 2024-02"},
	{"前年十月", "[前年十月] 2021-10, 2021-11"},
	{"上个月5号", "[上个月5号] 2023-04-05, 2023-04-06"},
	{"今天", "[今天] 2023-05-17, 2023-05-18"},
	{"昨天", "[昨天] 2023-05-16, 2023-05-17"},
	{"昨日", "[昨日] 2023-05-16, 2023-05-17"},
	{"前天", "[前天] 2023-05-15, 2023-05-16"},
	{"大前天", "[大前天] 2023-05-14, 2023-05-15"},
	{"明天", "[明天] 2023-05-18, 2023-05-19"},
	{"他说明天来", "[明天] 2023-05-18, 2023-05-19"},
	{"后天", "[后天] 2023-05-19, 2023-05-20"},
	{"大后天", "[大后天] 2023-05-20, 2023-05-21"},
	{"上周", "[上周] 2023-05-08, 2023-05-15"},
	{"上星期", "[上星期] 2023-05-08, 2023-05-15"},
	{"上个礼拜", "[上个礼拜] 2023-05-08, 2023-05-15"},
	{"上上周", "[上上周] 2023-05-01, 2023-05-08"},
	{"这周", "[这周] 2023-05-15, 2023-05-22"},
	{"本周", "[本周] 2023-05-15, 2023-05-22"},
	{"下周", "[下周] 2023-05-22, 2023-05-29"},
	{"下下周", "[下下周] 2023-05-29, 2023-06-05"},
	{"上个月", "[上个月] 2023-04, 2023-05"},
	{"上月", "[上月] 2023-04, 2023-05"},
	{"这个月", "[这个月] 2023-05, 2023-06"},
	{"下个月", "[下个月] 2023-06, 2023-07"},
	{"去年", "[去年] 2022, 2023"},
	{"今年", "[今年] 2023, 2024"},
	{"明年", "[明年] 2024, 2025"},
	{"前年", "[前年] 2021, 2022"},
	{"3天前", "[3天前] 2023-05-14, 2023-05-15"},
	{"三天前", "[三天前] 2023-05-14, 2023-05-15"},
	{"两天之前", "[两天之前] 2023-05-15, 2023-05-16"},
	{"十二天以前", "[十二天以前] 2023-05-05, 2023-05-06"},
	{"2周前", "[2周前] 2023-05-01, 2023-05-08"},
	{"两个星期前", "[两个星期前] 2023-05-01, 2023-05-08"},
	{"三个月前", "[三个月前] 2023-02, 2023-03"},
	{"5年前", "[5年前] 2018, 2019"},
	{"昨晚", "[昨晚] 2023-05-16T18, 2023-05-17T06"},
	{"今早", "[今早] 2023-05-17T05, 2023-05-17T10"},
	{"今天上午", "[今天上午] 2023-05-17T06, 2023-05-17T12"},
	{"昨天下午", "[昨天下午] 2023-05-16T12, 2023-05-16T18"},
	{"5月8日晚上", "[5月8日晚上] 2023-05-08T18, 2023-05-09T06"},
	{"2023年5月8日凌晨", "[2023年5月8日凌晨] 2023-05-08T00, 2023-05-08T06 !"},
	{"昨天下午3点", "[昨天下午3点] 2023-05-16T15, 2023-05-16T16"},
	{"昨天下午三点半", "[昨天下午三点半] 2023-05-16T15:30, 2023-05-16T15:31"},
	{"昨天下午3点15分", "[昨天下午3点15分] 2023-05-16T15:15, 2023-05-16T15:16"},
	{"昨天15:04", "[昨天15:04] 2023-05-16T15:04, 2023-05-16T15:05"},
	{"昨天早上八点", "[昨天早上八点] 2023-05-16T08, 2023-05-16T09"},
	{"昨天中午12点", "[昨天中午12点] 2023-05-16T12, 2023-05-16T13"},
	{"昨天晚上十二点", "[昨天晚上十二点] 2023-05-17T00, 2023-05-17T01"},
	{"昨晚8点", "[昨晚8点] 2023-05-16T20, 2023-05-16T21"},
	{"昨天15点", "[昨天15点] 2023-05-16T15, 2023-05-16T16"},
	{"昨天下午三点之后", "[昨天下午三点之后] 2023-05-16T15, 2023-05-17T00"},
	{"昨天下午三点以后", "[昨天下午三点以后] 2023-05-16T15, 2023-05-17T00"},
	{"昨天上午10点之前", "[昨天上午10点之前] 2023-05-16T00, 2023-05-16T10"},
	{"昨天下午三点前后", "[昨天下午三点前后] 2023-05-16T15, 2023-05-16T16"},
	{"5月8日之后", "[5月8日之后] 2023-05-09, .."},
	{"5月8日之前", "[5月8日之前] .., 2023-05-08"},
	{"2023年5月以前", "[2023年5月以前] .., 2023-05 !"},
	{"2000年前", "[2000年前] .., 2000 !"},
	{"5月8日后", "[5月8日后] 2023-05-09, .."},
	{"去年以来", "[去年以来] 2022, .."},
	{"从5月8日开始", "[从5月8日开始] 2023-05-08, .."},
	{"昨天和今天", "[昨天] 2023-05-16, 2023-05-17; [今天] 2023-05-17, 2023-05-18"},
	{"I met her 昨天下午 at home", "[昨天下午] 2023-05-16T12, 2023-05-16T18"},
}

func TestFindsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "\xed\xa0\x80", "You may go", "They march on", "May I?", "march 5 miles", "you may 8 times", "March with us",
		"I need 2023 apples", "after 2000 steps", "room 2023", "2023", "in 20230 years", "in 1500 ml", "in 2023kg",
		"v2023-05-08", "12023-05-08", "#2023-05-08", "2023-13-08", "2023-02-30", "2023/5/32", "13月8日",
		"3.5 days ago", "1,000 days ago", "A3 days ago", "days ago", "0 days ago", "at 3 pm", "after 3 pm",
		"the last week of the course", "Feb 30", "32 May", "sundaymay 8", "8.5.2023", "decoder 8", "at last",
		"早上周围没人", "日本周边", "上周围", "晚上月亮很圆", "过去年轻人", "说明年龄", "一年级", "三个月大",
		"以前天天", "目前天气不错", "聪明天才", "说明天气", "然后天黑了", "后天性", "第3天前", "三月饼", "两个人", "五号线", "下午三点",
		"十十月", "9999999999年", "5 月亮", "0月0日", "13月", "二十五点",
	} {
		if got := Find(text, at(t, anchor)); len(got) > 0 {
			t.Errorf("%q gives %s", text, show(text, got))
		}
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ anchor, text, want string }{
		{"2024-03-31T23:59:59-05:00", "today", "[today] 2024-03-31-05:00, 2024-04-01-05:00"},
		{"2024-03-31Z", "last month", "[last month] 2024-02Z, 2024-03Z"},
		{"2024-01-01T00:30+08:00", "昨天", "[昨天] 2023-12-31, 2024-01-01"},
		{"2024-01Z", "去年", "[去年] 2023Z, 2024Z"},
		{"2023-05-14Z", "this week", "[this week] 2023-05-08Z, 2023-05-15Z"}, // a Sunday
		{"2023-05-01Z", "May 8", "[May 8] 2023-05-08Z, 2023-05-09Z"},         // the month does not lie after
		{"0005-05-05Z", "10 years ago or 2 years ago", "[2 years ago] 0003Z, 0004Z"},
		{"9999-12-31Z", "tomorrow, in 2023 or today", "[2023] 2023Z, 2024Z !"}, // today ends in 10000
	} {
		if got := show(c.text, Find(c.text, at(t, c.anchor))); got != c.want {
			t.Errorf("%q from %s\n got %s\nwant %s", c.text, c.anchor, got, c.want)
		}
	}
	text := "yesterday and 8 May 2023, May 7"
	if got := show(text, Find(text, memory.Time{})); got != "[8 May 2023] 2023-05-08Z, 2023-05-09Z !" {
		t.Errorf("without an anchor: %s", got)
	}
}

// pieces are what random texts are made of.
func pieces() []string {
	out := []string{" ", " ", ",", "-", "/", ":", ".", "年", "月", "日", "号", "点", "半", "之后", "以前", "前", "后", "下午", "3", "12", "2023", "31", "五", "十", "of", "ago", "days", "pm", "\xff"}
	for _, table := range [][][2]string{english, chinese} {
		for _, c := range table {
			out = append(out, c[0])
		}
	}
	return out
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
	list := pieces()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(list), rapid.String())).Draw(t, "text"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		year := rapid.IntRange(-62135596800, 253402300799).Draw(t, "second")
		anchor := memory.Micros(int64(year) * 1e6)
		anchor.Offset = int16(rapid.IntRange(-1080, 1080).Draw(t, "offset"))
		holds(t, text, anchor)
	})
}

// An explicit date means the same from every anchor of one offset.
func TestExplicit(t *testing.T) {
	t.Parallel()
	list := pieces()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(list)).Draw(t, "text"), " ")
		var want []string
		for range 2 {
			var got []string
			for _, m := range Find(text, memory.Micros(rapid.Int64Range(0, 4e15).Draw(t, "anchor"))) {
				if m.Explicit {
					got = append(got, show(text, []Match{m}))
				}
			}
			if want != nil && strings.Join(got, ";") != strings.Join(want, ";") {
				t.Fatalf("%q: %v from one anchor, %v from another", text, want, got)
			}
			want = got
		}
	})
}

func FuzzFind(f *testing.F) {
	for _, p := range pieces() {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, text string) { holds(t, text, at(t, anchor)) })
}

func BenchmarkFind(b *testing.B) {
	for name, text := range map[string]string{
		"question":     "Where did Caroline say she went with her kids the week before 8 May 2023?",
		"english=10kB": strings.Repeat("I went to the park with my dog and 3 friends in 2 cars, and we may go again. ", 130),
		"dense=10kB":   strings.Repeat("yesterday after 3 pm or on May 8, 2023; ", 256),
		"chinese=10kB": strings.Repeat("我昨天和三个朋友去了公园，下次还想再去一趟，他们也很高兴。", 115),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			from := at(b, anchor)
			for b.Loop() {
				Find(text, from)
			}
		})
	}
}
