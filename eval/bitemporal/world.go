package bitemporal

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"engram/memory"
)

// Lang is a language that worlds are made in.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// World is a made-up life with its projects: what was true, what was said of it
// and when, and the log that a memory has of that. The same language, seed and
// index give the same world.
type World struct {
	Name    string
	Lang    Lang
	Seed    uint64
	Index   int
	Slots   []*Slot
	Records []memory.Record   // the log; the n-th has the place n, from 1
	names   map[string]string // what folded nicknames mean
	from    int64             // the life, µs
	to      int64
	turns   []*turn

	spokenOnly bool // the log has the words alone
}

// Slot is one subject and predicate of a world.
type Slot struct {
	Subject   string
	Predicate string
	Life      []Stay // what was so
	topic     *topic
	told      []*telling
	listener  *listener
}

// Stay is a value and the days in which it truly held.
type Stay struct {
	Value    string
	From, To int // days since the world began, [From, To); To 0: it holds on
}

// telling is one statement and how it came to be made.
type telling struct {
	how       string
	slot      *Slot
	news      memory.News
	value     string
	from, to  memory.Time
	replaces  string
	about     string // the other value that only the words name
	names     *telling
	words     *turn
	echo      *turn // later words that say it too; the statement is written down after them
	loose     bool  // written down without its words
	dated     bool  // the statement says itself when it was made
	id        memory.ID
	order     int // place of the statement in the log
	recorded  int64
	subject   string // as it was called
	predicate string
	object    string
}

// turn is what somebody said at once.
type turn struct {
	occurred, recorded int64
	speaker            string
	source             memory.Source
	offset             int16
	text               string
	told               []*telling
	id                 memory.ID
	place              int
}

// when is the moment at which it was said.
func (t *turn) when() memory.Time {
	return memory.Time{Micros: t.occurred, Offset: t.offset, Gran: memory.Instant}
}

const day = 24 * time.Hour

// builder makes one world.
type builder struct {
	*World
	rng    *rand.Rand
	ids    *rand.ChaCha8
	words  *language
	zone   *time.Location
	offset int16
	start  time.Time
	days   int // of the life
	lag    bool
	used   map[string]string // nicknames that were used and what they mean
}

// NewWorld makes the world of an index.
func NewWorld(lang Lang, seed uint64, index int) *World {
	salt := uint64(index)<<8 | uint64(lang[0])
	b := &builder{
		World: &World{Name: fmt.Sprintf("%s-%05d", lang, index), Lang: lang, Seed: seed, Index: index, names: map[string]string{}},
		rng:   rand.New(rand.NewPCG(seed, salt)), //nolint:gosec // a simulation, not a secret
		words: languages[lang], used: map[string]string{},
	}
	var key [32]byte
	for i := range key {
		key[i] = byte(b.rng.Uint32())
	}
	b.ids = rand.NewChaCha8(key)
	b.offset = pick(b, b.words.offsets)
	b.zone = time.FixedZone("", int(b.offset)*60)
	b.start = time.Date(2015+b.rng.IntN(8), time.Month(1+b.rng.IntN(12)), 1+b.rng.IntN(28), 0, 0, 0, 0, b.zone)
	b.days = 150 + b.rng.IntN(2200)
	b.lag = b.maybe(30)
	b.from, b.to = b.start.UnixMicro(), b.start.AddDate(0, 0, b.days).UnixMicro()
	turns := b.size()
	b.cast(turns)
	for _, s := range b.Slots {
		b.live(s, turns)
	}
	b.chat(turns)
	b.log()
	for _, s := range b.Slots {
		s.listen()
	}
	return b.World
}

// size draws the number of turns: most worlds are small, a few are large.
func (b *builder) size() int {
	switch p := b.rng.IntN(100); {
	case p < 85:
		return 50 + b.rng.IntN(200)
	case p < 97:
		return 250 + b.rng.IntN(1000)
	default:
		return 1250 + b.rng.IntN(3750)
	}
}

// cast chooses who and what the world is about.
func (b *builder) cast(turns int) {
	add := func(subject string, topics []topic) {
		for i := range topics {
			b.Slots = append(b.Slots, &Slot{Subject: subject, Predicate: topics[i].predicate, topic: &topics[i]})
		}
	}
	add("user", b.words.user)
	for _, name := range shuffled(b, b.words.friendNames)[:min(1+turns/200, len(b.words.friendNames))] {
		add(name, b.words.friends)
	}
	for _, name := range shuffled(b, b.words.projectNames)[:min(1+turns/250, len(b.words.projectNames))] {
		add(name, b.words.projects)
	}
	b.Slots = shuffled(b, b.Slots)[:min(5+turns/25, len(b.Slots))]
}

