package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"engram/embedding/local"
	"engram/ingest"
	"engram/llm"
	"engram/memory"
)

// Exit codes. exitHelp lists them for users.
const (
	exitOK          = 0
	exitInternal    = 1
	exitInvalid     = 2
	exitNotFound    = 3
	exitPartial     = 4
	exitBusy        = 5
	exitUnusable    = 6
	exitInterrupted = 130
)

const exitHelp = `Exit codes:
  0    done; also when a memory holds nothing that answers
  1    an error of the system or of engram itself
  2    wrong usage or invalid input; nothing was changed
  3    no such record or file
  4    done in part: broken lines of an import, damaged records of an export
  5    another process changed or holds the memory; try again
  6    the store cannot be used: damaged, read-only, full, or of a newer version
  130  interrupted`

// errPartial: the command did what it could, and said what it could not.
var errPartial = errors.New("done in part")

// usageError is an error of the command line itself.
type usageError struct {
	command string
	err     error
}

// Error puts what cobra says in several lines into one.
func (e *usageError) Error() string {
	said := strings.Join(strings.Fields(e.err.Error()), " ")
	return fmt.Sprintf("%s (see %s --help)", said, e.command)
}

// outcomes maps the sentinels to exit codes. The sentence of an error ends
// with its sentinel, or in front of it where that says nothing more.
var outcomes = []struct {
	sentinel error
	code     int
	silent   bool
}{
	{errPartial, exitPartial, true},
	{errWrongBelief, exitInternal, true},
	{errPip, exitInternal, true},
	{memory.ErrNewerFormat, exitUnusable, false},
	{memory.ErrCorrupt, exitUnusable, false},
	{memory.ErrReadOnly, exitUnusable, false},
	{memory.ErrFull, exitUnusable, false},
	{memory.ErrBusy, exitBusy, false},
	{memory.ErrConflict, exitBusy, false},
	{memory.ErrErased, exitBusy, false},
	{memory.ErrInvalid, exitInvalid, true},
	{memory.ErrTooLarge, exitInvalid, true},
	{memory.ErrNotFound, exitNotFound, true},
	{llm.ErrRejected, exitInvalid, false},
	{local.ErrDamaged, exitUnusable, false},
	{ingest.ErrModel, exitInternal, false},
	{errWrongModel, exitInternal, true}, // of any other cause
}

// exitCode maps an error to the code that the program ends with.
func exitCode(err error) int {
	var usage *usageError
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitInvalid
	}
	for _, o := range outcomes {
		if errors.Is(err, o.sentinel) {
			return o.code
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return exitNotFound
	case errors.Is(err, syscall.ENOSPC):
		return exitUnusable
	}
	return exitInternal
}

// sentence says of an error what a person can use; verbose adds the cause.
func sentence(err error, verbose bool) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	if verbose {
		return text
	}
	var usage *usageError
	var system syscall.Errno
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.As(err, &usage):
		return text
	}
	for _, o := range outcomes {
		if errors.Is(err, o.sentinel) {
			return cutAt(text, o.sentinel.Error(), o.silent)
		}
	}
	if errors.As(err, &system) {
		return text
	}
	return "internal error (--verbose shows the cause)"
}

// cutAt ends a text with the sentinel, or before it.
func cutAt(text, sentinel string, silent bool) string {
	at := strings.Index(text, sentinel)
	if at < 0 {
		return text
	}
	if silent {
		if short := strings.TrimRight(text[:at], ": ("); short != "" {
			return short
		}
	}
	return text[:at+len(sentinel)]
}
