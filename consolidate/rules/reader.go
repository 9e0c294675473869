package rules

import (
	"cmp"
	"slices"
	"strings"

	"engram/consolidate"
	"engram/memory"
	"engram/when"
)

// reader reads one turn.
type reader struct {
	asked  *consolidate.Turn // the turn before, of another speaker
	rules  *Rules
	turn   consolidate.Turn
	refs   *references
	recent belief
	found  consolidate.Findings
	before int  // assertions of earlier turns in recent
	wrong  bool // something told before was wrong
	back   bool // something told before is taken back
}

func newReader(r *Rules, w consolidate.Window) *reader {
	out := &reader{
		rules: r, turn: w.Turn, refs: newReferences(w),
		recent: slices.Clone(w.Recent), before: len(w.Recent), asked: askedBefore(w),
	}
	if n := len(w.Before); n > 0 && out.refs.last.name == "" && w.Before[n-1].Source == memory.User {
		out.refs.last = out.mentioned(w.Before[n-1])
	}
	return out
}

func (r *reader) read() consolidate.Findings {
	sentences := r.rules.split(r.turn.Text, r.turn.Occurred)
	if len(sentences) == 0 {
		return r.found
	}
	r.gates(sentences)
	r.namesakes(sentences)
	r.refs.topic = r.topic(sentences)
	r.answer(sentences)
	r.fields()
	for i := range sentences {
		if s := &sentences[i]; !s.zh {
			r.wrong = r.wrong || r.rules.en.says("correcting", s)
			r.back = r.back || r.rules.en.says("retracting", s)
		}
	}
	for i := range sentences {
		r.sentence(&sentences[i])
	}
	return r.found
}

// gates silences what states no fact. A turn may mix languages, so each
// language silences its own sentences; what silences a turn silences all.
func (r *reader) gates(sentences []sentence) {
	if r.turn.Source == memory.Tool || r.turn.Source == memory.Web {
		return
	}
	for i := 0; i < len(sentences); {
		end := i
		for end < len(sentences) && sentences[end].zh == sentences[i].zh {
			end++
		}
		if r.rules.language(&sentences[i]).silence(sentences[i:end]) {
			for j := range sentences {
				sentences[j].mute(0, len(sentences[j].toks))
			}
		}
		i = end
	}
}

func (r *reader) sentence(s *sentence) {
	l := r.rules.language(s)
	r.refs.note(l, s)
	r.wrong = r.wrong || l.says("correcting", s)
	r.back = r.back || l.says("retracting", s)
	m := matcher{l: l, s: s, refs: r.refs}
	r.relations(l, s)
	matches := pick(m.find())
	stops := make([]int, 0, len(matches))
	for _, x := range matches {
		stops = append(stops, x.start)
	}
	if s.zh {
		s.noteValues(matches)
	}
	for i := range matches {
		r.assert(l, s, &matches[i], stops)
	}
	r.refs.remember(l, s, matches)
}

// pick orders the matches by place and drops weak ones that overlap others.
func pick(all []match) []match {
	slices.SortStableFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.rule.order, b.rule.order), cmp.Compare(b.end, a.end))
	})
	var out []match
	for i, m := range all {
		drop := false
		for j, o := range all {
			if i == j || o.rule.flags["aside"] || m.end <= o.start || o.end <= m.start {
				continue
			}
			weaker := m.weak() && (!o.weak() || o.rule.order < m.rule.order)
			drop = drop || weaker || m.rule == o.rule && j < i
		}
		if !drop {
			out = append(out, m)
		}
	}
	return out
}

// weak reports whether a match yields to others: what is about a thing is less
// certain than what is about a person.
func (m *match) weak() bool { return m.rule.flags["weak"] || m.who.thing }

// assert adds what a match says.
func (r *reader) assert(l *language, s *sentence, m *match, stops []int) {
	official := r.turn.Source == memory.Tool || r.turn.Source == memory.Web
	if official && (!m.rule.flags["tool"] || m.who.self && m.who.end > m.start) {
		return // "I" of a page is not the speaker
	}
	if m.rule.flags["solo"] && r.refs.self != "user" {
		return
	}
	if l.saysIn("planned_verb", s, m.start, m.end) {
		m.aspect |= future
	}
	times := l.timesOf(s, m, stops)
	if m.rule.flags["future"] || m.aspect&future != 0 || l.startsAt(s, m) {
		times = ahead(times, r.turn.Occurred)
	} else if s.zh {
		times = nearest(s, m, times, r.turn.Occurred)
	}
	who := m.who
	if s.zh && (who.name == "" || m.who.end <= m.start) && l.saysBefore("third", s, m.start) {
		return // 她 is nobody who is known, but not the subject before either
	}
	if who.name == "" {
		if c, ok := r.refs.carried(m.start); ok && s.zh {
			who = c
		} else {
			who = whoSelf(r.refs.self)
		}
	}
	if m.who.thing {
		r.refs.thing = m.who.name
	}
	if m.rule.flags["explicit"] && m.who.end <= m.start {
		return
	}
	for _, t := range m.rule.asserts {
		if t.alias {
			r.alias(l, s, m, t, who)
			continue
		}
		for _, a := range r.fill(l, s, m, t, who) {
			ended := s.ended[s.toks[m.start].clause] || s.ended[s.toks[m.end-1].clause]
			if ended || !m.rule.flags["ended"] {
				r.add(l, s, m, a, times, ended)
			}
		}
	}
}

