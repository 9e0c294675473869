package importer

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"engram/memory"
)

// locomoConversation is one element of a LoCoMo file. Conversation maps
// "session_N" to its turns and "session_N_date_time" to its date, beside other
// fields that are of no use here.
type locomoConversation struct {
	SampleID     string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
}

type locomoTurn struct {
	Speaker string `json:"speaker"`
	DiaID   string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

// LoCoMo reads a file of the LoCoMo benchmark (locomo10.json): one history for
// each conversation, named by its sample_id, with the keys "sample_id/dia_id",
// e.g. "conv-26/D1:3". A shared photo is kept as its caption, turns with
// neither text nor caption are passed over. Dates are read as UTC. A malformed
// file gives memory.ErrInvalid.
func LoCoMo(r io.Reader) ([]History, error) {
	var list []locomoConversation
	if err := json.NewDecoder(r).Decode(&list); err != nil {
		return nil, fmt.Errorf("a LoCoMo file was expected (a JSON list of objects with sample_id and conversation): %w: %w", err, memory.ErrInvalid)
	}
	histories := make([]History, 0, len(list))
	for i, c := range list {
		if c.SampleID == "" || c.Conversation == nil {
			return nil, fmt.Errorf("LoCoMo: element %d has no sample_id or no conversation: %w", i, memory.ErrInvalid)
		}
		h, err := c.history()
		if err != nil {
			return nil, fmt.Errorf("LoCoMo: %s: %w", c.SampleID, err)
		}
		histories = append(histories, h)
	}
	return histories, nil
}

func (c *locomoConversation) history() (History, error) {
	h := History{Name: c.SampleID}
	seen := map[string]int{}
	for _, n := range c.sessions() {
		if err := c.addSession(&h, seen, "session_"+strconv.Itoa(n)); err != nil {
			return History{}, err
		}
	}
	return h, nil
}

var sessionName = regexp.MustCompile(`^session_(\d+)$`)

// sessions lists the numbers of the sessions in order.
func (c *locomoConversation) sessions() []int {
	var numbers []int
	for name := range c.Conversation {
		if m := sessionName.FindStringSubmatch(name); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	return numbers
}

func (c *locomoConversation) addSession(h *History, seen map[string]int, session string) error {
	var turns []locomoTurn
	if err := json.Unmarshal(c.Conversation[session], &turns); err != nil {
		return fmt.Errorf("%s should be a list of turns: %w: %w", session, err, memory.ErrInvalid)
	}
	at, err := c.date(session)
	if err != nil {
		return err
	}
	for i, t := range turns {
		if t.DiaID == "" {
			return fmt.Errorf("%s: turn %d has no dia_id: %w", session, i, memory.ErrInvalid)
		}
		err := h.add(seen, c.SampleID+"/"+t.DiaID, memory.Episode{
			Text:     t.words(),
			Occurred: at,
			Session:  session,
			Speaker:  t.Speaker,
			Source:   memory.User,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// date gives the date of a session, which may have none.
func (c *locomoConversation) date(session string) (memory.Time, error) {
	name := session + "_date_time"
	raw, ok := c.Conversation[name]
	if !ok {
		return memory.Time{}, nil
	}
	var date string
	if err := json.Unmarshal(raw, &date); err != nil {
		return memory.Time{}, fmt.Errorf("%s should be a string: %w", name, memory.ErrInvalid)
	}
	start, err := dated("3:04 pm on 2 January, 2006", date, memory.Minute)
	if err != nil {
		return memory.Time{}, fmt.Errorf("%s: %w", name, err)
	}
	return start, nil
}

// words gives what was said and shown.
func (t *locomoTurn) words() string {
	switch {
	case t.Caption == "":
		return t.Text
	case t.Text == "":
		return "[shares photo: " + t.Caption + "]"
	default:
		return t.Text + " [shares photo: " + t.Caption + "]"
	}
}
