package call

import (
	"net/http"
	"strconv"
	"time"
)

// retryAfter reads how long a server asks to be left alone, 0 if it does not.
// A date is taken against the Date of the same response, so that clocks that
// differ do no harm.
func retryAfter(h http.Header) time.Duration {
	if ms, ok := number(h.Get("Retry-After-Ms")); ok {
		return scale(ms, time.Millisecond)
	}
	after := h.Get("Retry-After")
	if s, ok := number(after); ok {
		return scale(s, time.Second)
	}
	at, err := http.ParseTime(after)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}

func number(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && f >= 0
}

// scale is n units, or a time that nobody waits for.
func scale(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(n, float64(2*maxAfter/unit)) * float64(unit))
}
