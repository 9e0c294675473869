package rules

import "strings"

// hanQuestions are parts of questions, with what the answer to them says: "{v}"
// is the answer. The first that fits counts.
var hanQuestions = []struct{ asked, told string }{
	{"怎么称呼", "叫我{v}就行"}, {"叫什么名字", "我叫{v}"}, {"哪里人", "我老家在{v}"}, {"老家", "我老家在{v}"},
	{"在哪上班", "我在{v}上班"}, {"在哪里上班", "我在{v}上班"}, {"在哪工作", "我在{v}上班"}, {"哪家公司", "我在{v}上班"}, {"什么公司", "我在{v}上班"}, {"在哪儿上班", "我在{v}上班"},
	{"哪座城市", "我住在{v}"}, {"哪个城市", "我住在{v}"}, {"住在哪", "我住在{v}"}, {"住哪", "我住在{v}"}, {"在哪里生活", "我住在{v}"}, {"现居", "我住在{v}"},
	{"做什么工作", "我的职业是{v}"}, {"什么职业", "我的职业是{v}"}, {"职位", "我的职位是{v}"}, {"从事什么", "我的职业是{v}"}, {"做什么的", "我的职业是{v}"},
	{"专业", "我的专业是{v}"}, {"多大", "我今年{v}岁"}, {"几岁", "我今年{v}岁"}, {"年龄", "我今年{v}岁"}, {"生日", "我的生日是{v}"},
	{"预算", "预算是{v}"}, {"过敏", "我对{v}过敏"}, {"会说哪", "我会说{v}"}, {"会说什么", "我会说{v}"}, {"什么语言", "我会说{v}"}, {"爱好", "我的爱好有{v}"},
	{"宠物", "我养了{v}"}, {"养了什么", "我养了{v}"}, {"什么手机", "我用的手机是{v}"}, {"手机型号", "我用的手机是{v}"}, {"身高", "我身高{v}"}, {"体重", "我体重{v}"},
	{"数据库", "数据库用{v}"}, {"框架", "框架用{v}"}, {"前端", "框架用{v}"}, {"部署在", "部署在{v}"}, {"房租", "房租是{v}"}, {"月薪", "月薪{v}"},
}

// hanYes are answers that say that it is so.
var hanYes = []string{"是的", "对的", "没错", "对", "是", "嗯", "嗯嗯", "是啊", "对啊", "可以", "正确", "对呀", "yes"}

// hanAnswer reads a turn that answers the question of the turn before.
func (r *reader) hanAnswer(l *language, first *sentence) {
	question := []rune(lastHanQuestion(r.asked.Text))
	if len(question) == 0 {
		return
	}
	end := 0
	for end < len(first.toks) && first.toks[end].kind != sign {
		end++
	}
	if end == 0 || end > 8 || first.toks[0].off || l.wordAt("pronoun", first, 0) > 0 || l.wordAt("no_answer", first, 0) > 0 {
		return
	}
	answer := first.words(0, end)
	for _, yes := range hanYes {
		if answer == yes {
			r.retold(hanStatement(string(question)))
			return
		}
	}
	if first.question || !l.endsHan(first, end) {
		return
	}
	q := string(question)
	for _, date := range []string{"什么时候到期", "什么时候截止", "什么时候交", "哪天截止", "哪天到期"} {
		if thing, _, ok := strings.Cut(q, date); ok {
			r.retold(strings.NewReplacer("您的", "", "你的", "", "请问", "", "那", "").Replace(thing) + "的截止日期是" + answer + "。")
			return
		}
	}
	for _, h := range hanQuestions {
		if strings.Contains(q, h.asked) {
			r.retold(strings.ReplaceAll(h.told, "{v}", answer) + "。")
			return
		}
	}
}

// lastHanQuestion gives the last sentence of a text if it is a question.
func lastHanQuestion(s string) string {
	s = strings.TrimSpace(s)
	body := strings.TrimRight(s, "?？")
	if body == s {
		return ""
	}
	if i := strings.LastIndexAny(body, "。！？!?\n"); i >= 0 {
		body = strings.TrimLeft(body[i:], "。！？!?\n")
	}
	return body
}

// hanStatement makes 我住在苏州 of 您现在住在苏州,是这样吗.
func hanStatement(question string) string {
	body, _, _ := strings.Cut(strings.ReplaceAll(question, ",", "，"), "，")
	return strings.NewReplacer("您是住", "我住", "您是在", "我在", "你是住", "我住", "你是在", "我在", "您", "我", "你", "我", "是不是", "", "应该", "", "吗", "", "吧", "", "呢", "", "所以", "", "那么", "", "听起来", "", "可能", "", "大概", "", "好像", "").Replace(body) + "。"
}
