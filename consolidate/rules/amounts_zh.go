package rules

import (
	"slices"
	"strings"
)

// This file takes amounts, ages and times of day in Chinese.

// takeSum takes a number with its units: 18元一碗, 一万二, 178.
func takeSum(m *matcher, _ capture, i int, _ bool) []taken {
	end := i
	for end < len(m.s.toks) && !m.s.toks[end].off && (m.s.toks[end].kind == number || m.l.wordAt("number", m.s, end) > 0) {
		end++
	}
	if end == i {
		return nil
	}
	number := end
	if n := m.l.wordAt("unit", m.s, end); n > 0 {
		end += n
		for end < len(m.s.toks) && m.l.wordAt("number", m.s, end) > 0 && m.l.wordAt("rate", m.s, end) == 0 {
			end++
		}
	}
	// 一碗, 每月, 一个月 behind it.
	if k := m.l.wordAt("rate", m.s, end); k > 0 {
		end += k
	}
	if end-i == 1 && number == end && m.s.toks[i].kind == word {
		return nil // 一
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeSize takes a size of clothes: 42, XL.
func takeSize(m *matcher, c capture, i int, last bool) []taken {
	if i < len(m.s.toks) && !m.s.toks[i].off && m.l.words["clothes_size"][m.s.toks[i].word] {
		return []taken{{[]span{{i, i + 1}}, i + 1}}
	}
	return takeSum(m, c, i, last)
}

// takeThisYear is takeYears behind 今年 or 才.
func takeThisYear(m *matcher, c capture, i int, last bool) []taken {
	if i == 0 || m.s.toks[i-1].kind != timeWord && !m.l.endsAt("just_age", m.s, i) {
		return nil
	}
	return takeYears(m, c, i, last)
}

// takeNumeral takes a number in digits or characters.
func takeNumeral(m *matcher, _ capture, i int, _ bool) []taken {
	end := i
	for end < len(m.s.toks) && (m.s.toks[end].kind == number || m.l.wordAt("numeral", m.s, end) > 0) {
		end++
	}
	if end == i {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeYears takes an age: a number before 岁, or behind 今年 or 才.
func takeYears(m *matcher, _ capture, i int, _ bool) []taken {
	end := i
	for end < len(m.s.toks) && end-i < 4 && (m.s.toks[end].kind == number || m.l.wordAt("numeral", m.s, end) > 0) {
		end++
	}
	if end == i {
		return nil
	}
	after := end < len(m.s.toks) && (m.s.toks[end].word == "岁" || m.s.toks[end].word == "周" && end+1 < len(m.s.toks) && m.s.toks[end+1].word == "岁")
	before := i > 0 && (m.s.toks[i-1].kind == timeWord && strings.Contains(m.s.words(i-1, i), "今年") || m.l.endsAt("just_age", m.s, i))
	if !after && !before {
		return nil
	}
	if after && m.s.toks[end].word == "岁" {
		end++
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeWhen takes a date or a time that comes again: 每周三下午四点.
func takeWhen(m *matcher, _ capture, i int, _ bool) []taken {
	end, seen := i, false
	for end < len(m.s.toks) && !m.s.toks[end].off && end-i < 10 {
		t := &m.s.toks[end]
		if t.kind != timeWord && t.kind != number && t.word != "-" && t.word != "—" && m.l.wordAt("clock_word", m.s, end) == 0 {
			break
		}
		seen = seen || t.kind == timeWord || t.word == "周" || t.word == "点" || t.kind == number
		end++
	}
	if !seen {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeArea takes an area: 九平米.
func takeArea(m *matcher, c capture, i int, last bool) []taken {
	return slices.DeleteFunc(takeSum(m, c, i, last), func(t taken) bool { return !m.l.endsAt("area_unit", m.s, t.end) })
}

// sumWith takes a sum with one of the units: 82公斤, 一米三五.
func sumWith(units ...string) func(m *matcher, c capture, i int, last bool) []taken {
	return func(m *matcher, c capture, i int, last bool) []taken {
		return slices.DeleteFunc(takeSum(m, c, i, last), func(t taken) bool {
			unit := strings.TrimLeft(m.s.words(i, t.end), "0123456789.一二两三四五六七八九十百半")
			return !slices.Contains(units, strings.TrimRight(unit, "0123456789一二三四五六七八九半"))
		})
	}
}

// takeLunar takes a day of the lunar calendar: 腊月初八.
func takeLunar(m *matcher, c capture, i int, _ bool) []taken {
	end := i
	for end < len(m.s.toks) && m.s.toks[end].kind != sign && !m.s.toks[end].off && end-i < c.max {
		end++
	}
	if words := m.s.words(i, end); !strings.Contains(words, "月") || !strings.ContainsAny(words, "初十廿腊正") {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}
