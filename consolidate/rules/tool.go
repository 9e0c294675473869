package rules

import (
	"strings"

	"engram/memory"
)

// fields reads what a tool or page states as fields: "service=ledger
// version=3.8.0 state=healthy", "Customer record: city = Lyon". The subject is
// the value of a field that names something, else what stands before the colon.
func (r *reader) fields() {
	if r.turn.Source != memory.Tool && r.turn.Source != memory.Web {
		return
	}
	for line := range strings.SplitSeq(r.turn.Text, "\n") {
		subject, found := fieldsOf(line)
		if subject == "" || len(found) == 0 {
			subject, found = hanFieldsOf(line)
		}
		if subject == "" {
			continue
		}
		for _, f := range found {
			r.keep(memory.Assertion{
				Subject: subject, Predicate: f.key, Object: f.value, Source: r.turn.Source,
				Provenance: []memory.Span{{Episode: r.turn.ID}},
			})
		}
	}
}

type field struct{ key, value string }

// naming are the fields that say what the others are about.
var naming = map[string]bool{"service": true, "name": true, "host": true, "app": true, "project": true, "job": true, "user": true, "customer": true, "device": true, "ticket": true, "repo": true}

// canonical gives the predicates for names of fields.
var canonical = map[string]string{
	"state": "status", "build_status": "status", "e-mail": "email", "mail": "email", "phone": "phone_number", "city": "lives_in",
	"employer": "works_at", "due": "deadline", "due_date": "deadline", "assignee": "owner", "host": "hosting",
}

// fieldsOf reads the fields "key=value" or "key = value" of a line.
func fieldsOf(line string) (subject string, found []field) {
	head, rest, ok := strings.Cut(line, ": ")
	if ok && strings.Contains(rest, "=") && len(strings.Fields(head)) <= 4 {
		subject, line = strings.TrimSpace(head), rest
	}
	line = strings.ReplaceAll(strings.ReplaceAll(line, " = ", "="), ";", ",")
	var parts []string
	if strings.Contains(line, ",") {
		parts = strings.Split(line, ",")
	} else {
		parts = strings.Fields(line)
	}
	for _, p := range parts {
		key, value, ok := strings.Cut(strings.TrimSpace(p), "=")
		key = predicateOf(strings.TrimSpace(key))
		value = strings.Trim(strings.TrimSpace(value), `"'.`)
		if !ok || key == "" || value == "" || strings.ContainsAny(key, "(<>{}:") || len(key) > 30 || len(value) > maxObject {
			continue
		}
		if naming[key] && subject == "" {
			subject = value
			continue
		}
		if c := canonical[key]; c != "" {
			key = c
		}
		found = append(found, field{key, value})
	}
	return subject, found
}
