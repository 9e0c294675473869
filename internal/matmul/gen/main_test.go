package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFilesAreCurrent(t *testing.T) {
	t.Parallel()
	for name, want := range files() {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is stale; run go generate ./internal/matmul", name)
		}
	}
}
