package sqlite

import (
	"encoding/binary"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/ncruces/go-sqlite3/util/vfsutil"
	"github.com/ncruces/go-sqlite3/vfs"
)

// SQLite's secure_delete overwrites a row where it lies, but when a page is
// split, rows move to another page and their old bytes stay in the unused part
// of the first one, out of reach of a later DELETE. So that an erasure is one,
// the unused part of every page is cleared on its way into the file. Pages
// reach it only when the write-ahead log is moved into it, and the log itself
// is emptied after an erasure.

const scrubbing = "engram-scrubbing"

func init() { vfs.Register(scrubbing, scrubVFS{vfs.Find("")}) }

// uri names the file at path as one that is scrubbed.
func uri(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive's letter
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: "vfs=" + scrubbing}).String()
}

type scrubVFS struct{ vfs.VFS }

func (v scrubVFS) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return vfsutil.WrapOpen(v.VFS, name, flags)
}

func (v scrubVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	file, out, err := vfsutil.WrapOpenFilename(v.VFS, name, flags)
	if err == nil && flags&vfs.OPEN_MAIN_DB != 0 {
		file = scrubFile{file}
	}
	return file, out, err
}

// scrubFile passes on what the file of the operating system can do beyond the
// plain interface; memory mapping is left out, as nothing here asks for it.
type scrubFile struct{ vfs.File }

var (
	_ vfs.FileSharedMemory       = scrubFile{}
	_ vfs.FileLockState          = scrubFile{}
	_ vfs.FilePersistWAL         = scrubFile{}
	_ vfs.FilePowersafeOverwrite = scrubFile{}
	_ vfs.FileSizeHint           = scrubFile{}
	_ vfs.FileHasMoved           = scrubFile{}
)

func (f scrubFile) SharedMemory() vfs.SharedMemory  { return vfsutil.WrapSharedMemory(f.File) }
func (f scrubFile) LockState() vfs.LockLevel        { return vfsutil.WrapLockState(f.File) }
func (f scrubFile) PersistWAL() bool                { return vfsutil.WrapPersistWAL(f.File) }
func (f scrubFile) SetPersistWAL(keep bool)         { vfsutil.WrapSetPersistWAL(f.File, keep) }
func (f scrubFile) PowersafeOverwrite() bool        { return vfsutil.WrapPowersafeOverwrite(f.File) }
func (f scrubFile) SetPowersafeOverwrite(psow bool) { vfsutil.WrapSetPowersafeOverwrite(f.File, psow) }
func (f scrubFile) SizeHint(size int64) error       { return vfsutil.WrapSizeHint(f.File, size) }
func (f scrubFile) HasMoved() (bool, error)         { return vfsutil.WrapHasMoved(f.File) }
func (f scrubFile) Unwrap() vfs.File                { return f.File }
func (f scrubFile) WriteAt(p []byte, off int64) (int, error) {
	scrub(p, off)
	return f.File.WriteAt(p, off)
}

// maxPages keeps files below 2^25 pages (128 GiB). An overflow page begins
// with the number of the next page, so its first byte is then 0 or 1 and it
// cannot be taken for a page of a b-tree.
const maxPages = 1<<25 - 1

// scrub clears the bytes between the cell pointers and the cells of a b-tree
// page (https://sqlite.org/fileformat.html#b_tree_pages), which mean nothing
// to SQLite. It leaves other pages alone.
func scrub(p []byte, off int64) {
	at := 0
	if off == 0 {
		at = 100 // the file's header
	}
	if len(p) < 512 || off%int64(len(p)) != 0 {
		return
	}
	pointers := at + 8
	switch p[at] {
	case 2, 5: // interior
		pointers += 4
	case 10, 13: // leaf
	default:
		return
	}
	end := pointers + 2*int(binary.BigEndian.Uint16(p[at+3:]))
	cells := int(binary.BigEndian.Uint16(p[at+5:]))
	if end < cells && cells <= len(p) {
		clear(p[end:cells])
	}
}
