package rules

import (
	"strings"
	"unicode"
)

// taken is one way to take a capture: its spans (several for a list) and the
// token behind it.
type taken struct {
	spans []span
	end   int
}

// captures are the kinds of captures, by their name in the tables. last says
// that nothing follows in its sequence; then the longest reading comes first,
// else the shortest.
var captures map[string]func(m *matcher, c capture, i int, last bool) []taken

func init() { //nolint:gochecknoinits // breaks the cycle between the table and what reads patterns
	captures = map[string]func(*matcher, capture, int, bool) []taken{
		"np": takePhrase, "name": takeName, "list": takeList, "kinds": takeKinds, "phrase": takeClause, "text": takeText,
		"amount": takeAmount, "number": takeNumber, "date": takeDate, "word": takeWord, "ger": takeGerund,
		"things": takeThings, "names": takeNames, "job": takeJob, "title": takeTitle, "instruction": takeInstruction, "noun": takeNoun, "moment": takeMoment, "age": takeAge, "given": takeGiven, "money": takeMoney, "extent": takeExtent, "tallness": takeTallness, "mail": takeMail, "phone": takePhone, "street": takeStreet, "imperative": takeImperative, "value": takeValue, "clock": takeClock, "address": takeAddress,
	}
}

// lazily orders the ends of a reading [i, end): from the longest or the
// shortest on.
func lazily(i, end int, last bool) []taken {
	if end <= i {
		return nil
	}
	var out []taken
	if last {
		for e := end; e > i; e-- {
			out = append(out, taken{[]span{{i, e}}, e})
		}
		return out
	}
	for e := i + 1; e <= end; e++ {
		out = append(out, taken{[]span{{i, e}}, e})
	}
	return out
}

// takePhrase takes a noun phrase: up to a sign, a time or a function word.
func takePhrase(m *matcher, c capture, i int, last bool) []taken {
	if m.s.zh {
		return takeHan(m, c, i, last)
	}
	limit := c.max
	if limit == 0 {
		limit = 6
		if m.s.zh {
			limit = 12
		}
	}
	start := i
	for i < len(m.s.toks) && m.determiner(i) {
		i++
	}
	end := m.phraseEnd(i, limit)
	if end == i {
		return nil
	}
	// A phrase that is cut off by its limit is not understood.
	if last && end-i == limit && m.inPhrase(end) && end < len(m.s.toks) {
		return nil
	}
	out := lazily(i, end, last)
	if last && !m.s.zh {
		if n := m.calledAt(end); n > 0 {
			if name := takeName(m, capture{max: 5}, n, true); len(name) > 0 {
				return []taken{name[0]}
			}
		}
	}
	_ = start
	return out
}

// calledAt gives the token behind "called" or "named" at i, else 0.
func (m *matcher) calledAt(i int) int {
	if n := m.l.wordAt("called", m.s, i); n > 0 {
		return i + n
	}
	return 0
}

func (m *matcher) determiner(i int) bool {
	return !m.s.zh && m.l.words["determiner"][m.s.toks[i].word]
}

// phraseEnd gives the end of the words of a phrase that begins at i.
func (m *matcher) phraseEnd(i, limit int) int {
	end := i
	for end < len(m.s.toks) && end-i < limit && m.inPhrase(end) {
		if end > i && (m.l.words["breaks"][m.s.toks[end].word] || m.l.words["called"][m.s.toks[end].word] || m.determiner(end)) {
			break
		}
		end++
	}
	for end > i && (m.l.words["loose"][m.s.toks[end-1].word] || m.s.toks[end-1].word == "'s" && !m.namedAfter(end-1)) {
		end--
	}
	return end
}

