package memory

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func mustTime(t *testing.T, s string) Time {
	t.Helper()
	at, err := ParseTime(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Skip("no time zone data: ", err)
	}
	return loc
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		gran   Granularity
		offset int16
		start  string // RFC 3339 in UTC
		text   string // "" if it is in
	}{
		"2026Z":                            {Year, 0, "2026-01-01T00:00:00Z", ""},
		"2026+08:00":                       {Year, 480, "2025-12-31T16:00:00Z", ""},
		"2026-05:00":                       {Year, -300, "2026-01-01T05:00:00Z", ""},
		"2026-03Z":                         {Month, 0, "2026-03-01T00:00:00Z", ""},
		"2026-03-05:30":                    {Month, -330, "2026-03-01T05:30:00Z", ""},
		"2026-03-08z":                      {Day, 0, "2026-03-08T00:00:00Z", "2026-03-08Z"},
		"2026-03-08+08:00":                 {Day, 480, "2026-03-07T16:00:00Z", ""},
		"2026-03-08T15+08:00":              {Hour, 480, "2026-03-08T07:00:00Z", ""},
		"2026-03-08T15:04+08:00":           {Minute, 480, "2026-03-08T07:04:00Z", ""},
		"2026-03-08T15:04:05Z":             {Instant, 0, "2026-03-08T15:04:05Z", ""},
		"2026-03-08 15:04:05+08:00":        {Instant, 480, "2026-03-08T07:04:05Z", "2026-03-08T15:04:05+08:00"},
		" 2026-03-08T15:04:05Z\n":          {Instant, 0, "2026-03-08T15:04:05Z", "2026-03-08T15:04:05Z"},
		"2026-03-08T15:04:05.000001+08:00": {Instant, 480, "2026-03-08T07:04:05.000001Z", ""},
		"2026-03-08T15:04:05.1-00:30":      {Instant, -30, "2026-03-08T15:34:05.1Z", ""},
		"2026-03-08T15:04:05.1234567Z":     {Instant, 0, "2026-03-08T15:04:05.123456Z", "2026-03-08T15:04:05.123456Z"},
		"1969-12-31T23:59:59.9999999Z":     {Instant, 0, "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"},
		"2024-02-29Z":                      {Day, 0, "2024-02-29T00:00:00Z", ""},
		"0001Z":                            {Year, 0, "0001-01-01T00:00:00Z", ""},
		"0001-01-01+18:00":                 {Day, 1080, "0000-12-31T06:00:00Z", ""},
		"9999Z":                            {Year, 0, "9999-01-01T00:00:00Z", ""},
		"9999-12-31T23:59:59.999999-18:00": {Instant, -1080, "10000-01-01T17:59:59.999999Z", ""},
		"2026-03-08T15:04:05.000000+00:00": {Instant, 0, "2026-03-08T15:04:05Z", "2026-03-08T15:04:05Z"},
		"2026-03-08T15:04:05,5Z":           {Instant, 0, "2026-03-08T15:04:05.5Z", "2026-03-08T15:04:05.5Z"},
	} {
		got, err := ParseTime(in, nil)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if got.Gran != want.gran || got.Offset != want.offset {
			t.Errorf("%q: granularity %d, offset %d; want %d, %d", in, got.Gran, got.Offset, want.gran, want.offset)
		}
		if start := got.Std().UTC().Format("2006-01-02T15:04:05.999999Z07:00"); start != want.start {
			t.Errorf("%q: starts at %s, want %s", in, start, want.start)
		}
		if want.text == "" {
			want.text = in
		}
		if got.String() != want.text {
			t.Errorf("%q: text %q, want %q", in, got, want.text)
		}
		if err := got.Validate(); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestParseTimeRefuses(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", " ", "Z", "z", "+08:00", "-", "nonsense", "yesterday", "日期",
		"2026", "2026-03", "2026-03-08", "2026-03-08T15:04", "2026-03-08T15:04:05", // no offset
		"0000Z", "0000-05-05Z", "0000-12-31T23:59:59-18:00",
		"10000-01-01Z", "-0001-01-01Z", "+2026-01-01Z", "226Z", "26-01-01Z",
		"2026-13Z", "2026-00Z", "2026-02-30Z", "2025-02-29Z", "2026-03-00Z", "2026-3-8Z",
		"2026-03-08T24:00Z", "2026-03-08T15:60Z", "2026-03-08T15:04:60Z",
		"2026-03-08+18:01", "2026-03-08-18:30", "2026-03-08+19:00", "2026-03-08+08:60",
		"2026-03-08T10:00+-5:30", "2026-03-08T10:00++5:30", "2026-03-08T10:00+ 5:30", "2026-03-08T10:00+aa:bb",
		"2026-03-08T10:00:00ZZ", "2026-03-08T10:00:00+0800", "2026-03-08T10:00:00Z tail", "\xed\xa0\x80Z",
	} {
		if got, err := ParseTime(in, nil); !errors.Is(err, ErrInvalid) || !got.IsZero() {
			t.Errorf("%q: %v, %v; want ErrInvalid", in, got, err)
		}
	}
}

