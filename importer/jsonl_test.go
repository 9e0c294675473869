package importer

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

const anID = "0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02"

// readAll collects the records and the errors of an input.
func readAll(in string, loc *time.Location) (records []memory.Record, errs []error) {
	for r, err := range JSONL(strings.NewReader(in), loc) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		records = append(records, r)
	}
	return records, errs
}

// readOne gives the only record of an input.
func readOne(t *testing.T, in string, loc *time.Location) memory.Record {
	t.Helper()
	records, errs := readAll(in, loc)
	if len(errs) > 0 || len(records) != 1 {
		t.Fatalf("%s: %d records, errors %v", in, len(records), errs)
	}
	return records[0]
}

func mustTime(t *testing.T, s string) memory.Time {
	t.Helper()
	tm, err := memory.ParseTime(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tm
}

func mustID(t *testing.T, s string) memory.ID {
	t.Helper()
	id, err := memory.ParseID(s)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestJSONLEpisode(t *testing.T) {
	t.Parallel()
	got := readOne(t, `{"text":"flight on 4 June \ud83d\ude00","occurred":"2026-03-08T15:04+08:00","session":"s","speaker":"Ann",`+
		`"kind":"action","source":"tool","path":"a/b","key":"k","id_key":"ik","seq":7,"recorded":"2026-03-08T07:05:00.000001Z",`+
		`"id":"`+anID+`","metadata":{"a":"x","b":1.50,"c":true},"links":[{"rel":"reply_to","to":"`+anID+`"}]}`, nil)
	id := mustID(t, anID)
	want := memory.Record{
		ID: id, IDKey: "ik", Recorded: mustTime(t, "2026-03-08T07:05:00.000001Z").Micros,
		Body: &memory.Episode{
			Text: "flight on 4 June 😀", Occurred: mustTime(t, "2026-03-08T15:04+08:00"), Session: "s", Speaker: "Ann",
			Kind: memory.Action, Source: memory.Tool, Path: "a/b", Key: "k", IDKey: "ik",
			Metadata: map[string]string{"a": "x", "b": "1.50", "c": "true"},
			Links:    []memory.Link{{Rel: memory.ReplyTo, To: id}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONLOtherTypes(t *testing.T) {
	t.Parallel()
	id := mustID(t, anID)
	for in, want := range map[string]memory.Body{
		`{"type":"retract","id":"` + anID + `","targets":["` + anID + `"],"reason":"wrong"}`: &memory.Retract{Targets: []memory.ID{id}, Reason: "wrong"},
		`{"type":"link","from":"` + anID + `","rel":"about","to":"` + anID + `"}`:            &memory.Association{From: id, Rel: memory.About, To: id},
		`{"type":"feedback","pin":["` + anID + `"],"due":"2026-03-08Z"}`:                     &memory.Feedback{Pin: []memory.ID{id}, Due: mustTime(t, "2026-03-08Z")},
		`{"type":"erased","counts":{"episode":2},"all":true}`:                                &memory.Erased{Counts: map[memory.RecordType]int{memory.TypeEpisode: 2}, All: true},
		`{"type":"assertion","subject":"user","predicate":"lives_in","object":"柏林","valid":{"from":"2026-03Z"},"said":"2026-05-03Z","id_key":"k"}`: &memory.Assertion{
			Subject: "user", Predicate: "lives_in", Object: "柏林", Valid: memory.Interval{From: mustTime(t, "2026-03Z")}, Said: mustTime(t, "2026-05-03Z"), IDKey: "k",
		},
		`{"type":"assertion","subject":"user","predicate":"job","news":"end","valid":null,"provenance":[{"episode":"` + anID + `","start":2,"end":5}],"confidence":0.5}`: &memory.Assertion{
			Subject: "user", Predicate: "job", News: memory.End, Provenance: []memory.Span{{Episode: id, Start: 2, End: 5}}, Confidence: 0.5,
		},
		`{"type":"verdict","losers":["` + anID + `"],"reason":"asked"}`:                                    &memory.Settlement{Losers: []memory.ID{id}, Reason: "asked"},
		`{"type":"link","rel":"same_as","name":"Annie","entity":"Ann"}`:                                    &memory.Association{Rel: memory.SameAs, Name: "Annie", Entity: "Ann"},
		`{"v":1,"type":"retract","id":"` + anID + `","targets":["` + anID + `"],"seq":3,"from_later":[1]}`: &memory.Retract{Targets: []memory.ID{id}},
	} {
		if diff := cmp.Diff(want, readOne(t, in, nil).Body); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
}

func TestJSONLRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, reason string }{
		{`{`, "ends too early"},
		{`[]`, "one JSON object"},
		{`null`, "one JSON object"},
		{`{"text":"a"} x`, "behind the object"},
		{`{"text":"a"}{"text":"b"}`, "behind the object"},
		{`{"speaker":"Ann"}`, "the text is blank"},
		{`{"text":" \u200b"}`, "the text is blank"},
		{`{"text":5}`, "text cannot be a JSON number"},
		{`{"text":"a","id_key":5}`, "id_key cannot be a JSON number"},
		{`{"text":"a","colour":"red"}`, `unknown field "colour"`},
		{`{"Text":"a"}`, `unknown field "Text"`},
		{`{"text":"a","text":"b"}`, `field "text" is there twice`},
		{`{"text":"a","targets":[]}`, `unknown field "targets"`},
		{`{"text":"a","links":[{"rel":"about","to":"` + anID + `","why":"x"}]}`, `unknown field "why"`},
		{`{"text":"a","links":[{"rel":"likes","to":"` + anID + `"}]}`, `relation "likes"`},
		{`{"text":"a","links":[{"rel":"about","to":"5"}]}`, `"5" is no id`},
		{`{"text":"a","metadata":{"k":{}}}`, "metadata: strings, numbers and booleans only"},
		{`{"text":"a","metadata":{"k":null}}`, "metadata: strings, numbers and booleans only"},
		{`{"text":"a","metadata":[1]}`, "metadata: cannot be a JSON array"},
		{`{"text":"a","occurred":"2026-03-08T15:04"}`, "has no offset"},
		{`{"text":"a","occurred":5}`, "occurred: cannot be a JSON number"},
		{`{"text":"a","recorded":"2026-03-08"}`, "has no offset"},
		{`{"text":"a","kind":"poem"}`, `kind "poem"`},
		{`{"text":"a","type":"song"}`, `type "song"`},
		{`{"text":"a","id":"x"}`, `"x" is no id`},
		{`{"type":"retract"}`, "names the records"},
		{`{"type":"assertion","predicate":"p","object":"o"}`, "subject is blank"},
		{`{"type":"assertion","subject":"s","predicate":"p"}`, "object is blank"},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","text":"x"}`, `unknown field "text"`},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","valid_at":"2026Z"}`, `unknown field "valid_at"`},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","valid":{"from":"2026-03"}}`, "valid: from: time \"2026-03\" has no offset"},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","valid":{"since":"2026Z"}}`, `valid: unknown field "since"`},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","valid":{"from":5}}`, "valid: from: cannot be a JSON number"},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","valid":"2026Z"}`, "valid: cannot be a JSON string"},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","said":"2026"}`, "said: time"},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","news":"gossip"}`, `news "gossip"`},
		{`{"type":"assertion","subject":"s","predicate":"p","object":"o","provenance":[{"episode":"` + anID + `","from":3}]}`, `unknown field "from"`},
		{`{"type":"verdict","winner":"` + anID + `"}`, "the assertions that lose"},
		{`{"v":1,"type":"episode","id":"` + anID + `","text":5}`, "exported line: the episode cannot be read"},
		{`{"v":1,"type":"song","id":"` + anID + `"}`, `exported line: unknown record type "song"`},
		{`{"text":"a\ud800"}`, "lone surrogate at byte 10"},
		{`{"text":"a\udc00\ud800"}`, "lone surrogate at byte 10"},
		{`{"text":"\ud83dx"}`, "lone surrogate at byte 9"},
		{`{"text":"\ud83d\u0041"}`, "lone surrogate at byte 9"},
		{"{\"text\":\"a\xff\"}", "no valid UTF-8 at byte 10"},
		{"{\"text\":\"a\xed\xa0\x80\"}", "no valid UTF-8 at byte 10"},
	} {
		records, errs := readAll("\n"+tt.in+"\n"+`{"text":"next"}`, nil)
		if len(records) != 1 || len(errs) != 1 {
			t.Errorf("%s: %d records, errors %v; want the next line and one error", tt.in, len(records), errs)
			continue
		}
		var line *LineError
		if !errors.As(errs[0], &line) || line.Line != 2 || !errors.Is(errs[0], memory.ErrInvalid) {
			t.Errorf("%s: %v is no ErrInvalid of line 2", tt.in, errs[0])
		}
		if !strings.Contains(errs[0].Error(), tt.reason) {
			t.Errorf("%s: %q lacks %q", tt.in, errs[0], tt.reason)
		}
	}
	_, errs := readAll(`{"v":99,"type":"episode","id":"`+anID+`","text":"a"}`, nil)
	if len(errs) != 1 || !errors.Is(errs[0], memory.ErrNewerFormat) {
		t.Errorf("a newer version gave %v", errs)
	}
}

func TestJSONLAccepts(t *testing.T) {
	t.Parallel()
	for in, text := range map[string]string{
		"\uFEFF{\"text\":\"bom\"}\r\n":    "bom",
		"\r\n \n{\"text\":\"crlf\"}\r\n":  "crlf",
		`{"text":"\\ud800"}`:              `\ud800`,
		`{"text":"nul \u0000 inside"}`:    "nul \x00 inside",
		`{"text":"a","metadata":null}`:    "a",
		`{"text":"a","occurred":""}`:      "a",
		`  {"text":"a","session":null}  `: "a",
		`{"text":"\uD83D\uDE00"}`:         "😀",
	} {
		if e := readOne(t, in, nil).Body.(*memory.Episode); e.Text != text || !e.Occurred.IsZero() {
			t.Errorf("%q: text %q, occurred %s", in, e.Text, e.Occurred)
		}
	}
	east := time.FixedZone("", 8*3600)
	e := readOne(t, `{"text":"a","occurred":"2026-03-08"}`, east).Body.(*memory.Episode)
	if want := mustTime(t, "2026-03-08T00+08:00").Micros; e.Occurred.Micros != want || e.Occurred.Gran != memory.Day {
		t.Errorf("with a zone: %s", e.Occurred)
	}
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	const in = `{"subject":"李雷","predicate":"住在","object":"北京","valid":{"from":"2026-03","to":""}}
{"type":"episode","text":"我搬到北京了"}
{"text":"no assertion"}`
	var bodies []memory.Body
	var errs []error
	for r, err := range Assertions(strings.NewReader(in), time.FixedZone("", 8*3600)) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		bodies = append(bodies, r.Body)
	}
	want := []memory.Body{
		&memory.Assertion{Subject: "李雷", Predicate: "住在", Object: "北京", Valid: memory.Interval{From: mustTime(t, "2026-03+08:00")}},
		&memory.Episode{Text: "我搬到北京了"},
	}
	if diff := cmp.Diff(want, bodies); diff != "" {
		t.Error(diff)
	}
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), `line 3: unknown field "text"`) {
		t.Errorf("got %v", errs)
	}
}

func TestJSONLLongLines(t *testing.T) {
	t.Parallel()
	object := func(size int) string {
		const text = `{"text":"a","session":"s"}`
		return strings.Repeat(" ", size-len(text)) + text
	}
	in := object(MaxLine) + "\r\n" + object(MaxLine+1) + "\n" + object(2*MaxLine) + "\n" + object(100)
	records, errs := readAll(in, nil)
	if len(records) != 2 || len(errs) != 2 {
		t.Fatalf("%d records, errors %v", len(records), errs)
	}
	for i, err := range errs {
		var line *LineError
		if !errors.As(err, &line) || line.Line != 2+i || !errors.Is(err, memory.ErrTooLarge) {
			t.Errorf("%v is no ErrTooLarge of line %d", err, 2+i)
		}
	}
}

func TestJSONLReadError(t *testing.T) {
	t.Parallel()
	broken := io.MultiReader(strings.NewReader("{\"text\":\"a\"}\n{"), iotest.ErrReader(io.ErrClosedPipe))
	var line *LineError
	n := 0
	for _, err := range JSONL(broken, nil) {
		n++
		if n == 2 && (!errors.Is(err, io.ErrClosedPipe) || errors.As(err, &line)) {
			t.Errorf("got %v", err)
		}
	}
	if n != 2 {
		t.Errorf("%d results, want a record and an error", n)
	}
}

func TestJSONLStops(t *testing.T) {
	t.Parallel()
	for range JSONL(strings.NewReader(strings.Repeat("{\"text\":\"a\"}\n", 3)), nil) {
		break // must not call yield again
	}
}

// The lines keep nothing of the reader's buffer.
func TestJSONLOwnsItsBytes(t *testing.T) {
	t.Parallel()
	records, _ := readAll(`{"v":1,"type":"episode","id":"`+anID+`","text":"first","x":1}`+"\n"+`{"v":1,"type":"episode","id":"`+anID+`","text":"other","x":2}`, nil)
	if raw := string(records[0].Raw); !strings.Contains(raw, "first") {
		t.Errorf("the first body became %s", raw)
	}
}

func FuzzJSONL(f *testing.F) {
	f.Add(`{"text":"a","metadata":{"k":1},"occurred":"2026-03-08Z"}`)
	f.Add(`{"v":1,"type":"retract","id":"` + anID + `","targets":["` + anID + `"],"more":{"a":[1,2]}}`)
	f.Add("\uFEFF{\"text\":\"\\ud83d\\ude00\"}\r\n\r\n{}")
	f.Fuzz(func(t *testing.T, in string) {
		for r, err := range JSONL(strings.NewReader(in), nil) {
			if err != nil {
				continue
			}
			if err := r.Body.Validate(); err != nil {
				t.Errorf("%q was read and is not valid: %v", in, err)
			}
			if _, err := Line(r); err != nil {
				t.Errorf("%q was read and cannot be written: %v", in, err)
			}
		}
	})
}