func pick[T any](b *builder, list []T) T { return list[b.rng.IntN(len(list))] }

func shuffled[T any](b *builder, list []T) []T {
	list = slices.Clone(list)
	b.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// maybe is true so many times in a hundred.
func (b *builder) maybe(percent int) bool { return b.rng.IntN(100) < percent }

// between draws from [low, high].
func (b *builder) between(low, high int) int { return low + b.rng.IntN(max(high-low, 0)+1) }

// hour is a moment by day or in the evening of a day.
func (b *builder) hour(d int) int64 {
	return b.start.AddDate(0, 0, d).Add(time.Duration(7*3600+b.rng.IntN(16*3600))*time.Second + time.Duration(b.rng.IntN(1e6))*time.Microsecond).UnixMicro()
}

// date is a day as exactly as it is told.
func (b *builder) date(d int, gran memory.Granularity) memory.Time {
	t := b.start.AddDate(0, 0, d)
	switch gran {
	case memory.Year:
		t = time.Date(t.Year(), 1, 1, 0, 0, 0, 0, b.zone)
	case memory.Month:
		t = time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, b.zone)
	}
	return memory.Time{Micros: t.UnixMicro(), Offset: b.offset, Gran: gran}
}

// hourOf is the hour of a moment.
func (b *builder) hourOf(at int64) memory.Time {
	t := time.UnixMicro(at).In(b.zone)
	t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), 0, 0, 0, b.zone)
	return memory.Time{Micros: t.UnixMicro(), Offset: b.offset, Gran: memory.Hour}
}

// other draws a value that is none of the given ones.
func (b *builder) other(s *Slot, not ...string) string {
	for {
		if v := pick(b, s.topic.values); !slices.Contains(not, v) {
			return v
		}
	}
}

// say makes a turn out of tellings and the frame that puts them into words.
func (b *builder) say(at int64, source memory.Source, frame string, tellings ...*telling) *turn {
	t := b.turn(at, source)
	b.tell(t, frame, tellings...)
	return t
}

func (b *builder) turn(at int64, source memory.Source) *turn {
	t := &turn{occurred: at, recorded: at + int64(b.rng.IntN(2e6)), source: source, offset: b.offset, speaker: "user"}
	if source != memory.User {
		t.speaker = string(source)
	}
	if b.maybe(4) { // said where the memory could not hear it, and brought in later
		t.recorded += int64(b.between(1, 240)) * time.Hour.Microseconds()
	}
	b.turns = append(b.turns, t)
	return t
}

// tell adds tellings and their words to a turn. The first one fills the frame.
func (b *builder) tell(t *turn, frame string, tellings ...*telling) {
	for _, told := range tellings {
		told.how, told.words = cmp.Or(told.how, frame), t
		told.subject, told.object = b.call(told.slot.Subject), b.call(told.value)
		told.predicate = told.slot.Predicate
		if b.maybe(5) {
			told.predicate = strings.ReplaceAll(told.predicate, "_", pick(b, []string{" ", "-"}))
		}
		if b.maybe(10) {
			told.object = pick(b, []func(string) string{strings.ToUpper, strings.ToLower, func(s string) string { return "  " + s + " " }})(told.object)
			if told.value == "" {
				told.object = ""
			}
		}
		told.dated = b.maybe(50)
		if t.source != memory.User {
			told.loose = b.maybe(40)
		}
		told.slot.told, t.told = append(told.slot.told, told), append(t.told, told)
	}
	text := b.sentence(frame, t, tellings)
	t.text = strings.TrimSpace(t.text + b.words.dates.space() + text)
}

// call gives a name or value as somebody calls it.
func (b *builder) call(name string) string {
	nick, ok := b.words.nicknames[name]
	if !ok || !b.maybe(25) {
		return name
	}
	b.used[nick] = name
	return nick
}

