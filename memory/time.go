package memory

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"
)

// Granularity says how exactly a Time is known. The zero value marks a Time
// that is not set.
type Granularity uint8

// The granularities, from coarse to fine.
const (
	Year Granularity = iota + 1
	Month
	Day
	Hour
	Minute
	Instant
)

// Time is a point in time as somebody stated it: microseconds since 1970 UTC
// of its beginning, the offset in which it was said, and how exact it is. The
// zero Time is not set. Years 1 to 9999 can be said.
//
// Its text form is ISO 8601, cut at its granularity, always with an offset:
// "2026-03-08T15:04:05.000001+08:00", "2026-03-08T15:04+08:00",
// "2026-03-08+08:00", "2026-03Z", "2026Z".
type Time struct {
	Micros int64       // start, µs since 1970-01-01T00:00:00Z
	Offset int16       // minutes east of UTC
	Gran   Granularity // zero: not set
}

// maxOffset is the farthest from UTC that an offset can be, in minutes.
const maxOffset = 18 * 60

// layouts are tried in order by ParseTime; the offset is parsed apart.
var layouts = []struct {
	layout string
	gran   Granularity
}{
	{"2006-01-02T15:04:05", Instant}, // Go accepts a fraction after the seconds
	{"2006-01-02T15:04", Minute},
	{"2006-01-02T15", Hour},
	{"2006-01-02", Day},
	{"2006-01", Month},
	{"2006", Year},
}

// At gives t with its offset; sub-microsecond parts are cut.
func At(t time.Time) Time {
	_, off := t.Zone()
	return Time{Micros: t.UnixMicro(), Offset: int16(off / 60), Gran: Instant}
}

// Micros gives the instant µs in UTC.
func Micros(us int64) Time { return Time{Micros: us, Gran: Instant} }

// ParseTime reads the text form of a Time. A text without an offset is read in
// loc; if loc is nil it is refused, because a guessed zone is a wrong date.
func ParseTime(s string, loc *time.Location) (Time, error) {
	body := strings.Replace(strings.TrimSpace(s), " ", "T", 1)
	body, zone, hasZone, err := cutOffset(body)
	if err != nil {
		return Time{}, fmt.Errorf("time %q: %w", s, err)
	}
	if !hasZone && loc == nil {
		return Time{}, fmt.Errorf("time %q has no offset (write 2026-03-08T15:04:05+08:00 or end it in Z, or name a zone with --tz): %w", s, ErrInvalid)
	}
	if hasZone {
		loc = zone
	}
	for _, l := range layouts {
		t, err := time.ParseInLocation(l.layout, body, loc)
		if err != nil {
			continue
		}
		if t.Year() < 1 {
			return Time{}, fmt.Errorf("time %q: there is no year 0 (years 1 to 9999): %w", s, ErrInvalid)
		}
		out := At(wholeMinutes(t))
		out.Gran = l.gran
		return out, nil
	}
	return Time{}, fmt.Errorf("time %q is no ISO 8601 date or time of the years 1 to 9999: %w", s, ErrInvalid)
}

// cutOffset splits "…Z" or "…±hh:mm" off a date or time. A sign counts as an
// offset only behind hh:mm, so that "2026-03-08" keeps its day.
func cutOffset(s string) (body string, zone *time.Location, ok bool, err error) {
	if n := len(s) - 1; n > 0 && (s[n] == 'Z' || s[n] == 'z') {
		return s[:n], time.UTC, true, nil
	}
	n := len(s) - 6
	if n <= 0 || s[n+3] != ':' || (s[n] != '+' && s[n] != '-') {
		return s, nil, false, nil
	}
	clock, err := time.Parse("15:04", s[n+1:])
	minutes := clock.Hour()*60 + clock.Minute()
	if err != nil || minutes > maxOffset {
		return "", nil, false, fmt.Errorf("the offset %q is not within ±18:00: %w", s[n:], ErrInvalid)
	}
	if s[n] == '-' {
		minutes = -minutes
	}
	return s[:n], time.FixedZone("", minutes*60), true, nil
}