// inPhrase reports whether token i can be part of a noun phrase.
func (m *matcher) inPhrase(i int) bool {
	if i >= len(m.s.toks) {
		return false
	}
	t := &m.s.toks[i]
	if t.off || t.kind == sign || t.kind == timeWord {
		return false
	}
	if m.s.zh {
		return t.word != "\x00end" && m.l.wordAt("stop", m.s, i) == 0 || t.word != "\x00end" && m.l.inside("not_stop", m.s, i)
	}
	return !m.l.words["stop"][t.word] && !t.skip || t.upper && i > 0 && !m.l.words["pronoun"][t.word] && !m.l.words["possessive"][t.word]
}

// takeName takes a proper name: words with upper-case letters and what joins
// them; in Han script a phrase.
func takeName(m *matcher, c capture, i int, last bool) []taken {
	limit := c.max
	if m.s.zh {
		if limit == 0 {
			c.max = 8
		}
		return takePhrase(m, c, i, last)
	}
	if limit == 0 {
		limit = 6
	}
	if i < len(m.s.toks) && m.s.toks[i].word == "the" {
		i++
	}
	end := i
	for end < len(m.s.toks) && end-i < limit && !m.s.toks[end].off {
		t := &m.s.toks[end]
		joins := end > i && end+1 < len(m.s.toks) && m.l.words["joins_name"][t.word] && m.s.toks[end+1].upper && !m.l.words["pronoun"][m.s.toks[end+1].word]
		digits := end > i && t.kind == number
		if t.kind == timeWord || !t.upper && !joins && !digits || m.l.words["pronoun"][t.word] {
			break
		}
		end++
	}
	if end == i {
		return nil
	}
	if m.namedAfter(end) {
		end++
	}
	return lazily(i, end, last)
}

// namedAfter reports whether "'s" at token i belongs to a name ("at St.
// Brendan's"): nothing that Brendan has or is follows.
func (m *matcher) namedAfter(i int) bool {
	if i == 0 || i >= len(m.s.toks) || m.s.toks[i].word != "'s" || !m.s.toks[i-1].upper || m.inPhrase(i+1) {
		return false
	}
	return i+1 == len(m.s.toks) || m.s.toks[i+1].kind == sign || m.l.words["clause_end"][m.s.toks[i+1].word]
}

// takeList takes phrases that commas and "and" separate.
func takeList(m *matcher, c capture, i int, _ bool) []taken {
	return list(m, i, func(i int) []taken { return takePhrase(m, c, i, true) })
}

// takeNames takes proper names that commas and "and" separate.
func takeNames(m *matcher, _ capture, i int, _ bool) []taken {
	return list(m, i, func(i int) []taken {
		end := i
		for end < len(m.s.toks) && end-i < 2 && m.s.toks[end].kind == word && m.s.toks[end].upper && !m.s.toks[end].off && !m.l.words["pronoun"][m.s.toks[end].word] {
			end++
		}
		return lazily(i, end, true)
	})
}

// takeThings takes what somebody may like: phrases or gerunds.
func takeThings(m *matcher, c capture, i int, _ bool) []taken {
	if i < len(m.s.toks) && (m.l.words["his"][m.s.toks[i].word] || m.l.words["theirs"][m.s.toks[i].word]) {
		return nil // what somebody else has or did
	}
	return list(m, i, func(i int) []taken {
		if g := takeGerund(m, c, i, true); len(g) > 0 {
			return g
		}
		return takePhrase(m, c, i, true)
	})
}

func list(m *matcher, i int, item func(int) []taken) []taken {
	var spans []span
	end := i
	joined := false
	for {
		t := item(i)
		if len(t) == 0 || len(spans) > 0 && !m.l.endsItem(m.s, t[0].end) {
			break
		}
		spans, end = append(spans, t[0].spans[0]), t[0].end
		n := m.l.separator(m.s, end)
		if n == 0 || len(spans) == 8 {
			break
		}
		joined = joined || m.s.toks[end+n-1].word != ","
		i = end + n
		if i >= len(m.s.toks) || m.l.words["verb"][m.s.toks[i].word] {
			break
		}
	}
	if len(spans) == 0 {
		return nil
	}
	// Commas alone make no list: what follows may be another clause.
	if !m.s.zh && len(spans) > 1 && !joined {
		spans, end = spans[:1], spans[0].to
	}
	return []taken{{spans, end}}
}

