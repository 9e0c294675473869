package bitemporal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"engram/memory"
)

// listen hands the tellings of a slot to a listener.
func (s *Slot) listen() {
	news := make([]heard, len(s.told))
	for i, t := range s.told {
		news[i] = t.heard()
	}
	s.listener = newListener(s.topic.kind, news)
}

// heard is what a listener keeps of a telling.
func (t *telling) heard() heard {
	h := heard{
		place: t.order, order: t.order, news: t.news, value: fold(t.value), from: t.from, to: t.to,
		rank: t.trust(), replaces: fold(t.replaces), said: memory.Micros(t.recorded), // the log's own clock is in UTC
	}
	if !t.loose {
		first := t.words
		if t.echo != nil && t.echo.place < first.place {
			first = t.echo
		}
		h.place, h.said = first.place, first.when()
	}
	if t.dated {
		h.said = t.words.when()
	}
	if t.names != nil {
		h.names = t.names.order
	}
	return h
}

// trust ranks a telling by its source.
func (t *telling) trust() int {
	if t.slot.topic.byTools && t.words.source == memory.Tool {
		return 0
	}
	return 1 + slices.Index([]memory.Source{memory.User, memory.Tool, memory.Assistant, memory.Import, memory.Web}, t.words.source)
}

// truthRow is one line of a slot's truth: what holds from one moment to another for
// who knows the log up to a place.
type truthRow struct {
	Subject   string          `json:"subject"`
	Predicate string          `json:"predicate"`
	Known     int             `json:"known_from"` // until the next known_from of the slot
	From      string          `json:"from,omitempty"`
	To        string          `json:"to,omitempty"`
	Holds     map[string]mark `json:"holds"`
}

// table is the whole truth about a slot, valid × known. Moments at which
// nothing holds have no row.
func (s *Slot) table() []truthRow {
	var rows []truthRow
	borders := s.borders()
	for _, known := range s.places() {
		m := s.listener.upTo(known)
		var open *truthRow
		for i, v := range borders {
			b := m.believes(v)
			if open != nil && maps.Equal(open.Holds, b) {
				continue
			}
			if open != nil {
				open.To = instant(v)
				rows = append(rows, *open)
				open = nil
			}
			if len(b) > 0 {
				open = &truthRow{Subject: s.Subject, Predicate: s.Predicate, Known: known, From: instant(borders[i]), Holds: b}
			}
		}
		if open != nil {
			rows = append(rows, *open)
		}
	}
	return rows
}

func instant(us int64) string { return time.UnixMicro(us).UTC().Format(time.RFC3339Nano) }

// places are those at which the slot's news came.
func (s *Slot) places() []int {
	var out []int
	for _, h := range s.listener.news {
		out = append(out, h.place)
	}
	return slices.Compact(out)
}

// borders are the moments at which what holds can change, in order.
func (s *Slot) borders() []int64 {
	var out []int64
	for _, h := range s.listener.news {
		for _, t := range []memory.Time{h.from, h.to, h.said} {
			if !t.IsZero() {
				out = append(out, t.Micros, t.End(), lasts(t))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Dump writes a world as JSON, one object a line: the world, what was true, the
// log with the words and the statements, and the truth that a reader of the log
// is measured against.
func (w *World) Dump(out io.Writer) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	lines := []any{map[string]any{"world": w.Name, "lang": w.Lang, "seed": w.Seed, "from": instant(w.from), "to": instant(w.to), "records": len(w.Records)}}
	begin := time.UnixMicro(w.from).In(time.FixedZone("", int(w.turns[0].offset)*60))
	for _, s := range w.Slots {
		for _, y := range s.Life {
			line := map[string]string{"subject": s.Subject, "predicate": s.Predicate, "object": y.Value, "from": begin.AddDate(0, 0, y.From).Format(time.DateOnly)}
			if y.To > 0 {
				line["to"] = begin.AddDate(0, 0, y.To).Format(time.DateOnly)
			}
			lines = append(lines, map[string]any{"life": line})
		}
	}
	hows := map[memory.ID]string{}
	for _, t := range w.turns {
		for _, told := range t.told {
			hows[told.id] = told.how
		}
	}
	for _, r := range w.Records {
		line := map[string]any{"seq": r.Seq, "id": r.ID, "recorded": instant(r.Recorded), string(r.Body.Type()): r.Body}
		if how, ok := hows[r.ID]; ok {
			line["how"] = how
		}
		lines = append(lines, line)
	}
	for _, s := range w.Slots {
		for _, row := range s.table() {
			lines = append(lines, map[string]any{"truth": row})
		}
	}
	for _, line := range lines {
		if err := enc.Encode(line); err != nil {
			return fmt.Errorf("write the world %s: %w", w.Name, err)
		}
	}
	return nil
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
