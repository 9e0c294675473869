package eval

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

// BitemporalReport is what a run gave, in the shape of --json. The kind of news
// of a point is that of the latest telling about its slot that is known there,
// "none" before the first.
type BitemporalReport struct {
	Worlds     int                 `json:"worlds"`
	Points     int                 `json:"points"`
	Share      float64             `json:"correct_share"`
	ByLanguage map[Lang]*Tally     `json:"by_language"`
	ByNews     map[string]*Tally   `json:"by_news_kind"`
	Turns      int                 `json:"-"`
	Tellings   int                 `json:"-"`
	Failures   []BitemporalFailure `json:"-"` // the first of each world, at most maxFailures
	ByHow      map[string]*Tally   `json:"-"` // by how the latest telling was made
}

// BitemporalFailure is a point at which the facts were not the truth.
type BitemporalFailure struct {
	World     string
	Lang      Lang
	Seed      uint64
	Index     int
	Slot      string
	Valid     memory.Time
	Known     memory.Known
	Place     int // of Known in the log
	Got, Want string
}

// String says everything that is needed to see the failure again.
func (f *BitemporalFailure) String() string {
	known := fmt.Sprintf("%d", f.Known.Seq)
	if f.Known.Seq == 0 {
		known = fmt.Sprintf("%s (place %d)", f.Known.Time, f.Place)
	}
	return fmt.Sprintf("--seed %d --lang %s, world %s: %s as of %s, known at %s: got %s, want %s",
		f.Seed, f.Lang, f.World, f.Slot, f.Valid, known, f.Got, f.Want)
}

const (
	maxFailures   = 20
	worldFailures = 2
)

// worldResult is what one world gave.
type worldResult struct {
	lang            Lang
	share           Tally
	byNews, byHow   map[string]*Tally
	turns, tellings int
	failures        []BitemporalFailure
}

func (r *worldResult) fail(w *World, p *point, slot string, got, want belief) {
	if len(r.failures) < worldFailures {
		r.failures = append(r.failures, BitemporalFailure{
			World: w.Name, Lang: w.Lang, Seed: w.Seed, Index: w.Index, Slot: slot, Valid: p.valid, Known: p.known, Place: p.place,
			Got: got.String(), Want: want.String(),
		})
	}
}

func summariseWorlds(results []*worldResult) *BitemporalReport {
	out := &BitemporalReport{Worlds: len(results), ByLanguage: map[Lang]*Tally{}, ByNews: map[string]*Tally{}, ByHow: map[string]*Tally{}}
	var all Tally
	for _, r := range results {
		all.add(r.share)
		merge(out.ByLanguage, map[Lang]*Tally{r.lang: &r.share})
		merge(out.ByNews, r.byNews)
		merge(out.ByHow, r.byHow)
		out.Turns += r.turns
		out.Tellings += r.tellings
		if len(out.Failures) < maxFailures {
			out.Failures = append(out.Failures, r.failures...)
		}
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

// Lines gives the parts of the report, in order: languages, then kinds of news.
func (r *BitemporalReport) Lines() []Line {
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
