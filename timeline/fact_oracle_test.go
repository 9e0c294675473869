package timeline

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"engram/memory"
)

// beliefOracle says what holds in one slot from the specification (docs/resolve.md)
// alone: point by point, by looking at every record again each time. It shares
// nothing with the implementation but the types of memory.
type beliefOracle struct {
	log                []memory.Record // of the view: up to its head
	cut                memory.Seq      // what is known
	subject, predicate string          // the entity's slot
	kind               string          // one, many, event
	authority          memory.Source
}

// said is an assertion as the oracle sees it.
type said struct {
	id        memory.ID
	a         *memory.Assertion
	at        int // in the log
	k         memory.Seq
	seq       memory.Seq
	value     string
	replaces  string
	from, to  memory.Time // to is zero if open
	assumed   bool
	rank      int
	contested bool
}

const never = int64(1) << 62

func (s *said) f() int64 { return s.from.Micros }

func (s *said) t() int64 {
	if s.to.IsZero() {
		return never
	}
	return s.to.Micros
}

func (s *said) saysValue() bool {
	return s.a.News == "" || s.a.News == memory.Change || s.a.News == memory.Late || s.a.News == memory.Correction
}

func before(a, b *said) bool { return a.k < b.k || a.k == b.k && a.seq < b.seq }

func fold(s string) string {
	return strings.Join(strings.Fields(norm.NFKC.String(strings.ToLower(norm.NFKC.String(s)))), " ")
}

// first gives where the record of an id stands among the first n.
func (o beliefOracle) first(id memory.ID, n int) int {
	for i, r := range o.log[:n] {
		if r.ID == id && r.Body != nil {
			return i
		}
	}
	return -1
}

// standing says which records no retract makes inactive; ever: with all
// retracts of the log, known or not.
func (o beliefOracle) standing(ever bool) []bool {
	out := make([]bool, len(o.log))
	for i := range out {
		out[i] = true
	}
	var forEver []bool
	if !ever {
		forEver = o.standing(true)
	}
	for j := len(o.log) - 1; j >= 0; j-- {
		r, ok := o.log[j].Body.(*memory.Retract)
		if !ok {
			continue
		}
		stands := out[j] && o.log[j].Seq <= o.cut
		switch {
		case ever:
			stands = out[j]
		case r.Always:
			stands = forEver[j]
		}
		for _, id := range r.Targets {
			if i := o.first(id, j); i >= 0 && stands {
				out[i] = false
			}
		}
	}
	return out
}

// who says what a name means.
func (o beliefOracle) who() map[string]string {
	active := o.standing(true)
	means := map[string]string{}
	for i, r := range o.log {
		a, ok := r.Body.(*memory.Association)
		if !ok || !active[i] {
			continue
		}
		name, entity := fold(a.Name), fold(a.Entity)
		switch a.Rel {
		case memory.Apart:
			delete(means, name)
		case memory.SameAs:
			circle := false
			for at, more := entity, true; more; at, more = means[at] {
				circle = circle || at == name
				if _, ok := means[at]; !ok {
					break
				}
			}
			if !circle {
				means[name] = entity
			}
		}
	}
	return means
}

func follow(means map[string]string, name string) string {
	for {
		next, ok := means[name]
		if !ok {
			return name
		}
		name = next
	}
}

var trust = map[memory.Source]int{"": 1, memory.User: 1, memory.Tool: 2, memory.Assistant: 3, memory.Import: 4, memory.Web: 5}

