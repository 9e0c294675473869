package tokens

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCounter(t *testing.T) {
	t.Parallel()
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	s := strings.Repeat("我住在柏林。 I live in Berlin. ", 20)
	n := c.Count(s)
	if n < 100 || n > 400 {
		t.Errorf("%d tokens", n)
	}
	total, ends := c.Ends(s, 0, 10, n, n+1)
	if total != n {
		t.Errorf("%d tokens, counted %d", total, n)
	}
	if ends[0] != 0 || ends[1] <= 0 || ends[1] >= len(s) {
		t.Errorf("ends %v of %d bytes", ends, len(s))
	}
	if diff := cmp.Diff([]int{len(s), len(s)}, ends[2:]); diff != "" {
		t.Error(diff)
	}
	if got := c.Count(s[:ends[1]]); got > 11 { // a cut may split a character into bytes
		t.Errorf("the first 10 tokens have %d", got)
	}
}