// saysBefore reports whether a word of the class stands before token i in its clause.
func (l *language) saysBefore(class string, s *sentence, i int) bool {
	for j := i - 1; j >= 0 && s.toks[j].clause == s.toks[i].clause; j-- {
		if l.wordAt(class, s, j) > 0 {
			return true
		}
	}
	return false
}

// topic gives the project that the turn is about: what it names first, or that
// of the latest assertion about one.
func (r *reader) topic(sentences []sentence) string {
	for i := range sentences {
		s := &sentences[i]
		l := r.rules.language(s)
		m := matcher{l: l, s: s, refs: r.refs}
		for j := range s.toks {
			if l.words["project_noun"][s.toks[j].word] && !s.toks[j].off && (!m.inPhrase(j+1) || m.determiner(j+1)) {
				from := j
				for from > 0 && m.inPhrase(from-1) && j-from < 4 && !l.words["determiner"][s.toks[from-1].word] {
					from--
				}
				if v, ok := l.clean(s.words(from, j+1)); ok && from < j {
					return v
				}
			}
		}
	}
	for _, a := range slices.Backward(r.recent[:r.before]) {
		if projectPredicates[a.Predicate] && a.Subject != r.refs.self {
			return a.Subject
		}
	}
	return ""
}

// projectPredicates are those whose subjects are projects.
var projectPredicates = map[string]bool{
	"database": true, "framework": true, "deployment": true, "hosting": true, "language_used": true, "decided": true,
	"feature": true, "requires": true, "launch_date": true,
}

func whoSelf(name string) who { return who{name: name, self: true} }

// fill makes the assertions of a template: one for each value of a list.
func (r *reader) fill(l *language, s *sentence, m *match, t template, w who) []memory.Assertion {
	a := memory.Assertion{News: t.news, Source: r.turn.Source}
	for _, n := range []memory.News{memory.End, memory.Correction, memory.TakingBack} {
		if m.rule.flags[string(n)] {
			a.News = n
		}
	}
	if t.subject == "told" {
		return r.toldOf(l, s, m, t, w)
	}
	var ok bool
	if a.Predicate, ok = r.word(l, s, m, t.predicate, w); !ok {
		return nil
	}
	if t.subject == "recent" {
		return r.known(l, s, m, t, w, a)
	}
	if a.Subject, ok = r.word(l, s, m, t.subject, w); !ok {
		return nil
	}
	a.Predicate = predicateOf(a.Predicate)
	if w.pet && t.subject == "S" {
		if a.Predicate != "name" {
			return nil
		}
		a.Subject, a.Predicate = r.refs.self, "has_pet"
	}
	if s.zh && a.Predicate == "name" && t.subject == "S" && !w.self {
		if m.who.end <= m.start {
			return nil // 大鹏养了条金毛,叫将军
		}
		if strings.HasSuffix(w.name, w.rel) && w.rel != "" {
			a.Subject, a.Predicate = r.refs.self, l.relationPredicate(w.rel) // 我女朋友叫小鹿
		}
	}
	if t.object == "" {
		return []memory.Assertion{a}
	}
	var out []memory.Assertion
	for _, o := range r.objects(l, s, m, t.object, w) {
		b := a
		b.Object = o
		out = append(out, b)
	}
	return out
}

