package bitemporal

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"engram/eval"
	"engram/memory"
)

// Questions says which worlds a benchmark is made of.
type Questions struct {
	Worlds int // of each language. Defaults to 5
	Points int // questions of each world. Defaults to 20
	Seed   uint64
	Langs  []Lang // Defaults to English and Chinese
}

// Benchmark makes worlds and asks what was so at some moment, half of the
// moments at borders of what was told, and every fourth as far as it was known at
// some earlier time. The turns are words alone. Asked is only where the truth is
// plain: nothing disputed, no coarse date in which two values may hold, and no
// nickname, which only links would explain.
func (o Questions) Benchmark() *eval.Benchmark {
	if o.Worlds <= 0 {
		o.Worlds = 5
	}
	if o.Points <= 0 {
		o.Points = 20
	}
	if len(o.Langs) == 0 {
		o.Langs = []Lang{English, Chinese}
	}
	return &eval.Benchmark{
		Name: "bitemporal", Questions: o.Worlds * o.Points * len(o.Langs),
		Cases: func(yield func(*eval.Case, error) bool) {
			for _, lang := range o.Langs {
				for i := range o.Worlds {
					if !yield(NewWorld(lang, o.Seed, i).asCase(o.Points), nil) {
						return
					}
				}
			}
		},
	}
}

// asCase makes a case of the world.
func (w *World) asCase(points int) *eval.Case {
	c := &eval.Case{Name: w.Name}
	for i, r := range w.Records {
		e, ok := r.Body.(*memory.Episode)
		if !ok {
			continue
		}
		turn := eval.Turn{Episode: *e, Recorded: r.Recorded}
		turn.IDKey = w.key(i + 1)
		c.Turns = append(c.Turns, turn)
	}
	random := rand.New(rand.NewPCG(w.Seed^0x2545f4914f6cdd1d, uint64(w.Index)<<8|uint64(w.Lang[0]))) //nolint:gosec // a sample, not a secret
	for tries := 0; len(c.Questions) < points && tries < 1000*points; tries++ {
		if q, ok := w.question(w.point(random), len(c.Questions)%4 == 3); ok {
			q.ID = fmt.Sprintf("%s/q%d", w.Name, len(c.Questions))
			c.Questions = append(c.Questions, q)
		}
	}
	return c
}

func (w *World) key(place int) string { return fmt.Sprintf("%s/%d", w.Name, place) }

// question asks for what holds at a point. ok is false where that has no plain
// answer.
func (w *World) question(p *point, earlier bool) (q eval.Question, ok bool) {
	words := languages[w.Lang].questions[p.slot.questionName()]
	if words == "" || w.nicknamed(p.slot) || len(p.slot.told) == 0 || p.valid.Micros < w.from {
		return q, false
	}
	place := len(w.Records)
	if earlier {
		p.known.Time = memory.Micros(w.Records[p.place-1].Recorded)
		q.Ask.Known = p.known.Time
		place = w.placeAt(p.known.Time.Micros)
	}
	belief := p.slot.listener.believes(p.valid.Micros, place)
	for _, value := range sortedKeys(belief) {
		if belief[value] != (mark{}) {
			return q, false
		}
		q.Right = append(q.Right, p.slot.surface(value))
	}
	for _, t := range p.slot.told {
		if v := strings.TrimSpace(t.value); v != "" && !slices.Contains(q.Right, v) && !slices.Contains(q.Wrong, v) && t.words.place <= place {
			q.Wrong = append(q.Wrong, v)
		}
	}
	q.Category = w.category(p, earlier)
	q.Ask.Valid = p.valid
	q.Answer = strings.Join(q.Right, ", ")
	q.Evidence = w.evidence(p.slot, q.Right, place)
	q.Unanswerable = len(q.Right) == 0
	q.Ask.Text = w.text(words, p, earlier)
	return q, len(q.Right) == 0 || len(q.Evidence) > 0
}

func (w *World) category(p *point, earlier bool) string {
	name := string(w.Lang) + " " + map[plurality]string{single: "one value", plural: "several values", event: "events"}[p.slot.topic.kind]
	if earlier {
		name += ", as known earlier"
	}
	return name
}

// text puts the point into words.
func (w *World) text(words string, p *point, earlier bool) string {
	zone := time.FixedZone("", int(w.turns[0].offset)*60)
	dates := languages[w.Lang].dates
	day := func(us int64) string {
		t := memory.At(time.UnixMicro(us).In(zone))
		t.Gran = memory.Day
		return dates.name(t)
	}
	text := strings.NewReplacer("{s}", p.slot.Subject, "{date}", day(p.valid.Micros)).Replace(words)
	if earlier {
		text = strings.ReplaceAll(languages[w.Lang].earlier, "{date}", day(p.known.Time.Micros)) + text
	}
	return text
}

func (s *Slot) questionName() string {
	if s.Subject == "user" {
		return "user " + s.Predicate
	}
	return s.Predicate
}

// nicknamed reports whether the slot's subject or a value of it goes by another
// name too.
func (w *World) nicknamed(s *Slot) bool {
	names := []string{fold(s.Subject)}
	for _, t := range s.told {
		names = append(names, fold(t.value))
	}
	for _, entity := range w.names {
		if slices.Contains(names, entity) {
			return true
		}
	}
	return false
}

// surface gives a folded value as it was told.
func (s *Slot) surface(folded string) string {
	for _, t := range s.told {
		if fold(t.value) == folded {
			return t.value
		}
	}
	return folded
}

// evidence are, of each right value, the words that told it last.
func (w *World) evidence(s *Slot, right []string, place int) []string {
	var keys []string
	for _, value := range right {
		last := 0
		for _, t := range s.told {
			if fold(t.value) == fold(value) && t.news != memory.End && t.words.place <= place {
				last = max(last, t.words.place)
			}
		}
		if last > 0 {
			keys = append(keys, w.key(last))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
