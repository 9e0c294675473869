package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram"
	"engram/embedding"
	"engram/importer"
	"engram/memory"
)

func newDemoCommand(a *app) *cobra.Command {
	var lang, locomo string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See it work on a short story, in Chinese and English",
		Long: `Tell the story of a chatbot project, in Chinese and in English, into a memory that is
thrown away afterwards; then ask what matters now and what comes next, how it will be
deployed, what was known at an earlier time, and what was asked for after three
o'clock yesterday. Each answer shows its tokens beside those of the whole history.
With --locomo it also takes in real conversations and measures recall on them.
The first line says by which model is searched (engram model --help).`,
		Example: `  engram demo --lang en
  engram demo --locomo locomo10.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.demo(cmd.Context(), lang, locomo)
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "both", "`LANGUAGE`: en, zh or both")
	cmd.Flags().StringVar(&locomo, "locomo", "", "LoCoMo `FILE` to measure recall on")
	modelFlag(cmd, a)
	complete(cmd, "lang", "en", "zh", "both")
	return cmd
}

func (a *app) demo(ctx context.Context, lang, locomo string) error {
	model, err := a.chosenModel()
	if err != nil {
		return err
	}
	a.sayModel(model)
	told := 0
	for i := range stories {
		if s := &stories[i]; lang == s.lang || lang == "both" {
			if err := a.tell(ctx, s); err != nil {
				return fmt.Errorf("demo: %w", err)
			}
			told++
		}
	}
	if told == 0 {
		return fmt.Errorf("--lang %q is none of en, zh, both: %w", lang, memory.ErrInvalid)
	}
	if locomo == "" {
		return nil
	}
	return a.evalLoCoMo(ctx, locomo)
}

// sayModel says by which model is searched.
func (a *app) sayModel(model embedding.Embedder) {
	said := "Searched by words alone (engram model pull gets a model of meaning)."
	if model != nil {
		said = "Searched by words and by the vectors of " + oneLine(model.Name()) + "."
	}
	fmt.Fprintln(a.stdout, a.palette(a.stdout).dim(said))
}

//go:embed demo/story_zh.jsonl demo/story_en.jsonl
var storyFiles embed.FS

// story is one of the demo's stories with what is asked about it.
type story struct {
	lang, file, at     string
	title, told        string // told: records, when it is asked
	care, deploy       string
	upload             string // asked as known on two days
	instructions       string // asked with a filter
	then, today        string
	knownAt            string
	after, before      string
	whole, lean, times string
}

var stories = []story{
	{
		lang: "zh", file: "demo/story_zh.jsonl", at: "2026-03-09T20:00:00+08:00",
		title: "客服聊天机器人项目", told: "一周里的 %d 条记录已写入一个临时的记忆。现在是 %s。",
		care: "用户现在最在意什么？接下来做什么？", deploy: "系统最后决定怎么部署？",
		upload: "第一版要做文件上传吗？", then: "站在 3 月 4 日的所知", today: "站在今天的所知", knownAt: "2026-03-04+08:00",
		instructions: "昨天下午3点之后用户给过哪些指示", after: "2026-03-08T15:00+08:00", before: "2026-03-09+08:00",
		whole: "全部历史  ", lean: "精简上下文", times: "缩小到 1/%.1f",
	},
	{
		lang: "en", file: "demo/story_en.jsonl", at: "2026-03-09T20:00:00+00:00",
		title: "A support chatbot", told: "%d records of one week, told into a memory that is thrown away. Now is %s.",
		care: "What does the user care about most now, and what comes next?", deploy: "How will the system be deployed?",
		upload: "Is file upload part of the first version?", then: "as known on 4 March", today: "as known today", knownAt: "2026-03-04Z",
		instructions: "Which instructions did the user give after 3 pm yesterday?", after: "2026-03-08T15:00Z", before: "2026-03-09Z",
		whole: "full history", lean: "lean context", times: "%.1f times smaller",
	},
}

// tell tells a story into a memory of its own and asks about it.
func (a *app) tell(ctx context.Context, s *story) (err error) {
	now, err := time.Parse(time.RFC3339, s.at)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "engram-demo-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	clock := func() time.Time { return now }
	db, err := a.openStore(ctx, filepath.Join(dir, databaseName), clock, false)
	if err != nil {
		return err
	}
	return a.serve(ctx, db, engram.Options{Now: clock}, func(e *engram.Engine) error {
		space, err := e.Space(engram.Scope{Space: "story"})
		if err != nil {
			return err
		}
		t := telling{app: a, story: s, space: space, p: a.palette(a.stdout)}
		if err := t.record(ctx, now); err != nil {
			return err
		}
		t.tokens = e.CountTokens(t.history)
		return t.ask(ctx)
	})
}

// telling is a story on its way.
type telling struct {
	*app
	*story
	space   *engram.Space
	p       palette
	history string // all of it, as an agent without a memory would have to read it
	tokens  int    // of it
	asked   int
}

// record takes the story in. Each record was known when it occurred.
func (t *telling) record(ctx context.Context, now time.Time) error {
	raw, err := storyFiles.ReadFile(t.file)
	if err != nil {
		return err
	}
	report, err := t.space.Import(ctx, restate(importer.JSONL(bytes.NewReader(raw), nil), recordedOccurred, now.UnixMicro()), nil)
	if err = errors.Join(append(report.Errors, err)...); err != nil {
		return err
	}
	if _, err := t.space.Embed(ctx); err != nil {
		return err
	}
	all, err := t.space.List(ctx, memory.Filter{}, memory.AsOf{}, 0, 0)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "%s %s: %s\n", when(e.Occurred), e.Speaker, e.Text)
	}
	t.history = b.String()
	fmt.Fprintf(t.stdout, "\n%s\n%s\n", t.p.head("━━ "+t.title+" ━━"), t.p.dim(fmt.Sprintf(t.told, len(all), now.Format("2006-01-02 15:04"))))
	return nil
}

// ask asks the questions of the story, each with a limit of items.
func (t *telling) ask(ctx context.Context) error {
	first, err := t.recall(ctx, memory.Query{Question: t.care, Limit: 5})
	if err != nil {
		return err
	}
	fmt.Fprint(t.stdout, indent(paintContext(first.Context, t.p)))
	t.compare(first.Tokens)

	if err := t.show(ctx, "", memory.Query{Question: t.deploy, Limit: 3}); err != nil {
		return err
	}

	known, err := memory.ParseTime(t.knownAt, nil)
	if err != nil {
		return err
	}
	then := memory.Query{Question: t.upload, Limit: 3, AsOf: memory.AsOf{Known: memory.Known{Time: known}}}
	if err := t.show(ctx, t.then, then); err != nil {
		return err
	}
	if err := t.show(ctx, t.today, memory.Query{Question: t.upload, Limit: 3}); err != nil {
		return err
	}

	f := filterFlags{kinds: []string{string(memory.Instruction)}, sources: []string{string(memory.User)}, after: name(t.after), before: name(t.before)}
	filter, err := f.filter(nil)
	if err != nil {
		return err
	}
	return t.show(ctx, "--kind instruction --source user --after "+t.after+" --before "+t.before, memory.Query{Question: t.instructions, Limit: 10, Filter: filter})
}

// recall asks one question and prints it with the time that it took.
func (t *telling) recall(ctx context.Context, q memory.Query) (memory.Answer, error) {
	began := t.now()
	answer, err := t.space.Recall(ctx, q)
	took := t.now().Sub(began)
	if err != nil {
		return answer, err
	}
	t.asked++
	fmt.Fprintf(t.stdout, "\n%s %s\n", t.p.bold(fmt.Sprintf("%d. %s", t.asked, q.Question)), t.p.dim(fmt.Sprintf("(%.1f ms, %d tokens)", took.Seconds()*1000, answer.Tokens)))
	return answer, nil
}

// show prints the best items of an answer in the order of the log.
func (t *telling) show(ctx context.Context, from string, q memory.Query) error {
	answer, err := t.recall(ctx, q)
	if err != nil {
		return err
	}
	if from != "" {
		fmt.Fprintln(t.stdout, "   "+t.p.dim(from))
	}
	best := answer.Items[:min(len(answer.Items), q.Limit)]
	slices.SortFunc(best, func(a, b memory.Item) int { return cmp.Compare(a.Seq, b.Seq) })
	columns := t.width(t.stdout)
	for _, it := range best {
		lead := fmt.Sprintf("   [%d] %s ", it.Seq, it.Occurred.Std().Format("01-02 15:04"))
		text := oneLine(it.Speaker + ": " + it.Text)
		if columns > 0 {
			text = cut(text, columns-len(lead))
		}
		fmt.Fprintln(t.stdout, t.p.dim(lead)+text)
	}
	return nil
}

// compare shows the tokens of a context beside those of the whole history.
func (t *telling) compare(lean int) {
	const longest = 48
	bar := func(n int) string { return strings.Repeat("█", max(1, n*longest/max(t.tokens, lean))) }
	fmt.Fprintf(t.stdout, "   %s %s %d\n", t.whole, t.p.bad(bar(t.tokens)), t.tokens)
	fmt.Fprintf(t.stdout, "   %s %s %d · %s\n", t.lean, t.p.good(bar(lean)), lean, t.p.bold(fmt.Sprintf(t.times, float64(t.tokens)/float64(max(lean, 1)))))
}

// indent moves a text to the right.
func indent(s string) string {
	return "   " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n   ") + "\n"
}
