package memory

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// refusal is what a Validate should say: nothing if want is empty.
func refusal(t *testing.T, name string, err error, sentinel error, want ...string) {
	t.Helper()
	if len(want) == 0 {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	if !errors.Is(err, sentinel) {
		t.Errorf("%s: %v, want %v", name, err, sentinel)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %q does not say %q", name, err, w)
		}
	}
}

func TestEpisodeValidate(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", MaxName+1)
	someone := ID{1}
	for name, c := range map[string]struct {
		e        Episode
		sentinel error
		want     []string
	}{
		"plain":                  {Episode{Text: "hello"}, nil, nil},
		"Chinese and emoji":      {Episode{Text: "你好👋🏽"}, nil, nil},
		"control in text":        {Episode{Text: "a\x00\n\tb"}, nil, nil},
		"longest":                {Episode{Text: strings.Repeat("x", MaxText)}, nil, nil},
		"too long":               {Episode{Text: strings.Repeat("x", MaxText+1)}, ErrTooLarge, []string{"text", "4194305", "4194304"}},
		"empty":                  {Episode{}, ErrInvalid, []string{"blank"}},
		"white space":            {Episode{Text: " \t\r\n\u00a0\u3000\u2028"}, ErrInvalid, []string{"blank"}},
		"control only":           {Episode{Text: "\x00\x1b\x7f"}, ErrInvalid, []string{"blank"}},
		"zero width only":        {Episode{Text: "\u200b\u200c\u200d\ufeff\u2060\u00ad"}, ErrInvalid, []string{"blank"}},
		"fillers only":           {Episode{Text: "\u3164\u115f\u034f\ufe0f"}, ErrInvalid, []string{"blank"}},
		"visible in zero width":  {Episode{Text: "\u200b.\u200b"}, nil, nil},
		"invalid at 0":           {Episode{Text: "\xffabc"}, ErrInvalid, []string{"text", "byte 0"}},
		"invalid behind Chinese": {Episode{Text: "你好\xe4\xbd"}, ErrInvalid, []string{"byte 6"}},
		"lone surrogate":         {Episode{Text: "ab\xed\xa0\x80"}, ErrInvalid, []string{"byte 2"}},
		"overlong":               {Episode{Text: "abc\xc0\xaf"}, ErrInvalid, []string{"byte 3"}},
		"U+FFFD itself":          {Episode{Text: "\ufffd"}, nil, nil},
		"U+FFFD before invalid":  {Episode{Text: "\ufffd\xff"}, ErrInvalid, []string{"byte 3"}},
		"session":                {Episode{Text: "x", Session: long}, ErrTooLarge, []string{"session", "513", "512"}},
		"speaker":                {Episode{Text: "x", Speaker: "a\nb"}, ErrInvalid, []string{"speaker", "control", "byte 1"}},
		"path":                   {Episode{Text: "x", Path: "文\x7f"}, ErrInvalid, []string{"path", "byte 3"}},
		"key":                    {Episode{Text: "x", Key: "k\xed\xa0\x80"}, ErrInvalid, []string{"key", "UTF-8", "byte 1"}},
		"longest name":           {Episode{Text: "x", Key: long[1:]}, nil, nil},
		"kinds":                  {Episode{Text: "x", Kind: Observation, Source: Web}, nil, nil},
		"kind":                   {Episode{Text: "x", Kind: "thought"}, ErrInvalid, []string{"thought", "observation"}},
		"source":                 {Episode{Text: "x", Source: "god"}, ErrInvalid, []string{"god", "assistant"}},
		"occurred":               {Episode{Text: "x", Occurred: Micros(math.MaxInt64)}, ErrInvalid, []string{"occurred", "9999"}},
		"link":                   {Episode{Text: "x", Links: []Link{{CausedBy, someone}, {About, someone}}}, nil, nil},
		"relation":               {Episode{Text: "x", Links: []Link{{CausedBy, someone}, {"likes", someone}}}, ErrInvalid, []string{"likes", "caused_by"}},
		"link to nothing":        {Episode{Text: "x", Links: []Link{{Rel: ReplyTo}}}, ErrInvalid, []string{"reply_to", "no episode"}},
		"metadata":               {Episode{Text: "x", Metadata: map[string]string{"a": "", "b": "多\nlines"}}, nil, nil},
		"metadata without key":   {Episode{Text: "x", Metadata: map[string]string{"": "v"}}, ErrInvalid, []string{"metadata", "empty key"}},
		"metadata key":           {Episode{Text: "x", Metadata: map[string]string{"a\n": "v"}}, ErrInvalid, []string{"metadata key", "byte 1"}},
		"metadata value":         {Episode{Text: "x", Metadata: map[string]string{"a": "好\xff"}}, ErrInvalid, []string{"metadata a", "byte 3"}},
		"largest metadata":       {Episode{Text: "x", Metadata: map[string]string{"a": strings.Repeat("x", MaxMetadata-1)}}, nil, nil},
		"metadata too large":     {Episode{Text: "x", Metadata: map[string]string{"a": strings.Repeat("x", MaxMetadata)}}, ErrTooLarge, []string{"65537", "65536"}},
	} {
		refusal(t, name, c.e.Validate(), c.sentinel, c.want...)
	}
}

