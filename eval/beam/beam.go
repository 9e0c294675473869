// Package beam reads the benchmark BEAM (Tavakoli et al., "Beyond a Million
// Tokens") for the scoreboard. It may import eval, eval/dataset, importer and
// memory.
package beam

import (
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

	"engram/eval"
	"engram/eval/dataset"
	"engram/importer"
	"engram/memory"
)

// expected says what users are to name, and where they get it.
const expected = "a directory of chats such as chats/100K of https://github.com/mohammadtavakoli78/BEAM was expected"

// abstention is the category of questions about what was never said.
const abstention = "abstention"

// chatFiles are the names of a chat in the order in which importer.BEAM prefers
// them. The misspelling is that of the data set.
var chatFiles = []string{"chat_trunecated.json", "chat.json"}

// questionFiles are the places of the questions in a chat's directory.
var questionFiles = []string{
	filepath.Join("probing_questions", "probing_questions.json"),
	"probing_questions.json",
}

// Load reads BEAM from a directory that holds one directory for each chat, or
// from that of one chat: a case for each, with the turns and keys of
// importer.BEAM. The evidence of a question are the messages of its
// source_chat_ids. Those of the category abstention are Unanswerable; others
// without evidence are left out. A path that does not exist gives
// fs.ErrNotExist, malformed data memory.ErrInvalid.
func Load(path string) (*eval.Benchmark, error) {
	b, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("load BEAM (%s): %w", expected, err)
	}
	return b, nil
}

func load(path string) (*eval.Benchmark, error) {
	if _, err := os.Stat(path); err != nil { // to importer it would be invalid
		return nil, err
	}
	dirs, err := importer.BEAMChats(path)
	if err != nil {
		return nil, err
	}
	var cases []eval.Case
	var data []eval.File
	for _, dir := range dirs {
		c, files, err := loadChat(dir)
		if err != nil {
			return nil, err
		}
		cases, data = append(cases, c), append(data, files...)
	}
	return eval.Of("beam", cases, data...), nil
}

func loadChat(dir string) (eval.Case, []eval.File, error) {
	histories, err := importer.BEAM(dir)
	if err != nil {
		return eval.Case{}, nil, err
	}
	c := dataset.Case(histories[0])
	chat, _, err := readFirst(dir, chatFiles)
	if err != nil {
		return eval.Case{}, nil, fmt.Errorf("%s: %w", dir, err)
	}
	questions, raw, err := readFirst(dir, questionFiles)
	if err != nil {
		return eval.Case{}, nil, fmt.Errorf("%s: %w", dir, err)
	}
	if err := ask(&c, raw); err != nil {
		return eval.Case{}, nil, fmt.Errorf("%s: %s: %w", dir, filepath.Base(questions.Name), err)
	}
	return c, []eval.File{chat, questions}, nil
}

// readFirst reads the first of the files that is there. Every chat has files of
// these names, so the name of its directory stays in front.
func readFirst(dir string, names []string) (eval.File, []byte, error) {
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return eval.File{}, nil, err
		}
		return dataset.File(filepath.Base(dir)+"/"+filepath.Base(name), raw), raw, nil
	}
	return eval.File{}, nil, fmt.Errorf("%s was expected beside the chat: %w", names[len(names)-1], memory.ErrInvalid)
}

// ask adds the questions to their case, by category.
func ask(c *eval.Case, raw []byte) error {
	var byCategory map[string][]map[string]json.RawMessage
	if err := json.Unmarshal(raw, &byCategory); err != nil {
		return fmt.Errorf("a JSON object of lists of questions by category was expected: %w: %w", err, memory.ErrInvalid)
	}
	for _, category := range slices.Sorted(maps.Keys(byCategory)) {
		for i, fields := range byCategory[category] {
			q := eval.Question{
				ID:           c.Name + "/" + category + "/" + strconv.Itoa(i),
				Category:     category,
				Ask:          eval.Ask{Text: dataset.Plain(fields["question"])},
				Answer:       answer(fields),
				Unanswerable: category == abstention,
				Rubric:       rubric(fields["rubric"]),
			}
			if !q.Unanswerable {
				c.Keep(&q, keys(c.Name, fields["source_chat_ids"]))
				if len(q.Evidence) == 0 {
					continue
				}
			}
			c.Questions = append(c.Questions, q)
		}
	}
	return nil
}

// answer joins what the categories call their reference answer.
func answer(q map[string]json.RawMessage) string {
	var answer []string
	for _, name := range []string{
		"answer", "ideal_answer", "ideal_summary", "ideal_response", "instruction_being_tested", "preference_being_tested",
	} {
		if q[name] == nil || (name == "ideal_response" && q["answer"] != nil) {
			continue
		}
		answer = append(answer, dataset.Plain(q[name]))
	}
	return strings.Join(answer, " ")
}

// rubric gives the demands on an answer: a list, or a single one.
func rubric(raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var rubric []string
	for _, r := range list {
		if s := strings.TrimSpace(dataset.Plain(r)); s != "" {
			rubric = append(rubric, s)
		}
	}
	return rubric
}

var number = regexp.MustCompile(`\d+`)

// keys finds the messages of source_chat_ids: a list, an object of lists, or
// deeper nesting of both. They come in no order.
func keys(name string, raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			ids := number.FindAllString(string(raw), -1)
			for i := range ids {
				ids[i] = name + "/" + ids[i]
			}
			return ids
		}
		list = slices.Collect(maps.Values(object))
	}
	var all []string
	for _, v := range list {
		all = append(all, keys(name, v)...)
	}
	return all
}
