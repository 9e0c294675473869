package engram_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"engram"
	"engram/memory"
)

func TestBadEpisodesAreRefused(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "alice")
	for name, test := range map[string]struct {
		episode engram.Episode
		want    error
		says    string
	}{
		"empty":             {engram.Episode{}, memory.ErrInvalid, "blank"},
		"blank":             {engram.Episode{Text: " \n\t\u3000\u200b\ufeff"}, memory.ErrInvalid, "blank"},
		"control only":      {engram.Episode{Text: "\x00\x1b"}, memory.ErrInvalid, "blank"},
		"invalid UTF-8":     {engram.Episode{Text: "ab\xff"}, memory.ErrInvalid, "byte 2"},
		"lone surrogate":    {engram.Episode{Text: "我\xed\xa0\x80"}, memory.ErrInvalid, "byte 3"},
		"cut character":     {engram.Episode{Text: "abc\xe6\x88"}, memory.ErrInvalid, "byte 3"},
		"too large":         {engram.Episode{Text: strings.Repeat("a", memory.MaxText+1)}, memory.ErrTooLarge, "the limit is 4194304"},
		"kind":              {engram.Episode{Text: "a", Kind: "rumour"}, memory.ErrInvalid, "rumour"},
		"source":            {engram.Episode{Text: "a", Source: "gossip"}, memory.ErrInvalid, "gossip"},
		"speaker":           {engram.Episode{Text: "a", Speaker: "Ann\nBo"}, memory.ErrInvalid, "speaker"},
		"session":           {engram.Episode{Text: "a", Session: strings.Repeat("s", memory.MaxName+1)}, memory.ErrTooLarge, "session"},
		"id key":            {engram.Episode{Text: "a", IDKey: "\xff"}, memory.ErrInvalid, "id_key"},
		"metadata key":      {engram.Episode{Text: "a", Metadata: map[string]string{"": "b"}}, memory.ErrInvalid, "metadata"},
		"metadata size":     {engram.Episode{Text: "a", Metadata: map[string]string{"b": strings.Repeat("c", memory.MaxMetadata)}}, memory.ErrTooLarge, "metadata"},
		"relation":          {engram.Episode{Text: "a", Links: []memory.Link{{Rel: "likes", To: memory.ID{1}}}}, memory.ErrInvalid, "likes"},
		"link to nothing":   {engram.Episode{Text: "a", Links: []memory.Link{{Rel: memory.About}}}, memory.ErrInvalid, "no episode"},
		"year 0":            {engram.Episode{Text: "a", Occurred: memory.Micros(-62_167_219_200_000_000)}, memory.ErrInvalid, "year"},
		"after year 9999":   {engram.Episode{Text: "a", Occurred: memory.Micros(253_402_300_800_000_000)}, memory.ErrInvalid, "year"},
		"impossible offset": {engram.Episode{Text: "a", Occurred: memory.Time{Gran: memory.Day, Offset: 2000}}, memory.ErrInvalid, "offset"},
	} {
		_, err := s.Remember(t.Context(), engram.Episode{Text: "a good one"}, test.episode)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %v that says %q", name, err, test.want, test.says)
		} else if !strings.Contains(err.Error(), "item 2 of 2") {
			t.Errorf("%s: %v, does not say which item it was", name, err)
		}
	}
	if stats, err := s.Stats(t.Context()); err != nil || stats.Episodes != 0 {
		t.Errorf("after refusals the space holds %d episodes, %v", stats.Episodes, err)
	}
}

func TestOddEpisodesAreKept(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "alice")
	megabyte := strings.Repeat("The report says that all is well today. ", 26215) + "The heron nests behind the boathouse."
	for name, text := range map[string]string{
		"NUL and control characters": "a\x00b\x1b[31m heronnul",
		"a million bytes":            megabyte,
		"one long word":              strings.Repeat("x", 100_000),
		"only signs":                 "!!! ???",
		"only an emoji":              "🦩",
		"right to left":              "مرحبا بالعالم",
	} {
		ref := say(t, s, text)
		found, err := s.Get(t.Context(), ref.ID)
		if err != nil || found.Text != text {
			t.Errorf("%s: not kept word for word (%d bytes of %d), %v", name, len(found.Text), len(text), err)
		}
	}
	a := ask(t, s, "Where does the heron nest? Behind the boathouse?")
	if !has(&a, "boathouse") {
		t.Errorf("the last sentence of a long text is not found:\n%.500s", a.Context)
	}
	for year, text := range map[int64]string{-62_135_596_800_000_000: "in the year 1", 253_402_300_799_000_000: "in the year 9999"} {
		remember(t, s, engram.Episode{Text: "The heron, " + text, Occurred: memory.Micros(year)})
	}
	if a := ask(t, s, "heron in the year"); !has(&a, "year 1") || !has(&a, "year 9999") {
		t.Errorf("episodes at the ends of time are not found:\n%.500s", a.Context)
	}
}

