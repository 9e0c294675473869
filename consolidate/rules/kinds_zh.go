package rules

import (
	"slices"
	"strings"
)

// This file takes the kinds of Chinese values that rules ask for: places, employers,
// posts, projects, names.

func init() { //nolint:gochecknoinits // joins the table of capture.go
	captures["place"] = takePlace
	captures["mode"], captures["instrument"], captures["illness"] = endsIn("mode"), endsIn("instrument_word"), endsIn("illness")
	captures["liked"] = func(m *matcher, c capture, i int, _ bool) []taken {
		return list(m, i, func(i int) []taken { return m.refuse(takeHan(m, c, i, true), i, "no_like", "no_like_end") })
	}
	captures["tongues"] = func(m *matcher, c capture, i int, _ bool) []taken {
		return list(m, i, func(i int) []taken { return endsIn("tongue")(m, c, i, true) })
	}
	captures["series"] = takeSeries
	captures["ownable"] = endsIn("ownable_word")
	captures["ride"], captures["card"], captures["certificate"], captures["blood"] = endsIn("ride"), endsIn("card_word"), endsIn("certificate_word"), endsIn("blood_word")
	captures["brand"], captures["titled"], captures["counted"] = takeBrand, takeTitled, takeCounted
	captures["sum"], captures["thing"], captures["when"], captures["todo"] = takeSum, takeThing, takeWhen, takeTodo
	captures["pet_name"] = func(m *matcher, c capture, i int, last bool) []taken {
		return slices.DeleteFunc(takeHan(m, c, i, last), func(t taken) bool { return strings.Contains(m.s.words(i, t.end), "的") })
	}
	captures["called"] = func(m *matcher, c capture, i int, last bool) []taken {
		return m.refuse(takeHan(m, c, i, last), i, "no_person", "no_person")
	}
	captures["native"] = func(m *matcher, _ capture, i int, _ bool) []taken {
		return slices.DeleteFunc(takeHan(m, capture{max: 5}, i, false), func(t taken) bool {
			return m.l.wordAt("city", m.s, i) == 0 && !m.l.endsAt("native_end", m.s, t.end)
		})
	}
	captures["code"] = func(m *matcher, _ capture, i int, _ bool) []taken {
		if i >= len(m.s.toks) || m.s.toks[i].han || !strings.ContainsAny(m.s.toks[i].word, "0123456789") || m.s.toks[i].kind != word {
			return nil
		}
		return []taken{{[]span{{i, i + 1}}, i + 1}}
	}
	captures["played"] = func(m *matcher, c capture, i int, last bool) []taken {
		return m.refuse(takeHan(m, c, i, last), i, "not_played", "no_person")
	}
	captures["years"], captures["size_value"] = takeYears, takeSize
	captures["meeting"] = endsIn("meeting_word")
	captures["framework"], captures["database"], captures["tech"] = beginsWith("framework_name"), beginsWith("database_name"), takeTech
	captures["env"], captures["ordered"] = endsIn("environment"), takeHanOrder
	captures["visit"] = takeVisit
	captures["shop"], captures["branch"], captures["exam"], captures["course"] = endsIn("shop_end"), endsIn("branch_end"), endsIn("exam_word"), endsIn("course_word")
	captures["surgery"], captures["medicine"] = endsIn("surgery_word"), endsIn("medicine_word")
	captures["kilos"], captures["metres"] = sumWith("公斤", "斤", "千克", "kg"), sumWith("米", "厘米", "cm")
	captures["month_sum"] = func(m *matcher, c capture, i int, last bool) []taken {
		return slices.DeleteFunc(takeSum(m, c, i, last), func(t taken) bool { return !strings.Contains(m.s.words(i, t.end), "月") })
	}
	captures["lunar"], captures["layout"] = takeLunar, endsIn("layout_word")
	captures["goods"] = func(m *matcher, c capture, i int, last bool) []taken {
		return m.refuse(takeHan(m, c, i, last), i, "no_goods", "no_goods")
	}
	captures["house"], captures["race"] = endsIn("house_word"), endsIn("race_word")
	captures["this_year"], captures["area"] = takeThisYear, takeArea
	captures["laptop_np"] = beginsWith("laptop_brand")
	captures["years_round"], captures["host"] = takeNumeral, endsIn("host_word")
	captures["occasion"], captures["decision"], captures["feature_np"] = endsIn("occasion_word"), endsIn("decision_word"), endsIn("feature_word")
	captures["features"] = func(m *matcher, c capture, i int, _ bool) []taken {
		return list(m, i, func(i int) []taken { return takeHan(m, c, i, true) })
	}
	captures["expiry"] = endsIn("expiring")
	captures["disease"], captures["injury"] = endsIn("disease_word"), endsIn("injury_word")
	captures["skilled"] = func(m *matcher, c capture, i int, last bool) []taken {
		if m.l.wordAt("skill_start", m.s, i) == 0 {
			return nil
		}
		return m.refuse(takeHan(m, c, i, last), i, "no_skill", "no_skill")
	}
	captures["org"] = takeOrg
	captures["firm"] = func(m *matcher, c capture, i int, last bool) []taken {
		return slices.DeleteFunc(takeOrg(m, c, i, last), func(t taken) bool { return !m.l.endsAt("firm_end", m.s, t.end) })
	}
	captures["workplace"] = func(m *matcher, c capture, i int, last bool) []taken {
		return slices.DeleteFunc(takeOrg(m, c, i, last), func(t taken) bool { return !m.l.endsAt("workplace_end", m.s, t.end) })
	}
	captures["studied"] = func(m *matcher, c capture, i int, last bool) []taken {
		return m.refuse(takeHan(m, c, i, last), i, "no_start", "no_major_end")
	}
	captures["campus"] = func(m *matcher, c capture, i int, last bool) []taken {
		return m.refuse(endsIn("school")(m, c, i, last), i, "no_start", "no_campus_end")
	}
	captures["team"], captures["club"] = endsIn("team"), endsIn("club")
	captures["post"] = takePost
	captures["who"] = takeHanWho
	captures["end"] = takeEnd
	captures["project"] = takeProject
	captures["measure"] = takeMeasure
}

