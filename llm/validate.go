package llm

import (
	"encoding/json"
	"fmt"
)

// Validate gives ErrRejected with the name of the field if no model could
// answer the request.
func (r Request) Validate() error {
	if len(r.Messages) == 0 || r.Messages[len(r.Messages)-1].Role != RoleUser {
		return fmt.Errorf("%w: Messages: the last one is not the user's", ErrRejected)
	}
	for i, m := range r.Messages {
		if m.Role != RoleUser && m.Role != RoleAssistant {
			return fmt.Errorf("%w: Messages[%d].Role is neither user nor assistant", ErrRejected, i)
		}
		if m.Text == "" {
			return fmt.Errorf("%w: Messages[%d].Text is empty", ErrRejected, i)
		}
	}
	if r.MaxTokens < 0 {
		return fmt.Errorf("%w: MaxTokens is negative", ErrRejected)
	}
	if !(r.Temperature >= 0 && r.Temperature <= 2) { // so that NaN is refused too
		return fmt.Errorf("%w: Temperature is not between 0 and 2", ErrRejected)
	}
	if r.Schema != nil {
		var object map[string]json.RawMessage
		if json.Unmarshal(r.Schema, &object) != nil || object == nil {
			return fmt.Errorf("%w: Schema is not a JSON object", ErrRejected)
		}
	}
	return nil
}
