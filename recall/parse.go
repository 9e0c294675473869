package recall

import (
	"regexp"
	"slices"
	"strings"

	"engram/index"
	"engram/memory"
	"engram/text"
	"engram/when"
)

// question is what the rules see in a question: never a label or category.
type question struct {
	dates   []when.Match
	speaker int32 // the one speaker it names, or index.None
	named   map[string]bool

	asksWhen    bool
	asksNumber  bool
	asksName    bool
	asksAdvice  bool
	asksPast    bool
	wantsOrder  bool // in which order things happened
	wantsDigest bool // a summary
}

var (
	asksWhen    = regexp.MustCompile(`(?i)\bwhen\b|\bwhat (date|day|year|month|time)\b|\bwhich (month|year|day)\b|\bhow long\b|什么时候|何时|哪(一)?(天|年|月)|几(月|号|点)|多久`)
	asksNumber  = regexp.MustCompile(`(?i)\bhow (many|much|often|old|long)\b|\bpercent|\baverage\b|\bnumber of\b|\btotal\b|多少|几(个|次|天|人|岁|只|本|件|公里|分)|多大|总共|一共`)
	asksName    = regexp.MustCompile(`(?i)\b(who|where|which|whose)\b|\bwhat (is|was) the (name|title)\b|谁|哪里|哪儿|哪(个|家|位|座|所)|叫什么`)
	asksAdvice  = regexp.MustCompile(`(?i)\b(can you|could you|how (should|do|can|would|might) I|suggest|recommend|help me|show me|explain|walk me|tips|advice|what (are|is|kind|type|tools|libraries|steps)|which|how does|give me)\b|帮我|请问|建议|推荐|怎么|如何|能不能|可以.{0,6}吗`)
	wantsDigest = regexp.MustCompile(`(?i)\b(summar\w+|overview|recap)\b|总结|概括|概述|回顾|梳理`)
	wantsOrder  = regexp.MustCompile(`(?i)\b(order|sequence|timeline|chronolog\w+)\b|顺序|先后|时间线|依次`)
	wantsCourse = regexp.MustCompile(`(?i)\b(over time|throughout|progress\w*|evol\w+)\b|进展|演变|历程`)
)

func parse(q string, anchor memory.Time, x *index.Index, docs int) question {
	p := question{
		dates:       when.Find(q, anchor),
		asksWhen:    asksWhen.MatchString(q),
		asksNumber:  asksNumber.MatchString(q),
		asksName:    asksName.MatchString(q),
		asksPast:    asksPast.MatchString(q),
		wantsDigest: wantsDigest.MatchString(q),
	}
	p.wantsOrder = !p.wantsDigest && wantsOrder.MatchString(q)
	p.asksAdvice = !p.wantsDigest && !p.wantsOrder && !wantsCourse.MatchString(q) && asksAdvice.MatchString(q)
	p.speaker, p.named = namedSpeaker(q, x, docs)
	return p
}

// namedSpeaker gives the speaker whom the question names if it names just one,
// and the terms of all names that it has.
func namedSpeaker(q string, x *index.Index, docs int) (int32, map[string]bool) {
	lower := strings.ToLower(q)
	var ids []int32
	var names []string
	for _, id := range x.Speakers(docs) {
		if name := strings.ToLower(x.SpeakerName(id)); !roleNames[name] && text.HasName(lower, name) {
			ids, names = append(ids, id), append(names, name)
		}
	}
	found, hits, named := int32(index.None), 0, map[string]bool{}
	for i, name := range names {
		if slices.ContainsFunc(names, func(other string) bool { return other != name && strings.Contains(other, name) }) {
			continue // 小明 in 小明明
		}
		found, hits = ids[i], hits+1
		for _, t := range text.Terms(nil, name) {
			named[t.Term] = true
		}
	}
	if hits != 1 {
		found = index.None
	}
	return found, named
}

// roleNames are speakers that are no persons: "the user" in a question is
// mostly somebody else's user.
var roleNames = map[string]bool{"user": true, "assistant": true, "tool": true, "system": true, "用户": true, "助手": true, "工具": true}
