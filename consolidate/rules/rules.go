// Package rules reads facts out of words by rules that are data: one table for
// each language and subject, each rule with its examples.
package rules
