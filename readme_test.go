package engram_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// readmeBlocks gives the blocks of code of a language in README.md.
func readmeBlocks(t *testing.T, language string) []string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllSubmatch(readme, -1) {
		blocks = append(blocks, string(m[1]))
	}
	if len(blocks) == 0 {
		t.Fatalf("README.md has no block of %s", language)
	}
	return blocks
}

// The shell lines of the README do what it says, in an empty home.
func TestReadmeShell(t *testing.T) {
	t.Parallel()
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("builds the program and runs it in a shell")
	}
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", filepath.Join(bin, "engram"), "./cmd/engram")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	says := [][]string{
		{"The plan: the chat first, file upload later.\n</memory>", `"context":`, `The plan: file upload first, then the chat.\n</memory>`, "allergic_to", "peanuts", "Paris", "Berlin", "8 added", "Erased from copy"},
		{"计划：先做聊天界面，文件上传推迟。\n</memory>", `"context":`, `计划：先做文件上传，再做聊天界面。\n</memory>`, "allergic_to", "花生", "杭州", "上海", "8 added", "Erased from 副本"},
	}
	blocks := readmeBlocks(t, "sh")
	if len(blocks) != len(says) {
		t.Fatalf("README.md has %d blocks of sh, the test knows %d", len(blocks), len(says))
	}
	for i, block := range blocks {
		home := t.TempDir()
		cmd := exec.CommandContext(t.Context(), "sh", "-euc", block)
		cmd.Dir = home
		cmd.Env = []string{"HOME=" + home, "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("the lines fail: %v\n%s\n%s", err, block, out)
		}
		rest := string(out)
		for _, want := range says[i] {
			_, after, found := strings.Cut(rest, want)
			if !found {
				t.Errorf("the lines do not print %q in its turn:\n%s", want, out)
				break
			}
			rest = after
		}
	}
}

// The Go lines of the README are those of the first example, without its
// checks of errors.
func TestReadmeGo(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(example)
	for line := range strings.Lines(readmeBlocks(t, "go")[0]) {
		_, after, found := strings.Cut(rest, "\t"+line)
		if !found {
			t.Fatalf("example_test.go does not have in its turn:\n%s", line)
		}
		rest = after
	}
}
