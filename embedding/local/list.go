package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Info says of a model what there is to know without loading it.
type Info struct {
	Name      string
	Dim       int
	Languages []string // codes of ISO 639-1
	License   string
	Source    string // what Install reads
	Path      string // of its file, whether it is there or not
	Bytes     int64  // of its file; 0 if it is absent
	Ready     bool   // its file is there; Load may still find it damaged
}

// List gives the models that this package can run, in the order of their names,
// and whether dir holds them. The only error is that of looking there.
func List(dir string) ([]Info, error) {
	info := Info{
		Name:      Name,
		Dim:       Dim,
		Languages: []string{"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh", "zh-TW"},
		License:   "Apache-2.0",
		Source:    Package + " " + Version,
		Path:      Path(dir),
	}
	switch file, err := os.Stat(info.Path); {
	case err == nil && file.Mode().IsRegular():
		info.Bytes, info.Ready = file.Size(), true
	case err == nil:
		return nil, fmt.Errorf("list the models of %s: %s is no file", dir, info.Path)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("list the models of %s: %w", dir, err)
	}
	return []Info{info}, nil
}