func TestParseTimeInZone(t *testing.T) {
	t.Parallel()
	shanghai := zone(t, "Asia/Shanghai")
	for in, want := range map[string]string{
		"2026-03-08":       "2026-03-08+08:00",
		"2026":             "2026+08:00",
		"2026-03-08T15:04": "2026-03-08T15:04+08:00",
		"2026-03-08Z":      "2026-03-08Z", // its own offset goes first
		"1890-05-04":       "1890-05-04+08:05",
		"1890":             "1890+08:05",
	} {
		if got, err := ParseTime(in, shanghai); err != nil || got.String() != want {
			t.Errorf("%q: %s, %v; want %s", in, got, err, want)
		}
	}
	// An offset with seconds (-00:44:30) must not move the day.
	if got, err := ParseTime("1960-01-01", zone(t, "Africa/Monrovia")); err != nil || got.String() != "1960-01-01-00:44" {
		t.Errorf("Monrovia: %s, %v", got, err)
	}
}

// drawTime gives a Time that can be said, at the beginning of its granularity.
func drawTime(t *rapid.T) Time {
	loc := time.FixedZone("", rapid.IntRange(-maxOffset, maxOffset).Draw(t, "offset")*60)
	at := time.Date(rapid.IntRange(1, 9999).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")),
		rapid.IntRange(1, 28).Draw(t, "day"), rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"),
		rapid.IntRange(0, 59).Draw(t, "second"), rapid.IntRange(0, 999_999).Draw(t, "µs")*1000, loc)
	gran := Granularity(rapid.IntRange(int(Year), int(Instant)).Draw(t, "granularity"))
	switch y, m, d := at.Date(); gran {
	case Year:
		at = time.Date(y, 1, 1, 0, 0, 0, 0, loc)
	case Month:
		at = time.Date(y, m, 1, 0, 0, 0, 0, loc)
	case Day:
		at = time.Date(y, m, d, 0, 0, 0, 0, loc)
	case Hour:
		at = time.Date(y, m, d, at.Hour(), 0, 0, 0, loc)
	case Minute:
		at = time.Date(y, m, d, at.Hour(), at.Minute(), 0, 0, loc)
	case Instant:
	}
	out := At(at)
	out.Gran = gran
	return out
}

func TestTimeRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := drawTime(t)
		text, err := want.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got Time
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Fatalf("%s reads as %#v, %v; want %#v", text, got, err, want)
		}
		if err := want.Validate(); err != nil {
			t.Fatal(err)
		}
		if want.End() <= want.Micros {
			t.Fatalf("%s ends at %d, before it begins at %d", want, want.End(), want.Micros)
		}
	})
}

func TestParseTimeNeverPanics(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.StringMatching(`[0-9TZ:+\-. ]{0,30}`)).Draw(t, "text")
		got, err := ParseTime(in, nil)
		if err != nil {
			return
		}
		if again, err := ParseTime(got.String(), nil); err != nil || again != got {
			t.Fatalf("%q gives %q, which reads as %v, %v", in, got, again, err)
		}
	})
}