// Which of several faults is named must not depend on the order of a map.
func TestMetadataFaultsInOrder(t *testing.T) {
	t.Parallel()
	e := Episode{Text: "x", Metadata: map[string]string{"c": "\xff", "a": "\xff", "b": "\xff"}}
	for range 50 {
		refusal(t, "metadata", e.Validate(), ErrInvalid, "metadata a ")
	}
}

func TestBodyValidate(t *testing.T) {
	t.Parallel()
	a := []ID{{1}}
	for name, c := range map[string]struct {
		body Body
		want []string
	}{
		"retract":                  {&Retract{Targets: a, Reason: "wrong", Actor: "me"}, nil},
		"retract nothing":          {&Retract{}, []string{"retraction"}},
		"retract the zero id":      {&Retract{Targets: []ID{{1}, {}}}, []string{"retraction"}},
		"retract reason":           {&Retract{Targets: a, Reason: "\x00"}, []string{"reason", "byte 0"}},
		"retract actor":            {&Retract{Targets: a, Actor: "a\xff"}, []string{"actor", "byte 1"}},
		"association":              {&Association{From: ID{1}, Rel: About, To: ID{2}}, nil},
		"association from nothing": {&Association{Rel: About, To: ID{2}}, []string{"starts"}},
		"association to nothing":   {&Association{From: ID{1}, Rel: About}, []string{"about", "no episode"}},
		"association relation":     {&Association{From: ID{1}, To: ID{2}}, []string{`""`, "same_task"}},
		"feedback":                 {&Feedback{Used: a}, nil},
		"feedback of a reward":     {&Feedback{Answer: "x", Reward: new(-1.0)}, nil},
		"feedback of nothing":      {&Feedback{Answer: "x"}, []string{"no item"}},
		"feedback on the zero id":  {&Feedback{Used: a, Unpin: []ID{{}}}, []string{"without an id"}},
		"reward":                   {&Feedback{Reward: new(1.01)}, []string{"1.01", "[-1, 1]"}},
		"reward NaN":               {&Feedback{Reward: new(math.NaN())}, []string{"NaN"}},
		"reward infinite":          {&Feedback{Reward: new(math.Inf(-1))}, []string{"Inf"}},
		"pin":                      {&Feedback{Pin: a, Priority: new(2), Due: Micros(1)}, nil},
		"priority":                 {&Feedback{Pin: a, Priority: new(-3)}, []string{"-3", "[-2, 2]"}},
		"priority without pin":     {&Feedback{Used: a, Priority: new(1)}, []string{"pin"}},
		"due without pin":          {&Feedback{Unpin: a, Due: Micros(1)}, []string{"pin"}},
		"due":                      {&Feedback{Pin: a, Due: Micros(math.MinInt64)}, []string{"due", "9999"}},
		"answer":                   {&Feedback{Used: a, Answer: "\xed\xa0\x80"}, []string{"answer", "byte 0"}},
		"erased":                   {&Erased{Counts: map[RecordType]int{TypeEpisode: 1}}, nil},
		"erased reason":            {&Erased{Reason: "\n"}, []string{"reason"}},
		"erased actor":             {&Erased{Actor: "\n"}, []string{"actor"}},
	} {
		refusal(t, name, c.body.Validate(), ErrInvalid, c.want...)
	}
}

