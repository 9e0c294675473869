package bitemporal

import (
	"fmt"

	"engram/memory"
)

// Tally counts points and those that were right.
type Tally struct {
	Points  int     `json:"points"`
	Correct int     `json:"correct"`
	Share   float64 `json:"correct_share"`
}

func (s *Tally) add(o Tally) {
	s.Points += o.Points
	s.Correct += o.Correct
	s.Share = float64(s.Correct) / float64(max(s.Points, 1))
}

func (s *Tally) count(right bool) {
	s.add(Tally{Points: 1, Correct: choose(right, 1, 0)})
}

// Report is what a run gave, in the shape of --json. The kind of news
// of a point is that of the latest telling about its slot that is known there,
// "none" before the first.
type Report struct {
	Worlds     int               `json:"worlds"`
	Points     int               `json:"points"`
	Share      float64           `json:"correct_share"`
	ByLanguage map[Lang]*Tally   `json:"by_language"`
	ByNews     map[string]*Tally `json:"by_news_kind"`
	Turns      int               `json:"-"`
	Tellings   int               `json:"-"`
	Failures   []Failure         `json:"-"` // the first of each world, so many of each language as was asked for
	ByHow      map[string]*Tally `json:"-"` // by how the latest telling was made
	ByTopic    map[string]*Tally `json:"-"` // by language and predicate, of points that are about one slot
}

// Failure is a point at which the facts were not the truth.
type Failure struct {
	World     string
	Lang      Lang
	Seed      uint64
	Index     int
	Slot      string
	Valid     memory.Time
	Known     memory.Known
	Place     int // of Known in the log
	Got, Want string
	How       string // the latest telling of the slot that is known there was made
	Words     string // its turn
}

// String says everything that is needed to see the failure again.
func (f *Failure) String() string {
	known := fmt.Sprintf("%d", f.Known.Seq)
	if f.Known.Seq == 0 {
		known = fmt.Sprintf("%s (place %d)", f.Known.Time, f.Place)
	}
	last := ""
	if f.Words != "" {
		last = fmt.Sprintf("; last heard (%s): %q", f.How, f.Words)
	}
	return fmt.Sprintf("--seed %d --lang %s, world %s: %s as of %s, known at %s: got %s, want %s%s",
		f.Seed, f.Lang, f.World, f.Slot, f.Valid, known, f.Got, f.Want, last)
}

// worldFailures is how many failures of a world are kept, if it has no share of
// more.
const worldFailures = 2

// worldResult is what one world gave.
type worldResult struct {
	lang            Lang
	share           Tally
	turns, tellings int
	failures        []Failure
	most            int // failures

	byNews, byHow, byTopic map[string]*Tally
}

func newWorldResult(w *World, most int) *worldResult {
	return &worldResult{
		lang: w.Lang, turns: len(w.turns), most: most,
		byNews: map[string]*Tally{}, byHow: map[string]*Tally{}, byTopic: map[string]*Tally{},
	}
}

func (r *worldResult) fail(w *World, p *point, slot string, got, want belief) {
	if len(r.failures) >= r.most {
		return
	}
	f := Failure{
		World: w.Name, Lang: w.Lang, Seed: w.Seed, Index: w.Index, Slot: slot, Valid: p.valid, Known: p.known, Place: p.place,
		Got: got.String(), Want: want.String(),
	}
	for _, s := range w.Slots {
		if s.name() == slot {
			if t := s.latest(p.place); t != nil {
				f.How, f.Words = t.how, t.words.text
			}
		}
	}
	r.failures = append(r.failures, f)
}

func summariseWorlds(results []*worldResult, most int) *Report {
	out := &Report{Worlds: len(results), ByLanguage: map[Lang]*Tally{}, ByNews: map[string]*Tally{}, ByHow: map[string]*Tally{}, ByTopic: map[string]*Tally{}}
	var all Tally
	listed := map[Lang]int{}
	for _, r := range results {
		all.add(r.share)
		merge(out.ByLanguage, map[Lang]*Tally{r.lang: &r.share})
		merge(out.ByNews, r.byNews)
		merge(out.ByHow, r.byHow)
		merge(out.ByTopic, r.byTopic)
		out.Turns += r.turns
		out.Tellings += r.tellings
		first := r.failures[:min(len(r.failures), most-listed[r.lang])]
		listed[r.lang] += len(first)
		out.Failures = append(out.Failures, first...)
	}
	out.Points, out.Share = all.Points, all.Share
	return out
}

func merge[K comparable](into, from map[K]*Tally) {
	for k, t := range from {
		if into[k] == nil {
			into[k] = new(Tally)
		}
		into[k].add(*t)
	}
}

// Line is one line of a report for people.
type Line struct {
	Name string
	Tally
}

// Details gives finer parts: how the latest telling was made, then languages with
// predicates.
func (r *Report) Details() []Line {
	var out []Line
	for _, parts := range []map[string]*Tally{r.ByHow, r.ByTopic} {
		for _, name := range sortedKeys(parts) {
			out = append(out, Line{name, *parts[name]})
		}
	}
	return out
}

// Lines gives the parts of the report, in order: languages, then kinds of news.
func (r *Report) Lines() []Line {
	var out []Line
	for _, lang := range sortedKeys(r.ByLanguage) {
		out = append(out, Line{string(lang), *r.ByLanguage[lang]})
	}
	for _, news := range sortedKeys(r.ByNews) {
		out = append(out, Line{news, *r.ByNews[news]})
	}
	return out
}

func countIn(m map[string]*Tally, key string, right bool) {
	if m[key] == nil {
		m[key] = new(Tally)
	}
	m[key].count(right)
}