// word fills in the subject or predicate of a template.
func (r *reader) word(l *language, s *sentence, m *match, t string, w who) (string, bool) {
	switch {
	case t == "S":
		return w.name, w.name != ""
	case t == "rel":
		return l.relationPredicate(w.rel), w.rel != ""
	case t == "last":
		name := r.refs.antecedent(m.end).name
		return name, name != ""
	case t == "dated":
		return cmp.Or(r.refs.thing, r.recent.lastDue(), "项目"), true
	case t == "thing":
		return cmp.Or(r.refs.thing, "项目"), true
	case t == "user":
		return r.refs.self, true
	case strings.Contains(t, "@last:"):
		before, name, _ := strings.Cut(t, "@last:")
		sp := m.values[name]
		if len(sp) == 0 {
			return "", false
		}
		return before + s.words(sp[0].to-1, sp[0].to), true
	case strings.HasPrefix(t, "my@"):
		if sp := m.values[t[3:]]; len(sp) > 0 {
			return strings.ToLower("my " + s.words(sp[0].from, sp[0].to)), true
		}
		return "", false
	case t == "it":
		return r.refs.thing, r.refs.thing != "" && len(m.values) == 0
	case t == "topic" || strings.HasPrefix(t, "topic:"):
		if sp := m.values[strings.TrimPrefix(t, "topic:")]; len(sp) > 0 {
			v, ok := l.clean(s.words(sp[0].from, sp[0].to))
			if ok && !s.zh {
				r.refs.topic = v
			}
			return v, ok
		}
		for _, o := range m.others {
			if o.thing {
				return o.name, true
			}
		}
		if w.thing || strings.HasPrefix(t, "topic:") && !w.self {
			return w.name, true
		}
		topic := cmp.Or(r.refs.topic, "project")
		for _, sp := range m.values {
			if len(sp) == 1 && strings.EqualFold(s.words(sp[0].from, sp[0].to), topic) {
				topic = "project"
			}
		}
		return topic, true
	case strings.HasPrefix(t, "@") || strings.HasPrefix(t, "favorite_@"):
		prefix, name, _ := strings.Cut(t, "@")
		sp := m.values[name]
		if len(sp) == 0 {
			return "", false
		}
		return l.predicateFor(prefix, s.words(sp[0].from, sp[0].to)), true
	case strings.Contains(t, "$"):
		o := r.objects(l, s, m, t, w)
		if len(o) == 0 {
			return "", false
		}
		if s.zh {
			r.refs.thing = r.recent.thing(o[0])
			return r.refs.thing, true
		}
		return o[0], true
	}
	return t, true
}