// takePlace takes the name of a place, or what is like one.
func takePlace(m *matcher, c capture, i int, last bool) []taken {
	return slices.DeleteFunc(m.refuse(takeHan(m, c, i, last), i, "no_place", "no_place_end"), func(t taken) bool {
		return slices.ContainsFunc(m.indices(i, t.end), func(k int) bool { return m.l.wordAt("no_place_in", m.s, k) > 0 })
	})
}

// indices are the tokens [from, to).
func (m *matcher) indices(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// takeVisit takes the name of a place that somebody may travel to: a city, or
// what ends like the name of one.
func takeVisit(m *matcher, c capture, i int, last bool) []taken {
	return slices.DeleteFunc(m.refuse(takeHan(m, c, i, last), i, "no_place", "no_place_end"), func(t taken) bool {
		return m.l.wordAt("city", m.s, i) == 0 && !m.l.endsAt("sight", m.s, t.end)
	})
}

// takeOrg takes an employer: no city, and nothing that is no name of a firm.
func takeOrg(m *matcher, c capture, i int, last bool) []taken {
	return slices.DeleteFunc(m.refuse(takeHan(m, c, i, last), i, "no_org", "no_org_end"), func(t taken) bool {
		return m.l.words["city"][m.spaced(i, t.end)] || t.end-i == 1 && m.s.toks[i].han || strings.Contains(m.s.words(i, t.end), "一家")
	})
}

// refuse drops the readings from token i on that begin with a word of a class,
// or end with one of another.
func (m *matcher) refuse(all []taken, i int, begin, end string) []taken {
	if m.l.wordAt(begin, m.s, i) > 0 {
		return nil
	}
	return slices.DeleteFunc(all, func(t taken) bool { return m.l.endsAt(end, m.s, t.end) })
}

// spaced gives the tokens [from, to) as the classes write them.
func (m *matcher) spaced(from, to int) string {
	words := make([]string, 0, to-from)
	for _, t := range m.s.toks[from:to] {
		words = append(words, t.word)
	}
	return strings.Join(words, " ")
}

// takePost takes a phrase that ends in a job; what stands before 的 is not part of it.
func takePost(m *matcher, c capture, i int, last bool) []taken {
	var out []taken
	for _, t := range takeHan(m, c, i, last) {
		if !m.l.endsAt("job", m.s, t.end) {
			continue
		}
		for k := t.end - 1; k > i; k-- {
			if m.s.toks[k].word == "的" {
				t.spans = []span{{k + 1, t.end}}
				break
			}
		}
		if from := t.spans[0].from; from < t.end && m.l.wordAt("no_post", m.s, from) == 0 {
			out = append(out, t)
		}
	}
	return out
}

// endsIn takes a phrase that ends in a word of the class.
func endsIn(class string) func(m *matcher, c capture, i int, last bool) []taken {
	return func(m *matcher, c capture, i int, last bool) []taken {
		all := takeHan(m, c, i, last)
		slices.Reverse(all)
		return slices.DeleteFunc(all, func(t taken) bool {
			n := 0
			for k := i; k < t.end; k++ {
				if k+m.l.wordAt(class, m.s, k) == t.end && m.l.wordAt(class, m.s, k) > 0 {
					n = t.end - k
					break
				}
			}
			return n == 0 || n == t.end-i && n < 2 && m.s.toks[i].han
		})
	}
}

// beginsWith takes a phrase that begins with a word of the class.
func beginsWith(class string) func(m *matcher, c capture, i int, last bool) []taken {
	return func(m *matcher, c capture, i int, last bool) []taken {
		if m.l.wordAt(class, m.s, i) == 0 && !(i < len(m.s.toks) && m.l.words[class][strings.TrimRight(m.s.toks[i].word, "0123456789.")]) {
			return nil
		}
		return takeHan(m, c, i, last)
	}
}

// takeProject takes what is known to be a subject, or ends in a word for a project.
func takeProject(m *matcher, c capture, i int, _ bool) []taken {
	all := takeHan(m, c, i, false)
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(t taken) bool {
		name := strings.ToLower(m.s.words(i, t.end))
		return !m.l.endsAt("project", m.s, t.end) && !m.refs.known[name+"项目"]
	})
}

