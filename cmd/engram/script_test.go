package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"engram/consolidate"
	"engram/memory"
)

// update rewrites the drawings that scripts compare with: go test ./cmd/engram -update.
var update = flag.Bool("update", false, "write what scripts compare with cmp")

func TestMain(m *testing.M) {
	// A program of its own, for the scripts that need several processes.
	testscript.Main(m, map[string]func(){"engram-process": main})
}

// TestScripts runs testdata/script/*.txtar. "engram ARGS" runs a command in
// this process and wants it to succeed, "fails CODE ARGS" wants that exit code;
// "<FILE" among the arguments is its standard input. $TTY names the streams
// that are terminals (in, out, err), $NOW is the time. $EXTRACTOR is what reads
// facts out of words: fake or, as the program does, rules; else nothing does, so
// that positions are what the script says. Scripts have no model; $INSTALLED is
// the directory of the one on this machine, if there is one, and $WHEEL the file
// that ENGRAM_WHEEL names.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ENGRAM_DIR", env.WorkDir+"/data")
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("EXTRACTOR_VERSION", "1")
			env.Setenv("NOW", "2026-03-09T20:00:00Z")
			env.Setenv("ENGRAM_MODELS", env.WorkDir+"/models")
			env.Setenv("INSTALLED", installedModels())
			env.Setenv("WHEEL", os.Getenv("ENGRAM_WHEEL"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"engram": func(ts *testscript.TestScript, neg bool, args []string) {
				if code := inProcess(ts, args); (code == exitOK) == neg {
					ts.Fatalf("exit code %d", code)
				}
			},
			"fails": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				if code := inProcess(ts, args[1:]); code != want {
					ts.Fatalf("exit code %d, want %d", code, want)
				}
			},
			"bytes":   makeBytes,
			"lines":   makeLines,
			"newer":   makeNewer,
			"corrupt": corrupt,
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Geteuid() == 0, nil
			case "installed":
				return installedModels() != "", nil
			case "wheel":
				return os.Getenv("ENGRAM_WHEEL") != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
	})
}

// installedModels gives the directory in which make model has put the model, ""
// if there is none.
func installedModels() string {
	a := newApp()
	dir, err := a.modelsDir()
	if err != nil {
		return ""
	}
	if info, err := a.builtin(); err != nil || !info.Ready {
		return ""
	}
	return dir
}

// inProcess runs one command line and gives its exit code.
func inProcess(ts *testscript.TestScript, args []string) int {
	a := newApp()
	a.stdin, a.stdout, a.stderr = strings.NewReader(""), ts.Stdout(), ts.Stderr()
	a.getenv = ts.Getenv
	now, err := time.Parse(time.RFC3339, ts.Getenv("NOW"))
	ts.Check(err)
	a.now = func() time.Time { return now }
	switch ts.Getenv("EXTRACTOR") {
	case "rules":
	case "fake":
		a.extractor = func() (consolidate.Extractor, error) { return fakeExtractor{ts.Getenv("EXTRACTOR_VERSION")}, nil }
	default:
		a.extractor = nil
	}
	tty := strings.Fields(ts.Getenv("TTY"))
	a.isTerminal = func(stream any) bool {
		return slices.Contains(tty, "out") && stream == a.stdout ||
			slices.Contains(tty, "err") && stream == a.stderr || slices.Contains(tty, "in") && stream == a.stdin
	}
	var rest []string
	for _, arg := range args {
		if file, ok := strings.CutPrefix(arg, "<"); ok && file != "" {
			a.stdin = strings.NewReader(ts.ReadFile(file))
		} else {
			rest = append(rest, arg)
		}
	}
	return a.run(context.Background(), rest)
}

// fakeExtractor reads "S p O" and cannot read "fail".
type fakeExtractor struct{ version string }

func (fakeExtractor) Name() string      { return "fake" }
func (f fakeExtractor) Version() string { return f.version }

func (fakeExtractor) Extract(_ context.Context, w consolidate.Window) (consolidate.Findings, error) {
	word := strings.Fields(w.Turn.Text)
	switch {
	case w.Turn.Text == "fail":
		return consolidate.Findings{}, errors.New("cannot be read")
	case len(word) != 3:
		return consolidate.Findings{}, nil
	}
	return consolidate.Findings{Assertions: []memory.Assertion{{Subject: word[0], Predicate: word[1], Object: word[2]}}}, nil
}

// makeBytes writes a file: bytes FILE QUOTED [TIMES].
func makeBytes(ts *testscript.TestScript, _ bool, args []string) {
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	times := 1
	if len(args) > 2 {
		times, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte(text), times), 0o600))
}

