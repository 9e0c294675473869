// Package eval measures recall on public benchmarks and fits the ranker's
// weights on them: questions with their evidence, metrics, folds and the loss.
// It may import memory, importer, text, the engine, the standard library and
// gonum; nothing but cmd imports it.
package eval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"engram/importer"
	"engram/memory"
)

// Benchmark is a set of histories with questions about them.
type Benchmark struct {
	Name  string
	Cases []Case
}

// Case is one history and its questions: a memory of its own.
type Case struct {
	Name      string
	Records   []memory.Record // ready to append, each with its IDKey
	Questions []Question
}

// Question is asked of a case and answered by its evidence.
type Question struct {
	ID       string // unique in the benchmark: "conv-26/q12", "beam-3/summarization/1"
	Text     string
	Category string
	Answer   string   // the reference answer
	Evidence []string // IDKeys of the records that hold the answer, in their order, at least one
	Strict   []Part   // one part of each evidence record; nil until MarkStrict
}

// locomoFiles are the names under which a directory may hold LoCoMo.
var locomoFiles = []string{"locomo10.json", "locomo-tune.json"}

// locomoCategories names the categories of the questions that can be answered
// from the conversation; the fifth asks for what was never said.
var locomoCategories = map[int]string{1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}

// LoadLoCoMo reads LoCoMo from its file, or from a directory that holds it as
// locomo10.json or locomo-tune.json. Questions of the adversarial category and
// those whose evidence is not in the conversation are left out. What cannot be
// read gives memory.ErrInvalid.
func LoadLoCoMo(path string) (*Benchmark, error) {
	raw, err := readLoCoMo(path)
	if err != nil {
		return nil, fmt.Errorf("load LoCoMo: %w: %w", err, memory.ErrInvalid)
	}
	histories, err := importer.LoCoMo(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("load LoCoMo: %s: %w", path, err)
	}
	var questions []struct {
		QA []struct {
			Question string          `json:"question"`
			Category int             `json:"category"`
			Answer   json.RawMessage `json:"answer"`
			Evidence []string        `json:"evidence"`
		} `json:"qa"`
	}
	if err := json.Unmarshal(raw, &questions); err != nil {
		return nil, fmt.Errorf("load LoCoMo: %s: qa should be a list of objects with question, category, answer and evidence: %w: %w", path, err, memory.ErrInvalid)
	}
	b := &Benchmark{Name: "locomo"}
	for i, h := range histories {
		c := newCase(h)
		for j, q := range questions[i].QA {
			category, answerable := locomoCategories[q.Category]
			if !answerable {
				continue
			}
			c.add(Question{
				ID:       h.Name + "/q" + strconv.Itoa(j),
				Text:     q.Question,
				Category: category,
				Answer:   plain(q.Answer),
			}, turnIDs(q.Evidence))
		}
		b.Cases = append(b.Cases, c.Case)
	}
	return b, nil
}

func readLoCoMo(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return os.ReadFile(path)
	}
	for _, name := range locomoFiles {
		raw, err := os.ReadFile(filepath.Join(path, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return raw, err
		}
	}
	return nil, fmt.Errorf("%s holds neither %s", path, strings.Join(locomoFiles, " nor "))
}

var turnID = regexp.MustCompile(`D:?(\d+):(\d+)`)

// turnIDs finds the turns that evidence names. Its entries may hold several,
// and odd forms: "D8:6; D9:17", "D:11:26", "D30:05".
func turnIDs(evidence []string) []string {
	var ids []string
	for _, m := range turnID.FindAllStringSubmatch(strings.Join(evidence, " "), -1) {
		session, turn := strings.TrimLeft(m[1], "0"), strings.TrimLeft(m[2], "0")
		ids = append(ids, "D"+cmp.Or(session, "0")+":"+cmp.Or(turn, "0"))
	}
	return ids
}

// beamQuestions are the places of the questions in a chat's directory.
var beamQuestions = []string{
	filepath.Join("probing_questions", "probing_questions.json"),
	"probing_questions.json",
}

