package rules

import (
	"strings"
)

// This file takes what somebody asks for or means to do, in Chinese.

// takeHanOrder takes a standing instruction, from the words on that say what to
// do: behind 以后 or with 每次, or an order of %bare_order by itself.
func takeHanOrder(m *matcher, _ capture, i int, _ bool) []taken {
	k, standing := m.orderStart(i)
	if k >= len(m.s.toks) || m.s.toks[k].off {
		return nil
	}
	end := m.orderEnd(k)
	// What to do may stand in the next clause: 提到我妈,都说陈女士.
	if end < len(m.s.toks) && m.s.toks[end].word == "," && !m.l.saysIn("order", m.s, k, end) && standing {
		end = m.orderEnd(end + 1)
	}
	bare := m.l.wordAt("bare_order", m.s, k) > 0
	standing = (standing || m.l.saysIn("standing", m.s, k, end) && (k > i || m.l.wordAt("order", m.s, k) > 0)) && m.l.saysIn("order", m.s, k, end)
	if !bare && (!standing || m.l.saysIn("no_order", m.s, k, end)) || m.l.wordAt("narrates", m.s, k) > 0 || end-k < 3 || end-k > 30 {
		return nil
	}
	return []taken{{[]span{{k, end}}, end}}
}

// orderStart gives the token behind 请, 以后 and the like at i, and whether one
// of them says that it is for good.
func (m *matcher) orderStart(i int) (start int, standing bool) {
	for k := i; k < len(m.s.toks); {
		n := m.l.wordAt("order_opener", m.s, k)
		switch {
		case n > 0:
			standing = standing || m.l.wordAt("from_now", m.s, k) > 0
			k += n
		case m.s.toks[k].kind == timeWord || k > i && m.s.toks[k].word == "," && standing:
			standing = standing || strings.HasSuffix(m.s.words(k, k+1), "起")
			k++
		default:
			return k, standing
		}
	}
	return len(m.s.toks), standing
}

// orderEnd gives the end of the clause of token i, but not at quotation marks.
func (m *matcher) orderEnd(i int) int {
	for i < len(m.s.toks) && !m.s.toks[i].off && (m.s.toks[i].kind != sign || m.s.toks[i].word == "\"" || m.s.toks[i].word == "、") {
		i++
	}
	return i
}

// takeTodo takes what somebody means to do: a verb of %doing with its object.
func takeTodo(m *matcher, _ capture, i int, _ bool) []taken {
	for i < len(m.s.toks) && (m.s.toks[i].skip || m.s.toks[i].kind == timeWord) {
		i++
	}
	if m.l.wordAt("doing", m.s, i) == 0 {
		return nil
	}
	end := i
	for end < len(m.s.toks) && m.s.toks[end].kind != sign && !m.s.toks[end].off {
		end++
	}
	if end-i < 2 || end-i > 16 {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// hanAlike reports whether two Chinese instructions or preferences are about
// the same: they share four characters in a row and neither forbids something,
// or they have the same last two and the same length (深色模式, 浅色模式).
func (l *language) hanAlike(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) == len(y) && len(x) >= 3 && string(x[len(x)-2:]) == string(y[len(y)-2:]) {
		return true
	}
	if forbids(a) || forbids(b) {
		return false
	}
	for i := 0; i+4 <= len(x); i++ {
		if strings.Contains(b, string(x[i:i+4])) {
			return true
		}
	}
	return false
}

func forbids(v string) bool {
	return strings.HasPrefix(v, "不要") || strings.HasPrefix(v, "别") || strings.HasPrefix(v, "不用")
}
