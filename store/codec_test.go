package store_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
	"engram/store"
)

var update = flag.Bool("update", false, "write testdata anew")

const golden = "testdata/golden-v1.jsonl"

func id(n byte) memory.ID { return memory.ID{0: 0x01, 1: 0x90, 6: 0x70, 8: 0x80, 15: n} }

func ptr[T any](v T) *T { return &v }

// written are the records of the golden log that this version writes; their
// bodies are its first lines.
func written(t *testing.T) []memory.Record {
	t.Helper()
	when := func(s string) memory.Time {
		parsed, err := memory.ParseTime(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	return []memory.Record{
		{ID: id(1), Body: &memory.Episode{Text: "I moved to Kraków."}},
		{ID: id(2), IDKey: "chat-7/12", Body: &memory.Episode{
			Text: "她说 \"5 < 6 & 7\"\n\u2028end", Occurred: when("2026-03-08T15:04:05.000001+08:00"), Session: "chat-7",
			Speaker: "ann", Kind: memory.Observation, Source: memory.Tool, Path: "projects/engram", Key: "weather", IDKey: "chat-7/12",
			Metadata: map[string]string{"b": "2", "a": "1"},
			Links:    []memory.Link{{Rel: memory.ReplyTo, To: id(1)}, {Rel: memory.CausedBy, To: id(1)}}}},
		{ID: id(3), Body: &memory.Episode{Text: "in the spring", Occurred: when("2026-03Z")}},
		{ID: id(4), Body: &memory.Retract{Targets: []memory.ID{id(1), id(3)}, Reason: "misheard", Actor: "ann"}},
		{ID: id(5), Body: &memory.Association{From: id(2), Rel: memory.About, To: id(1)}},
		{ID: id(6), Body: &memory.Feedback{Answer: "q1", Used: []memory.ID{id(1)}, Followed: []memory.ID{id(1)},
			Helped: []memory.ID{id(1)}, Hurt: []memory.ID{id(2)}, Reward: ptr(-0.5)}},
		{ID: id(7), Body: &memory.Feedback{Pin: []memory.ID{id(2)}, Unpin: []memory.ID{id(1)}, Priority: ptr(2), Due: when("2026-04-01+02:00")}},
		{ID: id(8), Body: &memory.Erased{Counts: map[memory.RecordType]int{memory.TypeRetract: 1, memory.TypeEpisode: 2},
			Digests: []string{strings.Repeat("0f", 32)}, Reason: "asked to", Actor: "ann"}},
		{ID: id(9), Body: &memory.Erased{Counts: map[memory.RecordType]int{memory.TypeEpisode: 3}, All: true}},
		{ID: id(16), IDKey: "fact-1", Body: &memory.Assertion{
			Subject: "Ann", Predicate: "lives_in", Object: "Kraków", News: memory.Change, Said: when("2026-03-08T15:04Z"),
			Valid: memory.Interval{From: when("2026-03Z")}, Source: memory.User, Confidence: 0.9, Extractor: "rules", Version: "1",
			Provenance: []memory.Span{{Episode: id(1)}, {Episode: id(3), Start: 3, End: 13}}, Depends: []memory.ID{id(17)}, IDKey: "fact-1"}},
		{ID: id(17), Body: &memory.Assertion{
			Subject: "Ann", Predicate: "lives_in", Object: "Łódź", News: memory.Correction, Source: memory.Web, Corrects: id(16), Replaces: "Kraków"}},
		{ID: id(18), Body: &memory.Settlement{Winner: id(16), Losers: []memory.ID{id(17)}, Reason: "asked her", Actor: "bo"}},
		{ID: id(19), Body: &memory.Association{Rel: memory.SameAs, Name: "Annie", Entity: "Ann"}},
		{ID: id(20), Body: &memory.Association{Rel: memory.Apart, Name: "Annie"}},
		{ID: id(21), Body: &memory.Retract{Targets: []memory.ID{id(16)}, Always: true}},
		{ID: id(22), Body: &memory.Erased{Counts: map[memory.RecordType]int{memory.TypeAssertion: 1}, Reopened: []memory.ID{id(16)}}},
	}
}

// foreign are the lines behind them, which others have written.
var foreign = []struct {
	line   string
	want   memory.Record // without Raw
	damage error
}{
	{ // a field that this version does not know
		`{"v":1,"type":"episode","id":"01900000-0000-7000-8000-00000000000a","text":"hello","mood":{"glad":0.7}}`,
		memory.Record{ID: id(10), Body: &memory.Episode{Text: "hello"}}, nil,
	},
	{ // another order of fields, and white space
		`{ "text": "hi", "id": "01900000-0000-7000-8000-00000000000b", "id_key": "k", "type": "episode", "v": 1 }`,
		memory.Record{ID: id(11), IDKey: "k", Body: &memory.Episode{Text: "hi", IDKey: "k"}}, nil,
	},
	{ // a type that this version does not know
		`{"v":1,"type":"dream","id":"01900000-0000-7000-8000-00000000000c","text":"zzz"}`,
		memory.Record{ID: id(12), Damage: `unknown record type "dream": the store is damaged`}, memory.ErrCorrupt,
	},
	{ // a newer version
		`{"v":2,"type":"episode","id":"01900000-0000-7000-8000-00000000000d","words":["hi"]}`,
		memory.Record{ID: id(13), Damage: "the body has version 2, this program reads up to 1: written by a newer version of engram"}, memory.ErrNewerFormat,
	},
	{ // a field of the wrong type
		`{"v":1,"type":"feedback","id":"01900000-0000-7000-8000-00000000000e","reward":"much"}`,
		memory.Record{ID: id(14), Damage: "the feedback cannot be read: the store is damaged"}, memory.ErrCorrupt,
	},
	{ // no id
		`{"v":1,"type":"episode","text":"hi"}`,
		memory.Record{Damage: "the body has no version or no id: the store is damaged"}, memory.ErrCorrupt,
	},
	{ // cut off
		`{"v":1,"type":"episode","id":"01900000-0000-7000-8000-00000000000f","te`,
		memory.Record{Damage: "the body is no JSON object of a record: the store is damaged"}, memory.ErrCorrupt,
	},
}

// TestGolden reads a log of version 1. Its lines never change: a release that
// writes another version gets another golden log, and reads this one too.
func TestGolden(t *testing.T) {
	var want bytes.Buffer
	records := written(t)
	for i := range records {
		body, err := store.Encode(&records[i])
		if err != nil {
			t.Fatal(err)
		}
		want.Write(append(body, '\n'))
	}
	for _, f := range foreign {
		want.WriteString(f.line + "\n")
	}
	if *update {
		if err := os.WriteFile(golden, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), want.String()); diff != "" {
		t.Fatalf("the bodies that are written have changed (-golden +written):\n%s", diff)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i, line := range lines {
		var r memory.Record
		err := store.Decode(&r, []byte(line))
		want, damage := memory.Record{}, error(nil)
		if i < len(records) {
			want = records[i]
		} else {
			want, damage = foreign[i-len(records)].want, foreign[i-len(records)].damage
		}
		want.Raw = []byte(line) // unknown fields survive here
		if !errors.Is(err, damage) || (err != nil) != (damage != nil) {
			t.Errorf("line %d: got error %v, want %v", i+1, err, damage)
		}
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("line %d (-want +got):\n%s", i+1, diff)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range foreign {
		f.Add([]byte(c.line))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r memory.Record
		err := store.Decode(&r, raw)
		if (err == nil) != (r.Body != nil) || (err == nil) != (r.Damage == "") {
			t.Fatalf("error %v with body %v and damage %q", err, r.Body, r.Damage)
		}
		if err != nil {
			return
		}
		again, err := store.Encode(&r)
		if err != nil {
			t.Fatal(err)
		}
		var second memory.Record
		if err := store.Decode(&second, again); err != nil {
			t.Fatalf("%s was written as %s: %v", raw, again, err)
		}
		second.Raw = r.Raw
		if diff := cmp.Diff(r, second); diff != "" {
			t.Fatalf("%s was written as %s:\n%s", raw, again, diff)
		}
	})
}
