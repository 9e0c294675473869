// Package timeline folds the log of a space into what can be read: which
// episodes there are, which of them were taken back or replaced, how they are
// tied, pinned and used, and which facts the assertions amount to (docs/model.md),
// as known at any position or time of the log.
//
// It is a pure function of the records and may import memory and, to compare
// names, the Unicode normalisation of golang.org/x/text.
package timeline

import (
	"slices"

	"engram/memory"
)

// Fold is the folded log of one space. Not safe for concurrent use while Apply
// runs; reads may run at once.
//
// It is lean for the ordinary episode, which costs its Entry, its row in the
// log and its place in the index of ids; whatever only some episodes have is
// kept in maps.
type Fold struct {
	log     []row                       // all records, damaged ones too, in seq order
	rows    map[memory.ID]int32         // where a record stands in the log; the first of an id counts
	types   map[int32]memory.RecordType // of the rows that are no episodes
	entries []Entry
	damaged []memory.Seq

	marked     bitmap               // ordinals whose visibility needs a closer look
	retractors map[int32][]int32    // row → rows of the retracts that name it
	versions   map[string][]int32   // key → ordinals
	links      map[int32][]tie      // ordinal → associations that start there
	pins       map[int32][]pinEvent // ordinal → pins and unpins
	uses       map[int32][]useEvent // ordinal → feedback that names it

	beliefs *beliefs
}

// row is what the fold keeps of every record. Rows and ordinals are int32: a
// space of two thousand million records does not fit one process.
type row struct {
	seq      memory.Seq
	recorded int64
	ordinal  int32 // of the episode; -1 if it is none
}

// Entry is one episode with its place in the log. It is never changed.
type Entry struct {
	Seq      memory.Seq
	ID       memory.ID
	Recorded int64
	IDKey    string
	Episode  *memory.Episode

	row int32
}

// Located says where a record is. Ordinal is -1 for what is no episode.
type Located struct {
	Type    memory.RecordType
	Seq     memory.Seq
	Ordinal int
}

// Schema gives what the fold knows of predicates.
func (f *Fold) Schema() Schema { return f.beliefs.schema }

// New gives the fold of an empty log; the schema says what predicates are like.
func New(s Schema) *Fold {
	return &Fold{
		beliefs:    newBeliefs(s),
		rows:       map[memory.ID]int32{},
		types:      map[int32]memory.RecordType{},
		retractors: map[int32][]int32{},
		versions:   map[string][]int32{},
		links:      map[int32][]tie{},
		pins:       map[int32][]pinEvent{},
		uses:       map[int32][]useEvent{},
	}
}

// Apply adds the next record of the log. Records come in the order of Seq,
// gaps are allowed; one that is not behind the head has been applied already
// and is ignored. A damaged record (nil Body) is noted and skipped. The fold
// keeps the Body, which must not be changed afterwards.
//
// What a record says about records that are not before it in the log (erased,
// unknown, or later) is ignored.
func (f *Fold) Apply(r memory.Record) {
	if r.Seq <= f.Head() {
		return
	}
	at := int32(len(f.log))
	rw := row{seq: r.Seq, recorded: r.Recorded, ordinal: -1}
	if at > 0 { // the search by time needs the order, also past a damaged row
		rw.recorded = max(rw.recorded, f.log[at-1].recorded)
	}
	switch body := r.Body.(type) {
	case nil:
		f.damaged = append(f.damaged, r.Seq)
		f.log = append(f.log, rw)
		return
	case *memory.Episode:
		rw.ordinal = f.addEpisode(at, r, body)
	case *memory.Retract:
		f.addRetract(at, body)
	case *memory.Association:
		if body.Rel == memory.SameAs || body.Rel == memory.Apart {
			f.addNaming(at, body)
		} else {
			f.addAssociation(at, body)
		}
	case *memory.Assertion:
		f.addAssertion(at, r, body)
	case *memory.Settlement:
		f.addSettlement(at, body)
	case *memory.Feedback:
		f.addFeedback(at, body)
	case *memory.Erased: // what it removed is not in the log any more
		f.addReopened(at, body)
	}
	f.log = append(f.log, rw)
	if rw.ordinal < 0 {
		f.types[at] = r.Body.Type()
	}
	if _, taken := f.rows[r.ID]; !taken {
		f.rows[r.ID] = at
	}
}

func (f *Fold) addEpisode(at int32, r memory.Record, e *memory.Episode) (ordinal int32) {
	ordinal = int32(len(f.entries))
	f.entries = append(f.entries, Entry{
		Seq: r.Seq, ID: r.ID, Recorded: r.Recorded, IDKey: r.IDKey, Episode: e, row: at,
	})
	if e.Key != "" {
		older := f.versions[e.Key]
		if n := len(older); n > 0 {
			f.marked.set(older[n-1]) // those before it are marked since their own successor
		}
		f.versions[e.Key] = append(older, ordinal)
	}
	return ordinal
}

func (f *Fold) addRetract(at int32, r *memory.Retract) {
	if r.Always {
		f.beliefs.always[at] = true
	}
	f.beliefs.forget()
	for _, id := range r.Targets {
		target, ok := f.rows[id]
		if !ok {
			continue
		}
		f.retractors[target] = append(f.retractors[target], at)
		if i := f.log[target].ordinal; i >= 0 {
			f.marked.set(i)
		}
	}
}

// ordinal gives the episode that has the id, if there is one.
func (f *Fold) ordinal(id memory.ID) (int32, bool) {
	at, ok := f.rows[id]
	if !ok || f.log[at].ordinal < 0 {
		return 0, false
	}
	return f.log[at].ordinal, true
}

// Len gives the number of episodes in the log, active or not.
func (f *Fold) Len() int { return len(f.entries) }

// Entry gives an episode by its ordinal, its place among the episodes counted
// from 0. Ordinals never change within an epoch.
func (f *Fold) Entry(i int) *Entry { return &f.entries[i] }

// Find locates a record of any type by its id. Damaged records have none.
func (f *Fold) Find(id memory.ID) (record Located, ok bool) {
	at, ok := f.rows[id]
	if !ok {
		return Located{}, false
	}
	r := f.log[at]
	found := Located{Type: memory.TypeEpisode, Seq: r.seq, Ordinal: int(r.ordinal)}
	if r.ordinal < 0 {
		found.Type = f.types[at]
	}
	return found, true
}

// Head gives the place of the last record applied.
func (f *Fold) Head() memory.Seq {
	if len(f.log) == 0 {
		return 0
	}
	return f.log[len(f.log)-1].seq
}

// Damaged gives the places of the records that could not be decoded, in order.
func (f *Fold) Damaged() []memory.Seq { return slices.Clone(f.damaged) }
