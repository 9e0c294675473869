package judge

import (
	"fmt"
	"regexp"
	"strings"

	"engram/memory"
)

// In an evaluation script a branch names its tasks, and the template that it
// assigns is theirs:
//
//	if task in ['multi-session', 'single-session-user']:
//	    template = "… {} … {} … {} …"
//	elif task == 'knowledge-update':
//	    template = …
//	else:
//	    template = …      (questions that have no answer)
var (
	branch     = regexp.MustCompile(`^\s*(?:if|elif)\s+task\s*(?:in\s*[\[(]([^\])]*)[\])]|==\s*("[^"]*"|'[^']*'))\s*:`)
	otherwise  = regexp.MustCompile(`^\s*else\s*:`)
	assignment = regexp.MustCompile(`^\s*template\s*=\s*`)
	quoted     = regexp.MustCompile(`"[^"]*"|'[^']*'`)
)

// scriptPrompts finds the templates of a script by task; what stands in the
// last else is that for questions without an answer.
func scriptPrompts(script string) (map[string]string, error) {
	prompts := map[string]string{}
	var tasks []string
	for rest := script; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		switch m := branch.FindStringSubmatch(line); {
		case m != nil:
			tasks = nil
			for _, name := range quoted.FindAllString(m[1]+m[2], -1) {
				tasks = append(tasks, name[1:len(name)-1])
			}
		case otherwise.MatchString(line):
			tasks = []string{abstentionPrompt}
		case assignment.MatchString(line) && len(tasks) > 0:
			text, end, err := literal(rest[len(assignment.FindString(line)):])
			if err != nil {
				return nil, fmt.Errorf("the template for %s: %w", strings.Join(tasks, ", "), err)
			}
			for _, t := range tasks {
				prompts[t] = text
			}
			after = end
		}
		rest = after
	}
	if len(prompts) == 0 {
		return nil, fmt.Errorf("the script assigns no template to a task: %w", memory.ErrInvalid)
	}
	return prompts, nil
}

// literal reads a Python string at the beginning of s, in single, double or
// triple quotes, several of them in a row or in brackets being one.
func literal(s string) (text, rest string, err error) {
	var b strings.Builder
	inside := false
	for n := 0; ; n++ {
		s = strings.TrimLeft(s, " \t")
		if (inside || n == 0) && strings.HasPrefix(s, "(") {
			inside, s = true, s[1:]
		}
		if inside {
			s = strings.TrimLeft(s, " \t\r\n")
		}
		quote := ""
		for _, q := range []string{`"""`, `'''`, `"`, `'`} {
			if strings.HasPrefix(s, q) {
				quote = q
				break
			}
		}
		if quote == "" {
			if b.Len() == 0 {
				return "", "", fmt.Errorf("a plain string was expected: %w", memory.ErrInvalid)
			}
			return b.String(), s, nil
		}
		if s, err = unquote(&b, s[len(quote):], quote); err != nil {
			return "", "", err
		}
	}
}

var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': `\`, '\'': "'", '"': `"`, '\n': ""}

// unquote reads up to the closing quote and gives what comes behind it.
func unquote(b *strings.Builder, s, quote string) (string, error) {
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], quote):
			return s[i+len(quote):], nil
		case s[i] == '\\' && i+1 < len(s):
			i++
			if e, ok := escapes[s[i]]; ok {
				b.WriteString(e)
			} else {
				b.WriteByte('\\')
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return "", fmt.Errorf("a string has no end: %w", memory.ErrInvalid)
}
