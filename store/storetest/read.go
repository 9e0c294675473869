package storetest

import (
	"fmt"
	"slices"
	"strings"

	"engram/memory"
	"engram/store"
)

func testReadAfter(w *world) {
	head, records, err := w.s.Read(w.ctx, home, memory.Position{Epoch: 3, Seq: 9}, 10)
	if err != nil || head != (store.Head{}) || records != nil {
		w.Fatalf("an unknown space gives %+v %v %v", head, records, err)
	}
	w.say(home, "a", "b", "c", "d", "e")
	for _, c := range []struct {
		after memory.Position
		limit int
		want  string
	}{
		{memory.Position{}, 10, "1 2 3 4 5"},
		{memory.Position{}, 2, "1 2"},
		{memory.Position{Seq: 2}, 2, "3 4"},
		{memory.Position{Seq: 4}, 2, "5"},
		{memory.Position{Seq: 5}, 2, ""},
		{memory.Position{Seq: 99}, 2, ""},
		{memory.Position{}, 0, ""},
		{memory.Position{}, -1, ""},
		{memory.Position{Epoch: 1}, 10, ""}, // another epoch
	} {
		head, records, err := w.s.Read(w.ctx, home, c.after, c.limit)
		w.must(err)
		if got := seqs(records); got != c.want {
			w.Errorf("after %s at most %d: got %q, want %q", c.after, c.limit, got, c.want)
		}
		if head.Seq != 5 {
			w.Errorf("head is %+v", head)
		}
	}
}

func testReadSeqs(w *world) {
	w.say(home, "a", "b", "c")
	w.say(other, "x", "y", "z", "u")
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{2}})
	records, err := w.s.ReadSeqs(w.ctx, home, []memory.Seq{9, 3, 2, 0, 1, 3})
	w.must(err)
	if got := seqs(records); got != "1 3" || texts(records) != "a c" {
		w.Fatalf("got %s (%s)", got, texts(records))
	}
	for _, s := range []memory.Scope{home, {Tenant: "acme", Space: "unknown"}} {
		if records, err := w.s.ReadSeqs(w.ctx, s, nil); err != nil || len(records) != 0 {
			w.Fatalf("got %v %v", records, err)
		}
	}
}

func testTypes(w *world) {
	reward := 0.5
	bodies := []memory.Body{
		&memory.Episode{Text: "zażółć <b>&\u2028\x00 ", Session: "s", Speaker: "ann", Kind: memory.Action, Source: memory.Tool,
			Path: "a/b", Key: "k", Metadata: map[string]string{"x": "y"}, Occurred: memory.Micros(-5),
			Links: []memory.Link{{Rel: memory.ReplyTo, To: w.id()}}},
		&memory.Retract{Targets: []memory.ID{w.id()}, Reason: "r", Actor: "a"},
		&memory.Association{From: w.id(), Rel: memory.About, To: w.id()},
		&memory.Feedback{Answer: "q", Used: []memory.ID{w.id()}, Reward: &reward},
	}
	var in []memory.Record
	for i, b := range bodies {
		in = append(in, memory.Record{ID: w.id(), IDKey: fmt.Sprint(i), Body: b})
	}
	ack := w.append(home, in...)
	if ack.Head.Belief != 2 {
		w.Errorf("belief is %d, want 2", ack.Head.Belief)
	}
	_, out := w.read(w.open(), home)
	for i, r := range out {
		if r.ID != in[i].ID || r.IDKey != in[i].IDKey {
			w.Errorf("record %d is %+v", i, r)
		}
		got, want := encoded(w, r), encoded(w, in[i])
		if got != want || string(r.Raw) != want {
			w.Errorf("record %d is %s, stored as %s, want %s", i, got, r.Raw, want)
		}
	}
}

func encoded(w *world, r memory.Record) string {
	w.Helper()
	b, err := store.Encode(&r)
	w.must(err)
	return string(b)
}

func testCatchUp(w *world) {
	reader := w.open()
	w.say(home, "a", "b")
	head, records, err := reader.Read(w.ctx, home, memory.Position{}, 10)
	w.must(err)
	if texts(records) != "a b" {
		w.Fatalf("got %s", texts(records))
	}
	w.say(home, "c")
	head, records, err = reader.Read(w.ctx, home, head.Position, 10)
	w.must(err)
	if texts(records) != "c" {
		w.Fatalf("got %s", texts(records))
	}
	w.erase(store.Erasure{Scope: home, Seqs: []memory.Seq{1}})
	next, records, err := reader.Read(w.ctx, home, head.Position, 10)
	w.must(err)
	if next.Epoch == head.Epoch || len(records) != 0 {
		w.Fatalf("after an erasure: %+v %v", next, records)
	}
	if _, records = w.read(reader, home); texts(records) != "b c -" {
		w.Fatalf("got %s", texts(records))
	}
	// And the other way round.
	_, err = reader.Append(w.ctx, store.Batch{Scope: home, Records: []memory.Record{w.episode("d")}})
	w.must(err)
	w.wantTexts(home, "b c - d")
}

