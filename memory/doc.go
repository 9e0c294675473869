// Package memory is the vocabulary of engram: the words of the domain as data.
//
// It holds no behaviour beyond validation, formatting and comparison, knows no
// database and no model, and may import the standard library only. Every other
// package speaks in its terms. The JSON names of its types are the names used
// in files, on the wire and in the log.
package memory
