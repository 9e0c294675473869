package longmemeval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"engram/eval"
	"engram/eval/dataset"
	"engram/memory"
)

// types are those of questions.
var types = []string{
	"single-session-user", "single-session-assistant", "single-session-preference",
	"temporal-reasoning", "knowledge-update", "multi-session",
}

// abstention ends the ids of questions that the history does not answer.
const abstention = "_abs"

// item is one element of a file.
type item struct {
	ID             string          `json:"question_id"`
	Type           string          `json:"question_type"`
	Question       string          `json:"question"`
	Answer         json.RawMessage `json:"answer"` // a string or a number
	Date           string          `json:"question_date"`
	SessionIDs     []string        `json:"haystack_session_ids"`
	Dates          []string        `json:"haystack_dates"`
	Sessions       [][]turn        `json:"haystack_sessions"`
	AnswerSessions []string        `json:"answer_session_ids"`
}

type turn struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	HasAnswer bool   `json:"has_answer"`
}

// cases reads an array of items and gives the case of each before it reads the
// next one. An error ends it.
func cases(r io.Reader) iter.Seq2[*eval.Case, error] {
	return func(yield func(*eval.Case, error) bool) {
		dec := json.NewDecoder(r)
		if err := begin(dec); err != nil {
			yield(nil, err)
			return
		}
		seen := map[string]bool{}
		for n := 0; dec.More(); n++ {
			c, err := next(dec, seen)
			if err != nil {
				yield(nil, fmt.Errorf("element %d: %w", n, err))
				return
			}
			if !yield(c, nil) {
				return
			}
		}
		if err := end(dec); err != nil {
			yield(nil, err)
		}
	}
}

func begin(dec *json.Decoder) error {
	open, err := dec.Token()
	if err == nil && open != json.Delim('[') {
		return fmt.Errorf("it is no JSON array: %w", memory.ErrInvalid)
	}
	return malformed(err)
}

// end reads what is behind the last item, so that all of the file was read.
func end(dec *json.Decoder) error {
	if _, err := dec.Token(); err != nil { // the closing bracket
		return malformed(err)
	}
	switch _, err := dec.Token(); err {
	case io.EOF:
		return nil
	case nil:
		return fmt.Errorf("there is something behind the array: %w", memory.ErrInvalid)
	default:
		return malformed(err)
	}
}

// malformed says of an error of the decoder whether the data is at fault. What
// the device that it is read from says stays as it is.
func malformed(err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax), errors.As(err, &wrongType):
		return fmt.Errorf("%w: %w", err, memory.ErrInvalid)
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return fmt.Errorf("it ends too early: %w", memory.ErrInvalid)
	}
	return err
}

func next(dec *json.Decoder, seen map[string]bool) (*eval.Case, error) {
	var it item
	if err := dec.Decode(&it); err != nil {
		return nil, malformed(err)
	}
	if err := it.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", err, memory.ErrInvalid)
	}
	if seen[it.ID] {
		return nil, fmt.Errorf("the question_id %q is there twice: %w", it.ID, memory.ErrInvalid)
	}
	seen[it.ID] = true
	c, err := it.toCase()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", it.ID, err)
	}
	return c, nil
}

// check names the first field that is missing or of no use.
func (it *item) check() error {
	switch {
	case it.ID == "":
		return errors.New("it has no question_id")
	case strings.TrimSpace(it.Question) == "":
		return fmt.Errorf("%s has no question", it.ID)
	case !slices.Contains(types, it.Type):
		return fmt.Errorf("%s: the question_type %q is none of %s", it.ID, it.Type, strings.Join(types, ", "))
	case dataset.Plain(it.Answer) == "":
		return fmt.Errorf("%s has no answer", it.ID)
	case len(it.Sessions) == 0:
		return fmt.Errorf("%s has no haystack_sessions", it.ID)
	case len(it.SessionIDs) != len(it.Sessions) || len(it.Dates) != len(it.Sessions):
		return fmt.Errorf("%s has %d haystack_sessions, but %d haystack_session_ids and %d haystack_dates",
			it.ID, len(it.Sessions), len(it.SessionIDs), len(it.Dates))
	case slices.Contains(it.SessionIDs, ""):
		return fmt.Errorf("%s has an empty name among its haystack_session_ids", it.ID)
	}
	return nil
}

