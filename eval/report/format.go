package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"engram/eval"
)

// percent shows a share, without its sign.
func percent(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

// points shows a difference of shares.
func points(v float64) string { return fmt.Sprintf("%+.1f", 100*v) }

func percentInterval(i eval.Interval95) string {
	return "[" + percent(i.Low) + ", " + percent(i.High) + "]"
}

func pointsInterval(i eval.Interval95) string {
	return "[" + points(i.Low) + ", " + points(i.High) + "]"
}

// probability shows a p.
func probability(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// millis shows a time of any size in ms.
func millis(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// size shows bytes.
func size(n int64) string {
	switch {
	case n == 0:
		return ""
	case n < 1<<20:
		return fmt.Sprintf("%.0f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// whole shows a count with its thousands apart.
func whole(v float64) string {
	digits := strconv.FormatInt(int64(math.Round(v)), 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// clean makes a name of a file safe to show: what is no plain character of a
// line is a blank.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}
