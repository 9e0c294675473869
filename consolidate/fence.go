package consolidate

import (
	"regexp"
	"strings"
)

// A recall fences its context with <memory …> and </memory>, and nothing that it
// quotes can close the fence. What stands between them in a turn was handed out
// by the memory itself: to learn it again would make a rumour of one source into
// two. A fence that is not closed reaches to the end.
var fence = regexp.MustCompile(`(?is)<memory(?:\s[^<>]*)?>.*?(?:</memory\s*>|$)`)

// blank puts spaces for what is fenced, byte for byte, so that places in the
// text stay what they are.
func blank(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	return fence.ReplaceAllStringFunc(text, func(fenced string) string {
		out := []byte(fenced)
		for i, b := range out {
			if b != '\n' {
				out[i] = ' '
			}
		}
		return string(out)
	})
}