// known gives the assertions of the slot that are known, active, supported by
// evidence and not lost, in the order of news.
func (o beliefOracle) known() []*said {
	active, means := o.standing(false), o.who()
	var out []*said
	for i, r := range o.log {
		a, ok := r.Body.(*memory.Assertion)
		if !ok || follow(means, fold(a.Subject)) != o.subject || strings.ReplaceAll(fold(a.Predicate), " ", "_") != o.predicate {
			continue
		}
		s := &said{id: r.ID, a: a, at: i, k: r.Seq, seq: r.Seq, value: follow(means, fold(a.Object)), rank: trust[a.Source]}
		s.replaces = follow(means, fold(a.Replaces))
		if o.authority != "" && (a.Source == o.authority || a.Source == "" && o.authority == memory.User) {
			s.rank = 0
		}
		moment, alive, some := memory.Micros(r.Recorded), false, false
		earliest := -1
		for _, p := range a.Provenance {
			j := o.first(p.Episode, i)
			if j < 0 {
				continue
			}
			if _, ok := o.log[j].Body.(*memory.Episode); !ok {
				continue
			}
			some = true
			alive = alive || active[j] && o.log[j].Seq <= o.cut
			if earliest < 0 || j < earliest {
				earliest = j
			}
		}
		if earliest >= 0 {
			s.k = o.log[earliest].Seq
			moment = memory.Micros(o.log[earliest].Recorded)
			if e := o.log[earliest].Body.(*memory.Episode); !e.Occurred.IsZero() {
				moment = e.Occurred
			}
		}
		if !a.Said.IsZero() {
			moment = a.Said
		}
		s.from, s.to = a.Valid.From, a.Valid.To
		if a.News == memory.End {
			s.from, s.to = a.Valid.To, memory.Time{}
			if s.from.IsZero() {
				s.from = a.Valid.From
			}
		}
		if s.assumed = s.from.IsZero(); s.assumed {
			s.from = moment
		}
		lost := false
		for j, v := range o.log {
			verdict, ok := v.Body.(*memory.Settlement)
			if !ok || v.Seq > o.cut || !active[j] {
				continue
			}
			for _, id := range verdict.Losers {
				lost = lost || o.first(id, j) == i
			}
		}
		if s.k <= o.cut && active[i] && (alive || !some) && !lost {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b *said) int {
		if before(a, b) {
			return -1
		}
		return 1
	})
	return out
}

// eventTo is the end of an event.
func (s *said) eventTo() int64 {
	if !s.to.IsZero() {
		return s.to.Micros
	}
	if !s.assumed && s.from.Gran <= memory.Day {
		return s.from.End()
	}
	std := s.from.Std()
	day, err := memory.ParseTime(std.Format("2006-01-02"), std.Location())
	if err != nil {
		panic(err)
	}
	return day.End()
}

// living is step 1.
func (o beliefOracle) living() []*said {
	all := o.known()
	takes, contests := make([]map[int]bool, len(all)), make([]map[int]bool, len(all))
	var isGone func(i, n int) bool // as decided by the first n
	isGone = func(i, n int) bool {
		for j := i + 1; j < n; j++ {
			if takes[j][i] && !isGone(j, n) {
				return true
			}
		}
		return false
	}
	for i, c := range all {
		takes[i], contests[i] = map[int]bool{}, map[int]bool{}
		target := o.target(all, i, takes, isGone)
		if target < 0 {
			continue
		}
		group := o.sayTheSame(all, i, target, isGone)
		if c.a.News == memory.Correction {
			corrected := *c
			var from, to *said
			for _, g := range group {
				d := all[g]
				if from == nil || d.f() < from.f() || d.f() == from.f() && from.assumed && !d.assumed {
					from = d
				}
				if to == nil || d.t() > to.t() {
					to = d
				}
			}
			if c.assumed {
				corrected.from, corrected.assumed = from.from, from.assumed
			}
			if c.to.IsZero() && to.t() > corrected.f() {
				corrected.to = to.to
			}
			all[i] = &corrected
		}
		for _, g := range group {
			if all[g].rank < c.rank {
				contests[i][g] = true
				continue
			}
			takes[i][g] = true
			if c.a.News == memory.Correction && all[g].a.News == memory.Correction {
				maps.Copy(takes[i], takes[g])
			}
		}
	}
	var out []*said
	for i, s := range all {
		if isGone(i, len(all)) {
			continue
		}
		marked := *s
		for j := i + 1; j < len(all); j++ {
			marked.contested = marked.contested || contests[j][i] && !isGone(j, len(all))
		}
		out = append(out, &marked)
	}
	o.giveWay(out)
	return out
}

