package engram_test

import (
	"context"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram"
	"engram/memory"
	"engram/store"
	"engram/store/sqlite"
)

// stream gives records to import.
func stream(records ...engram.Record) iter.Seq2[engram.Record, error] {
	return func(yield func(engram.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// wantErased checks what a receipt counts.
func wantErased(t *testing.T, receipt engram.Receipt, want map[memory.RecordType]int) {
	t.Helper()
	if diff := cmp.Diff(want, receipt.Counts); diff != "" {
		t.Error("erased:", diff)
	}
}

// An import may be a part of a history. What names records that never came goes
// only with something that it names.
func TestForgetKeepsWhatNamesRecordsThatNeverCame(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "ann")
	lost, alsoLost := memory.ID{1}, memory.ID{2}
	paris := livesIn("Paris", "2020Z")
	paris.Provenance = []memory.Span{{Episode: lost}}
	report, err := s.Import(t.Context(), stream(
		engram.Record{Body: &paris},
		engram.Record{Body: &memory.Retract{Targets: []engram.ID{lost}}},
		engram.Record{Body: &memory.Association{From: lost, Rel: memory.ReplyTo, To: alsoLost}},
		engram.Record{Body: &memory.Settlement{Losers: []engram.ID{lost}}},
		engram.Record{Body: &engram.Feedback{Pin: []engram.ID{lost, alsoLost}}},
	), nil)
	if err != nil || report.Failed > 0 || report.Added != 5 {
		t.Fatalf("the import: %+v, %v", report, err)
	}
	said, rain := say(t, s, "I live in Rome."), say(t, s, "It rains.")
	both := livesIn("Rome", "2021Z", said)
	both.Provenance = append(both.Provenance, memory.Span{Episode: lost})
	if report, err = s.Import(t.Context(), stream(engram.Record{Body: &both}), nil); err != nil || report.Added != 1 {
		t.Fatalf("the import: %+v, %v", report, err)
	}

	wantErased(t, forgetIDs(t, s, rain), map[memory.RecordType]int{memory.TypeEpisode: 1})
	wantHomes(t, s, "Rome")
	// Of what it names, the one thing that came goes.
	wantErased(t, forgetIDs(t, s, said), map[memory.RecordType]int{memory.TypeEpisode: 1, memory.TypeAssertion: 1})
	wantHomes(t, s, "Paris ("+laterErased+")")
}

// meanwhile is a store in which something happens before the log is read from
// its start, once.
type meanwhile struct {
	store.Store
	happens func()
}

func (m *meanwhile) Read(ctx context.Context, s memory.Scope, after memory.Position, limit int) (store.Head, []memory.Record, error) {
	if do := m.happens; do != nil && limit == 0 {
		m.happens = nil
		do()
	}
	return m.Store.Read(ctx, s, after, limit)
}

// Another process remembers, and pins it and what is to be erased, while this
// one makes its plan.
func TestForgetLeavesWhatCameMeanwhile(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	other := space(t, open(t, path, c, 2), "ann")
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Now: func() int64 { return c.now().UnixMicro() }})
	check(err)
	slow := &meanwhile{Store: db}
	engine, err := engram.Open(t.Context(), slow, engram.Options{Now: c.now, Random: rand.NewChaCha8([32]byte{1})})
	check(err)
	t.Cleanup(func() { check(engine.Close()) })
	s := space(t, engine, "ann")

	secret := say(t, s, "My card number is 4111-1111.")
	slow.happens = func() {
		tea := say(t, other, "I drink tea.")
		for _, pin := range [][]engram.ID{{tea.ID}, {secret.ID}} {
			_, err := other.Feedback(context.Background(), engram.Feedback{Pin: pin})
			check(err)
		}
	}
	wantErased(t, forgetIDs(t, s, secret), map[memory.RecordType]int{memory.TypeEpisode: 1})
	if slow.happens != nil {
		t.Fatal("nothing happened meanwhile")
	}
	for _, s := range []*engram.Space{s, other} {
		if a := ask(t, s, "what do I drink?"); !has(&a, "tea") {
			t.Errorf("what came meanwhile is gone: %s", a.Context)
		}
	}
	pins := 0
	for _, r := range logOf(t, s) {
		if _, ok := r.Body.(*engram.Feedback); ok {
			pins++
		}
	}
	if pins != 2 {
		t.Errorf("%d pins are left, want both", pins)
	}
}

// A name is found in whatever form it is written, and in each field of an
// episode in which words can stand.
func TestForgetFindsTheNameWhereverItStands(t *testing.T) {
	t.Parallel()
	for text, name := range map[string]string{
		"Zoe\u0308 drinks tea.": "Zo\u00eb", "Zo\u00eb drinks tea.": "Zoe\u0308", "Ａｎｎ drinks tea.": "Ann", "Ann drinks tea.": "ａｎｎ",
		"我给李雷2次机会。": "李雷", "问李雷ok吗？": "李雷", "アリスがﾘﾝと話す": "リン",
	} {
		wantFound(t, name, engram.Episode{Text: text})
	}
	for _, e := range []engram.Episode{
		{Speaker: "lin DAIYU"}, {Session: "chat with Lin Daiyu, 3"}, {Path: "people/Lin Daiyu/notes"}, {Key: "home:Lin Daiyu"},
		{Metadata: map[string]string{"topic": "tea", "guest": "Mrs. Lin Daiyu"}},
	} {
		e.Text = "She drinks tea."
		wantFound(t, "Lin Daiyu", e)
	}
}

// wantFound erases an entity from a space in which one of two episodes names it.
func wantFound(t *testing.T, name string, e engram.Episode) {
	t.Helper()
	dir := t.TempDir()
	s := space(t, open(t, filepath.Join(dir, "memory.db"), newClock(), 1), "ann")
	found := remember(t, s, e, engram.Episode{Text: "It rains. Anna, Zoes and Daiyu say so.", Session: "s1", Key: "weather"})[0]
	plan, err := s.PlanForget(t.Context(), engram.Selection{Entity: name})
	check(err)
	if len(plan.Episodes) != 1 || plan.Episodes[0].ID != found.ID {
		t.Errorf("%s is found in %+v, want it in %+v", name, plan.Episodes, e)
		return
	}
	forget(t, s, engram.Selection{Entity: name})
	wantNothingLeft(t, dir, "tea", "Lin Daiyu")
}