// session is one of an item, with a name that no other one of it has.
type session struct {
	name   string
	at     memory.Time
	turns  []turn
	answer bool // it is one of the answer sessions
}

func (it *item) toCase() (*eval.Case, error) {
	asked, err := date("question_date", it.Date)
	if err != nil {
		return nil, err
	}
	sessions, err := it.sessions()
	if err != nil {
		return nil, err
	}
	c := &eval.Case{Name: it.ID}
	var marked, within []string // turns with the answer; all turns of answer sessions
	for _, s := range sessions {
		for i, t := range s.turns {
			if blank(t.Content) {
				continue
			}
			e, err := s.episode(i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			c.Turns = append(c.Turns, eval.Turn{Episode: e})
			if t.HasAnswer {
				marked = append(marked, e.IDKey)
			}
			if s.answer {
				within = append(within, e.IDKey)
			}
		}
	}
	q := eval.Question{
		ID: it.ID, Category: it.Type, Answer: dataset.Plain(it.Answer), Unanswerable: strings.HasSuffix(it.ID, abstention),
		Ask: eval.Ask{Text: it.Question, At: asked},
	}
	if !q.Unanswerable {
		if q.Evidence = marked; len(marked) == 0 {
			q.Evidence = within
		}
	}
	c.Questions = []eval.Question{q}
	return c, nil
}

// sessions lists the sessions by date. A name that the data uses again becomes
// "name#2", because a case knows sessions and turns by their names alone.
func (it *item) sessions() ([]session, error) {
	sessions := make([]session, len(it.Sessions))
	used := map[string]bool{}
	for i, turns := range it.Sessions {
		at, err := date("haystack_dates", it.Dates[i])
		if err != nil {
			return nil, err
		}
		id := it.SessionIDs[i]
		name := id
		for n := 2; used[name]; n++ {
			name = id + "#" + strconv.Itoa(n)
		}
		used[name] = true
		sessions[i] = session{name: name, at: at, turns: turns, answer: slices.Contains(it.AnswerSessions, id)}
	}
	slices.SortStableFunc(sessions, func(a, b session) int { return cmp.Compare(a.at.Micros, b.at.Micros) })
	return sessions, nil
}

// episode gives the turn at place i of the session.
func (s *session) episode(i int) (memory.Episode, error) {
	source, err := source(s.turns[i].Role)
	if err != nil {
		return memory.Episode{}, err
	}
	e := memory.Episode{
		Text: s.turns[i].Content, Occurred: s.at, Session: s.name, Source: source, IDKey: s.name + ":" + strconv.Itoa(i+1),
	}
	return e, e.Validate()
}

func source(role string) (memory.Source, error) {
	switch role {
	case "user":
		return memory.User, nil
	case "assistant":
		return memory.Assistant, nil
	}
	return "", fmt.Errorf("the role %q is neither user nor assistant: %w", role, memory.ErrInvalid)
}

// date reads "2023/05/30 (Tue) 23:40", which is taken as UTC.
func date(field, s string) (memory.Time, error) {
	t, err := time.Parse("2006/01/02 (Mon) 15:04", s)
	if err != nil {
		return memory.Time{}, fmt.Errorf("%s: %q is no date such as %q: %w", field, s, "2023/05/30 (Tue) 23:40", memory.ErrInvalid)
	}
	at := memory.At(t)
	at.Gran = memory.Minute
	return at, nil
}

// blank reports whether nothing in a text can be seen. Chats of the web hold
// such turns: a lone zero-width space.
func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }) < 0
}