// giveWay moves assumed beginnings out of the period of a coarse change that was
// told later.
func (o beliefOracle) giveWay(all []*said) {
	for i, p := range all {
		end := p.a.News == memory.End
		change := o.kind == "one" && p.t() == never && (p.a.News == memory.Change || p.a.News == "")
		if o.kind == "event" || p.assumed || p.from.Gran == memory.Instant || !end && !change {
			continue
		}
		for _, c := range all[:i] {
			if !c.assumed || !c.saysValue() || c.t() != never || c.k >= p.k || c.f() < p.f() || c.f() >= p.from.End() {
				continue
			}
			if end && p.rank <= c.rank && (p.value == "" || p.value == c.value) || !end && p.rank == c.rank && p.value != c.value {
				c.from.Micros = p.f() - 1
			}
		}
	}
}

// target finds what a correction or a taking back means.
func (o beliefOracle) target(all []*said, i int, takes []map[int]bool, isGone func(i, n int) bool) int {
	c := all[i]
	correction, back := c.a.News == memory.Correction, c.a.News == memory.TakingBack
	if !correction && !back {
		return -1
	}
	if !c.a.Corrects.IsZero() {
		for j := range i {
			if all[j].id != c.a.Corrects || o.first(all[j].id, len(o.log)) != all[j].at {
				continue
			}
			if correction && all[j].a.News == memory.TakingBack {
				return -1
			}
			for isGone(j, i) {
				if !correction {
					return -1
				}
				by := -1
				for k := range i {
					if takes[k][j] && !isGone(k, i) {
						by = k
					}
				}
				if all[by].a.News != memory.Correction {
					return -1
				}
				j = by
			}
			return j
		}
		return -1
	}
	value := c.replaces
	if back && value == "" {
		value = c.value
	}
	for j := i - 1; j >= 0; j-- {
		d := all[j]
		if isGone(j, i) {
			continue
		}
		if value != "" {
			if d.value == value && (d.saysValue() || back && d.a.News == memory.End) {
				return j
			}
			continue
		}
		if back && d.a.News == memory.TakingBack {
			return -1
		}
		if d.saysValue() || back {
			return j
		}
	}
	return -1
}

// sayTheSame gives what goes with a target.
func (o beliefOracle) sayTheSame(all []*said, n, target int, isGone func(i, n int) bool) []int {
	d := all[target]
	var out []int
	for j := range n {
		m := all[j]
		if j != target && (isGone(j, n) || m.value != d.value) {
			continue
		}
		same := j == target
		switch {
		case same:
		case d.a.News == memory.End:
			same = m.a.News == memory.End
			for k := range n {
				x := all[k]
				if !isGone(k, n) && x.saysValue() && (d.value == "" || d.value == x.value) {
					same = same && !(min(m.f(), d.f()) <= x.f() && x.f() < max(m.f(), d.f()))
				}
			}
		case !d.saysValue() || !m.saysValue():
		case o.kind == "event":
			same = m.f() < d.eventTo() && d.f() < m.eventTo()
		case d.t() == never && m.t() == never:
			same = true
			for k := range n {
				x := all[k]
				if isGone(k, n) || x.rank > d.rank {
					continue
				}
				ends := x.a.News == memory.End && (x.value == "" || x.value == d.value) ||
					o.kind == "one" && x.saysValue() && x.t() == never && x.value != d.value
				if ends && min(m.f(), d.f()) < x.f() && x.f() <= max(m.f(), d.f()) {
					same = false
				}
			}
		case d.t() != never && m.t() != never:
			same = m.f() < d.t() && d.f() < m.t()
		}
		if same {
			out = append(out, j)
		}
	}
	return out
}

