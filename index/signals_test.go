package index

import (
	"strings"
	"testing"

	"engram/memory"
)

// standingCases are single sentences, and whether they tell how to answer from
// now on. Most of the others are from chats between friends.
var standingCases = []struct {
	text string
	want bool
}{
	{"Always answer in English.", true},
	{"Always bring a jacket.", true},
	{"Never feed the cat twice.", true},
	{"Never again!", false},
	{"永远爱你。", false},
	{"永远的神！", false},
	{"总是下雨。", false},
	{"总是这样，烦死了。", false},
	{"始终没等到他。", false},
	{"以后都住这里吗？", false},
	{"Never use emojis in your replies.", true},
	{"Please always show the units.", true},
	{"Please, never mention my ex.", true},
	{"Remember to always cite your sources.", true},
	{"I prefer short answers.", true},
	{"I'd prefer the window seat.", true},
	{"I’d prefer tea.", true},
	{"I would prefer that you call me Mia.", true},
	{"I really prefer dark mode.", true},
	{"My preference is metric units.", true},
	{"My dietary preference is vegan.", true},
	{"From now on, call me Captain.", true},
	{"When I ask for code, use Python from now on.", true},
	{"- Always format dates as ISO.", true},
	{"\"Never give legal advice.\"", true},
	{"NEVER share my address.", true},
	{"Hi there. Always answer in English. Thanks!", true},
	{"always here for you", false},
	{"Always here for you, buddy!", false},
	{"I never had the time.", false},
	{"Never had the time to read it.", false},
	{"Always a pleasure!", false},
	{"Always great to see you.", false},
	{"Never mind, I found it.", false},
	{"Never thought I'd see that.", false},
	{"I always go running in the morning.", false},
	{"He always says that.", false},
	{"Never been to Japan.", false},
	{"Always happy to help.", false},
	{"Should I always answer in English?", false},
	{"Do you prefer tea?", false},
	{"She prefers tea.", false},
	{"We never argue.", false},
	{"Always nice hearing from you!", false},
	{"Always wanted to try that.", false},
	{"Never gonna give you up.", false},
	{"Always.", false},
	{"The heron came back.", false},
	{"I prefer " + strings.Repeat("a very long tale of herons, ", 20) + "to others.", false},

	{"请总是用中文回答。", true},
	{"以后都用中文回答我。", true},
	{"以后请叫我老王。", true},
	{"以后别再提这件事了。", true},
	{"从现在起，每天早上提醒我吃药。", true},
	{"从现在开始，回答要简短。", true},
	{"永远不要把我的地址告诉别人。", true},
	{"请记住我对花生过敏。", true},
	{"务必在回复里附上来源。", true},
	{"一律用公制单位。", true},
	{"不要再给我推荐咖啡了。", true},
	{"别再叫我小明。", true},
	{"你以后不要用表情符号。", true},
	{"我更喜欢简短的回答。", true},
	{"我个人偏好靠窗的座位。", true},
	{"请你始终使用敬语。", true},
	{"麻烦你以后都用表格。", true},
	{"今后请用英文写邮件。", true},
	{"今后不要打电话给我。", true},
	{"你好。以后都用中文回答我。谢谢！", true},
	{"以后有机会再说吧。", false},
	{"以后我想当医生。", false},
	{"他总是迟到。", false},
	{"我总是忘记带伞。", false},
	{"从现在起我要减肥了。", false},
	{"你更喜欢哪一个？", false},
	{"我永远支持你。", false},
	{"祝你永远快乐！", false},
	{"以后再聊。", false},
	{"我们以后都要好好的。", false},
	{"今天下雨了。", false},
}

// standingMistakes are sentences that the patterns read wrongly, with what they
// take them for. Whoever mends one moves it up.
var standingMistakes = []struct {
	text string
	took bool
}{
	{"*Always* format dates as ISO.", false},
	{"别再难过了，会好的。", true},
	{"不要再哭了。", true},
	{"以后的事以后再说。", true},
}

func TestStanding(t *testing.T) {
	t.Parallel()
	for _, tt := range standingCases {
		if got := len(Standing(tt.text, memory.Message)) > 0; got != tt.want {
			t.Errorf("%q: standing is %v, want %v", tt.text, got, tt.want)
		}
	}
	for _, tt := range standingMistakes {
		if got := len(Standing(tt.text, memory.Message)) > 0; got != tt.took {
			t.Errorf("%q is read right now: move it to standingCases", tt.text)
		}
	}
}

