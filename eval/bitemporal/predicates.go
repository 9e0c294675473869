package bitemporal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"engram"
	"engram/memory"
)

// canonical names the predicates that words about a topic may be taken for,
// the best first. Extractors use one vocabulary for all languages.
var canonical = map[string][]string{
	"lives_in": {"lives_in"}, "住在": {"lives_in"},
	"works_at": {"works_at", "employer"}, "employer": {"works_at", "employer"}, "工作单位": {"works_at", "employer"},
	"job_title": {"job_title", "role", "occupation", "profession"}, "职位": {"job_title", "role", "occupation", "profession"},
	"phone_model": {"phone_model"}, "favorite_band": {"favorite_band", "favourite_band"},
	"likes": {"likes"}, "喜欢": {"likes"},
	"allergic_to": {"allergic_to"}, "过敏": {"allergic_to"},
	"pet": {"has_pet", "pet"}, "宠物": {"has_pet", "pet"},
	"speaks": {"speaks", "learning"}, "会说": {"speaks", "learning"},
	"collects": {"collects"}, "收藏": {"collects"},
	"visited": {"visited", "traveled_to", "went_to"}, "去过": {"visited", "traveled_to", "went_to"},
	"attended": {"attended"}, "参加": {"attended"},
	"bought": {"bought"}, "买了": {"bought"},
	"interested_in": {"interested_in", "hobby", "likes"}, "爱好": {"hobby", "interested_in", "likes"},
	"met": {"met"}, "见了": {"met"},
	"deadline": {"deadline", "due_date"}, "截止日期": {"deadline", "due_date"},
	"status": {"status", "state", "phase"}, "状态": {"status", "state", "phase"},
	"framework": {"framework", "uses"}, "database": {"database"},
	"deployment": {"deployment", "hosting"}, "部署方式": {"deployment", "hosting"},
	"lead": {"lead", "owner", "manager"}, "负责人": {"lead", "owner", "manager"},
	"build_status": {"build_status"}, "requires": {"requires"}, "released": {"released", "launched"},
}

// topics are what the words may say about a subject, whether or not they do.
func (w *World) topics(subject string) []topic {
	words := languages[w.Lang]
	switch {
	case subject == "user":
		return words.user
	case slices.ContainsFunc(words.friendNames, func(n string) bool { return fold(n) == subject }):
		return words.friends
	case slices.ContainsFunc(words.projectNames, func(n string) bool { return fold(n) == subject }):
		return words.projects
	}
	return nil
}

// taken sorts facts that were read out of words into slots. Facts about what
// no world talks about are left out: there is no truth to hold them against.
func (w *World) taken(facts []engram.Fact) map[string]belief {
	out := map[string]belief{}
	for _, f := range facts {
		subject, predicate := w.entity(f.Subject), foldPredicate(f.Predicate)
		topics := w.topics(subject)
		i := slices.IndexFunc(topics, func(t topic) bool { return slices.Contains(canonical[t.predicate], predicate) })
		if i < 0 {
			continue
		}
		name := subject + " " + foldPredicate(topics[i].predicate)
		if out[name] == nil {
			out[name] = belief{}
		}
		value := w.value(f.Object, topics[i].values)
		m := out[name][value]
		out[name][value] = mark{Boundary: m.Boundary || f.Boundary, Disputed: m.Disputed || f.State == memory.Disputed}
	}
	return out
}

// value gives the value of a topic that an object means: the same without its
// article, or else one of which it is a part or that is a part of it.
func (w *World) value(object string, values []string) string {
	o := bare(w.entity(bare(w.entity(object))))
	for _, v := range values {
		if bare(v) == o {
			return fold(v)
		}
	}
	for _, v := range values {
		if b := bare(v); utf8.RuneCountInString(o) > 1 && strings.Contains(b, o) || strings.Contains(o, b) {
			return fold(v)
		}
	}
	return o
}

// bare is a folded name without an article.
func bare(name string) string {
	name = fold(name)
	for _, article := range []string{"the ", "a ", "an ", "my "} {
		if short, ok := strings.CutPrefix(name, article); ok {
			return short
		}
	}
	return name
}