func TestBadQueriesAreRefused(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "alice")
	say(t, s, "I live in Paris.")
	for name, test := range map[string]struct {
		query engram.Query
		want  error
		says  string
	}{
		"blank":          {engram.Query{Question: " \u200b"}, memory.ErrInvalid, "blank"},
		"invalid UTF-8":  {engram.Query{Question: "ab\xff"}, memory.ErrInvalid, "byte 2"},
		"too large":      {engram.Query{Question: strings.Repeat("a", memory.MaxQuestion+1)}, memory.ErrTooLarge, "the limit is"},
		"budget":         {engram.Query{Question: "a", Budget: -1}, memory.ErrInvalid, "budget"},
		"limit":          {engram.Query{Question: "a", Limit: -1}, memory.ErrInvalid, "limit"},
		"ranker":         {engram.Query{Question: "a", Ranker: "oracle"}, memory.ErrInvalid, "oracle"},
		"weight":         {engram.Query{Question: "a", Ranker: memory.Fixed, Weights: map[string]float64{"luck": 1}}, memory.ErrInvalid, "luck"},
		"kind":           {engram.Query{Question: "a", Filter: engram.Filter{Kinds: []memory.Kind{"rumour"}}}, memory.ErrInvalid, "rumour"},
		"source":         {engram.Query{Question: "a", Filter: engram.Filter{Sources: []memory.Source{"gossip"}}}, memory.ErrInvalid, "gossip"},
		"inverted range": {engram.Query{Question: "a", Filter: engram.Filter{Occurred: memory.Interval{From: memory.Micros(2), To: memory.Micros(1)}}}, memory.ErrInvalid, "ends before"},
		"two positions":  {engram.Query{Question: "a", AsOf: engram.AsOf{Known: engram.Known{Seq: 1, Time: memory.Micros(1)}}}, memory.ErrInvalid, "known_at"},
	} {
		if _, err := s.Recall(t.Context(), test.query); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %v that says %q", name, err, test.want, test.says)
		}
	}
}

func TestOtherBadInput(t *testing.T) {
	t.Parallel()
	engine := setup(t)
	s := space(t, engine, "alice")
	ref := say(t, s, "I live in Paris.")
	ctx, two := t.Context(), 2.0
	unknown := memory.ID{1}
	for name, test := range map[string]struct {
		err, want error
	}{
		"space name":          {second(engine.Space(engram.Scope{Space: "a\nb"})), memory.ErrInvalid},
		"long space name":     {second(engine.Space(engram.Scope{Space: strings.Repeat("a", memory.MaxName+1)})), memory.ErrTooLarge},
		"get":                 {second(s.Get(ctx, unknown)), memory.ErrNotFound},
		"retract nothing":     {second(s.Retract(ctx, memory.Retract{})), memory.ErrInvalid},
		"retract unknown":     {second(s.Retract(ctx, memory.Retract{Targets: []engram.ID{unknown}})), memory.ErrNotFound},
		"feedback on nothing": {second(s.Feedback(ctx, engram.Feedback{})), memory.ErrInvalid},
		"reward":              {second(s.Feedback(ctx, engram.Feedback{Used: []engram.ID{ref.ID}, Reward: &two})), memory.ErrInvalid},
		"link":                {second(s.Link(ctx, ref.ID, "likes", ref.ID)), memory.ErrInvalid},
		"forget nothing":      {second(s.Forget(ctx, engram.Selection{})), memory.ErrInvalid},
		"forget two ways":     {second(s.Forget(ctx, engram.Selection{All: true, IDs: []engram.ID{ref.ID}})), memory.ErrInvalid},
		"forget unknown":      {second(s.Forget(ctx, engram.Selection{IDs: []engram.ID{unknown}})), memory.ErrNotFound},
		"forget no match":     {second(s.Forget(ctx, engram.Selection{Filter: engram.Filter{Sessions: []string{"none"}}})), memory.ErrNotFound},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%s: %v, want %v", name, test.err, test.want)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Remember(cancelled, engram.Episode{Text: "too late"}); !errors.Is(err, context.Canceled) {
		t.Errorf("remember with an ended context: %v", err)
	}
}

func TestAnUnknownSpaceGivesAnEmptyAnswer(t *testing.T) {
	t.Parallel()
	engine := setup(t)
	a := ask(t, space(t, engine, "nobody"), "Where do I live?")
	if a.Context != "" || a.Tokens != 0 || len(a.Items) != 0 || a.Verdict.Answerable {
		t.Errorf("the answer is %+v, want an empty one", a)
	}
	if len(a.Notes) == 0 || !strings.Contains(a.Notes[0], "nobody") {
		t.Errorf("the notes %q do not say that the space holds nothing", a.Notes)
	}
	if spaces, err := engine.Spaces(t.Context(), "", "", 10); err != nil || len(spaces) != 0 {
		t.Errorf("asking made a space: %v, %v", spaces, err)
	}
}

func TestABudgetBelowOneItemCutsIt(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "alice")
	say(t, s, "The heron stood in the shallow water by the old mill. Then it flew across the lake to the far shore. "+strings.Repeat("We waited for it to return. ", 10))
	a := recall(t, s, engram.Query{Question: "Where did the heron stand?", Budget: 42})
	if len(a.Items) != 1 || !a.Items[0].Excerpt || len(a.Notes) == 0 || !strings.Contains(a.Context, "old mill. …") {
		t.Errorf("a budget of 42 gives %d items and the notes %q:\n%s", len(a.Items), a.Notes, a.Context)
	}
	a = recall(t, s, engram.Query{Question: "Where did the heron stand?", Budget: 1})
	if a.Context != "" || a.Tokens != 0 || len(a.Notes) == 0 {
		t.Errorf("a budget of 1 gives %d tokens and the notes %q", a.Tokens, a.Notes)
	}
}
