package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"engram/memory"
)

// text takes a text from the arguments, or from standard input where they say
// so or there are none.
func (a *app) text(args []string) (string, error) {
	piped := len(args) == 1 && args[0] == "-"
	if !piped && len(args) > 0 {
		return strings.Join(args, " "), nil
	}
	if !piped && a.isTerminal(a.stdin) {
		return "", fmt.Errorf("there is no text: give it as an argument, or pipe it in: %w", memory.ErrInvalid)
	}
	b, err := io.ReadAll(io.LimitReader(a.stdin, memory.MaxText+2))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	if len(text) > memory.MaxText {
		return "", fmt.Errorf("the text on standard input is longer than %d bytes, the limit: %w", memory.MaxText, memory.ErrTooLarge)
	}
	return text, nil
}

// input is what is imported: a file or a stream, of which the beginning may be
// looked at, or a directory.
type input struct {
	io.Closer
	dir  bool
	size int64 // -1 if it is not known
	read counter
	head *bufio.Reader
}

func (a *app) openInput(path string) (*input, error) {
	in := &input{size: -1, Closer: io.NopCloser(nil)}
	in.read.r = a.stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("import: %w", err)
		}
		info, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		in.dir, in.Closer, in.read.r = info.IsDir(), f, f
		if info.Mode().IsRegular() {
			in.size = info.Size()
		}
	}
	in.head = bufio.NewReaderSize(&in.read, 64<<10)
	return in, nil
}

// guess tells the format by the first character: a list is a LoCoMo file.
func (in *input) guess() string {
	if in.dir {
		return formatBEAM
	}
	head, _ := in.head.Peek(4096) // a short file ends early
	if bytes.HasPrefix(bytes.TrimLeft(head, "\uFEFF \t\r\n"), []byte("[")) {
		return formatLoCoMo
	}
	return formatJSONL
}
