package importer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

// shared gives a file of the benchmarks, which are not part of the repository.
func shared(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("ENGRAM_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	path := filepath.Join(root, "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there; set ENGRAM_SHARED to the directory that holds data/%s", path, name)
	}
	return path
}

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func episode(key string, e memory.Episode) memory.Record {
	e.IDKey = key
	return memory.Record{IDKey: key, Body: &e}
}

func TestLoCoMo(t *testing.T) {
	t.Parallel()
	got, err := LoCoMo(open(t, "testdata/locomo.json"))
	if err != nil {
		t.Fatal(err)
	}
	const may, september = "2023-05-08T13:56Z", "2023-09-13T00:09Z"
	want := []History{{Name: "conv-1", Records: []memory.Record{
		episode("conv-1/D2:1", memory.Episode{Text: "Look at this! [shares photo: a photo of a kite]", Occurred: mustTime(t, may), Session: "session_2", Speaker: "Ann", Source: memory.User}),
		episode("conv-1/D2:3", memory.Episode{Text: "[shares photo: a photo of a dog]", Occurred: mustTime(t, may), Session: "session_2", Speaker: "Bo", Source: memory.User}),
		episode("conv-1/D2:3#2", memory.Episode{Text: "Is that yours?", Occurred: mustTime(t, may), Session: "session_2", Speaker: "Ann", Source: memory.User}),
		episode("conv-1/D10:1", memory.Episode{Text: "Back from the coast.", Occurred: mustTime(t, september), Session: "session_10", Speaker: "Bo", Source: memory.User}),
		episode("conv-1/D11:1", memory.Episode{Text: "No date here.", Session: "session_11", Speaker: "Ann", Source: memory.User}),
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoCoMoMalformed(t *testing.T) {
	t.Parallel()
	for in, reason := range map[string]string{
		``:                                    "a LoCoMo file was expected",
		`{}`:                                  "a LoCoMo file was expected",
		`[{"sample_id":"c"}]`:                 "no conversation",
		`[{"conversation":{}}]`:               "no sample_id",
		conversation(`"session_1":{}`):        "should be a list of turns",
		conversation(`"session_1":[{}]`):      "no dia_id",
		conversation(`"session_1":[{"a":1`):   "a LoCoMo file was expected",
		conversation(noon(`"1 May 2023"`)):    "is no date",
		conversation(noon(`5`)):               "should be a string",
		conversation(noon(`""`) + `,"a":"b"`): "is no date",
	} {
		_, err := LoCoMo(strings.NewReader(in))
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one line with %q", in, err, reason)
		}
	}
}

func conversation(sessions string) string {
	return `[{"sample_id":"c","conversation":{` + sessions + `}}]`
}

func noon(date string) string { return `"session_1":[],"session_1_date_time":` + date }

func TestBEAM(t *testing.T) {
	t.Parallel()
	got, err := BEAM("testdata/beam")
	if err != nil {
		t.Fatal(err)
	}
	turn := func(key, text, session string, source memory.Source, at memory.Time) memory.Record {
		return episode(key, memory.Episode{Text: text, Occurred: at, Session: session, Speaker: string(source), Source: source})
	}
	want := []History{
		{Name: "beam-2", Records: []memory.Record{
			turn("beam-2/0", "Undated.", "batch 1", memory.User, memory.Time{}),
			turn("beam-2/1", "Use a -> b, as in x ->-> y.", "batch 1", memory.Assistant, memory.Time{}),
			turn("beam-2/2", "I plant beans today.", "batch 1", memory.User, mustTime(t, "2024-03-15Z")),
			turn("beam-2/4", "They sprout.", "batch 2", memory.User, mustTime(t, "2024-03-15Z")),
			turn("beam-2/5", "Good.", "batch 3", memory.Assistant, mustTime(t, "2024-04-05Z")),
		}},
		{Name: "beam-10", Records: []memory.Record{
			turn("beam-10/0", "Short.", "batch 1", memory.User, mustTime(t, "2024-06-01Z")),
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	one, err := BEAM("testdata/beam/100K/10")
	if err != nil || len(one) != 1 || one[0].Name != "beam-10" {
		t.Errorf("one chat: %v, %v", one, err)
	}
}

func TestBEAMMalformed(t *testing.T) {
	t.Parallel()
	for chat, reason := range map[string]string{
		`{}`: "a JSON list of batches",
		`[{"batch_number":1,"turns":[[{"role":"user","content":"a"}]]}]`:                                   "has no id",
		`[{"batch_number":1,"turns":[[{"role":"cat","id":1,"content":"a"}]]}]`:                             `role "cat"`,
		`[{"batch_number":1,"turns":[[{"role":"user","id":1,"time_anchor":"1 May 2024","content":"a"}]]}]`: "is no date",
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "1", "chat.json"), chat)
		refusesBEAM(t, dir, reason)
	}
	refusesBEAM(t, t.TempDir(), "holds no BEAM chat")
	refusesBEAM(t, filepath.Join(t.TempDir(), "absent"), "no such file")

	sizes := t.TempDir()
	write(t, filepath.Join(sizes, "100K", "1", "chat.json"), `[]`)
	write(t, filepath.Join(sizes, "500K", "1", "chat.json"), `[]`)
	refusesBEAM(t, sizes, "of one name")
}

func refusesBEAM(t *testing.T, path, reason string) {
	t.Helper()
	_, err := BEAM(path)
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line with %q", err, reason)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoCoMoWhole(t *testing.T) {
	t.Parallel()
	got, err := LoCoMo(open(t, shared(t, "locomo-tune.json")))
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, got, map[string]int{"conv-26": 419, "conv-30": 369, "conv-41": 663, "conv-42": 629, "conv-43": 680})
}

func TestBEAMWhole(t *testing.T) {
	t.Parallel()
	got, err := BEAM(shared(t, "beam-100k-tune"))
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, got, map[string]int{
		"beam-1": 188, "beam-2": 200, "beam-3": 194, "beam-4": 212, "beam-5": 238,
		"beam-6": 258, "beam-7": 260, "beam-8": 268, "beam-9": 270, "beam-10": 344,
	})
	marked := 0
	for _, h := range got {
		for _, r := range h.Records {
			if strings.Contains(r.Body.(*memory.Episode).Text, "->->") {
				marked++
			}
		}
	}
	if marked > 0 {
		t.Errorf("%d messages still end in a marker", marked)
	}
}

// checkCounts compares the records per history, and that all are dated, in
// order, keyed once and written as lines that read back as they were stored.
func checkCounts(t *testing.T, got []History, want map[string]int) {
	t.Helper()
	counts := map[string]int{}
	for _, h := range got {
		counts[h.Name] = len(h.Records)
		keys := map[string]bool{}
		var before memory.Time
		for _, r := range h.Records {
			e := r.Body.(*memory.Episode)
			if e.Occurred.IsZero() || e.Occurred.Micros < before.Micros || keys[r.IDKey] || r.IDKey != e.IDKey {
				t.Errorf("%s at %s behind %s", r.IDKey, e.Occurred, before)
			}
			keys[r.IDKey], before = true, e.Occurred
			r.ID = memory.ID{15: 1}
			line, err := Line(r)
			if err != nil {
				t.Fatal(err)
			}
			if back := readOne(t, string(line), nil); back.IDKey != r.IDKey || back.Body.(*memory.Episode).Text != e.Text {
				t.Errorf("%s changed in a round trip", r.IDKey)
			}
		}
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Error(diff)
	}
}
