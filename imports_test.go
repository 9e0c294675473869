package engram_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type importRule struct{ pkg, engram, libraries string }

// imports is the direction of the house: each package with the packages of
// engram that it may import, and the libraries (by the beginning of their
// path). Everything may import the standard library. A new package is a line
// here.
var imports = []importRule{
	// What is remembered.
	{"memory", "", ""},
	// Contracts, their definition in tests, and their implementations, which
	// import nothing else of engram.
	{"store", "memory", ""},
	{"store/storetest", "memory store", "pgregory.net/rapid"},
	{"store/sqlite", "memory store", "github.com/ncruces/go-sqlite3"},
	{"embedding", "", ""},
	{"embedding/embeddingtest", "embedding", ""},
	{"embedding/openai", "embedding memory", "github.com/openai/openai-go"},
	{"llm", "", ""},
	{"llm/llmtest", "llm", ""},
	{"llm/internal/call", "llm", ""},
	{"llm/openai", "llm llm/internal/call", "github.com/openai/openai-go"},
	{"llm/anthropic", "llm llm/internal/call", "github.com/anthropics/anthropic-sdk-go"},
	{"embedding/local", "embedding internal/matmul", "google.golang.org/protobuf/encoding/protowire"},
	{"rerank", "", ""},
	{"rerank/reranktest", "rerank", ""},
	{"rerank/http", "rerank", ""},
	// Means of the stages.
	{"internal/dot", "", "golang.org/x/sys/cpu"},
	{"internal/dot/gen", "", ""},
	{"internal/matmul", "", "golang.org/x/sys/cpu"},
	{"internal/matmul/gen", "", ""},
	{"text", "", "github.com/blevesearch/snowballstem github.com/clipperhouse/uax29 golang.org/x/text"},
	{"when", "memory", ""},
	{"timeline", "memory", "golang.org/x/text/unicode/norm"},
	{"index", "memory text", ""},
	{"index/vectors", "memory internal/dot", ""},
	// Plumbing.
	{"internal/tokens", "", "github.com/tiktoken-go/tokenizer"},
	// Stages. They import neither each other nor an implementation.
	{"ingest", "memory store embedding index index/vectors", ""},
	{"consolidate", "memory store", ""},
	{"consolidate/rules", "memory text when timeline consolidate", ""},
	{"recall", "memory text when timeline index index/vectors rerank internal/tokens", ""},
	// The engine puts the stages together.
	{".", "memory store embedding rerank ingest consolidate recall text timeline index index/vectors", "github.com/hashicorp/golang-lru"},
	// Around the engine.
	{"importer", "memory store", ""},
	// The scoreboard: what is common, readers of benchmarks, systems under
	// test, models that read and judge, reports, and the fit of the ranker.
	{"eval", "memory text when internal/tokens", "gonum.org/v1/gonum"},
	{"eval/dataset", "eval importer memory", ""},
	{"eval/dataset/datasettest", "eval", ""},
	{"eval/locomo", "eval eval/dataset importer memory", ""},
	{"eval/beam", "eval eval/dataset importer memory", ""},
	{"eval/longmemeval", "eval eval/dataset memory", ""},
	{"eval/longmemeval/longmemevaltest", "", ""},
	{"eval/bitemporal", ". eval memory", ""},
	{"eval/stories", ". memory", ""},
	{"eval/system", ". eval eval/tune memory recall embedding internal/tokens", ""},
	{"eval/judge", "eval llm memory", ""},
	{"eval/report", "eval memory", ""},
	{"eval/tune", ". eval memory recall", "gonum.org/v1/gonum"},
	// The program alone chooses implementations.
	{"cmd/engram", ". memory store store/sqlite ingest consolidate consolidate/rules recall timeline importer eval eval/locomo eval/beam eval/longmemeval eval/bitemporal eval/stories eval/system eval/judge eval/report eval/tune embedding embedding/local embedding/openai llm llm/openai llm/anthropic rerank/http", "github.com/spf13/cobra github.com/spf13/pflag github.com/schollz/progressbar golang.org/x/term github.com/rivo/uniseg"},
}

// What test files may import beside: their own package, and these.
const (
	testEngram    = "store/sqlite store/storetest consolidate llm/llmtest rerank/reranktest embedding/embeddingtest eval/dataset/datasettest eval/longmemeval/longmemevaltest"
	rootTests     = "importer embedding/local" // for the example of an import, and for Chinese with the built-in model
	testLibraries = "github.com/google/go-cmp pgregory.net/rapid go.uber.org/goleak github.com/rogpeppe/go-internal/testscript golang.org/x/tools/txtar"
)

// wallClock lists where time.Now may be called: where the program chooses its
// clock, and where durations are measured.
var wallClock = []string{"options.go", "cmd/", "eval/"}

// source is one Go file of the tree.
type source struct {
	*ast.File
	name, pkg string // both from the root, with slashes
	test      bool
}

func parseTree(t *testing.T) []source {
	t.Helper()
	var files []source
	tree, set := os.DirFS("."), token.NewFileSet()
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_') {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		code, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(set, name, code, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, source{f, name, path.Dir(name), strings.HasSuffix(name, "_test.go")})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	for _, f := range parseTree(t) {
		at := slices.IndexFunc(imports, func(r importRule) bool { return r.pkg == f.pkg })
		if at < 0 {
			t.Errorf("%s: the package %s is not in the house; add a line for it to the table in imports_test.go, at the place where it belongs", f.name, f.pkg)
			continue
		}
		own, libraries := strings.Fields(imports[at].engram), strings.Fields(imports[at].libraries)
		if f.test {
			own = append(own, append(strings.Fields(testEngram), f.pkg)...)
			libraries = append(libraries, strings.Fields(testLibraries)...)
			if f.pkg == "." {
				own = append(own, strings.Fields(rootTests)...)
			}
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !mayImport(imported, own, libraries) {
				t.Errorf("%s imports %s, which the table in imports_test.go does not allow to %s", f.name, imported, f.pkg)
			}
		}
	}
}

func mayImport(imported string, own, libraries []string) bool {
	if imported == "engram" {
		return slices.Contains(own, ".")
	}
	if pkg, ok := strings.CutPrefix(imported, "engram/"); ok {
		return slices.Contains(own, pkg)
	}
	if host, _, _ := strings.Cut(imported, "/"); !strings.Contains(host, ".") {
		return true // the standard library
	}
	return slices.ContainsFunc(libraries, func(l string) bool { return imported == l || strings.HasPrefix(imported, l+"/") })
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, f := range parseTree(t) {
		if !f.test {
			said[f.pkg] = said[f.pkg] || f.Doc != nil && (strings.HasPrefix(f.Doc.Text(), "Package ") || strings.HasPrefix(f.Doc.Text(), "Command "))
		}
	}
	for pkg, ok := range said {
		if !ok {
			t.Errorf("%s has no package comment", pkg)
		}
	}
}

func TestThereIsOneClock(t *testing.T) {
	t.Parallel()
	for _, f := range parseTree(t) {
		if f.test || slices.ContainsFunc(wallClock, func(at string) bool { return strings.HasPrefix(f.name, at) }) {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && (sel.Sel.Name == "Now" || sel.Sel.Name == "Since" || sel.Sel.Name == "Until") {
					t.Errorf("%s uses time.%s; the clock is Options.Now", f.name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}