// makeLines writes an import of so many lines of which some are broken: lines FILE COUNT BROKEN….
func makeLines(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var b bytes.Buffer
	for i := 1; i <= n; i++ {
		if slices.Contains(args[2:], strconv.Itoa(i)) {
			fmt.Fprintf(&b, `{"text":"number %d`+"\n", i)
		} else {
			fmt.Fprintf(&b, `{"text":"This is number %d.","session":"s%d"}`+"\n", i, i/100)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o600))
}

// makeNewer raises the version in the header of a database: newer FILE.
func makeNewer(ts *testscript.TestScript, _ bool, args []string) {
	const userVersion = 60 // https://sqlite.org/fileformat.html
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_RDWR, 0)
	ts.Check(err)
	_, err = f.WriteAt(binary.BigEndian.AppendUint32(nil, 99), userVersion)
	ts.Check(err)
	ts.Check(f.Close())
}

// corrupt overwrites a text in a file by one as long: corrupt FILE OLD NEW.
func corrupt(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	raw, err := os.ReadFile(path)
	ts.Check(err)
	if !bytes.Contains(raw, []byte(args[1])) || len(args[1]) != len(args[2]) {
		ts.Fatalf("%q cannot be put for %q", args[2], args[1])
	}
	ts.Check(os.WriteFile(path, bytes.ReplaceAll(raw, []byte(args[1]), []byte(args[2])), 0o600))
}

// Every command says what it is for and gives an example.
func TestHelp(t *testing.T) {
	t.Parallel()
	a := newApp()
	root := newRootCommand(a)
	for _, c := range root.Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks a short or long help, or an example", c.Name())
		}
	}
	a.stdout, a.stderr = new(bytes.Buffer), io.Discard
	if code := a.run(t.Context(), []string{"--help"}); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"Exit codes:", "ENGRAM_DIR", "remember", "130"} {
		if got := fmt.Sprint(a.stdout); !strings.Contains(got, want) {
			t.Errorf("--help lacks %q:\n%s", want, got)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s       string
		columns int
		want    string
	}{
		{"abc", 0, "abc"}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"},
		{"你好吗", 6, "你好吗"}, {"你好吗", 5, "你好…"}, {"你好吗", 4, "你…"},
	} {
		if got := cut(c.s, c.columns); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.s, c.columns, got, c.want)
		}
	}
}

// The tables of exit codes in the documents are those of the help.
func TestExitCodesInDocuments(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../../README.md", "../../docs/operations.md"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, lines, _ := strings.Cut(exitHelp, "\n")
		for line := range strings.Lines(lines) {
			code, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
			if row := fmt.Sprintf("| %s | %s |\n", code, strings.TrimSpace(meaning)); !strings.Contains(string(raw), row) {
				t.Errorf("%s lacks %q", file, row)
			}
		}
	}
}

// The pictures of docs/model.md are what history draws.
func TestPicturesInDocuments(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/script/model.txtar")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/model.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, picture := range archive.Files {
		if !strings.Contains(string(page), "```\n"+string(picture.Data)+"```\n") {
			t.Errorf("docs/model.md lacks %s:\n%s", picture.Name, picture.Data)
		}
	}
}

// Labels that look alike are all made finer, as far as that takes.
func TestDayLabels(t *testing.T) {
	t.Parallel()
	at := func(s string) memory.Time {
		out, err := memory.ParseTime(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range [][2]string{
		{"2026-03-01T10:00:00Z 2026-03-02T10:00:00Z", "2026-03-01 2026-03-02"},
		{"2026-03-01T10:00:00Z 2026-03-01T11:00:00Z", "2026-03-01 10:00 2026-03-01 11:00"},
		{"2026-03-01T10:00:25Z 2026-03-01T10:00:40Z 2026-03-01T11:00:00Z", "2026-03-01 10:00:25 2026-03-01 10:00:40 2026-03-01 11:00"},
		{"2026-03-01T10:00:25.1Z 2026-03-01T10:00:25.2Z", "2026-03-01 10:00:25.100 2026-03-01 10:00:25.200"},
		{"2026-03-01T10:00:25.000001Z 2026-03-01T10:00:25.000002Z", "2026-03-01 10:00:25.000001 2026-03-01 10:00:25.000002"},
		{"2026Z 2026-03Z 2026-03-01Z", "2026 2026-03 2026-03-01"},
	} {
		var times []memory.Time
		for _, s := range strings.Fields(c[0]) {
			times = append(times, at(s))
		}
		if got := strings.Join(dayLabels(times), " "); got != c[1] {
			t.Errorf("dayLabels(%s) = %s, want %s", c[0], got, c[1])
		}
	}
}