func TestStandingGivesTheSentences(t *testing.T) {
	t.Parallel()
	words := "Hi! Always answer in English. The weather is nice.\n我更喜欢简短的回答。再见。"
	var got []string
	for _, s := range Standing(words, memory.Message) {
		got = append(got, words[s.Start:s.End])
	}
	if strings.Join(got, "|") != "Always answer in English.|我更喜欢简短的回答。" {
		t.Errorf("got %q", got)
	}
	if all := Standing("Buy milk.", memory.Instruction); len(all) != 1 || all[0].End != len("Buy milk.") {
		t.Errorf("an instruction: %v, want all of it", all)
	}
}

// Only what a person said instructs; the index lists it in the order of the log.
func TestStandingOfTheIndex(t *testing.T) {
	t.Parallel()
	rule := "Always answer in English."
	x := build(
		&memory.Episode{Text: rule, Source: memory.User},
		&memory.Episode{Text: rule, Source: memory.Assistant},
		&memory.Episode{Text: rule, Source: memory.Web},
		&memory.Episode{Text: "Buy milk.", Source: memory.User},
		&memory.Episode{Text: "Buy milk.", Source: memory.User, Kind: memory.Instruction},
		&memory.Episode{Text: "以后都用中文回答我。", Source: memory.User},
	)
	for n, want := range []int{0, 1, 1, 1, 1, 2, 3} {
		if got := x.Standing(n); len(got) != want {
			t.Errorf("among the first %d: %v, want %d", n, got, want)
		}
	}
}

func TestLasting(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]bool{
		"Always answer in English.": true, "Don't call after ten.": true, "Keep it short.": true, "Use only metric units.": true,
		"Whenever I greet you, greet me back.": true, "不要打电话给我。": true, "每周五提醒我。": true, "尽量简短。": true,
		"Buy milk.": false, "Book the flight to Oslo.": false, "买牛奶。": false, "订去上海的机票。": false, "The keeper is away.": false,
	} {
		if got := Lasting(words); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want string // of dated, number, proper, question
	}{
		{"The heron came back.", ""},
		{"The heron came back yesterday.", "dated"},
		{"It opened in 1987.", "dated number"},
		{"It costs 1887.", "number"},
		{"Room 20x5", "number"},
		{"See you on Friday", "dated proper"},
		{"last night", "dated"},
		{"We may go.", ""}, // not the month
		{"I have two dogs.", "number"},
		{"Once upon a time", "number"},
		{"Paris is nice.", ""}, // begins the sentence
		{"I love Paris.", "proper"},
		{"Good. Paris is nice.", ""},
		{"I work for NASA.", ""}, // an acronym
		{"I met Élodie.", "proper"},
		{"I met Bo.", ""}, // too short to tell
		{"Where?", "question"},
		{"\"Where is she?\"", "question"},
		{"Where? There.", ""},
		{"Really?!", ""},
		{"Wirklich? ", "question"},
		{"你住在哪里？", "question"},
		{"他问：“你住在哪里？”", "question"},
		{"我住在柏林。", ""},
		{"我昨天到了柏林。", "dated"},
		{"五月七号见。", "dated"},
		{"上周见过他。", "dated"},
		{"上次见过他。", ""},
		{"2024年搬来的。", "dated number"},
		{"有三只猫。", "number"},
		{"她有几只猫？", "number question"},
		// Single characters count, also inside words where they say something else.
		{"用表情符号。", ""},
		{"我们一起走。", ""},
	} {
		s := read(tt.text, &memory.Episode{Text: tt.text})
		var got []string
		for _, f := range []struct {
			name string
			on   bool
		}{{"dated", s.Dated}, {"number", s.Number}, {"proper", s.Proper}, {"question", s.Question}} {
			if f.on {
				got = append(got, f.name)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, strings.Join(got, " "), tt.want)
		}
	}
}

func TestSymbols(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text        string
		least, most float32
	}{
		{"A plain sentence of words", 0, 0.05},
		{"这是一个句子", 0, 0.15},
		{"| 1 | 2 | 3 |\n|---|---|---|", 0.5, 1},
		{"for (int i = 0; i < n; i++) { a[i] += b[i]; }", 0.3, 0.6},
	} {
		s := read(tt.text, &memory.Episode{Text: tt.text})
		if s.Symbols < tt.least || s.Symbols > tt.most {
			t.Errorf("%q: %.2f symbols, want %.2f to %.2f", tt.text, s.Symbols, tt.least, tt.most)
		}
	}
}

func TestSpoken(t *testing.T) {
	t.Parallel()
	for source, want := range map[memory.Source]bool{
		memory.User: true, memory.Import: true, memory.Assistant: false, memory.Tool: false, memory.Web: false,
	} {
		if s := read("a", &memory.Episode{Source: source}); s.Spoken() != want {
			t.Errorf("%s: spoken is %v", source, s.Spoken())
		}
	}
}
