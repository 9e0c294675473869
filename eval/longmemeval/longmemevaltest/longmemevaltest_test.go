package longmemevaltest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestGenerateIsRepeatable(t *testing.T) {
	t.Parallel()
	var a, b, other bytes.Buffer
	for seed, w := range map[uint64]*bytes.Buffer{1: &a, 2: &other} {
		if err := Generate(w, seed, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := Generate(&b, 1, Options{}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) || bytes.Equal(a.Bytes(), other.Bytes()) {
		t.Error("the same seed should give the same file, another one another")
	}
	var items []Item
	if err := json.Unmarshal(a.Bytes(), &items); err != nil || len(items) != 6*2+4 {
		t.Errorf("got %d items, %v", len(items), err)
	}
}

// TestAnswersAreInTheHistory checks that an answer is said in the sessions that
// the item names, and in no others.
func TestAnswersAreInTheHistory(t *testing.T) {
	t.Parallel()
	for _, it := range Items(3, Options{Each: 8}) {
		named := map[string]bool{}
		for _, id := range it.AnswerSessions {
			named[id] = true
		}
		found, dates := 0, []time.Time{}
		for i, turns := range it.Sessions {
			evidence := named[it.SessionIDs[i]]
			if evidence {
				found++
				at, err := time.Parse(Layout, it.Dates[i])
				if err != nil {
					t.Fatal(err)
				}
				dates = append(dates, at.Truncate(24*time.Hour))
			}
			if evidence != strings.HasPrefix(it.SessionIDs[i], "answer_") {
				t.Errorf("%s: session %s", it.ID, it.SessionIDs[i])
			}
			for _, turn := range turns {
				if !evidence && turn.HasAnswer != nil {
					t.Errorf("%s: a turn of %s is marked", it.ID, it.SessionIDs[i])
				}
			}
		}
		if found != len(it.AnswerSessions) || found == 0 {
			t.Errorf("%s: %d of the sessions %q are there", it.ID, found, it.AnswerSessions)
		}
		if strings.HasSuffix(it.ID, "_abs") {
			continue
		}
		checkAnswer(t, &it, named, dates)
	}
}

func checkAnswer(t *testing.T, it *Item, named map[string]bool, dates []time.Time) {
	t.Helper()
	switch it.Type {
	case "single-session-user", "single-session-assistant", "knowledge-update":
		for i, turns := range it.Sessions {
			for _, turn := range turns {
				if strings.Contains(turn.Content, it.Answer.(string)) && !named[it.SessionIDs[i]] {
					t.Errorf("%s: the answer %v is in %s too", it.ID, it.Answer, it.SessionIDs[i])
				}
			}
		}
	case "temporal-reasoning":
		days := int(dates[0].Sub(dates[1]).Abs() / (24 * time.Hour))
		if it.Answer != days {
			t.Errorf("%s: the answer is %v, the dates %v are %d days apart", it.ID, it.Answer, dates, days)
		}
	}
}