func TestTimeText(t *testing.T) {
	t.Parallel()
	var unset Time
	if text, err := unset.MarshalText(); err != nil || len(text) != 0 {
		t.Errorf("the zero Time gives %q, %v", text, err)
	}
	set := Micros(1)
	if err := set.UnmarshalText(nil); err != nil || !set.IsZero() {
		t.Errorf("an empty text gives %v, %v", set, err)
	}
	if err := set.UnmarshalText([]byte("2026-03-08")); !errors.Is(err, ErrInvalid) {
		t.Errorf("a text without an offset gives %v", err)
	}
}

func TestTimeEnd(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2024Z":                            "2025-01-01T00:00:00Z",
		"2024-02Z":                         "2024-03-01T00:00:00Z",
		"2024-12+08:00":                    "2025-01-01T00:00:00+08:00",
		"2024-02-29-05:00":                 "2024-03-01T00:00:00-05:00",
		"2024-12-31T23+08:00":              "2025-01-01T00:00:00+08:00",
		"2024-12-31T23:59Z":                "2025-01-01T00:00:00Z",
		"2024-12-31T23:59:59.999999+05:30": "2025-01-01T00:00:00+05:30",
	} {
		if got := mustTime(t, in).End(); got != mustTime(t, want).Micros {
			t.Errorf("%s ends at %s, want %s", in, Micros(got), want)
		}
	}
}

func TestTimeValidate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at Time
		ok bool
	}{
		"not set":           {Time{}, true},
		"now":               {At(time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC)), true},
		"last":              {At(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)), true},
		"year 10000":        {At(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), false},
		"year 0":            {At(time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)), false},
		"year 1, far east":  {Time{Micros: At(time.Date(0, 12, 31, 12, 0, 0, 0, time.UTC)).Micros, Offset: 720, Gran: Instant}, true},
		"offset":            {Time{Offset: maxOffset + 1, Gran: Instant}, false},
		"offset west":       {Time{Offset: -maxOffset - 1, Gran: Instant}, false},
		"granularity":       {Time{Gran: Instant + 1}, false},
		"as early as it is": {Micros(math.MinInt64), false},
		"as late as it is":  {Micros(math.MaxInt64), false},
	} {
		if err := c.at.Validate(); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInterval(t *testing.T) {
	t.Parallel()
	may, june := mustTime(t, "2023-05Z"), mustTime(t, "2023-06Z")
	closed := Interval{From: may, To: june}
	since, until := Interval{From: may}, Interval{To: june}
	for name, c := range map[string]struct {
		iv   Interval
		us   int64
		want bool
	}{
		"begin":             {closed, may.Micros, true},
		"before":            {closed, may.Micros - 1, false},
		"last":              {closed, june.Micros - 1, true},
		"end":               {closed, june.Micros, false},
		"since":             {since, june.Micros, true},
		"before since":      {since, may.Micros - 1, false},
		"until":             {until, 0, true},
		"the end of until":  {until, june.Micros, false},
		"open":              {Interval{}, math.MaxInt64 - 1, true},
		"empty holds none":  {Interval{From: may, To: may}, may.Micros, false},
		"1970 is no unset":  {Interval{From: Micros(0)}, -1, false},
		"1970 is no unset'": {Interval{To: Micros(0)}, 0, false},
	} {
		if got := c.iv.Contains(c.us); got != c.want {
			t.Errorf("%s: %v contains %s: %v", name, c.iv, Micros(c.us), got)
		}
	}
	for _, c := range []struct {
		iv   Interval
		text string
		ok   bool
	}{
		{Interval{}, "[.., ..)", true},
		{closed, "[2023-05Z, 2023-06Z)", true},
		{since, "[2023-05Z, ..)", true},
		{until, "[.., 2023-06Z)", true},
		{Interval{From: may, To: may}, "[2023-05Z, 2023-05Z)", true},
		{Interval{From: june, To: may}, "[2023-06Z, 2023-05Z)", false},
		{Interval{From: Time{Micros: may.Micros, Gran: 9}}, "[2023-05-01T00:00:00Z, ..)", false},
	} {
		if c.iv.String() != c.text {
			t.Errorf("text %q, want %q", c.iv, c.text)
		}
		if err := c.iv.Validate(); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v", c.iv, err)
		}
	}
	if !(Interval{}).IsZero() || since.IsZero() || until.IsZero() {
		t.Error("only the interval without ends is zero")
	}
}
