package rules

import (
	"slices"

	"engram/memory"
	"engram/when"
)

// claim is an assertion whose news and times are not settled yet.
type claim struct {
	memory.Assertion
	l      *language
	s      *sentence
	m      *match
	times  []when.Match
	ended  bool // "no longer", "not … any more"
	event  bool
	single bool // one value at a time, by the schema
	iv     memory.Interval
}

func (c *claim) flag(name string) bool { return c.m.rule.flags[name] }

// settle decides what kind of news a claim is and when it holds; false: nothing
// is said.
func (r *reader) settle(c *claim) bool {
	now := r.turn.Occurred
	c.event = c.flag("event") || events[c.Predicate]
	c.single = r.rules.single(c.Predicate)
	c.iv = interval(c.times, c.event || c.flag("past") && !c.s.zh)
	if c.s.zh && c.flag("past") && c.iv.To.IsZero() && !c.iv.From.IsZero() && c.iv.From.Gran == memory.Year {
		c.iv = interval(c.times, true)
	}
	if c.retells() {
		c.Assertion = r.retell(c.Assertion, c.single || c.flag("one"), c.iv)
		if c.iv.From.IsZero() && !c.Valid.From.IsZero() {
			c.iv = c.Valid
		}
	}
	switch {
	case c.s.retracted[c.s.toks[c.m.start].clause] || c.s.retracted[c.s.toks[c.m.end-1].clause]:
		if denies(c.News) {
			return false
		}
		c.News, c.iv = memory.TakingBack, memory.Interval{}
		return true
	case c.News == memory.TakingBack:
		if c.s.zh && c.Replaces == "" {
			c.Replaces = c.Object
		}
		c.iv = memory.Interval{}
		return !c.s.zh || c.Object != "" || r.planned(&c.Assertion)
	case c.News == memory.End || c.flag("end") || c.ended && !c.event:
		return r.settleEnd(c)
	case c.ended:
		return false
	case c.m.aspect&past != 0:
		return c.settlePast(now)
	case c.s.zh && !c.event && c.News == "" && c.iv.To.IsZero() && !c.flag("past") && c.l.once(c.s, c.m):
		return false // it was so
	case c.s.zh && !c.event && c.News == "" && !c.iv.From.IsZero() && !c.iv.To.IsZero() && c.iv.To.Micros <= now.Micros:
		c.News = memory.Late
	case c.wasThen(now):
		c.News, c.iv = memory.Late, interval(c.times, true)
	case c.flag("short") == isLong(c.iv) && (c.flag("short") || c.flag("long")):
		return false
	case c.flag("past"):
		if c.iv.From.IsZero() || c.iv.To.IsZero() || c.iv.To.Micros > now.Micros {
			return false
		}
		c.News = memory.Late
	case c.flag("undated") && c.m.aspect&future != 0 && c.iv.From.IsZero():
	case c.flag("future") || c.m.aspect&future != 0 && c.Predicate != "plan":
		return !c.iv.From.IsZero() && (c.iv.From.Micros >= now.Micros || c.s.zh && c.iv.From.End() > now.Micros)
	case c.flag("correction") || c.News == memory.Correction:
		c.Assertion = r.correction(c.Assertion, true)
	}
	return true
}

// retells reports whether words of the turn such as "scratch that" may change
// what the claim does to what was told before.
func (c *claim) retells() bool {
	return c.News == "" && !c.ended && !c.flag("past") && !c.flag("end") && c.m.aspect&past == 0
}

// settleEnd dates an End.
func (r *reader) settleEnd(c *claim) bool {
	if !c.s.zh && !c.iv.From.IsZero() && !c.iv.To.IsZero() && c.iv.To.Micros <= r.turn.Occurred.Micros {
		c.News = memory.Late // "used to", with both ends
		return true
	}
	c.News = memory.End
	c.iv = endOf(c.times)
	if c.m.aspect&future != 0 && c.iv.To.IsZero() {
		return false
	}
	if c.iv.To.IsZero() && !c.s.zh && c.l.says("dates_end", c.s) {
		c.iv = endOf(c.untaken()) // "…, it stopped last year"
	}
	c.Object = r.recent.fuller(c.Assertion)
	return true
}

