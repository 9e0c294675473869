package text

import "testing"

func TestHasName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, name string
		want       bool
	}{
		{"ann lives here", "ann", true},
		{"so says ann", "ann", true},
		{"anna, and then ann.", "ann", true},
		{"anna lives here", "ann", false},
		{"joann lives here", "ann", false},
		{"ann2 lives here", "ann", false},
		{"ann_2", "ann", true},
		{"anything", "", false},
		{"", "ann", false},
		// A letter of another script is no part of the name, on either side.
		{"我给李雷2次机会", "李雷", true},
		{"问李雷ok吗", "李雷", true},
		{"ask李雷", "李雷", true},
		{"我和ann去", "ann", true},
		{"我和ann2去", "ann", false},
		{"김철수2번", "김철수", true},
		{"3りんさんは", "りん", true},
		// A name of both scripts has edges of both kinds.
		{"找李雷2问", "李雷2", true},
		{"找李雷23问", "李雷2", false},
		{"a李雷2", "李雷2", true},
		// Vowel signs belong to the word, also at its edges.
		{"राम ने कहा", "राम", true},
		{"रामा ने कहा", "राम", false},
		{"सीता ने कहा", "सीता", true},
		{"सीताराम ने कहा", "सीता", false},
		{"x\u030c", "x", false},
		// Thai, Lao, Khmer and Burmese put no spaces between words.
		{"เมื่อวานสมชายไปตลาด", "สมชาย", true},
	} {
		if got := HasName(c.text, c.name); got != c.want {
			t.Errorf("HasName(%q, %q) = %v", c.text, c.name, got)
		}
	}
}