// takeHanWho takes the name of a person.
func takeHanWho(m *matcher, _ capture, i int, last bool) []taken {
	var out []taken
	for _, w := range m.refs.hanNameAt(m.l, m.s, i, false) {
		if !last || m.l.endsHan(m.s, w.end) {
			out = append(out, taken{[]span{{i, w.end}}, w.end})
		}
	}
	return out
}

// takeBrand takes a telephone: what begins with a maker's name.
func takeBrand(m *matcher, c capture, i int, last bool) []taken {
	if m.l.wordAt("phone", m.s, i) == 0 {
		return nil
	}
	return takeHan(m, c, i, last)
}

// takeTitled takes 《…》.
func takeTitled(m *matcher, _ capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].word != "《" {
		return nil
	}
	return []taken{{[]span{{i, m.hanEnd(i, 20)}}, m.hanEnd(i, 20)}}
}

// takeTech takes the name of a technique: what begins with a Latin letter.
func takeTech(m *matcher, c capture, i int, last bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].han || m.s.toks[i].kind != word {
		return nil
	}
	return takeHan(m, c, i, last)
}

// takeThing takes a thing that has measures, without 我这台.
func takeThing(m *matcher, c capture, i int, last bool) []taken {
	i += m.l.wordAt("self", m.s, i)
	if m.l.wordAt("no_thing", m.s, i) > 0 {
		return nil
	}
	for _, t := range takeMeasure(m, c, i, false) {
		return slices.DeleteFunc(takeHan(m, c, t.end, last), func(t taken) bool { return m.l.endsAt("no_thing_end", m.s, t.end) })
	}
	return nil
}
