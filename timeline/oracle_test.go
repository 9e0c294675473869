package timeline

import (
	"bytes"
	"slices"
	"sort"

	"engram/memory"
)

// observed is everything that can be read of a view.
type observed struct {
	Seq      memory.Seq
	Len      int
	Count    int
	Episodes []observedEpisode
	Pins     []Pin
	Active   map[memory.ID]bool
}

type observedEpisode struct {
	ID           memory.ID
	Text         string
	Visible      bool
	ReplacedBy   int // -1: not replaced
	Links        []memory.Link
	Use          Use
	RecordActive bool
}

// observe reads a view through its methods.
func observe(f *Fold, v View, ids []memory.ID) observed {
	o := observed{Seq: v.Seq(), Len: v.Len(), Count: v.Count(), Pins: v.Pins(), Active: map[memory.ID]bool{}}
	for i := range v.Len() {
		e := observedEpisode{
			ID: f.Entry(i).ID, Text: f.Entry(i).Episode.Text,
			Visible: v.Visible(i), ReplacedBy: -1, Links: v.Links(i), Use: v.Uses(i),
			RecordActive: v.Active(f.Entry(i).ID),
		}
		if by, ok := v.Replaced(i); ok {
			e.ReplacedBy = by
		}
		o.Episodes = append(o.Episodes, e)
	}
	for _, id := range ids {
		o.Active[id] = v.Active(id)
	}
	return o
}

// oracle answers the same questions from the definition, by looking at every
// record again each time.
type oracle []memory.Record

// upTo gives the records at or before seq.
func (o oracle) upTo(seq memory.Seq) oracle {
	var out oracle
	for _, r := range o {
		if r.Seq <= seq {
			out = append(out, r)
		}
	}
	return out
}

// before finds the record with the id among the first n; -1 if none.
func (o oracle) before(n int, id memory.ID) int {
	return slices.IndexFunc(o[:n], func(r memory.Record) bool { return r.ID == id && r.Body != nil })
}

// active gives for each record whether it is active, from the last to the first.
func (o oracle) active() []bool {
	active := make([]bool, len(o))
	for i := range o {
		active[i] = o[i].Body != nil
	}
	for j := len(o) - 1; j >= 0; j-- {
		retract, ok := o[j].Body.(*memory.Retract)
		if !ok || !active[j] {
			continue
		}
		for _, id := range retract.Targets {
			if i := o.before(j, id); i >= 0 {
				active[i] = false
			}
		}
	}
	return active
}

func (o oracle) observe(ids []memory.ID) observed {
	out := observed{Active: map[memory.ID]bool{}}
	if len(o) > 0 {
		out.Seq = o[len(o)-1].Seq
	}
	active := o.active()
	for _, id := range ids {
		i := o.before(len(o), id)
		out.Active[id] = i >= 0 && active[i]
	}
	var episodes []int // record index by ordinal
	for i, r := range o {
		if _, ok := r.Body.(*memory.Episode); ok {
			episodes = append(episodes, i)
		}
	}
	out.Len = len(episodes)
	for ordinal, i := range episodes {
		e := o.episode(i, active)
		for later, j := range episodes {
			key := o[i].Body.(*memory.Episode).Key
			if later > ordinal && key != "" && active[j] && o[j].Body.(*memory.Episode).Key == key {
				e.ReplacedBy = later
			}
		}
		e.Visible = active[i] && e.ReplacedBy < 0
		e.RecordActive = out.Active[e.ID]
		if e.Visible {
			out.Count++
			if p := o.pin(i, active); p != nil {
				p.Ordinal = ordinal
				out.Pins = append(out.Pins, *p)
			}
		}
		out.Episodes = append(out.Episodes, e)
	}
	return out
}

// episode gives links and uses of the record at i.
func (o oracle) episode(i int, active []bool) observedEpisode {
	body := o[i].Body.(*memory.Episode)
	e := observedEpisode{ID: o[i].ID, Text: body.Text, ReplacedBy: -1}
	set := map[memory.Link]bool{}
	for _, l := range body.Links {
		set[l] = true
	}
	var rewards []float64
	for j, r := range o {
		if !active[j] {
			continue
		}
		names := func(list []memory.ID) (n int) {
			for _, id := range list {
				if o.before(j, id) == i {
					n = 1
				}
			}
			return n
		}
		switch b := r.Body.(type) {
		case *memory.Association:
			if o.before(j, b.From) == i && o.before(j, b.To) >= 0 {
				set[memory.Link{Rel: b.Rel, To: b.To}] = true
			}
		case *memory.Feedback:
			used, followed, helped, hurt := names(b.Used), names(b.Followed), names(b.Helped), names(b.Hurt)
			e.Use.Used += used
			e.Use.Followed += followed
			e.Use.Helped += helped
			e.Use.Hurt += hurt
			if b.Reward != nil && used+followed+helped+hurt > 0 {
				rewards = append(rewards, *b.Reward)
			}
		}
	}
	for l := range set {
		e.Links = append(e.Links, l)
	}
	sort.Slice(e.Links, func(a, b int) bool {
		x, y := e.Links[a], e.Links[b]
		return x.Rel < y.Rel || x.Rel == y.Rel && bytes.Compare(x.To[:], y.To[:]) < 0
	})
	for _, r := range rewards {
		e.Use.Reward += r
	}
	if e.Use.Rewards = len(rewards); e.Use.Rewards > 0 {
		e.Use.Reward /= float64(e.Use.Rewards)
	}
	return e
}

// pin gives the pin of the record at i, nil if it is not pinned.
func (o oracle) pin(i int, active []bool) *Pin {
	var pin *Pin
	for j, r := range o {
		fb, ok := r.Body.(*memory.Feedback)
		if !ok || !active[j] {
			continue
		}
		for _, id := range fb.Pin {
			if o.before(j, id) == i {
				pin = &Pin{Due: fb.Due}
				if fb.Priority != nil {
					pin.Priority = *fb.Priority
				}
			}
		}
		for _, id := range fb.Unpin {
			if o.before(j, id) == i {
				pin = nil
			}
		}
	}
	return pin
}
