package eval

import (
	"fmt"
	"slices"
	"strings"

	"engram/internal/tokens"
	"engram/text"
)

// Budgets are the sizes of context, in tokens, at which evidence is counted.
var Budgets = []int{1000, 2000, 4000, 8000}

// cutoffs are the numbers of turns at which recall is counted.
var cutoffs = []int{5, 10, 20}

// measures knows a case as its questions are measured on it. What it says is
// read from the context that a reader gets, in the same way for every system.
type measures struct {
	turns   []Turn
	at      map[string]int // place of an IDKey
	words   *Vocabulary
	parts   map[Part]string   // as they stand in a context, white space collapsed
	whole   []string          // the turns likewise
	session map[string]string // of an IDKey
	dates   [][]dateSpan      // of each turn, once they are asked for
	history int               // tokens
	count   tokens.Counter
}

func newMeasures(c *Case, count tokens.Counter) *measures {
	m := &measures{
		turns: c.Turns, at: map[string]int{}, words: NewVocabulary(c.Turns), parts: map[Part]string{},
		whole: make([]string, len(c.Turns)), session: map[string]string{}, dates: make([][]dateSpan, len(c.Turns)), count: count,
	}
	for i := range c.Turns {
		t := &c.Turns[i]
		m.at[t.IDKey], m.session[t.IDKey], m.whole[i] = i, t.Session, collapse(t.Text)
		m.history += count.Count(t.Text)
		for j, span := range text.Parts(t.Text, PartWords) {
			m.parts[Part{t.IDKey, j}] = collapse(t.Text[span.Start:span.End])
		}
	}
	return m
}

// collapse makes every run of white space one blank, so that line breaks and
// indents of a rendering do not matter.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// shown is a context as it is measured.
type shown struct {
	*Context
	tokens int
	text   string   // collapsed
	first  []string // of each of Budgets: the collapsed beginning that fits in it

	terms map[string]bool // of the text, once they are asked for
	spans []dateSpan      // likewise, of a system that does not say what it holds
}

func (m *measures) shown(c *Context) shown {
	s := shown{Context: c, text: collapse(c.Text)}
	var ends []int
	s.tokens, ends = m.count.Ends(c.Text, Budgets...)
	for _, end := range ends {
		s.first = append(s.first, collapse(c.Text[:end]))
	}
	return s
}

// claims reports whether the system may mean the turn: it says so, or it does
// not say what it means. Without that, a short "Yes!" would be found everywhere.
func (s *shown) claims(key string) bool {
	return s.Ranked == nil || slices.Contains(s.Ranked, key)
}

// covered gives the share of the evidence that a beginning of the context
// holds: strictly, if the part that holds most of the answer is there as a
// whole, and if any part is.
func (m *measures) covered(s *shown, begin string, q *Question) (strict, anyPart float64) {
	n := float64(len(q.Evidence))
	for _, p := range m.words.Strict(q) {
		if !s.claims(p.Key) {
			continue
		}
		if strings.Contains(begin, m.parts[p]) {
			strict++
			anyPart++
			continue
		}
		for j := 0; ; j++ {
			part, ok := m.parts[Part{p.Key, j}]
			if !ok {
				break
			}
			if strings.Contains(begin, part) {
				anyPart++
				break
			}
		}
	}
	return strict / n, anyPart / n
}

// within measures the context that a system made for a budget.
func (m *measures) within(row *Row, s *shown, q *Question, budget int) {
	i := slices.Index(Budgets, budget)
	if i < 0 || len(q.Evidence) == 0 {
		return
	}
	strict, anyPart := m.covered(s, s.first[i], q)
	row.Metrics[fmt.Sprintf("covered@%dk", budget/1000)] = strict
	row.Metrics[fmt.Sprintf("any_part@%dk", budget/1000)] = anyPart
}

// whatIsRead measures the context that a reader gets.
func (m *measures) whatIsRead(row *Row, s *shown, q *Question) {
	if len(q.Right)+len(q.Wrong) > 0 {
		row.Metrics["as_of"] = asOf(s, q)
	}
	if len(q.Evidence) == 0 {
		return
	}
	row.Metrics["covered"], _ = m.covered(s, s.text, q)
	row.Metrics["fact_covered"] = m.told(s, q)
	if share, ok := m.answerShare(s, q); ok {
		row.Metrics["answer_in_context"] = share
	}
	if s.Ranked == nil {
		return
	}
	for _, k := range cutoffs {
		row.Metrics[fmt.Sprintf("recall@%d", k)] = RecallAt(s.Ranked, q.Evidence, k)
	}
	row.Metrics["ndcg@10"] = NDCGAt(s.Ranked, q.Evidence, 10)
	row.Metrics["mrr"] = ReciprocalRank(s.Ranked, q.Evidence)
	row.Metrics["session_recall@10"] = SessionRecallAt(s.Ranked, q.Evidence, func(key string) string { return m.session[key] }, 10)
}

// told gives the share of the evidence of which a part is shown, or from which a
// fact that is stated was learned.
func (m *measures) told(s *shown, q *Question) float64 {
	told := 0
	for _, key := range q.Evidence {
		if slices.Contains(s.Stated, key) || s.claims(key) && m.shows(s.text, m.whole[m.at[key]]) {
			told++
		}
	}
	return float64(told) / float64(len(q.Evidence))
}

// proven leaves of what a system claims what its text bears out.
func (m *measures) proven(s *shown) {
	if s.Ranked != nil {
		s.Ranked = slices.DeleteFunc(s.Ranked, func(key string) bool {
			at, ok := m.at[key]
			return !ok || !m.shows(s.text, m.whole[at])
		})
	}
	if s.Holding != nil {
		lower := strings.ToLower(s.text)
		s.Holding = slices.DeleteFunc(s.Holding, func(value string) bool { return !strings.Contains(lower, strings.ToLower(collapse(value))) })
	}
}

// glimpse is how many characters of a turn must stand in a text in one piece
// for it to be shown, and of a shorter turn all.
const glimpse = 24

// shows reports whether a text holds a piece of a turn.
func (m *measures) shows(text, turn string) bool {
	if strings.Contains(text, turn) {
		return true
	}
	runes := []rune(turn)
	for at := 0; at+glimpse <= len(runes); at += glimpse / 2 {
		if strings.Contains(text, string(runes[at:at+glimpse])) {
			return true
		}
	}
	return false
}

// asOf is 1 if every right value is presented as holding and no wrong one is. A
// system that makes no difference presents all that it shows.
func asOf(s *shown, q *Question) float64 {
	presented := s.Holding
	if presented == nil {
		presented = []string{s.text}
	}
	has := func(value string) bool {
		value = strings.ToLower(collapse(value))
		return slices.ContainsFunc(presented, func(p string) bool { return strings.Contains(strings.ToLower(p), value) })
	}
	for _, v := range q.Right {
		if !has(v) {
			return 0
		}
	}
	if slices.ContainsFunc(q.Wrong, has) {
		return 0
	}
	return 1
}
