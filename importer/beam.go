package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"engram/memory"
)

// beamFiles are the names of a chat, the preferred one first. The misspelling
// is that of the data set.
var beamFiles = []string{"chat_trunecated.json", "chat.json"}

// beamDepth is how far below the named directory a chat may lie: chats/100K/1.
const beamDepth = 3

type beamBatch struct {
	Number int             `json:"batch_number"`
	Anchor string          `json:"time_anchor"`
	Turns  [][]beamMessage `json:"turns"`
}

type beamMessage struct {
	ID      *int   `json:"id"`
	Role    string `json:"role"`
	Anchor  string `json:"time_anchor"`
	Content string `json:"content"`
}

// BEAM reads chats of the BEAM benchmark from a directory that holds one
// directory for each chat, or from that of one chat: one history for each,
// named "beam-N" after its directory, with the keys "beam-N/ID", where ID is
// the id of the message. A message without a date takes the last one stated
// before it. Malformed files give memory.ErrInvalid.
func BEAM(path string) ([]History, error) {
	dirs, err := BEAMChats(path)
	if err != nil {
		return nil, err
	}
	histories := make([]History, 0, len(dirs))
	for _, dir := range dirs {
		h, err := beamChat(dir)
		if err != nil {
			return nil, fmt.Errorf("BEAM: %s: %w", dir, err)
		}
		histories = append(histories, h)
	}
	return histories, nil
}

// BEAMChats lists the directories of the chats at or below path, by number.
// None, or one number twice (chats of several sizes), gives memory.ErrInvalid.
func BEAMChats(path string) ([]string, error) {
	path, err := filepath.Abs(path) // so that "." has a name
	if err != nil {
		return nil, fmt.Errorf("find BEAM chats: %w", err)
	}
	dirs, err := beamDirs(path, beamDepth)
	if err != nil {
		return nil, fmt.Errorf("find BEAM chats: %w: %w", err, memory.ErrInvalid)
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("%s holds no BEAM chat (a directory for each, such as 1/chat.json, was expected): %w", path, memory.ErrInvalid)
	}
	slices.SortFunc(dirs, func(a, b string) int {
		na, _ := strconv.Atoi(filepath.Base(a))
		nb, _ := strconv.Atoi(filepath.Base(b))
		return cmp.Or(cmp.Compare(na, nb), cmp.Compare(filepath.Base(a), filepath.Base(b)), cmp.Compare(a, b))
	})
	for i := range dirs[1:] {
		if filepath.Base(dirs[i]) == filepath.Base(dirs[i+1]) {
			return nil, fmt.Errorf("%s and %s are BEAM chats of one name (name the directory of one size): %w", dirs[i], dirs[i+1], memory.ErrInvalid)
		}
	}
	return dirs, nil
}

func beamDirs(dir string, depth int) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(beamFiles, e.Name()) }) {
		return []string{dir}, nil
	}
	var dirs []string
	for _, e := range entries {
		if !e.IsDir() || depth == 0 {
			continue
		}
		below, err := beamDirs(filepath.Join(dir, e.Name()), depth-1)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, below...)
	}
	return dirs, nil
}

func beamChat(dir string) (History, error) {
	batches, err := readBEAM(dir)
	if err != nil {
		return History{}, err
	}
	h := History{Name: "beam-" + filepath.Base(dir)}
	seen := map[string]int{}
	var at memory.Time
	for _, b := range batches {
		if err := anchor(&at, b.Anchor); err != nil {
			return History{}, err
		}
		for _, m := range slices.Concat(b.Turns...) {
			if err := anchor(&at, m.Anchor); err != nil {
				return History{}, err
			}
			e, err := m.episode()
			if err != nil {
				return History{}, fmt.Errorf("batch %d: %w", b.Number, err)
			}
			e.Session = "batch " + strconv.Itoa(b.Number)
			e.Occurred = at
			if err := h.add(seen, h.Name+"/"+strconv.Itoa(*m.ID), e); err != nil {
				return History{}, err
			}
		}
	}
	return h, nil
}

func readBEAM(dir string) ([]beamBatch, error) {
	for _, name := range beamFiles {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var batches []beamBatch
		if err := json.Unmarshal(raw, &batches); err != nil {
			return nil, fmt.Errorf("%s should be a JSON list of batches with batch_number and turns: %w: %w", name, err, memory.ErrInvalid)
		}
		return batches, nil
	}
	return nil, fmt.Errorf("no chat.json: %w", memory.ErrInvalid)
}

// anchor sets at to a date such as "March-15-2024"; none leaves it as it is.
func anchor(at *memory.Time, date string) error {
	if date == "" {
		return nil
	}
	t, err := dated("January-02-2006", date, memory.Day)
	if err != nil {
		return fmt.Errorf("time_anchor: %w", err)
	}
	*at = t
	return nil
}

// beamMarker ends the user's messages: "->-> 1,14" and, in places, "->-> 2,N/A"
// or "->-> 5,14)". It names the prompt by which the message was made.
var beamMarker = regexp.MustCompile(`\s*->->\s*[\d,]+(?:N/A)?\)?\s*$`)

func (m *beamMessage) episode() (memory.Episode, error) {
	if m.ID == nil {
		return memory.Episode{}, fmt.Errorf("a message has no id: %w", memory.ErrInvalid)
	}
	var source memory.Source
	switch m.Role {
	case "user":
		source = memory.User
	case "assistant":
		source = memory.Assistant
	default:
		return memory.Episode{}, fmt.Errorf("message %d: role %q is neither user nor assistant: %w", *m.ID, m.Role, memory.ErrInvalid)
	}
	return memory.Episode{
		Text:    beamMarker.ReplaceAllString(m.Content, ""),
		Speaker: m.Role,
		Source:  source,
	}, nil
}
