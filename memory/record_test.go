package memory

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The JSON of every body, full and as small as it can be, and back.
func TestBodyJSON(t *testing.T) {
	t.Parallel()
	a := mustID(t, "0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02")
	b := mustID(t, "0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f03")
	for name, c := range map[string]struct {
		body, empty Body
		json        string
		belief      bool
	}{
		"episode": {
			&Episode{
				Text: "你好 <b>\u2028", Occurred: mustTime(t, "2026-03-08T15:04+08:00"), Session: "s", Speaker: "Alice",
				Kind: Document, Source: Web, Path: "a/b", Key: "k", Metadata: map[string]string{"b": "2", "a": "1"},
				Links: []Link{{Rel: ReplyTo, To: a}},
			}, new(Episode),
			`{"text":"你好 \u003cb\u003e\u2028","occurred":"2026-03-08T15:04+08:00","session":"s","speaker":"Alice",` +
				`"kind":"document","source":"web","path":"a/b","key":"k","metadata":{"a":"1","b":"2"},` +
				`"links":[{"rel":"reply_to","to":"0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02"}]}`, false,
		},
		"small episode": {&Episode{Text: "x"}, new(Episode), `{"text":"x"}`, false},
		"retract": {
			&Retract{Targets: []ID{a, b}, Reason: "wrong", Actor: "me"}, new(Retract),
			`{"targets":["0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02","0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f03"],"reason":"wrong","actor":"me"}`, true,
		},
		"link": {
			&Association{From: a, Rel: CausedBy, To: b}, new(Association),
			`{"from":"0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02","rel":"caused_by","to":"0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f03"}`, true,
		},
		"feedback": {
			&Feedback{
				Answer: "q1", Used: []ID{a}, Followed: []ID{a}, Helped: []ID{b}, Hurt: []ID{b}, Reward: new(0.0),
				Pin: []ID{a}, Unpin: []ID{b}, Priority: new(0), Due: mustTime(t, "2026-03-08Z"),
			}, new(Feedback),
			`{"answer":"q1","used":["0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02"],"followed":["0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02"],` +
				`"helped":["0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f03"],"hurt":["0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f03"],"reward":0,` +
				`"pin":["0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02"],"unpin":["0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f03"],"priority":0,"due":"2026-03-08Z"}`, false,
		},
		"small feedback": {&Feedback{Reward: new(-0.5)}, new(Feedback), `{"reward":-0.5}`, false},
		"erased": {
			&Erased{Counts: map[RecordType]int{TypeRetract: 1, TypeEpisode: 2}, Digests: []string{"ab"}, All: true, Reason: "r", Actor: "me"}, new(Erased),
			`{"counts":{"episode":2,"retract":1},"digests":["ab"],"all":true,"reason":"r","actor":"me"}`, true,
		},
	} {
		got, err := json.Marshal(c.body)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.json, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if err := json.Unmarshal(got, c.empty); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.body, c.empty); diff != "" {
			t.Errorf("%s does not come back (-want +got):\n%s", name, diff)
		}
		if err := c.body.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.body.ChangesBelief() != c.belief {
			t.Errorf("%s: changes belief: %v", name, !c.belief)
		}
	}
}

func TestBodyTypes(t *testing.T) {
	t.Parallel()
	for want, body := range map[RecordType]Body{
		"episode": &Episode{}, "retract": &Retract{}, "link": &Association{}, "feedback": &Feedback{}, "erased": &Erased{},
	} {
		if body.Type() != want {
			t.Errorf("%T is of type %q, want %q", body, body.Type(), want)
		}
	}
}

// The other types that travel as JSON.
func TestOtherJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value, empty any
		json         string
	}{
		{&AsOf{}, new(AsOf), `{}`},
		{
			&AsOf{Valid: mustTime(t, "2026-03Z"), Known: Known{Seq: 3}}, new(AsOf),
			`{"as_of":"2026-03Z","known_at":{"seq":3}}`,
		},
		{&Filter{}, new(Filter), `{}`},
		{
			&Filter{Kinds: []Kind{Action}, Path: "a", Occurred: Interval{From: mustTime(t, "2026Z")}}, new(Filter),
			`{"kinds":["action"],"path":"a","occurred":{"from":"2026Z"}}`,
		},
		{&Position{Epoch: 1, Seq: 2}, new(Position), `{"epoch":1,"seq":2}`},
		{
			&Ref{ID: mustID(t, "0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02"), Seq: 4, Duplicate: true}, new(Ref),
			`{"id":"0190a6e4-93b6-7c3e-8a40-5d3c7b1e9f02","seq":4,"duplicate":true}`,
		},
	} {
		got, err := json.Marshal(c.value)
		if err != nil || string(got) != c.json {
			t.Errorf("%T: %s, %v; want %s", c.value, got, err, c.json)
		}
		if err := json.Unmarshal(got, c.empty); err != nil || !cmp.Equal(c.value, c.empty) {
			t.Errorf("%T: %s comes back as %+v, %v", c.value, got, c.empty, err)
		}
	}
}

func mustID(t *testing.T, s string) ID {
	t.Helper()
	id, err := ParseID(s)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