// wholeMinutes gives the same wall clock in an offset of whole minutes. Local
// mean times of the past had seconds in theirs, which a Time cannot say: kept
// as an instant, midnight in such a zone would be the evening before.
func wholeMinutes(t time.Time) time.Time {
	_, off := t.Zone()
	return t.Add(time.Duration(off%60) * time.Second).In(time.FixedZone("", off-off%60))
}

// Validate refuses what the text form cannot say: a year outside of 1 to 9999,
// an offset beyond ±18:00, an unknown granularity. The zero Time passes.
func (t Time) Validate() error {
	if t.IsZero() {
		return nil
	}
	if y := t.Std().Year(); y < 1 || y > 9999 {
		return fmt.Errorf("the year %d is outside of 1 to 9999: %w", y, ErrInvalid)
	}
	if t.Offset < -maxOffset || t.Offset > maxOffset {
		return fmt.Errorf("the offset of %d minutes is not within ±18:00: %w", t.Offset, ErrInvalid)
	}
	if t.Gran > Instant {
		return fmt.Errorf("there is no granularity %d: %w", t.Gran, ErrInvalid)
	}
	return nil
}

// IsZero reports whether the time is not set.
func (t Time) IsZero() bool { return t.Gran == 0 }

// Std gives the beginning of t in its own offset.
func (t Time) Std() time.Time {
	zone := time.UTC
	if t.Offset != 0 {
		zone = time.FixedZone("", int(t.Offset)*60)
	}
	return time.UnixMicro(t.Micros).In(zone)
}

// End gives the first microsecond that is no longer part of t.
func (t Time) End() int64 {
	s := t.Std()
	switch t.Gran {
	case Year:
		return s.AddDate(1, 0, 0).UnixMicro()
	case Month:
		return s.AddDate(0, 1, 0).UnixMicro()
	case Day:
		return s.AddDate(0, 0, 1).UnixMicro()
	case Hour:
		return t.Micros + time.Hour.Microseconds()
	case Minute:
		return t.Micros + time.Minute.Microseconds()
	default:
		return t.Micros + 1
	}
}

// String gives the text form, "" if t is not set.
func (t Time) String() string {
	if t.IsZero() {
		return ""
	}
	layout := "2006-01-02T15:04:05.999999"
	for _, l := range layouts {
		if l.gran == t.Gran && t.Gran != Instant {
			layout = l.layout
		}
	}
	return t.Std().Format(layout + "Z07:00")
}

// MarshalText implements encoding.TextMarshaler.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler; an empty text is the zero
// Time, a text without an offset is refused.
func (t *Time) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*t = Time{}
		return nil
	}
	parsed, err := ParseTime(string(b), nil)
	*t = parsed
	return err
}

// Interval is half-open, [From, To). A zero end is open. Each end is stated as
// exactly as it is known; To excludes its own beginning.
type Interval struct {
	From Time `json:"from,omitzero"`
	To   Time `json:"to,omitzero"`
}

// Bounds gives the ends in microseconds, open ones as the extremes of int64.
func (iv Interval) Bounds() (from, to int64) {
	from, to = math.MinInt64, math.MaxInt64
	if !iv.From.IsZero() {
		from = iv.From.Micros
	}
	if !iv.To.IsZero() {
		to = iv.To.Micros
	}
	return from, to
}

// IsZero reports whether both ends are open.
func (iv Interval) IsZero() bool { return iv.From.IsZero() && iv.To.IsZero() }

// Contains reports whether the instant us lies inside.
func (iv Interval) Contains(us int64) bool {
	from, to := iv.Bounds()
	return from <= us && us < to
}

// Validate refuses an end that cannot be said, and an interval that ends
// before it begins.
func (iv Interval) Validate() error {
	if err := cmp.Or(iv.From.Validate(), iv.To.Validate()); err != nil {
		return err
	}
	if from, to := iv.Bounds(); from > to {
		return fmt.Errorf("the interval from %s to %s ends before it begins: %w", iv.From, iv.To, ErrInvalid)
	}
	return nil
}

// String gives "[from, to)" with ".." for an open end.
func (iv Interval) String() string {
	from, to := "..", ".."
	if !iv.From.IsZero() {
		from = iv.From.String()
	}
	if !iv.To.IsZero() {
		to = iv.To.String()
	}
	return "[" + from + ", " + to + ")"
}