// speaks reports whether a claim says something at v within its rank: the rules
// for open and for bounded claims, without those against other claims at v.
func (o beliefOracle) speaks(all []*said, c *said, v int64) bool {
	if !c.saysValue() || c.f() > v || v >= c.t() || c.f() >= c.t() {
		return false
	}
	if o.kind == "event" {
		return v < c.eventTo()
	}
	for _, e := range all {
		matches := e.a.News == memory.End && (e.value == "" || e.value == c.value) && e.rank <= c.rank
		if matches && c.f() < e.f() && e.f() <= v && (c.t() == never || before(c, e)) {
			return false
		}
	}
	if o.kind == "many" || c.t() != never {
		return true
	}
	said := false // its value, at its beginning, by what was told last there
	var last memory.Seq
	for _, p := range all {
		if p.saysValue() && p.rank == c.rank && p.t() == never {
			if p.value != c.value && c.f() < p.f() && p.f() <= v {
				return false
			}
			if p.f() == c.f() {
				last = max(last, p.k)
			}
		}
	}
	for _, p := range all {
		said = said || p.saysValue() && p.rank == c.rank && p.t() == never && p.f() == c.f() && p.k == last && p.value == c.value
	}
	return said
}

// byRank gives what a rank says at v: value → whether disputed, and the latest
// claim for it.
func (o beliefOracle) byRank(all []*said, rank int, v int64) (marks map[string]bool, last map[string]*said) {
	var open, bounded []*said
	for _, c := range all {
		if c.rank != rank || !o.speaks(all, c, v) {
			continue
		}
		if c.t() == never {
			open = append(open, c)
		} else {
			bounded = append(bounded, c)
		}
	}
	winners := open
	if len(bounded) > 0 {
		b := bounded[len(bounded)-1] // the latest
		openWins := false
		for _, c := range open {
			openWins = openWins || c.value != b.value && before(b, c) && c.f() > b.f()
		}
		if !openWins {
			winners = nil
			for _, c := range bounded {
				if c.k == b.k {
					winners = append(winners, c)
				}
			}
		}
	}
	marks, last = map[string]bool{}, map[string]*said{}
	for _, c := range winners {
		marks[c.value] = false
	}
	for _, c := range all {
		if _, ok := marks[c.value]; ok && (slices.Contains(open, c) || slices.Contains(bounded, c)) {
			last[c.value] = c // all is in order
		}
	}
	for value, c := range last {
		marks[value] = len(marks) > 1 || c.contested
		for _, e := range all {
			if e.a.News == memory.End && e.rank > rank && (e.value == "" || e.value == value) && before(c, e) && c.f() < e.f() && e.f() <= v {
				marks[value] = true
			}
		}
	}
	return marks, last
}

// at gives the values that hold at v, and whether they are disputed.
func (o beliefOracle) at(all []*said, v int64) map[string]bool {
	out := map[string]bool{}
	switch o.kind {
	case "event":
		for _, c := range all {
			if o.speaks(all, c, v) {
				out[c.value] = false
			}
		}
		return out
	case "many":
		for _, value := range o.values(all) {
			var own []*said
			for _, c := range all {
				if c.value == value || c.value == "" {
					own = append(own, c)
				}
			}
			maps.Copy(out, o.ranks(own, v))
		}
		return out
	default:
		return o.ranks(all, v)
	}
}

