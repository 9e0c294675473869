package when

import (
	"slices"
	"strings"
	"time"
)

// tense is what the words of a sentence say about when its times are.
type tense int

const (
	unasked tense = iota
	untold
	past     // did, went, 了
	future   // will, going to, 打算
	present  // is, starts: says something only of "in two days"
	deadline // until, by, 之前: the end of something that may still last
)

// hints are the words that tell the tense. The nearest one before the date
// decides, else the nearest behind it in the sentence.
var hints = newTable(slices.Concat(
	told(future, "will|ll|wont|going_to|gonna|shall|must|should|need|needs|plan|plans|planning|planned|scheduled|want|wants|hope|hopes|hoping|let|remind|due|deadline|upcoming|coming|booked|see_you|can_we|looking_forward",
		"打算|准备|计划|必须|需要|希望|提醒|即将|明天|等到|可以 !了", "将 !军|近|来|就|信", "<!开|聚|约|社|机|大|宴|晚|舞|误|工|体|协|学|不|才 会 !议|员|场|计|话|见|了", "<!重|主|只|还|不|首|次 要 !求|点|素|么|是|不"),
	told(past, "did|was|were|had|went|saw|met|got|took|came|left|made|bought|told|said|ran|wrote|ate|gave|found|thought|felt|began|spent|won|lost|kept|held|fell|slept|drove|flew|built|taught|caught|sent|sold|broke|chose|since",
		"自|自从|以来", "了|过 !解|不|得|会|去|来|程|年|生"),
	told(present, "is|are|starts|start|begins|begin|ends|opens|closes|leaves|leave|arrives|arrive|happens|expires|back|ready"),
	told(deadline, "until|till|til|by|before", "前 !ANYN", "之前|以前|为止|截至|截止|直到 !天|年|面|往")))

func told(t tense, rows ...string) []pattern {
	var out []pattern
	for _, form := range rows {
		p := row(form, nil)
		p.tense = t
		out = append(out, p)
	}
	return out
}

// within how many tokens a hint counts, and a deadline, which must be close.
const hintReach, deadlineReach = 40, 5

// tense gives the tense of the sentence around the token.
func (s *scan) tense(at int) tense {
	found := untold
	for i := at - 1; i >= max(0, at-hintReach) && !s.endsSentence(i); i-- {
		switch t := s.hint(i); {
		case t == deadline && found == untold && at-i <= deadlineReach:
			found = deadline
		case t == past || t == future:
			return t
		}
	}
	for i := at; i < min(len(s.tokens), at+hintReach) && !s.endsSentence(i); i++ {
		switch t := s.hint(i); {
		case t == deadline && found == untold && i-at <= deadlineReach && !s.tokens[i].latin:
			found = deadline
		case t == past || t == future:
			return t
		}
	}
	return found
}

// leadsTo reports whether one of the last words before the token is of the
// present, or there are none.
func (s *scan) leadsTo(at int) bool {
	for i := at - 1; i >= at-deadlineReach; i-- {
		if i < 0 || s.endsSentence(i) {
			return i == at-1
		}
		if s.hint(i) == present {
			return true
		}
	}
	return false
}

func (s *scan) endsSentence(at int) bool {
	t := s.tokens[at]
	return !t.latin && t.digits == 0 && strings.Contains(".!?;。！？；", s.text[t.start:t.end])
}

// hint gives what the token says, if it is one of hints or ends as a past form.
func (s *scan) hint(at int) tense {
	if s.tenses == nil {
		s.tenses = make([]tense, len(s.tokens))
	}
	if s.tenses[at] == unasked {
		s.tenses[at] = s.readHint(at)
	}
	return s.tenses[at]
}

func (s *scan) readHint(at int) tense {
	t := s.tokens[at]
	if t.id != 0 {
		for _, p := range s.hints[t.id] {
			if _, ok := s.read(p.elements, at, &s.probe); ok {
				return p.tense
			}
		}
	}
	if t.latin && t.end-t.start > 4 && strings.HasSuffix(s.text[:t.end], "ed") && !notPast[t.id] {
		return past
	}
	return untold
}

var notPast = wordSet("indeed hundred speed supposed expected naked")

// staleDeadline is how long a yearly date may be gone and still be the end that
// is meant: "until May" said in June looks back, said in December ahead.
const staleDeadline = 3 * 30 * 24 * time.Hour

// choose gives one of the times that come again after each unit, as the tense
// says: at(0) unless that is not past in a past sentence or not ahead in one of
// the future. A deadline is the coming one. Where there is no such time (29
// February, the 31st), the next one farther on is taken.
func (r *reading) choose(repeats unit, at func(k int) (span, bool)) (span, bool) {
	nearest := func(k, step int) (s span, ok bool) {
		for range 9 { // two leap years can be 8 apart
			if s, ok = at(k); ok {
				break
			}
			k += step
		}
		s.repeats = repeats
		return s, ok
	}
	s, ok := nearest(0, -1)
	if !ok {
		return s, false
	}
	ahead := s.to.After(r.now)
	switch r.scan.tense(r.at) {
	case past:
		if s.from.After(r.now) {
			return nearest(-1, -1)
		}
	case future:
		if !ahead {
			return nearest(1, 1)
		}
	case deadline:
		if !ahead && (repeats != year || r.now.Sub(s.to) > staleDeadline) {
			return nearest(1, 1)
		}
	case untold, present:
	}
	return s, ok
}
