package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/eval"
	"engram/memory"
)

// Prompts are the questions to a judge, by the category of the question. A
// prompt names {question}, {answer} and {response}, or has three {} for them in
// this order, and asks for yes or no.
type Prompts struct {
	By     string // who made them: "engram", or the name of their file
	SHA256 string // of the file that they were read from
	Prompt map[string]string
}

// The names of prompts that are not those of a category.
const (
	defaultPrompt    = "default"
	abstentionPrompt = "abstention"
	rubricPrompt     = "rubric"
)

// Default are engram's own prompts, for every benchmark.
func Default() Prompts {
	p := Prompts{By: "engram", Prompt: map[string]string{
		defaultPrompt:               ownPrompt("The response is correct if it says what the reference answer says. Other words, another language, more detail and another form of a date or number do no harm; a part of the answer that is missing, or a statement that contradicts it, makes it wrong."),
		"temporal-reasoning":        ownPrompt("The response is correct if it says what the reference answer says. Where the answer is a number of days, weeks or months, one more or less is still correct. Another form of a date does no harm."),
		"knowledge-update":          ownPrompt("The reference answer is the latest state. The response is correct if it gives that state as the present one; it may tell earlier states too, as long as it calls them past."),
		"single-session-preference": ownPrompt("The reference describes what a response that knows the person would take into account. The response is correct if it uses what is known about the person; it need not mention every point."),
		abstentionPrompt: `The question below cannot be answered from the conversations that the assistant had; the explanation says why.

Question: {question}
Explanation: {answer}
Response of the assistant: {response}

Does the response say that this is not known, was never said, or cannot be told from the conversations? Answer with one word, yes or no.`,
		rubricPrompt: `Compare a response with a list of points that a good response makes.

Question: {question}
Response of the assistant: {response}

Points:
{rubric}
For each point write one line with its number and yes or no: yes if the response makes it, in whatever words.`,
	}}
	p.SHA256 = digest(p.Prompt)
	return p
}

func ownPrompt(rule string) string {
	return "Decide whether a response to a question is correct. " + rule + `

Question: {question}
Reference answer: {answer}
Response of the assistant: {response}

Is the response correct? Answer with one word, yes or no.`
}

func digest(prompts map[string]string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(prompts)) {
		fmt.Fprintf(h, "%s\x00%s\x00", name, prompts[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ParsePrompts reads a file of prompts: a JSON object of prompts by category
// (and "default", "abstention", "rubric"), or the evaluation script that a
// benchmark publishes, in Python, in which templates stand under the tasks that
// they are for. Neither of these is mixed with engram's own prompts.
func ParsePrompts(name string, file []byte) (Prompts, error) {
	sum := sha256.Sum256(file)
	p := Prompts{By: name, SHA256: hex.EncodeToString(sum[:])}
	var err error
	if strings.HasSuffix(name, ".py") {
		p.Prompt, err = scriptPrompts(string(file))
	} else if e := json.Unmarshal(file, &p.Prompt); e != nil {
		err = fmt.Errorf("the prompts should be a JSON object of texts by category: %w: %w", e, memory.ErrInvalid)
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	for _, category := range slices.Sorted(maps.Keys(p.Prompt)) {
		if !hasPlaces(p.Prompt[category]) {
			return p, fmt.Errorf("%s: the prompt %q has no place for the question and the response: %w", name, category, memory.ErrInvalid)
		}
	}
	if len(p.Prompt) == 0 {
		return p, fmt.Errorf("%s holds no prompt: %w", name, memory.ErrInvalid)
	}
	return p, nil
}

func hasPlaces(prompt string) bool {
	return strings.Contains(prompt, "{question}") && strings.Contains(prompt, "{response}") || strings.Count(prompt, "{}") == 3
}

// name gives the prompt of a category, "" if there is none.
func (p *Prompts) name(category string) string {
	for _, name := range []string{category, defaultPrompt} {
		if _, ok := p.Prompt[name]; ok {
			return name
		}
	}
	return ""
}

// For gives the prompt for a response to a question and its name.
func (p *Prompts) For(q *eval.Question, response string) (name, prompt string) {
	category := q.Category
	if q.Unanswerable {
		category = abstentionPrompt
	} else if _, ok := p.Prompt[rubricPrompt]; ok && len(q.Rubric) > 0 {
		category = rubricPrompt
	}
	name = p.name(category)
	answer := q.Answer
	if answer == "" && q.Unanswerable {
		answer = "Nothing in the conversations answers it."
	}
	prompt = p.Prompt[name]
	if strings.Count(prompt, "{}") == 3 {
		for _, place := range []string{"{question}", "{answer}", "{response}"} {
			prompt = strings.Replace(prompt, "{}", place, 1)
		}
	}
	var rubric strings.Builder
	for i, point := range q.Rubric {
		fmt.Fprintf(&rubric, "%d. %s\n", i+1, point)
	}
	return name, strings.NewReplacer("{question}", q.Ask.Text, "{answer}", answer, "{response}", response, "{rubric}", rubric.String()).Replace(prompt)
}