func (o beliefOracle) values(all []*said) []string {
	var out []string
	for _, c := range all {
		if c.saysValue() {
			out = append(out, c.value)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (o beliefOracle) ranks(all []*said, v int64) map[string]bool {
	out := map[string]bool{}
	var trusted *said
	for rank := range 6 {
		marks, last := o.byRank(all, rank, v)
		switch {
		case len(marks) == 0:
		case trusted == nil:
			for value, disputed := range marks {
				out[value] = disputed
				if trusted == nil || before(trusted, last[value]) {
					trusted = last[value]
				}
			}
		default:
			against := false
			for value := range marks {
				if _, same := out[value]; !same && before(trusted, last[value]) {
					out[value], against = true, true
				}
			}
			for value := range out {
				out[value] = out[value] || against
			}
		}
	}
	return out
}

// points lists everywhere that the axis may change, and its neighbours.
func (o beliefOracle) points(all []*said) []int64 {
	var out []int64
	for _, c := range all {
		for _, t := range []int64{c.f(), c.t(), c.eventTo(), c.from.End(), c.to.End()} {
			if t < never {
				out = append(out, t-1, t, t+1)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// segment is a fact of the oracle, on the valid axis.
type segment struct {
	Value    string
	Disputed bool
	From, To int64
}

// segments gives the maximal runs.
func (o beliefOracle) segments(all []*said) []segment {
	if o.kind == "event" {
		return o.eventSegments(all)
	}
	var out []segment
	points := o.points(all)
	was := map[string]bool{}
	for _, v := range points {
		is := o.at(all, v)
		for i := range out {
			if s := &out[i]; s.To == never {
				if disputed, ok := is[s.Value]; !ok || disputed != s.Disputed {
					s.To = v
				}
			}
		}
		for value, disputed := range is {
			if d, ok := was[value]; !ok || d != disputed {
				out = append(out, segment{value, disputed, v, never})
			}
		}
		was = is
	}
	return sortSegments(out)
}

func (o beliefOracle) eventSegments(all []*said) []segment {
	var out []segment
	for _, c := range all {
		if s := (segment{c.value, false, c.f(), c.eventTo()}); c.saysValue() && s.From < s.To {
			out = append(out, s)
		}
	}
	for again := true; again; {
		again = false
		for i := range out {
			for j := len(out) - 1; j > i && i < len(out); j-- {
				if a, b := out[i], out[j]; a.Value == b.Value && a.From < b.To && b.From < a.To {
					out[i].From, out[i].To = min(a.From, b.From), max(a.To, b.To)
					out = slices.Delete(out, j, j+1)
					again = true
				}
			}
		}
	}
	return sortSegments(out)
}

func sortSegments(list []segment) []segment {
	slices.SortFunc(list, func(a, b segment) int {
		switch {
		case a.From != b.From && a.From < b.From:
			return -1
		case a.From != b.From:
			return 1
		}
		return strings.Compare(a.Value, b.Value)
	})
	return list
}

// supporters gives the assertions that say so somewhere in a segment.
func (o beliefOracle) supporters(all []*said, s segment) []*said {
	var out []*said
	for _, c := range all {
		speaks := false
		for _, v := range append(o.points(all), s.From) {
			speaks = speaks || s.From <= v && v < s.To && o.speaks(all, c, v)
		}
		if c.value == s.Value && speaks {
			out = append(out, c)
		}
	}
	return out
}

// inDoubt gives the segments that a coarse date leaves in doubt at v: those that
// had ended by then, and those that began.
func (o beliefOracle) inDoubt(all []*said, segments []segment, v int64) (ended, began []segment) {
	if o.kind == "event" {
		return nil, nil
	}
	holds := func(value string, v int64) bool {
		_, ok := o.at(all, v)[value]
		return ok
	}
	for _, s := range segments {
		if s.To > v || holds(s.Value, s.To) || holds(s.Value, v) {
			continue
		}
		settled := false
		for _, u := range o.points(all) {
			for value := range o.at(all, u) {
				if o.kind == "one" && value != s.Value && s.To < u && u <= v && !holds(value, u-1) {
					settled = true
				}
			}
		}
		doubt := false
		coarse := func(t memory.Time) bool {
			return t.Micros == s.To && t.Gran != memory.Instant && v < t.End()
		}
		for _, c := range all {
			if c.f() >= c.t() || c.a.News == memory.TakingBack {
				continue
			}
			switch {
			case c.a.News == memory.End:
				doubt = doubt || !c.assumed && coarse(c.from) && (c.value == "" || c.value == s.Value)
			case c.value == s.Value:
				doubt = doubt || c.t() != never && coarse(c.to)
			case o.kind == "one":
				doubt = doubt || !c.assumed && coarse(c.from) && holds(c.value, c.f())
			}
		}
		if doubt && !settled {
			ended = append(ended, s)
			for _, other := range segments {
				if o.kind == "one" && other.From == s.To && v < other.To {
					began = append(began, other)
				}
			}
		}
	}
	return ended, began
}

// begins gives the assertion that a segment is named by.
func (o beliefOracle) begins(all []*said, s segment) (id memory.ID, from bool) {
	supporters := o.supporters(all, s)
	for _, stated := range []bool{true, false} {
		for _, c := range supporters {
			if c.f() == s.From && c.assumed != stated {
				return c.id, true
			}
		}
	}
	return supporters[0].id, false
}

// neighbours gives the first segments of another value that touch one.
func (o beliefOracle) neighbours(all []*said, segments []segment, s segment) (before, after memory.ID) {
	for _, other := range segments {
		if o.kind != "one" || other.Value == s.Value {
			continue
		}
		name, _ := o.begins(all, other)
		if other.To == s.From && before.IsZero() {
			before = name
		}
		if other.From == s.To && after.IsZero() {
			after = name
		}
	}
	return before, after
}

// endsBy says what the end of a segment is based on.
func (o beliefOracle) endsBy(all []*said, s segment) memory.Basis {
	if s.To == never {
		return ""
	}
	for _, c := range o.supporters(all, s) {
		if c.t() == s.To {
			return memory.Stated
		}
	}
	out := memory.Implied
	if _, on := o.at(all, s.To)[s.Value]; on {
		return out
	}
	for _, e := range all {
		if e.a.News == memory.End && e.f() == s.To && (e.value == "" || e.value == s.Value) {
			if out = memory.Stated; e.assumed {
				out = memory.Assumed
			}
		}
	}
	return out
}

// stale reports whether a segment is in doubt at v for what it depends on, or
// because an erasure opened it again.
func (o beliefOracle) stale(all []*said, s segment, v int64, asked []memory.ID) string {
	supporters := o.supporters(all, s)
	for _, c := range supporters {
		for j, r := range o.log {
			erased, ok := r.Body.(*memory.Erased)
			heard := slices.ContainsFunc(supporters, func(d *said) bool { return d.at > j })
			if !ok || heard {
				continue
			}
			for _, id := range erased.Reopened {
				if o.first(id, j) == c.at {
					return "later source erased"
				}
			}
		}
	}
	v = max(s.From, min(v, s.To-1))
	for _, c := range supporters {
		depends := false
		for _, id := range c.a.Depends {
			depends = depends || o.over(id, v, asked)
		}
		if !depends {
			return ""
		}
	}
	return "depends on what no longer holds"
}

// over reports whether nothing that an assertion says goes on after v, or all of
// it is in doubt. asked are those that the question came from.
func (o beliefOracle) over(id memory.ID, v int64, asked []memory.ID) bool {
	if slices.Contains(asked, id) {
		return false
	}
	i := o.first(id, len(o.log))
	if i < 0 {
		return true
	}
	a, ok := o.log[i].Body.(*memory.Assertion)
	if !ok {
		return true
	}
	slot := oracleOf(o.log, o.cut, follow(o.who(), fold(a.Subject)), strings.ReplaceAll(fold(a.Predicate), " ", "_"))
	all := slot.living()
	for _, s := range slot.segments(all) {
		says := slices.ContainsFunc(slot.supporters(all, s), func(c *said) bool { return c.id == id })
		if says && s.To > v && slot.stale(all, s, v, append(slices.Clone(asked), id)) == "" {
			return false
		}
	}
	return true
}
