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
		for _, g := range l.gatesOf(s) {
			at, end := l.gateAt(s, g, 0)
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
			case "pass":
				for ; at >= 0; at, end = l.gateAt(s, g, end) {
					for j := at; j < end; j++ {
						s.toks[j].skip = true
					}
				}
			}
		}
	}
	return false
}

// gatesOf gives the gates that may be found in a sentence: those of which an
// anchor is in it, in their order.
func (l *language) gatesOf(s *sentence) []gate {
	may := make([]bool, len(l.gates))
	for i := range s.toks {
		for _, g := range l.gateIndex[s.toks[i].word] {
			may[g] = true
		}
		for _, w := range s.toks[i].also {
			for _, g := range l.gateIndex[w] {
				may[g] = true
			}
		}
	}
	var out []gate
	for i, g := range l.gates {
		if may[i] || g.always {
			out = append(out, g)
		}
	}
	return out
}

// noReferences is for gates, which name nobody; it is never changed.
var noReferences = &references{}

// gateAt gives the first tokens from token i on at which the gate's pattern is
// found, else -1.
func (l *language) gateAt(s *sentence, g gate, i int) (from, to int) {
	m := matcher{l: l, s: s, refs: noReferences}
	for ; i < len(s.toks); i++ {
		if !s.toks[i].off && m.seq(g.pattern, 0, i, func(end int) bool { to = end; return end > i }) {
			return i, to
		}
	}
	return -1, 0
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
		if (i-open-1 > limit || s.zh && s.speaks(open+1, i)) && !s.titled(open+1, i) {
			s.mute(open, i+1)
		}
		open = -1
	}
	if open >= 0 && len(s.toks)-open > 4 {
		s.mute(open, len(s.toks))
	}
}

// titled reports whether the words [from, to) are written as a title: "A Dance
// with Dragons".
func (s *sentence) titled(from, to int) bool {
	if s.zh || to-from > 8 {
		return false
	}
	for i := from; i < to; i++ {
		if t := &s.toks[i]; t.kind == word && !t.upper && len(t.word) > 4 || t.word == "i" {
			return false
		}
	}
	return s.toks[from].upper && s.toks[to-1].kind != sign
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
	if last > 2 && s.toks[last-2].kind == sign && l.words["tag"][s.toks[last-1].word] {
		s.mute(last-1, len(s.toks)) // "pretty cool, huh?"
		return
	}
	from := 0
	for i := 1; i < last; i++ {
		if t := &s.toks[i-1]; t.kind == sign && (t.word == "." || t.word == ";" || t.word == "!") {
			from = i // a sentence that begins without an upper-case letter
		}
	}
	for i := from + 1; i < len(s.toks); i++ {
		if (s.toks[i-1].kind == sign || s.toks[i-1].clause != s.toks[i].clause) && l.wordAt("asks", s, i) > 0 {
			s.mute(i, len(s.toks))
			return
		}
	}
	s.mute(from, len(s.toks))
}