// separator gives the number of tokens at i that separate the items of a list.
func (l *language) separator(s *sentence, i int) int {
	n := 0
	if i < len(s.toks) && (s.toks[i].word == "," && !s.zh || s.toks[i].word == "、") {
		n = 1
	}
	return n + l.wordAt("and", s, i+n)
}

// endsItem reports whether an item of a list may end before token i.
func (l *language) endsItem(s *sentence, i int) bool {
	return i >= len(s.toks) || s.toks[i].kind == sign || s.toks[i].skip || l.separator(s, i) > 0 ||
		l.wordAt("before", s, i) > 0 || l.wordAt("after_item", s, i) > 0
}

// takeClause takes all up to the end of the clause, with prepositions.
func takeClause(m *matcher, c capture, i int, last bool) []taken {
	limit := c.max
	if limit == 0 {
		limit = 10
		if m.s.zh {
			limit = 24
		}
	}
	for i < len(m.s.toks) && m.determiner(i) {
		i++
	}
	end := i
	for end < len(m.s.toks) && end-i < limit && !m.endsClause(end, i) {
		end++
	}
	if last && end-i == limit && !m.endsClause(end, i) && !m.s.toks[end].skip {
		return nil
	}
	return lazily(i, end, last)
}

// endsClause reports whether a clause that runs since token i ends before token end.
func (m *matcher) endsClause(end, i int) bool {
	if end >= len(m.s.toks) {
		return true
	}
	t := &m.s.toks[end]
	if t.off || t.kind == sign && t.word != "\"" || t.kind == timeWord {
		return true
	}
	if m.s.zh {
		return end > i && m.l.wordAt("clause_end", m.s, end) > 0
	}
	return end > i && (m.l.words["clause_end"][t.word] || t.clause != m.s.toks[i].clause)
}

