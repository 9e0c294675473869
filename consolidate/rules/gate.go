package rules

// silence marks the tokens that state no fact: questions, suppositions,
// wishes, quotations, fiction, denials and guesses. The tables say which
// patterns silence what; a question mark and quotation marks are known here.
// fiction says that the turn was silenced as a whole.
func (l *language) silence(sentences []sentence) (fiction bool) {
	for i := range sentences {
		s := &sentences[i]
		s.quotes()
		l.questions(s)
		for _, g := range l.gates {
			at := l.gateAt(s, g)
			if at < 0 {
				continue
			}
			switch g.scope {
			case "turn":
				for j := range sentences {
					sentences[j].mute(0, len(sentences[j].toks))
				}
				return true
			case "next":
				s.mute(0, len(s.toks))
				if i+1 < len(sentences) {
					sentences[i+1].mute(0, len(sentences[i+1].toks))
				}
			case "sentence":
				s.mute(0, len(s.toks))
			case "after":
				s.mute(s.clauseStart(at), len(s.toks))
			case "clause":
				s.mute(s.clauseStart(at), s.clauseEnd(at))
			}
		}
	}
	return false
}

// gateAt gives the first token at which the gate's pattern is found, else -1.
func (l *language) gateAt(s *sentence, g gate) int {
	m := matcher{l: l, s: s, refs: &references{known: map[string]bool{}}}
	for i := range s.toks {
		if !s.toks[i].off && m.seq(g.pattern, 0, i, func(int) bool { return true }) {
			return i
		}
	}
	return -1
}

func (s *sentence) mute(from, to int) {
	for i := from; i < to; i++ {
		s.toks[i].off = true
	}
}

func (s *sentence) clauseStart(i int) int {
	for i > 0 && s.toks[i-1].clause == s.toks[i].clause {
		i--
	}
	return i
}

func (s *sentence) clauseEnd(i int) int {
	for i < len(s.toks) && (i == 0 || s.toks[i].clause == s.toks[max(i-1, 0)].clause) {
		i++
	}
	return i
}

// maxQuoted is the most words in quotation marks that are a name, not a quotation.
const maxQuoted = 3

// quotes silences what stands in quotation marks, unless it is short.
func (s *sentence) quotes() {
	open := -1
	for i := range s.toks {
		if s.toks[i].word != "\"" {
			continue
		}
		if open < 0 {
			open = i
			continue
		}
		limit := maxQuoted
		if s.zh {
			limit = 6
		}
		if i-open-1 > limit {
			s.mute(open, i+1)
		}
		open = -1
	}
	if open >= 0 && len(s.toks)-open > 4 {
		s.mute(open, len(s.toks))
	}
}

// questions silences a sentence with a question mark, from the clause on in
// which the question begins.
func (l *language) questions(s *sentence) {
	last := len(s.toks) - 1
	for last > 0 && s.toks[last].kind == sign && s.toks[last].word != "?" {
		last--
	}
	if s.toks[last].word != "?" {
		return
	}
	s.question = true
	if s.zh {
		l.hanQuestion(s)
		return
	}
	for i := 1; i < len(s.toks); i++ {
		if s.toks[i-1].clause != s.toks[i].clause && l.wordAt("asks", s, i) > 0 ||
			s.toks[i-1].kind == sign && i >= 2 && s.toks[i-1].word != "," && s.zh {
			s.mute(i, len(s.toks))
			return
		}
	}
	s.mute(0, len(s.toks))
}
