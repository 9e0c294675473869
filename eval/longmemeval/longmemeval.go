// Package longmemeval reads the benchmark LongMemEval (Wu et al., ICLR 2025) for
// the scoreboard, one question with its history at a time. It may import eval,
// eval/dataset and memory.
package longmemeval

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"engram/eval"
	"engram/memory"
)

// expected says what users are to name, and where they get it.
const expected = "longmemeval_s.json, or another of the files that https://github.com/xiaowu0162/LongMemEval links to, was expected"

// fileName is what a file of the data set is called in a directory: the
// variants oracle, s and m, as they were or cleaned.
var fileName = regexp.MustCompile(`^longmemeval_(oracle|s|m)(_cleaned)?(\.json)?$`)

// Load reads LongMemEval from one of its files, or from a directory that holds
// exactly one of them. Each question is a case of its own, named by its id,
// with its sessions in the order of their dates.
//
// Turns are keyed "SESSION:N", where N counts the turns of the session from 1.
// Sessions and keys carry the ids of the data set, and these tell which session
// is evidence; no other field of a turn does. The evidence of a question are the
// turns marked has_answer, or all turns of its answer sessions if none is. A
// question whose id ends in "_abs" is Unanswerable; its answer says what is
// missing. One whose answer sessions are not in the history is asked all the
// same, without evidence, as the benchmark's own script counts it.
//
// Load reads the whole file once, to check it, count its questions and take its
// digest; Cases reads it again. Both hold one case at a time. A path that does
// not exist gives fs.ErrNotExist, malformed data memory.ErrInvalid.
func Load(path string) (*eval.Benchmark, error) {
	b, err := load(path)
	if err != nil {
		return nil, explain(err)
	}
	return b, nil
}

func explain(err error) error { return fmt.Errorf("load LongMemEval (%s): %w", expected, err) }

func load(path string) (*eval.Benchmark, error) {
	file, err := find(path)
	if err != nil {
		return nil, err
	}
	b := &eval.Benchmark{Name: "longmemeval"}
	digest := sha256.New()
	for c, err := range read(file, digest) {
		if err != nil {
			return nil, err
		}
		b.Questions += len(c.Questions)
	}
	b.Data = []eval.File{{Name: filepath.Base(file), SHA256: hex.EncodeToString(digest.Sum(nil))}}
	b.Cases = func(yield func(*eval.Case, error) bool) {
		for c, err := range read(file, io.Discard) {
			if err != nil {
				err = explain(err)
			}
			if !yield(c, err) {
				return
			}
		}
	}
	return b, nil
}

// find gives the file that path means.
func find(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && fileName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	switch len(names) {
	case 0:
		return "", fmt.Errorf("%s holds no file of it: %w", path, memory.ErrInvalid)
	case 1:
		return filepath.Join(path, names[0]), nil
	}
	return "", fmt.Errorf("%s holds several, name one (%s): %w", path, strings.Join(names, ", "), memory.ErrInvalid)
}

// readAhead is how much of a file is asked for at once.
const readAhead = 1 << 20

// read gives the cases of a file and writes what it has read to w.
func read(file string, w io.Writer) iter.Seq2[*eval.Case, error] {
	return func(yield func(*eval.Case, error) bool) {
		f, err := os.Open(file)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close() //nolint:errcheck // it was only read
		for c, err := range cases(bufio.NewReaderSize(io.TeeReader(f, w), readAhead)) {
			if err != nil {
				err = fmt.Errorf("%s: %w", file, err)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}
