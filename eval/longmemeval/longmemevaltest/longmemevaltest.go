// Package longmemevaltest makes up files in the format of LongMemEval, for tests
// of everything that reads, asks and judges it. It imports the standard library
// alone.
package longmemevaltest

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"
)

// Options say how much is made up.
type Options struct {
	Each     int // questions of each of the six types. Defaults to 2
	Sessions int // sessions of each history, at least 4. Defaults to 30
}

// Item is one element of a file: a question and its history.
type Item struct {
	ID             string   `json:"question_id"`
	Type           string   `json:"question_type"`
	Question       string   `json:"question"`
	Answer         any      `json:"answer"` // a string or an int
	Date           string   `json:"question_date"`
	SessionIDs     []string `json:"haystack_session_ids"`
	Dates          []string `json:"haystack_dates"`
	Sessions       [][]Turn `json:"haystack_sessions"`
	AnswerSessions []string `json:"answer_session_ids"`
}

// Turn is one message. HasAnswer is nil outside of the answer sessions.
type Turn struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	HasAnswer *bool  `json:"has_answer,omitempty"`
}

// Layout is that of the dates, for package time.
const Layout = "2006/01/02 (Mon) 15:04"

// Generate writes the Items of the seed as a file.
func Generate(w io.Writer, seed uint64, o Options) error {
	b, err := json.MarshalIndent(Items(seed, o), "", "  ")
	if err != nil {
		return fmt.Errorf("generate LongMemEval: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// Items makes up questions of all six types, and one that cannot be answered
// ("_abs") of each type of which the data set has such. Every answer follows
// from the history and from nothing else in it: names are coined, and a thing
// is asked about once. The same seed gives the same items.
//
// They are as untidy as the real files: in every third one the sessions are in
// no order, in every fifth one two sessions share an id, in every seventh one
// no turn is marked, and some turns hold nothing that can be seen.
func Items(seed uint64, o Options) []Item {
	if o.Each <= 0 {
		o.Each = 2
	}
	if o.Sessions <= 0 {
		o.Sessions = 30
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), sessions: max(o.Sessions, most+1)} //nolint:gosec // made up, not secret
	var items []Item
	for _, k := range kinds {
		for range o.Each {
			items = append(items, g.item(len(items), k.name, "", k.tell(g, false)))
		}
		if k.abstention {
			items = append(items, g.item(len(items), k.name, "_abs", k.tell(g, true)))
		}
	}
	return items
}

type generator struct {
	*rand.Rand
	sessions int
	coined   map[string]bool
}

// item puts a story into a history of other sessions.
func (g *generator) item(n int, kind, suffix string, s story) Item {
	label := fmt.Sprintf("%08x", g.Uint32())
	it := Item{ID: label + suffix, Type: kind, Question: s.question}
	dates := g.dates()
	places := g.Perm(g.sessions)[:len(s.sessions)]
	slices.Sort(places)
	told := make([]time.Time, len(places))
	for i := range g.sessions {
		id, turns := fmt.Sprintf("%08x_%d", g.Uint32(), i%3+1), g.smallTalk()
		if at := slices.Index(places, i); at >= 0 {
			id, turns = fmt.Sprintf("answer_%s%s_%d", label, suffix, at+1), s.sessions[at]
			it.AnswerSessions, told[at] = append(it.AnswerSessions, id), dates[i]
		}
		it.SessionIDs = append(it.SessionIDs, id)
		it.Dates = append(it.Dates, dates[i].Format(Layout))
		it.Sessions = append(it.Sessions, turns)
	}
	it.Answer = s.answer(told)
	it.Date = dates[len(dates)-1].AddDate(0, 0, 1+g.IntN(9)).Format(Layout)
	g.untidy(n, &it, places)
	return it
}

// dates gives one for each session, in order, never two on one day.
func (g *generator) dates() []time.Time {
	dates := make([]time.Time, g.sessions)
	day := time.Date(2023, 1, 1+g.IntN(60), 0, 0, 0, 0, time.UTC)
	for i := range dates {
		day = day.AddDate(0, 0, 1+g.IntN(6))
		dates[i] = day.Add(time.Duration(7*60+g.IntN(16*60)) * time.Minute)
	}
	return dates
}

// untidy does to the item what Items says. Two sessions that share an id are
// never answer sessions.
func (g *generator) untidy(n int, it *Item, places []int) {
	if n%5 == 1 {
		var others []int
		for i := range it.SessionIDs {
			if slices.Index(places, i) < 0 {
				others = append(others, i)
			}
		}
		if len(others) > 1 {
			it.SessionIDs[others[len(others)-1]] = it.SessionIDs[others[0]]
		}
	}
	if n%7 == 2 {
		for _, i := range places {
			for j := range it.Sessions[i] {
				it.Sessions[i][j].HasAnswer = nil
			}
		}
	}
	if n%3 == 1 {
		g.Shuffle(len(it.Sessions), func(i, j int) {
			it.SessionIDs[i], it.SessionIDs[j] = it.SessionIDs[j], it.SessionIDs[i]
			it.Dates[i], it.Dates[j] = it.Dates[j], it.Dates[i]
			it.Sessions[i], it.Sessions[j] = it.Sessions[j], it.Sessions[i]
		})
	}
}