func TestScope(t *testing.T) {
	t.Parallel()
	if s, err := NewScope("", ""); err != nil || s != (Scope{"default", "default"}) {
		t.Errorf("the default scope: %v, %v", s, err)
	}
	if s, err := NewScope("公司", "alice"); err != nil || s.String() != "公司/alice" {
		t.Errorf("a scope: %v, %v", s, err)
	}
	for name, c := range map[string]struct {
		scope    Scope
		sentinel error
		want     []string
	}{
		"no tenant":   {Scope{Space: "s"}, ErrInvalid, []string{"need a name"}},
		"no space":    {Scope{Tenant: "t"}, ErrInvalid, []string{"need a name"}},
		"long tenant": {Scope{strings.Repeat("t", 513), "s"}, ErrTooLarge, []string{"tenant", "513", "512"}},
		"tenant":      {Scope{"t\x01", "s"}, ErrInvalid, []string{"tenant", "byte 1"}},
		"space":       {Scope{"t", "\xff"}, ErrInvalid, []string{"space", "byte 0"}},
	} {
		refusal(t, name, c.scope.Validate(), c.sentinel, c.want...)
	}
}

func TestParseKindAndSource(t *testing.T) {
	t.Parallel()
	if k, err := ParseKind(""); err != nil || k != Message {
		t.Errorf("the default kind: %q, %v", k, err)
	}
	if s, err := ParseSource(""); err != nil || s != User {
		t.Errorf("the default source: %q, %v", s, err)
	}
	for _, k := range kinds {
		if got, err := ParseKind(string(k)); err != nil || got != k {
			t.Errorf("kind %q: %q, %v", k, got, err)
		}
	}
	for _, s := range sources {
		if got, err := ParseSource(string(s)); err != nil || got != s {
			t.Errorf("source %q: %q, %v", s, got, err)
		}
	}
	_, err := ParseKind("Message")
	refusal(t, "kind", err, ErrInvalid, "Message", "message, instruction, action, observation, document")
	_, err = ParseSource("x")
	refusal(t, "source", err, ErrInvalid, "user, tool, assistant, import, web")
}

func TestPosition(t *testing.T) {
	t.Parallel()
	if got := (Position{Epoch: 2, Seq: 17}).String(); got != "2.17" {
		t.Errorf("position: %s", got)
	}
	refusal(t, "now", AsOf{}.Validate(), nil)
	refusal(t, "at a position", AsOf{Valid: Micros(1), Known: Known{Seq: 1}}.Validate(), nil)
	refusal(t, "at a time", AsOf{Known: Known{Time: Micros(1)}}.Validate(), nil)
	refusal(t, "at both", AsOf{Known: Known{Seq: 1, Time: Micros(1)}}.Validate(), ErrInvalid, "known_at")
	refusal(t, "valid", AsOf{Valid: Micros(math.MaxInt64)}.Validate(), ErrInvalid, "9999")
	refusal(t, "known", AsOf{Known: Known{Time: Time{Gran: 7}}}.Validate(), ErrInvalid, "granularity")
}

func TestReceiptComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		r    Receipt
		want bool
	}{
		{Receipt{}, false},
		{Receipt{Verified: true}, true},
		{Receipt{Verified: true, Pending: []string{"a reader's WAL"}}, false},
	} {
		if c.r.Complete() != c.want {
			t.Errorf("%+v: %v", c.r, !c.want)
		}
	}
}
