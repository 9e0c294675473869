package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFilesAreFresh fails if the generator was changed and not run.
func TestFilesAreFresh(t *testing.T) {
	t.Parallel()
	for name, want := range files() {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is stale: run go generate ./internal/dot", name)
		}
	}
}
