package local

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// setup loads the model, or skips if it is not installed: in $ENGRAM_MODELS,
// or where the program puts it.
func setup(t testing.TB, o Options) *Encoder {
	t.Helper()
	e, err := Load(modelDir(t), o)
	if errors.Is(err, ErrNotInstalled) {
		t.Skipf("%v; make model installs it, ENGRAM_MODELS says where it is", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func modelDir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("ENGRAM_MODELS"); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("no model: %v", err)
	}
	return filepath.Join(cache, "engram", "models")
}
