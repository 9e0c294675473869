// Package stories measures what an engine knows after it was told a story:
// short conversations, each with checks of what must hold, be recalled, be
// disputed or be unknown afterwards, from several points of both time axes. It
// may import memory and the engine.
package stories

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"engram/memory"
)

// Story is a conversation and what must be known after it.
type Story struct {
	ID       string    `json:"id"`
	Lang     string    `json:"lang"`
	Kind     string    `json:"kind"`
	Episodes []Episode `json:"episodes"` // in the order in which they are recorded
	Now      Time      `json:"now"`      // when the checks are made
	Checks   []Check   `json:"checks"`
}

// Episode is one turn of a story.
type Episode struct {
	ID       string `json:"id"`
	Session  string `json:"session"`
	Role     Role   `json:"role"`
	Speaker  string `json:"speaker"` // who says "I"; empty: the user of the memory
	Occurred Time   `json:"occurred"`
	Recorded Time   `json:"recorded"` // defaults to Occurred; never decreases
	Text     string `json:"text"`
}

// Role says who speaks.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

var sources = map[Role]memory.Source{User: memory.User, Assistant: memory.Assistant, Tool: memory.Tool}

// Type says what a check looks at.
type Type string

// The types of checks. The first three make up the knowledge score.
const (
	Facts    Type = "facts"    // what holds of a subject
	History  Type = "history"  // what replaced what
	Disputed Type = "disputed" // values that are kept side by side
	NoFact   Type = "no_fact"  // what was never to be learned
	Recall   Type = "recall"   // what an answer says
)

// Check is one expectation, asked at Now. Strings match as parts of others,
// without regard to case.
type Check struct {
	Type     Type     `json:"type"`
	Subject  string   `json:"subject,omitempty"`  // Facts, History: "user", or a name or phrase of the text
	Question string   `json:"question,omitempty"` // Recall
	ValidAt  Time     `json:"valid_at,omitzero"`  // Facts, Recall: the point of the world's time; null: now
	KnownAt  Time     `json:"known_at,omitzero"`  // Facts, Recall: that of the memory's; null: now
	Must     []string `json:"must,omitempty"`
	MustNot  []string `json:"must_not,omitempty"`
	About    string   `json:"about,omitempty"`  // History: what is meant, for people
	Order    []string `json:"order,omitempty"`  // History
	Values   []string `json:"values,omitempty"` // Disputed
}

// Time is an instant with its offset; null and what is not there are no time.
type Time struct{ memory.Time }

// UnmarshalJSON reads an instant of RFC 3339.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s *string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s == nil {
		return nil
	}
	at, err := time.Parse(time.RFC3339, *s)
	if err != nil {
		return err
	}
	t.Time = memory.At(at)
	return nil
}

// maxLine is the longest line of a file of stories, in bytes.
const maxLine = 16 << 20

// Read reads stories, one JSON object a line; blank lines are passed over. A
// line that is no story gives memory.ErrInvalid with its number.
func Read(r io.Reader) ([]Story, error) {
	var out []Story
	ids := map[string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" {
			continue
		}
		var s Story
		err := json.Unmarshal([]byte(line), &s)
		if err == nil {
			err = s.validate()
		}
		if err == nil && ids[s.ID] {
			err = fmt.Errorf("the id %q is taken by an earlier story", s.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d is no story: %w: %w", n, err, memory.ErrInvalid)
		}
		ids[s.ID] = true
		out = append(out, s)
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, fmt.Errorf("line %d is longer than %d bytes: %w", n+1, maxLine, memory.ErrInvalid)
		}
		return nil, err
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no story in it: %w", memory.ErrInvalid)
	}
	return out, nil
}

// validate fills in what may be left out, and reports the first thing that a
// story cannot do without.
func (s *Story) validate() error {
	switch {
	case s.ID == "" || s.Lang == "" || s.Kind == "":
		return errors.New("id, lang and kind cannot be empty")
	case s.Now.IsZero():
		return errors.New("now is missing")
	case len(s.Episodes) == 0:
		return errors.New("it has no episodes")
	case len(s.Checks) == 0:
		return errors.New("it has no checks")
	}
	var last int64
	for i := range s.Episodes {
		e := &s.Episodes[i]
		if err := e.validate(); err != nil {
			return fmt.Errorf("episode %d: %w", i+1, err)
		}
		if i > 0 && e.Recorded.Micros < last {
			return fmt.Errorf("episode %d was recorded before the one in front of it", i+1)
		}
		last = e.Recorded.Micros
	}
	if s.Now.Micros < last {
		return errors.New("now is before the last episode")
	}
	for i := range s.Checks {
		if err := s.Checks[i].validate(); err != nil {
			return fmt.Errorf("check %d: %w", i+1, err)
		}
	}
	return nil
}

func (e *Episode) validate() error {
	switch {
	case sources[e.Role] == "":
		return fmt.Errorf("the role %q is none of user, assistant, tool", e.Role)
	case e.Occurred.IsZero():
		return errors.New("occurred is missing")
	case strings.TrimSpace(e.Text) == "":
		return errors.New("the text is blank")
	}
	if e.Recorded.IsZero() {
		e.Recorded = e.Occurred
	}
	return nil
}

func (c *Check) validate() error {
	for _, list := range [][]string{c.Must, c.MustNot, c.Order, c.Values} {
		if slices.Contains(list, "") {
			return errors.New("it expects an empty string, which is in everything")
		}
	}
	missing := ""
	switch c.Type {
	case Facts:
		missing = none(c.Subject == "", "subject")
	case History:
		missing = none(c.Subject == "", "subject") + none(len(c.Order) == 0, "order")
	case Disputed:
		missing = none(len(c.Values) == 0, "values")
	case NoFact:
		missing = none(len(c.MustNot) == 0, "must_not")
	case Recall:
		missing = none(strings.TrimSpace(c.Question) == "", "question")
	default:
		return fmt.Errorf("the type %q is none of facts, recall, history, no_fact, disputed", c.Type)
	}
	if missing != "" {
		return fmt.Errorf("a check of %s has no%s", c.Type, missing)
	}
	return nil
}

func none(is bool, field string) string {
	if is {
		return " " + field
	}
	return ""
}