func testSpaces(w *world) {
	for _, name := range []string{"b", "a", "ä", "c"} {
		w.say(memory.Scope{Tenant: "acme", Space: name}, "x", "y")
	}
	w.erase(store.Erasure{Scope: memory.Scope{Tenant: "acme", Space: "b"}, Seqs: []memory.Seq{1, 2}})
	w.say(memory.Scope{Tenant: "acm", Space: "z"}, "x")
	var all []store.Space
	for after := ""; ; {
		page, err := w.s.Spaces(w.ctx, "acme", after, 3)
		w.must(err)
		if len(page) == 0 {
			break
		}
		all = append(all, page...)
		after = page[len(page)-1].Scope.Space
	}
	var got []string
	for _, s := range all {
		got = append(got, fmt.Sprintf("%s %s %d", s.Scope, s.Head.Position, s.Records))
		if s.Head != w.head(s.Scope) {
			w.Errorf("%s: head %+v", s.Scope, s.Head)
		}
	}
	want := []string{"acme/a 0.2 2", "acme/b 1.3 1", "acme/c 0.2 2", "acme/ä 0.2 2"}
	if !slices.Equal(got, want) {
		w.Fatalf("got %q, want %q", got, want)
	}
	if none, err := w.s.Spaces(w.ctx, "nobody", "", 10); err != nil || len(none) != 0 {
		w.Fatalf("got %v %v", none, err)
	}
}

// testTenants tries to reach through one tenant what is another's.
func testTenants(w *world) {
	mine := memory.Scope{Tenant: "a", Space: "home"}
	theirs := memory.Scope{Tenant: "b", Space: "home"}
	// Names that run together would collide here.
	w.say(memory.Scope{Tenant: "ah", Space: "ome"}, "no")
	w.append(mine, w.keyed("k", "mine"), w.keyed("l", "too"))
	w.append(theirs, w.keyed("k", "theirs"))
	w.erase(store.Erasure{Scope: theirs, Seqs: []memory.Seq{1, 2}})
	w.wantTexts(mine, "mine too")
	if records, err := w.s.ReadSeqs(w.ctx, theirs, []memory.Seq{1}); err != nil || len(records) != 0 {
		w.Fatalf("got %v %v", records, err)
	}
	_, err := w.s.Append(w.ctx, store.Batch{Scope: theirs, Watermark: &store.Watermark{Extractor: "e", Seq: 2}})
	w.must(err)
	w.erase(store.Erasure{Scope: theirs, All: true})
	w.wantTexts(mine, "mine too")
	if ref := w.append(mine, w.keyed("k", "mine")).Refs[0]; !ref.Duplicate || ref.Seq != 1 {
		w.Fatalf("another tenant's erasure took the key: %+v", ref)
	}
	if head := w.head(mine); head.Epoch != 0 || head.Belief != 0 {
		w.Fatalf("head is %+v", head)
	}
	spaces, err := w.s.Spaces(w.ctx, "a", "", 10)
	w.must(err)
	if len(spaces) != 1 || spaces[0].Scope != mine {
		w.Fatalf("got %v", spaces)
	}
	lags, err := w.s.Lagging(w.ctx, "e", memory.Scope{Tenant: "a", Space: "home"}, 1)
	w.must(err)
	if len(lags) != 1 || lags[0].Scope.Tenant != "ah" {
		w.Fatalf("got %v", lags)
	}
}

func testLagging(w *world) {
	for _, s := range []memory.Scope{{Tenant: "a", Space: "2"}, {Tenant: "a", Space: "1"}, {Tenant: "b", Space: "0"}, {Tenant: "c", Space: "1"}} {
		w.say(s, "x", "y")
	}
	_, err := w.s.Append(w.ctx, store.Batch{Scope: memory.Scope{Tenant: "a", Space: "2"}, Watermark: &store.Watermark{Extractor: "e", Seq: 2}})
	w.must(err)
	list := func(extractor string, after memory.Scope, limit int) string {
		lags, err := w.s.Lagging(w.ctx, extractor, after, limit)
		w.must(err)
		var names []string
		for _, l := range lags {
			names = append(names, l.Scope.String())
		}
		return strings.Join(names, " ")
	}
	for _, c := range []struct {
		extractor string
		after     memory.Scope
		limit     int
		want      string
	}{
		{"e", memory.Scope{}, 10, "a/1 b/0 c/1"},
		{"e", memory.Scope{}, 2, "a/1 b/0"},
		{"e", memory.Scope{Tenant: "a", Space: "1"}, 10, "b/0 c/1"},
		{"e", memory.Scope{Tenant: "b", Space: "5"}, 10, "c/1"},
		{"e", memory.Scope{Tenant: "c", Space: "1"}, 10, ""},
		{"f", memory.Scope{}, 10, "a/1 a/2 b/0 c/1"},
		{"f", memory.Scope{}, 0, ""},
	} {
		if got := list(c.extractor, c.after, c.limit); got != c.want {
			w.Errorf("%s after %s at most %d: got %q, want %q", c.extractor, c.after, c.limit, got, c.want)
		}
	}
}
