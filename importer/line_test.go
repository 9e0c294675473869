package importer

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"engram/memory"
)

func TestLine(t *testing.T) {
	t.Parallel()
	r := memory.Record{
		Seq: 3, Recorded: 1_772_953_445_000_001, ID: mustID(t, anID), IDKey: "k",
		Body: &memory.Episode{Text: "a <b> & \"c\"", IDKey: "k"},
		Raw:  []byte(`{"v":1,"type":"episode","id":"` + anID + `","text":"a","session":"","mood":{"x": [1]},"id_key":"k"}`),
	}
	got, err := Line(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"v":1,"type":"episode","id":"` + anID + `","seq":3,"recorded":"2026-03-08T07:04:05.000001Z",` +
		`"text":"a <b> & \"c\"","id_key":"k","mood":{"x": [1]}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	back := readOne(t, string(got), nil)
	back.Seq = r.Seq
	if again, err := Line(back); err != nil || string(again) != want {
		t.Errorf("after a round trip: %s, %v", again, err)
	}
}

func TestLineOfDamage(t *testing.T) {
	t.Parallel()
	if _, err := Line(memory.Record{Seq: 3, Damage: "torn"}); !errors.Is(err, memory.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

func TestLineRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := anyRecord().Draw(t, "record")
		line, err := Line(want)
		if err != nil {
			t.Fatal(err)
		}
		records, errs := readAll(string(line)+"\n", nil)
		if len(errs) > 0 || len(records) != 1 {
			t.Fatalf("%s: %d records, errors %v", line, len(records), errs)
		}
		// Seq is the store's, and Raw is the line itself.
		if diff := cmp.Diff(want, records[0], cmpopts.IgnoreFields(memory.Record{}, "Seq", "Raw")); diff != "" {
			t.Fatalf("%s: %s", line, diff)
		}
	})
}

func anyRecord() *rapid.Generator[memory.Record] {
	return rapid.Custom(func(t *rapid.T) memory.Record {
		r := memory.Record{
			Seq:   memory.Seq(rapid.Uint64().Draw(t, "seq")),
			ID:    anID7().Draw(t, "id"),
			IDKey: name().Draw(t, "id_key"),
		}
		if at := anyTime().Draw(t, "recorded"); at.Gran == memory.Instant {
			r.Recorded = at.Micros
		}
		r.Body = anyBody(r.IDKey).Draw(t, "body")
		return r
	})
}

func anyBody(idKey string) *rapid.Generator[memory.Body] {
	return rapid.Custom(func(t *rapid.T) memory.Body {
		switch rapid.IntRange(0, 7).Draw(t, "type") {
		case 0:
			return &memory.Retract{Targets: ids(1).Draw(t, "targets"), Reason: name().Draw(t, "reason"), Actor: name().Draw(t, "actor")}
		case 1:
			return &memory.Association{From: anID7().Draw(t, "from"), Rel: memory.SameTask, To: anID7().Draw(t, "to")}
		case 2:
			reward := rapid.Float64Range(-1, 1).Draw(t, "reward")
			priority := rapid.IntRange(-2, 2).Draw(t, "priority")
			return &memory.Feedback{
				Answer: name().Draw(t, "answer"), Helped: ids(0).Draw(t, "helped"), Pin: ids(1).Draw(t, "pin"),
				Reward: &reward, Priority: &priority, Due: anyTime().Draw(t, "due"),
			}
		case 3:
			return &memory.Erased{
				Counts: map[memory.RecordType]int{memory.TypeEpisode: rapid.Int().Draw(t, "count")},
				All:    rapid.Bool().Draw(t, "all"), Actor: name().Draw(t, "actor"),
				Reopened: ids(0).Draw(t, "reopened"),
			}
		case 4:
			return anyAssertion(idKey).Draw(t, "assertion")
		case 5:
			return &memory.Settlement{Winner: memory.ID{1}, Losers: ids(1).Draw(t, "losers"), Reason: name().Draw(t, "reason")}
		case 6:
			return &memory.Association{Rel: memory.SameAs, Name: "n" + name().Draw(t, "name"), Entity: "e" + name().Draw(t, "entity")}
		}
		e := &memory.Episode{
			Text:     "x" + rapid.String().Draw(t, "text"),
			Occurred: anyTime().Draw(t, "occurred"),
			Session:  name().Draw(t, "session"),
			Speaker:  name().Draw(t, "speaker"),
			Kind:     rapid.SampledFrom([]memory.Kind{"", memory.Document}).Draw(t, "kind"),
			Source:   rapid.SampledFrom([]memory.Source{"", memory.Web}).Draw(t, "source"),
			Path:     name().Draw(t, "path"),
			Key:      name().Draw(t, "key"),
			IDKey:    idKey,
		}
		if rapid.Bool().Draw(t, "rich") {
			e.Metadata = map[string]string{"k" + name().Draw(t, "name"): rapid.String().Draw(t, "value")}
			e.Links = []memory.Link{{Rel: memory.CausedBy, To: anID7().Draw(t, "link")}}
		}
		return e
	})
}