// objects fills in the captures of t: "$a", "$a of $b", or plain words.
func (r *reader) objects(l *language, s *sentence, m *match, t string, w who) []string {
	t = strings.Trim(t, "\"")
	switch t {
	case "S":
		return []string{w.name}
	case "S2":
		if len(m.others) > 0 {
			return []string{m.others[0].name}
		}
		return nil
	case "$all":
		if v, ok := l.clean(s.words(m.start, m.end)); ok {
			return []string{v}
		}
		return nil
	}
	if name, ok := strings.CutPrefix(t, "$"); ok && !strings.ContainsAny(name, " $") {
		if spans, ok := m.values[name]; ok {
			var out []string
			for _, sp := range spans {
				if v, ok := l.clean(l.moment(s, sp)); ok {
					out = append(out, v)
				}
			}
			return out
		}
	}
	ok := true
	names := make([]string, 0, len(m.values))
	for name := range m.values {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, name := range names {
		if strings.Contains(t, "$"+name) {
			sp := m.values[name][0]
			v, good := l.clean(s.words(sp.from, sp.to))
			ok = ok && good
			t = strings.ReplaceAll(t, "$"+name, v)
		}
	}
	if !ok || strings.Contains(t, "$") && !strings.ContainsAny(t, "0123456789") {
		return nil
	}
	return []string{t}
}

// known makes the assertion of a template "recent $old $new": the slot is the
// one that holds the old value, of whatever predicate.
func (r *reader) known(l *language, s *sentence, m *match, t template, w who, a memory.Assertion) []memory.Assertion {
	old, ok := r.recent.about(w.name, a.Predicate)
	if !ok && w.self {
		old, ok = r.recent.about("", a.Predicate)
	}
	object, fallback, isElse := strings.Cut(t.object, "else:")
	switch {
	case !ok && isElse:
		return r.unknown(l, s, m, w, a, object, fallback)
	case !ok:
		return nil
	}
	t.object = strings.TrimSpace(object)
	a.Subject, a.Predicate, a.Object = old.Subject, old.Predicate, old.Object
	if t.object == "" {
		if a.News == memory.TakingBack {
			return r.takeBack(a)
		}
		return []memory.Assertion{a}
	}
	objects := r.objects(l, s, m, t.object, w)
	if len(objects) == 0 || strings.EqualFold(objects[0], old.Object) {
		return nil
	}
	b := a
	b.Object = objects[0]
	if a.News == memory.Correction {
		b.Replaces = old.Object
		return []memory.Assertion{b}
	}
	a.News = memory.End
	return []memory.Assertion{a, b}
}

// unknown makes what a template "recent $old $new else:predicate" says if
// nothing was told of the old value.
func (r *reader) unknown(l *language, s *sentence, m *match, w who, a memory.Assertion, object, predicate string) []memory.Assertion {
	a.Subject, a.Object, a.Predicate = w.name, a.Predicate, predicate
	if object = strings.TrimSpace(object); object == "" {
		return []memory.Assertion{a}
	}
	end := a
	end.News = memory.End
	out := []memory.Assertion{end}
	for _, o := range r.objects(l, s, m, object, w) {
		a.Object = o
		out = append(out, a)
	}
	return out
}

// takeBack makes the taking back of what replaced the value that is kept.
func (r *reader) takeBack(kept memory.Assertion) []memory.Assertion {
	now, ok := r.recent.slot(kept.Subject, kept.Predicate)
	if !ok || sameValue(strings.ToLower(now.Object), strings.ToLower(kept.Object)) {
		return nil
	}
	return []memory.Assertion{{
		Subject: kept.Subject, Predicate: kept.Predicate, Object: now.Object, Replaces: now.Object,
		News: memory.TakingBack, Source: kept.Source,
	}}
}

// add settles the news and the times of an assertion and keeps it.
func (r *reader) add(l *language, s *sentence, m *match, a memory.Assertion, times []when.Match, ended bool) {
	c := claim{Assertion: a, l: l, s: s, m: m, times: times, ended: ended}
	if !r.settle(&c) {
		return
	}
	a = c.Assertion
	a.Valid = c.iv
	if c.flag("undated") && a.News != memory.Late && m.aspect&future == 0 {
		a.Valid = c.outside(r.turn.Occurred)
	}
	a.Provenance = []memory.Span{{Episode: r.turn.ID, Start: s.toks[m.start].start, End: s.toks[m.end-1].end}}
	if c.flag("one") && a.News == "" {
		r.endOthers(a, func(string) bool { return true })
	}
	if c.flag("like") && a.News == "" {
		r.endOthers(a, func(old string) bool { return l.alike(old, a.Object) })
	}
	if c.sinceAndStill(r.turn.Occurred) {
		late := a
		late.News, late.Valid.To = memory.Late, r.turn.Occurred
		r.keep(late)
		a.Valid = memory.Interval{}
	}
	r.keep(a)
}

// correction makes a correction of an assertion whose slot holds another value
// by an earlier turn.
func (r *reader) correction(a memory.Assertion, certain bool) memory.Assertion {
	if a.Replaces != "" {
		a.News = memory.Correction
		return a
	}
	old, ok := r.recent[:r.before].slot(a.Subject, a.Predicate)
	switch {
	case ok && !strings.EqualFold(old.Object, a.Object):
		a.News, a.Replaces = memory.Correction, old.Object
	case certain && !ok:
		a.News = ""
	}
	return a
}

// endOthers ends the other values of a slot that has one value by its rule but
// not by the schema.
func (r *reader) endOthers(a memory.Assertion, which func(old string) bool) {
	for _, old := range r.recent.values(a.Subject, a.Predicate) {
		if strings.EqualFold(old.Object, a.Object) || !which(old.Object) {
			continue
		}
		e := a
		e.Object, e.News = old.Object, memory.End
		r.keep(e)
	}
}

// keep adds an assertion once.
func (r *reader) keep(a memory.Assertion) {
	if a.Subject == "" || strings.EqualFold(a.Subject, a.Object) || a.Predicate == "" || a.Object == "" && a.News != memory.End && a.News != memory.TakingBack {
		return
	}
	if a.News == "" {
		a.News = memory.Change
	}
	for i, b := range r.found.Assertions {
		if b.Subject == a.Subject && b.Predicate == a.Predicate && b.News == a.News && overlap(a, b) && sameValue(strings.ToLower(a.Object), strings.ToLower(b.Object)) {
			if len(a.Object) > len(b.Object) {
				r.found.Assertions[i].Object = a.Object
			}
			return
		}
		if strings.EqualFold(b.Subject, a.Subject) && b.Predicate == a.Predicate && strings.EqualFold(b.Object, a.Object) && (b.News == a.News || b.News == memory.Correction && a.News == memory.Change) {
			return
		}
		if b.Subject == a.Subject && b.Predicate == a.Predicate && b.Object == a.Object && b.News == memory.Change && a.News == memory.Correction {
			r.found.Assertions[i] = a // "it is pottery, not chess" states it and corrects
			return
		}
	}
	if a.Source == "" {
		a.Source = memory.User
	}
	r.found.Assertions = append(r.found.Assertions, a)
	r.recent = append(r.recent, a)
}

// endOf gives when something ended: at the beginning of the time named, or
// open if none is.
func endOf(times []when.Match) memory.Interval {
	for _, t := range times {
		switch {
		case t.Relation == when.Until && !t.Interval.To.IsZero():
			return memory.Interval{To: t.Interval.To}
		case !t.Interval.From.IsZero():
			return memory.Interval{To: t.Interval.From}
		}
	}
	return memory.Interval{}
}

// overlap reports whether two assertions of one turn are of the same words.
func overlap(a, b memory.Assertion) bool {
	p, q := a.Provenance[0], b.Provenance[0]
	return p.Start < q.End && q.Start < p.End
}
