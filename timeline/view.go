package timeline

import (
	"sort"

	"engram/memory"
)

// View is a Fold as it was known at one place of the log: what was appended
// later does not exist in it. It is a small value and makes no copy, so it may
// be read only while nothing is applied to its fold; a View that is read after
// a later Apply gives the same answers as before.
//
// A record is active in a view if it is there and no active retract of the
// view names it. Methods that take an ordinal may be given any in [0, Fold.Len).
type View struct {
	f    *Fold
	seq  memory.Seq // what is known
	head memory.Seq // what is in the log
	n    int        // episodes
}

// View gives the fold as known at a position (the head if that is beyond it)
// or at a time; zero is the head. A time includes the whole of itself: what
// was recorded on a day is known at that day.
func (f *Fold) View(k memory.Known) View {
	return f.ViewOf(f.Head(), k)
}

// ViewOf is View on the log as it was at an earlier position, so that an answer
// can be given again. The two differ for facts: one that was read out of the
// words later counts as known from the words on, but was not in the log.
func (f *Fold) ViewOf(head memory.Seq, k memory.Known) View {
	head = min(head, f.Head())
	v := View{f: f, seq: head, head: head}
	switch {
	case k.Seq != 0:
		v.seq = min(k.Seq, v.seq)
	case !k.Time.IsZero():
		end := k.Time.End()
		rows := sort.Search(len(f.log), func(i int) bool { return f.log[i].recorded >= end })
		v.seq = 0
		if rows > 0 {
			v.seq = min(f.log[rows-1].seq, head)
		}
	}
	v.n = len(f.entries)
	if v.seq < f.Head() {
		v.n = sort.Search(len(f.entries), func(i int) bool { return f.entries[i].Seq > v.seq })
	}
	return v
}

// Seq gives the place that the view looks from; 0 is before the first record.
func (v View) Seq() memory.Seq { return v.seq }

// Len gives the number of episodes in the view, visible or not: the ordinals [0, Len).
func (v View) Len() int { return v.n }

// Visible reports whether episode i is in the view, active, and not replaced
// by a later active version of its key.
func (v View) Visible(i int) bool {
	if i >= v.n {
		return false
	}
	if !v.f.marked.has(i) {
		return true
	}
	if !v.active(v.f.entries[i].row) {
		return false
	}
	_, replaced := v.Replaced(i)
	return !replaced
}

// Count gives the number of visible episodes.
func (v View) Count() int {
	n := v.n
	for i := range v.f.marked.below(v.n) {
		if !v.Visible(i) {
			n--
		}
	}
	return n
}

// Replaced gives the version that stands in the place of episode i: the newest
// active one of its key, if that is later than i. It says nothing about
// whether i itself was retracted. Versions follow the order of the log.
func (v View) Replaced(i int) (by int, ok bool) {
	if i >= v.n || !v.f.marked.has(i) {
		return 0, false
	}
	versions := v.f.versions[v.f.entries[i].Episode.Key]
	known := sort.Search(len(versions), func(j int) bool { return int(versions[j]) >= v.n })
	for j := known - 1; j >= 0 && int(versions[j]) > i; j-- {
		if by = int(versions[j]); v.active(v.f.entries[by].row) {
			return by, true
		}
	}
	return 0, false
}

// Active reports whether a record of any type is in the view and active.
func (v View) Active(id memory.ID) bool {
	at, ok := v.f.rows[id]
	return ok && v.active(at)
}

func (v View) active(at int32) bool {
	return v.f.log[at].seq <= v.seq && v.standing(at)
}

// standing reports whether no active retract of the view names the row.
func (v View) standing(at int32) bool {
	return len(v.f.retractors[at]) == 0 || v.stands(asked{at, false}, nil)
}

// asked is the question whether a row stands: as known at the view, or ever, to
// the head of its log.
type asked struct {
	row  int32
	ever bool
}

// stands answers. A retract reaches only backwards, so this comes to an end;
// done keeps what was found on the way, without which retracts of retracts of
// retracts that share targets would take exponential time.
func (v View) stands(q asked, done map[asked]bool) bool {
	if known, ok := done[q]; ok {
		return known
	}
	known := v.seq
	if q.ever {
		known = v.head
	}
	standing := true
	for _, r := range v.f.retractors[q.row] {
		// A retract for always counts whatever is known, and so does its undoing.
		ever := q.ever || v.f.beliefs.always[r]
		seq := v.f.log[r].seq
		if seq > v.head || !ever && seq > known {
			continue
		}
		if done == nil && len(v.f.retractors[r]) > 0 {
			done = map[asked]bool{}
		}
		if v.stands(asked{r, ever}, done) {
			standing = false
			break
		}
	}
	if done != nil {
		done[q] = standing
	}
	return standing
}