// takeText takes an instruction or what is to be remembered: to the end of the
// sentence, or of the clause if that is too long.
func takeText(m *matcher, _ capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) {
		return nil
	}
	end := len(m.s.toks)
	for end > i && m.s.toks[end-1].kind == sign {
		end--
	}
	for end > i && m.s.toks[end-1].end-m.s.toks[i].start > maxObject {
		end--
		for end > i && m.s.toks[end].kind != sign && !m.l.words["clause_end"][m.s.toks[end].word] {
			end--
		}
	}
	for k := i; k < end; k++ {
		if m.s.toks[k].off || k > i && m.l.wordAt("text_end", m.s, k) > 0 {
			end = k
		}
	}
	for end > i && m.s.toks[end-1].kind == sign {
		end--
	}
	if end == i {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeAmount takes a number with its unit: "80 kg", "$1,200", "950 euros a month", 4200元.
func takeAmount(m *matcher, _ capture, i int, last bool) []taken {
	n := m.numberEnd(i)
	if n == i {
		return nil
	}
	end := n
	if m.s.zh {
		for end < len(m.s.toks) && end-n < 4 && m.inPhrase(end) && (m.s.toks[end].han || m.s.toks[end].kind == word) {
			end++
		}
		return lazily(i, end, last)
	}
	for end < len(m.s.toks) && end-n < 3 && m.l.words["unit"][m.s.toks[end].word] {
		end++
	}
	if end+1 < len(m.s.toks) && (m.l.words["per"][m.s.toks[end].word]) && m.l.words["unit"][m.s.toks[end+1].word] {
		end += 2
	}
	symbol := strings.ContainsAny(m.s.words(i, n), "$€£¥%") || n == end && m.s.toks[i].word != m.s.words(i, n) && hasUnit(m.s.toks[i].word)
	if end == n && !symbol && !hasUnit(m.s.toks[i].word) {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// hasUnit reports whether a number is written with its unit: "80kg".
func hasUnit(w string) bool {
	return strings.IndexFunc(w, unicode.IsDigit) == 0 && strings.IndexFunc(w, unicode.IsLetter) > 0
}

// numberEnd gives the end of the number that begins at i.
func (m *matcher) numberEnd(i int) int {
	end := i
	for end < len(m.s.toks) && !m.s.toks[end].off && (m.s.toks[end].kind == number || m.l.words["number"][m.s.toks[end].word]) {
		end++
	}
	return end
}

func takeNumber(m *matcher, _ capture, i int, last bool) []taken {
	return lazily(i, m.numberEnd(i), last)
}

// takeDate takes an expression of time as a value.
func takeDate(m *matcher, _ capture, i int, _ bool) []taken {
	for i < len(m.s.toks) && (m.s.toks[i].skip && m.s.toks[i].kind != timeWord || m.determiner(i)) {
		i++
	}
	end := i
	for end < len(m.s.toks) && m.s.toks[end].kind == timeWord {
		end++
	}
	if end == i {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeClock takes a time of day: "6:30", "9 am".
func takeClock(m *matcher, c capture, i int, last bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].kind != number {
		return takeDate(m, c, i, last)
	}
	end := i + 1
	if end < len(m.s.toks) && m.l.words["half_day"][m.s.toks[end].word] {
		end++
	} else if !strings.Contains(m.s.toks[i].word, ":") && !strings.HasSuffix(m.s.toks[i].word, "m") {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

func takeWord(m *matcher, _ capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].kind != word || m.l.words["stop"][m.s.toks[i].word] {
		return nil
	}
	return []taken{{[]span{{i, i + 1}}, i + 1}}
}

// takeAddress takes an address of mail, a telephone number or a place of the net.
func takeAddress(m *matcher, _ capture, i int, _ bool) []taken {
	end := i
	for end < len(m.s.toks) && (m.s.toks[end].kind == number || m.s.toks[end].word == "+" || strings.ContainsAny(m.s.toks[end].word, "@")) {
		end++
	}
	if end == i {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeGerund takes "watching the wing", up to the end of the clause.
func takeGerund(m *matcher, _ capture, i int, _ bool) []taken {
	if m.s.zh || i >= len(m.s.toks) {
		return nil
	}
	t := &m.s.toks[i]
	if t.off || len(t.word) < 5 || !strings.HasSuffix(t.word, "ing") || m.l.words["no_gerund"][t.word] {
		return nil
	}
	end := i + 1
	for end < len(m.s.toks) && end-i < 6 && !m.endsClause(end, i) && m.l.separator(m.s, end) == 0 {
		end++
	}
	if end-i == 6 && !m.endsClause(end, i) && m.l.separator(m.s, end) == 0 {
		end = i + 1
		for end < len(m.s.toks) && end-i < 6 && m.inPhrase(end) {
			end++
		}
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeValue takes what "my X is" may be followed by: a name, an amount, a time
// of day, an address or a phrase with a determiner.
func takeValue(m *matcher, c capture, i int, last bool) []taken {
	for _, f := range []func(*matcher, capture, int, bool) []taken{takeAmount, takeHour, takeAddress, takeName, takeNumber} {
		if t := f(m, capture{}, i, true); len(t) > 0 {
			if n := t[0].end; n >= len(m.s.toks) || !m.inPhrase(n) {
				return t
			}
		}
	}
	if m.s.zh {
		return takePhrase(m, c, i, last)
	}
	return nil
}

// takeHour takes a time of day that is written as a number.
func takeHour(m *matcher, c capture, i int, last bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].kind != number {
		return nil
	}
	return takeClock(m, c, i, last)
}

// takeMoment takes when something takes place: a date, a weekday, a time of
// day, or several of them ("Thursday at 3", "wednesdays at 4").
func takeMoment(m *matcher, _ capture, i int, _ bool) []taken {
	for i < len(m.s.toks) && m.s.toks[i].kind != timeWord && (m.s.toks[i].skip || m.determiner(i)) {
		i++
	}
	end, k := i, i
	for k < len(m.s.toks) && !m.s.toks[k].off {
		t := &m.s.toks[k]
		switch {
		case t.kind == timeWord, t.kind == number, m.l.words["half_day"][t.word], m.l.words["days"][t.word]:
			k++
			end = k
			continue
		case k > i && (m.l.words["before_time"][t.word] || t.word == ","):
			k++
			continue
		}
		break
	}
	if end == i || end == i+1 && m.s.toks[i].kind == number && !strings.Contains(m.s.toks[i].word, ":") && !strings.HasSuffix(m.s.toks[i].word, "m") {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeStreet takes "12 Mill Lane".
func takeStreet(m *matcher, _ capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].kind != number {
		return nil
	}
	for end := i + 1; end < len(m.s.toks) && end < i+6; end++ {
		if m.l.words["street"][m.s.toks[end].word] {
			return []taken{{[]span{{i, end + 1}}, end + 1}}
		}
	}
	return nil
}

// takeJob takes a phrase whose head is a job: "data analyst", "head of procurement".
func takeJob(m *matcher, c capture, i int, last bool) []taken {
	var out []taken
	for _, t := range takePhrase(m, c, i, last) {
		head := t.end - 1
		for k := i; k < t.end; k++ {
			if m.s.toks[k].word == "of" && k > i {
				head = k - 1
				break
			}
		}
		word := m.s.toks[head].word
		if m.l.words["job"][word] || m.l.words["job"][word[strings.LastIndexByte(word, '-')+1:]] || m.s.zh {
			out = append(out, t)
		}
	}
	return out
}

// takeTitle takes what stands in quotation marks, 《》 too.
func takeTitle(m *matcher, _ capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].word != "\"" && m.s.toks[i].word != "《" {
		return nil
	}
	for end := i + 1; end < len(m.s.toks) && end < i+12; end++ {
		if w := m.s.toks[end].word; w == "\"" || w == "》" {
			return []taken{{[]span{{i + 1, end}}, end + 1}}
		}
	}
	return nil
}

// takeInstruction takes an order: a verb of %speak_verb and what follows it in
// its clause.
func takeInstruction(m *matcher, _ capture, i int, _ bool) []taken {
	k := i
	for k < len(m.s.toks) && (m.s.toks[k].word == "please" || m.s.toks[k].word == "do" || m.s.toks[k].word == "not") {
		k++
	}
	if k >= len(m.s.toks) || !m.l.words["speak_verb"][m.s.toks[k].word] {
		return nil
	}
	return m.orderFrom(k)
}

// takeImperative takes any order, behind "always" or "never": a verb in its base form
// and what follows it.
func takeImperative(m *matcher, _ capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) {
		return nil
	}
	t := &m.s.toks[i]
	if t.kind != word || t.upper && i > 0 || m.l.words["stop"][t.word] || strings.HasSuffix(t.word, "ing") || strings.HasSuffix(t.word, "ed") || m.l.words["no_order"][t.word] {
		return nil
	}
	return m.orderFrom(i)
}

// orderFrom takes the words of an order up to a sign or a reason.
func (m *matcher) orderFrom(i int) []taken {
	end := i
	for end < len(m.s.toks) && m.s.toks[end].kind != sign && !m.s.toks[end].off && m.l.wordAt("text_end", m.s, end) == 0 && m.l.wordAt("order_end", m.s, end) == 0 {
		end++
	}
	if end-i < 2 || m.s.toks[end-1].end-m.s.toks[i].start > maxObject {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeNoun takes a phrase that is no person of somebody's.
func takeNoun(m *matcher, c capture, i int, last bool) []taken {
	if m.l.wordAt("relation", m.s, i) > 0 || m.l.wordAt("one_relation", m.s, i) > 0 {
		return nil
	}
	return takePhrase(m, c, i, last)
}

// takeAge takes a whole number of years up to 120.
func takeAge(m *matcher, _ capture, i int, _ bool) []taken {
	end := m.numberEnd(i)
	if end == i || end > i+2 || m.s.toks[i].kind == number && (len(m.s.toks[i].word) > 3 || len(m.s.toks[i].word) == 3 && m.s.toks[i].word > "120" || strings.IndexFunc(m.s.toks[i].word, notDigit) >= 0) {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

func notDigit(r rune) bool { return !unicode.IsDigit(r) }

// takeTallness takes "1.75" and "6'2", as heights of people are written.
func takeTallness(m *matcher, _ capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) || m.s.toks[i].kind != number {
		return nil
	}
	w := m.s.toks[i].word
	metres := len(w) == 4 && (w[0] == '1' || w[0] == '2') && (w[1] == '.' || w[1] == ',')
	if !metres && !strings.Contains(w, "'") {
		return nil
	}
	return []taken{{[]span{{i, i + 1}}, i + 1}}
}

// takeMail takes an address of mail.
func takeMail(m *matcher, _ capture, i int, _ bool) []taken {
	if i >= len(m.s.toks) || strings.IndexByte(m.s.toks[i].word, '@') < 1 {
		return nil
	}
	return []taken{{[]span{{i, i + 1}}, i + 1}}
}

// takePhone takes a telephone number: at least six digits.
func takePhone(m *matcher, _ capture, i int, _ bool) []taken {
	end, digits := i, 0
	for end < len(m.s.toks) && (m.s.toks[end].kind == number || m.s.toks[end].word == "+") {
		for _, r := range m.s.toks[end].word {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		end++
	}
	if digits < 6 {
		return nil
	}
	return []taken{{[]span{{i, end}}, end}}
}

// takeGiven takes the name of a person: no nationality, language or day.
func takeGiven(m *matcher, c capture, i int, last bool) []taken {
	if i < len(m.s.toks) && (strings.HasSuffix(m.s.toks[i].word, "vian") || strings.HasSuffix(m.s.toks[i].word, "ese") || strings.HasSuffix(m.s.toks[i].word, "ish")) {
		return nil
	}
	if m.l.wordAt("nationality", m.s, i) > 0 || m.l.wordAt("language", m.s, i) > 0 || i < len(m.s.toks) && m.l.words["no_name"][m.s.toks[i].word] {
		return nil
	}
	return takeName(m, c, i, last)
}

// takeMoney takes an amount of money.
func takeMoney(m *matcher, c capture, i int, last bool) []taken {
	t := takeAmount(m, c, i, last)
	if len(t) > 0 && (strings.ContainsAny(m.s.words(i, t[0].end), "$€£¥") || m.amountOf("money", i, t[0].end)) {
		return t
	}
	return nil
}

// takeExtent takes a length, an area or another measure of how large a thing is.
func takeExtent(m *matcher, c capture, i int, last bool) []taken {
	t := takeAmount(m, c, i, last)
	if len(t) > 0 && (m.amountOf("extent", i, t[0].end) || hasUnit(m.s.toks[i].word)) {
		return t
	}
	return nil
}

func (m *matcher) amountOf(class string, from, to int) bool {
	for i := from; i < to; i++ {
		if m.l.wordAt(class, m.s, i) > 0 {
			return true
		}
	}
	return false
}

// takeKinds takes a list of phrases that "with" may narrow: "animals with fur".
func takeKinds(m *matcher, c capture, i int, _ bool) []taken {
	return list(m, i, func(i int) []taken {
		t := takePhrase(m, c, i, true)
		if len(t) == 0 || t[0].end >= len(m.s.toks) || m.s.toks[t[0].end].word != "with" {
			return t
		}
		w := takePhrase(m, capture{max: 2}, t[0].end+1, true)
		if len(w) == 0 {
			return t
		}
		return []taken{{[]span{{t[0].spans[0].from, w[0].end}}, w[0].end}}
	})
}
