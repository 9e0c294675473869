package rules

import (
	"strings"

	"engram/consolidate"
	"engram/memory"
)

// answer reads a turn that answers the question of the turn before: "Yes" to
// "Do you live in Graz?" says "I live in Graz", "Graz" to "Where do you live?"
// too. The words of the question are read as the speaker's own.
func (r *reader) answer(sentences []sentence) {
	first := &sentences[0]
	l := r.rules.language(first)
	if first.zh && r.asked != nil && len(r.asked.Text) <= 1200 {
		r.hanAnswer(l, first)
		return
	}
	if first.zh || first.question || r.asked == nil || len(r.asked.Text) > 400 {
		return
	}
	question := lastQuestion(r.asked.Text)
	if question == "" {
		return
	}
	told := ""
	words := strings.ToLower(strings.Join(strings.Fields(question), " "))
	if l.wordAt("yes", first, 0) > 0 {
		told = l.statement(words, question)
	} else if name := l.askedFor(words); name != "" {
		if v := l.shortAnswer(first); v != "" {
			told = name + " " + v
		}
	}
	if told != "" {
		r.retold(told)
	}
}

// lastQuestion gives the last sentence of a text if it is a question.
func lastQuestion(s string) string {
	s = strings.TrimSpace(s)
	body, ok := strings.CutSuffix(s, "?")
	if !ok {
		return ""
	}
	if i := strings.LastIndexAny(body, ".!?\n"); i >= 0 {
		body = body[i+1:]
	}
	return strings.TrimSpace(body)
}

// yourWords turns what is said to somebody into what he says.
var yourWords = strings.NewReplacer(" you are ", " I am ", " you're ", " I'm ", " you've ", " I've ", " you ", " I ", " your ", " my ", " Your ", " My ")

// leads are beginnings of questions that ask whether something is so, with
// what they become.
var leads = []struct{ asked, told string }{
	{"am i right that ", ""}, {"is it right that ", ""}, {"is it true that ", ""}, {"so, ", ""}, {"so ", ""}, {"and ", ""}, {"right, ", ""},
	{"do you ", "you "}, {"are you ", "you are "}, {"did you ", "you "}, {"have you ", "you have "}, {"is your ", "my "}, {"you ", "you "}, {"your ", "my "},
}

// statement makes "I live in Graz" of "Do you live in Graz".
func (l *language) statement(low, question string) string {
	for again := true; again; {
		again = false
		for _, d := range leads {
			if strings.HasPrefix(low, d.asked) && d.told == "" {
				low, question = low[len(d.asked):], question[len(d.asked):]
				again = true
			}
		}
	}
	for _, d := range leads {
		if strings.HasPrefix(low, d.asked) && d.told != "" {
			return strings.TrimSpace(yourWords.Replace(" " + d.told + question[len(d.asked):] + " "))
		}
	}
	return ""
}

// askedFor gives the beginning of the answer to a question: "my budget is".
func (l *language) askedFor(q string) string {
	q = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(q, "and "), "so "), "ok, ")
	for _, p := range []string{"what is your ", "what's your ", "what are your ", "how about your ", "what about your ", "which is your ", "your "} {
		if rest, ok := strings.CutPrefix(q, p); ok && len(strings.Fields(rest)) <= 3 && rest != "" {
			return "my " + rest + " is"
		}
	}
	switch {
	case strings.HasPrefix(q, "where ") && (strings.Contains(q, "you based") || strings.Contains(q, "you live") || strings.Contains(q, "you living")):
		return "I live in"
	case strings.HasPrefix(q, "where ") && strings.Contains(q, "you from"):
		return "I am from"
	case strings.HasPrefix(q, "where ") && (strings.Contains(q, "you work")):
		return "I work at"
	case strings.HasPrefix(q, "how old are you"):
		return "I am"
	case strings.Contains(q, "should i call you"):
		return "call me"
	case strings.Contains(q, "allergic to"):
		return "I am allergic to"
	case strings.HasPrefix(q, "what do you do"):
		return "I am"
	case strings.HasPrefix(q, "which languages do you speak"), strings.HasPrefix(q, "what languages do you speak"):
		return "I speak"
	}
	return ""
}

// shortAnswer gives the first clause of a sentence if it is a value.
func (l *language) shortAnswer(s *sentence) string {
	from := 0
	for from < len(s.toks) && (s.toks[from].skip && s.toks[from].kind != timeWord || l.words["answers"][s.toks[from].word]) {
		from++
	}
	end := from
	for end < len(s.toks) && (s.toks[end].kind != sign && !l.words["clause_end"][s.toks[end].word]) {
		end++
	}
	if end == from || end-from > 5 || l.words["pronoun"][s.toks[from].word] || l.words["no"][s.toks[from].word] || s.toks[from].off {
		return ""
	}
	for i := from; i < end; i++ {
		if w := s.toks[i].word; l.words["pronoun"][w] || l.words["negation"][w] || w == "not" {
			return ""
		}
	}
	return s.words(from, end)
}

// retold reads words as if the turn said them.
func (r *reader) retold(told string) {
	e := *r.turn.Episode
	e.Text = told
	x := reader{rules: r.rules, turn: r.turn, refs: r.refs, recent: r.recent, before: r.before}
	x.turn.Episode = &e
	sentences := r.rules.split(told, e.Occurred)
	r.rules.language(&sentences[0]).silence(sentences)
	for i := range sentences {
		x.sentence(&sentences[i])
	}
	for _, a := range x.found.Assertions {
		a.Provenance = []memory.Span{{Episode: r.turn.ID}}
		r.keep(a)
	}
	for _, a := range x.found.Aliases {
		r.same(a.Name, a.Entity)
	}
}

// askedBefore gives the turn before, if somebody else said it.
func askedBefore(w consolidate.Window) *consolidate.Turn {
	if len(w.Before) == 0 {
		return nil
	}
	last := &w.Before[len(w.Before)-1]
	if last.Source == memory.Assistant || last.Speaker != w.Turn.Speaker {
		return last
	}
	return nil
}
