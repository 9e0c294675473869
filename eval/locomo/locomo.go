// Package locomo reads the benchmark LoCoMo (Maharana et al., ACL 2024) for the
// scoreboard. It may import eval, eval/dataset, importer and memory.
package locomo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"engram/eval"
	"engram/eval/dataset"
	"engram/importer"
	"engram/memory"
)

// expected says what users are to name, and where they get it.
const expected = "data/locomo10.json of https://github.com/snap-research/locomo was expected"

// files are the names under which a directory may hold LoCoMo.
var files = []string{"locomo10.json", "locomo-tune.json"}

// categories names the categories of questions by their numbers. Those of the
// adversarial one ask for what was never said.
var categories = map[int]string{1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: adversarial}

const adversarial = "adversarial"

// conversation is the part of an element that importer.LoCoMo does not read.
type conversation struct {
	QA []struct {
		Question string          `json:"question"`
		Category int             `json:"category"`
		Answer   json.RawMessage `json:"answer"`
		Evidence []string        `json:"evidence"`
	} `json:"qa"`
}

// Load reads LoCoMo from its file, or from a directory that holds it as
// locomo10.json or locomo-tune.json: a case for each conversation, with the
// turns and keys of importer.LoCoMo. Adversarial questions are Unanswerable and
// have no answer, not even the false one that the data set offers; answerable
// ones without evidence in the conversation are left out. A path that does not
// exist gives fs.ErrNotExist, malformed data memory.ErrInvalid.
func Load(path string) (*eval.Benchmark, error) {
	b, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("load LoCoMo (%s): %w", expected, err)
	}
	return b, nil
}

func load(path string) (*eval.Benchmark, error) {
	name, raw, err := read(path)
	if err != nil {
		return nil, err
	}
	histories, err := importer.LoCoMo(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var conversations []conversation
	if err := json.Unmarshal(raw, &conversations); err != nil {
		return nil, fmt.Errorf("%s: qa should be a list of objects with question, category, answer and evidence: %w: %w", name, err, memory.ErrInvalid)
	}
	cases := make([]eval.Case, len(histories))
	for i, h := range histories {
		cases[i] = dataset.Case(h)
		conversations[i].ask(&cases[i])
	}
	return eval.Of("locomo", cases, dataset.File(filepath.Base(name), raw)), nil
}

// read gives the name and the content of the file that path means.
func read(path string) (name string, raw []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	if !info.IsDir() {
		raw, err = os.ReadFile(path)
		return path, raw, err
	}
	for _, file := range files {
		name = filepath.Join(path, file)
		raw, err = os.ReadFile(name)
		if !errors.Is(err, fs.ErrNotExist) {
			return name, raw, err
		}
	}
	return "", nil, fmt.Errorf("%s holds neither %s: %w", path, strings.Join(files, " nor "), memory.ErrInvalid)
}

// ask adds the questions of the conversation to its case.
func (c *conversation) ask(to *eval.Case) {
	for i, qa := range c.QA {
		category, known := categories[qa.Category]
		if !known {
			continue
		}
		q := eval.Question{
			ID:           to.Name + "/q" + strconv.Itoa(i),
			Category:     category,
			Ask:          eval.Ask{Text: qa.Question},
			Unanswerable: category == adversarial,
		}
		if !q.Unanswerable {
			q.Answer = dataset.Plain(qa.Answer)
			to.Keep(&q, keys(to.Name, qa.Evidence))
			if len(q.Evidence) == 0 {
				continue
			}
		}
		to.Questions = append(to.Questions, q)
	}
}

var turnID = regexp.MustCompile(`D:?(\d+):(\d+)`)

// keys finds the turns that evidence names. Its entries may hold several, and
// odd forms: "D8:6; D9:17", "D:11:26", "D30:05".
func keys(name string, evidence []string) []string {
	var keys []string
	for _, m := range turnID.FindAllStringSubmatch(strings.Join(evidence, " "), -1) {
		session, turn := strings.TrimLeft(m[1], "0"), strings.TrimLeft(m[2], "0")
		keys = append(keys, name+"/D"+cmp.Or(session, "0")+":"+cmp.Or(turn, "0"))
	}
	return keys
}