func (b *builder) sentence(frame string, t *turn, tellings []*telling) string {
	first := tellings[0]
	w := cmp.Or(first.about, first.replaces, first.value)
	value := cmp.Or(first.value, w)
	said := time.UnixMicro(t.occurred).In(b.zone)
	from := first.from
	if first.news == memory.End && !first.to.IsZero() {
		from = first.to
	}
	say, dates := first.slot.topic.saying, b.words.dates
	r := strings.NewReplacer("{is}", say.is, "{begin}", say.begin, "{plan}", say.plan, "{stop}", say.stop, "{was}", say.was)
	names := []string{"{s}", first.subject, "{v}", value, "{w}", w}
	if !from.IsZero() {
		names = append(names, "{when}", dates.when(from, said), "{date}", dates.name(from), "{from}", dates.name(from))
	}
	if !first.to.IsZero() {
		names = append(names, "{to}", dates.name(first.to))
	}
	return upperFirst(strings.NewReplacer(names...).Replace(r.Replace(pick(b, b.words.frames[frame]))))
}

func upperFirst(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// chat fills the world up with what says nothing about it.
func (b *builder) chat(turns int) {
	first, last := b.from, b.to
	for range max(turns-len(b.turns), 0) {
		source := memory.User
		if b.maybe(30) {
			source = memory.Assistant
		}
		t := b.turn(first+b.rng.Int64N(last-first), source)
		t.text = strings.NewReplacer("{v}", pick(b, b.words.fillers), "{c}", pick(b, b.words.user[0].values)).Replace(pick(b, b.words.chatter))
	}
}

// log writes everything down in the order in which it came in.
func (b *builder) log() {
	slices.SortStableFunc(b.turns, func(x, y *turn) int { return cmp.Compare(x.recorded, y.recorded) })
	for _, t := range b.turns {
		t.id = b.id(t.recorded)
		for _, told := range t.told {
			told.id = b.id(t.recorded)
		}
	}
	links := b.links()
	waiting := map[int][]*telling{} // by the turn after which they are written down
	for i, t := range b.turns {
		b.append(t.id, t.recorded, &memory.Episode{
			Text: t.text, Occurred: t.when(),
			Speaker: t.speaker, Kind: memory.Message, Source: t.source, Session: fmt.Sprintf("s%d", 1+(t.occurred-b.from)/(7*day.Microseconds())),
		})
		t.place = len(b.Records)
		for _, told := range t.told {
			at := i
			switch {
			case told.echo != nil:
				at = max(i, slices.Index(b.turns, told.echo))
			case b.lag && !told.loose:
				at = min(i+b.rng.IntN(9), len(b.turns)-1)
			}
			waiting[at] = append(waiting[at], told)
		}
		for _, told := range waiting[i] {
			b.write(told, t.recorded)
		}
		for _, l := range links[i] {
			b.append(b.id(t.recorded), t.recorded, l)
		}
	}
}

// links says what nicknames mean, at any time.
func (b *builder) links() map[int][]*memory.Association {
	out := map[int][]*memory.Association{}
	for _, nick := range sortedKeys(b.used) {
		at := b.rng.IntN(len(b.turns))
		out[at] = append(out[at], &memory.Association{Rel: memory.SameAs, Name: nick, Entity: b.used[nick]})
		b.names[fold(nick)] = fold(b.used[nick])
	}
	return out
}

// write puts a statement into the log.
func (b *builder) write(t *telling, recorded int64) {
	a := &memory.Assertion{
		Subject: t.subject, Predicate: t.predicate, Object: t.object, News: t.news, Valid: memory.Interval{From: t.from, To: t.to},
		Source: t.words.source, Replaces: t.replaces,
	}
	if t.names != nil {
		a.Corrects = t.names.id
	}
	if t.dated {
		a.Said = t.words.when()
	}
	if !t.loose {
		a.Provenance = []memory.Span{{Episode: t.words.id}}
		if t.echo != nil {
			a.Provenance = shuffled(b, append(a.Provenance, memory.Span{Episode: t.echo.id}))
		}
	}
	t.recorded = recorded
	b.append(t.id, recorded, a)
	t.order = len(b.Records)
}

func (b *builder) append(id memory.ID, recorded int64, body memory.Body) {
	b.Records = append(b.Records, memory.Record{Seq: memory.Seq(len(b.Records) + 1), ID: id, Recorded: recorded, Body: body})
}

func (b *builder) id(recorded int64) memory.ID {
	id, err := memory.NewID(recorded, b.ids)
	if err != nil {
		panic(err) // a ChaCha8 does not run out
	}
	return id
}