func anyAssertion(idKey string) *rapid.Generator[*memory.Assertion] {
	return rapid.Custom(func(t *rapid.T) *memory.Assertion {
		a := &memory.Assertion{
			Subject: "s" + name().Draw(t, "subject"), Predicate: "p" + name().Draw(t, "predicate"), Object: "o" + rapid.String().Draw(t, "object"),
			News:   rapid.SampledFrom([]memory.News{"", memory.Change, memory.End, memory.Correction, memory.TakingBack}).Draw(t, "news"),
			Said:   anyTime().Draw(t, "said"),
			Source: rapid.SampledFrom([]memory.Source{"", memory.Web}).Draw(t, "source"), Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"),
			Extractor: name().Draw(t, "extractor"), Version: name().Draw(t, "version"), Depends: ids(0).Draw(t, "depends"), IDKey: idKey,
		}
		a.Valid.From, a.Valid.To = anyTime().Draw(t, "from"), anyTime().Draw(t, "to")
		if a.Valid.Validate() != nil {
			a.Valid.To = memory.Time{}
		}
		if a.News == memory.Correction || a.News == memory.TakingBack {
			a.Corrects, a.Replaces = memory.ID{15: 1}, name().Draw(t, "replaces")
		}
		for _, id := range ids(0).Draw(t, "provenance") {
			start := rapid.IntRange(0, 9).Draw(t, "start")
			a.Provenance = append(a.Provenance, memory.Span{Episode: id, Start: start, End: start + rapid.IntRange(0, 9).Draw(t, "length")})
		}
		return a
	})
}

// name gives short names without control characters.
func name() *rapid.Generator[string] { return rapid.StringMatching(`[\pL\pN "\\/<>&é漢😀-]{0,8}`) }

func anID7() *rapid.Generator[memory.ID] {
	return rapid.Custom(func(t *rapid.T) (id memory.ID) {
		copy(id[:], rapid.SliceOfN(rapid.ByteRange(1, 255), 16, 16).Draw(t, "bytes"))
		return id
	})
}

// ids gives nil or from one to three ids.
func ids(least int) *rapid.Generator[[]memory.ID] {
	return rapid.Map(rapid.SliceOfN(anID7(), least, 3), func(l []memory.ID) []memory.ID {
		if len(l) == 0 {
			return nil
		}
		return l
	})
}

// anyTime gives times as ParseTime makes them, or the zero Time.
func anyTime() *rapid.Generator[memory.Time] {
	return rapid.Custom(func(t *rapid.T) memory.Time {
		gran := memory.Granularity(rapid.IntRange(0, int(memory.Instant)).Draw(t, "gran"))
		if gran == 0 {
			return memory.Time{}
		}
		zone := time.FixedZone("", rapid.IntRange(-12*60, 14*60).Draw(t, "offset")*60)
		at := memory.At(time.UnixMicro(rapid.Int64Range(-60_000_000_000_000_000, 250_000_000_000_000_000).Draw(t, "micros")).In(zone))
		at.Gran = gran
		canonical, err := memory.ParseTime(at.String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return canonical
	})
}