// LoadBEAM reads BEAM from a directory that holds one directory for each chat,
// or from that of one chat. The evidence of a question are the messages of its
// source_chat_ids; questions without any (abstention) are left out. What cannot
// be read gives memory.ErrInvalid.
func LoadBEAM(path string) (*Benchmark, error) {
	dirs, err := importer.BEAMChats(path)
	if err != nil {
		return nil, fmt.Errorf("load BEAM: %w", err)
	}
	b := &Benchmark{Name: "beam"}
	for _, dir := range dirs {
		c, err := loadBEAMChat(dir)
		if err != nil {
			return nil, fmt.Errorf("load BEAM: %w", err)
		}
		b.Cases = append(b.Cases, c)
	}
	return b, nil
}

func loadBEAMChat(dir string) (Case, error) {
	histories, err := importer.BEAM(dir)
	if err != nil {
		return Case{}, err
	}
	byCategory, err := readBEAMQuestions(dir)
	if err != nil {
		return Case{}, fmt.Errorf("%s: %w: %w", dir, err, memory.ErrInvalid)
	}
	c := newCase(histories[0])
	for _, category := range slices.Sorted(maps.Keys(byCategory)) {
		for i, fields := range byCategory[category] {
			c.add(Question{
				ID:       c.Name + "/" + category + "/" + strconv.Itoa(i),
				Text:     plain(fields["question"]),
				Category: category,
				Answer:   beamAnswer(fields),
			}, messageIDs(fields["source_chat_ids"]))
		}
	}
	return c.Case, nil
}

func readBEAMQuestions(dir string) (map[string][]map[string]json.RawMessage, error) {
	for _, name := range beamQuestions {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var byCategory map[string][]map[string]json.RawMessage
		if err := json.Unmarshal(raw, &byCategory); err != nil {
			return nil, fmt.Errorf("%s should be a JSON object of lists of questions by category: %w", name, err)
		}
		return byCategory, nil
	}
	return nil, errors.New("probing_questions.json was expected beside the chat")
}

// beamAnswer joins what the categories call their reference answer.
func beamAnswer(q map[string]json.RawMessage) string {
	var answer []string
	for _, name := range []string{
		"answer", "ideal_answer", "ideal_summary", "ideal_response", "instruction_being_tested", "preference_being_tested",
	} {
		if q[name] == nil || (name == "ideal_response" && q["answer"] != nil) {
			continue
		}
		answer = append(answer, plain(q[name]))
	}
	return strings.Join(answer, " ")
}

// messageIDs finds the message ids in source_chat_ids: a list, an object of
// lists, or deeper nesting of both.
func messageIDs(raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			return number.FindAllString(string(raw), -1)
		}
		list = slices.Collect(maps.Values(object)) // the ids are sorted later
	}
	var ids []string
	for _, v := range list {
		ids = append(ids, messageIDs(v)...)
	}
	return ids
}

var number = regexp.MustCompile(`\d+`)

// plain gives a JSON string as it reads, and any other value as its JSON text.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

// caseBuilder is a case that knows the places of its records.
type caseBuilder struct {
	Case
	place map[string]int // of an IDKey
}

func newCase(h importer.History) caseBuilder {
	c := caseBuilder{Case: Case{Name: h.Name, Records: h.Records}, place: map[string]int{}}
	for i, r := range h.Records {
		c.place[r.IDKey] = i
	}
	return c
}

// add appends q with the evidence that ids name within the case, unless there
// is none.
func (c *caseBuilder) add(q Question, ids []string) {
	for _, id := range ids {
		key := c.Name + "/" + id
		if _, ok := c.place[key]; ok && !slices.Contains(q.Evidence, key) {
			q.Evidence = append(q.Evidence, key)
		}
	}
	if len(q.Evidence) == 0 {
		return
	}
	slices.SortFunc(q.Evidence, func(a, b string) int { return cmp.Compare(c.place[a], c.place[b]) })
	c.Questions = append(c.Questions, q)
}