// untaken gives the times of the sentence that are no part of the claim's values.
func (c *claim) untaken() []when.Match {
	var out []when.Match
	for i := range c.s.toks {
		if c.s.toks[i].kind == timeWord && !c.m.takes(i) {
			out = append(out, c.s.times[c.s.toks[i].span])
		}
	}
	return out
}

// outside gives since when a claim holds whose own times say something else, by
// those that stand outside of its words: "In April the deadline moved to 30 June".
func (c *claim) outside(now memory.Time) memory.Interval {
	if c.s.zh {
		return memory.Interval{}
	}
	first := c.s.toks[c.m.start].start
	for _, t := range c.times {
		told := t.End <= first || c.Predicate != "plan" && c.rightBehind(t)
		if told && t.Relation != when.Until && !t.Interval.From.IsZero() && t.Interval.From.Micros <= now.Micros {
			return memory.Interval{From: t.Interval.From}
		}
	}
	return memory.Interval{}
}

// rightBehind reports whether between the match and the time stand only words
// such as "since": "…, starting in April", not "14 June instead of 30 May".
func (c *claim) rightBehind(t when.Match) bool {
	i := c.m.end
	for i < len(c.s.toks) && c.s.toks[i].start < t.Start && (c.s.toks[i].skip || c.l.words["before_time"][c.s.toks[i].word] || c.s.toks[i].word == ",") {
		i++
	}
	return i < len(c.s.toks) && i >= c.m.end && c.s.toks[i].start >= t.Start && t.Start >= c.s.toks[c.m.end-1].end
}

// settlePast makes late news of what was so between two times, and an End of
// what was so until a time.
func (c *claim) settlePast(now memory.Time) bool {
	if c.event || c.flag("future") || c.iv.To.IsZero() || c.iv.To.Micros > now.Micros {
		return false
	}
	c.News = memory.Late
	if c.iv.From.IsZero() {
		c.News = memory.End
	}
	return true
}

// sinceAndStill reports whether the claim says that something has been so since
// a time, and still is: for predicates with one value that is two assertions.
func (c *claim) sinceAndStill(now memory.Time) bool {
	if c.s.zh || c.News != "" || c.event || c.flag("undated") || !c.single || c.iv.From.IsZero() || !c.iv.To.IsZero() || c.iv.From.End() > now.Micros {
		return false
	}
	for _, t := range c.times {
		if t.Relation == when.Since && t.Interval.From == c.iv.From {
			return true
		}
	}
	return false
}

// states are predicates that Chinese states without a tense; lasting are words by
// which such a state is still so: 我2015年住在上海 is over, 我2015年起住在上海 is not.
var (
	states  = map[string]bool{"lives_in": true, "works_at": true, "studies_at": true, "job_title": true}
	lasting = []string{"了", "起", "开始", "以来", "至今", "现在", "一直", "还", "就", "搬", "入职", "加入", "跳槽", "换", "改", "成为", "转", "调", "去", "来", "到", "考", "进", "升"}
)

// wasThen reports whether a claim in Chinese says that something was so in a time
// that is over.
func (c *claim) wasThen(now memory.Time) bool {
	if !c.s.zh || c.event || c.News != "" || !states[c.Predicate] || len(c.times) != 1 {
		return false
	}
	t := c.times[0]
	if t.Relation != when.During || t.Interval.From.IsZero() || t.Interval.From.Gran > memory.Year || t.Interval.To.IsZero() || t.Interval.To.Micros > now.Micros {
		return false
	}
	clause := c.s.toks[c.m.end-1].clause
	for i := range c.s.toks {
		if tok := &c.s.toks[i]; tok.clause == clause && tok.kind != timeWord && !c.m.takes(i) && slices.Contains(lasting, tok.word) {
			return false
		}
	}
	return true
}

func denies(n memory.News) bool { return n == memory.End || n == memory.TakingBack }
