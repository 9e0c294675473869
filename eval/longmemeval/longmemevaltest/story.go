package longmemevaltest

import (
	"fmt"
	"strings"
	"time"
)

// story is what a question asks about: the sessions that tell it, and its
// answer once it is known when they were.
type story struct {
	question string
	sessions [][]Turn
	answer   func(told []time.Time) any
}

// most is the largest number of sessions that tell a story.
const most = 3

// kinds are the types of questions with the makers of their stories, which tell
// of something else than they ask for if absent is true.
var kinds = []struct {
	name       string
	abstention bool
	tell       func(g *generator, absent bool) story
}{
	{"single-session-user", true, (*generator).name},
	{"single-session-assistant", false, (*generator).advice},
	{"single-session-preference", false, (*generator).preference},
	{"temporal-reasoning", true, (*generator).days},
	{"knowledge-update", true, (*generator).update},
	{"multi-session", true, (*generator).total},
}

var (
	pets    = []string{"parrot", "tortoise", "ferret", "donkey", "hamster", "spaniel"}
	things  = []string{"kayak", "allotment", "houseboat", "choir", "podcast", "workshop"}
	jobs    = []string{"glazed the greenhouse", "rewired the attic", "tiled the porch", "oiled the staircase", "painted the shutters"}
	rounds  = []string{"lake loop", "canal run", "quarry climb", "harbour swim", "forest lap"}
	goods   = []string{"fountain pens", "cactuses", "lanterns", "teapots", "jigsaws", "harmonicas"}
	hobbies = []string{"camera", "sewing machine", "telescope", "synthesizer", "espresso machine"}
)

func (g *generator) name(absent bool) story {
	told, asked := g.two(pets, absent)
	coined := g.coin()
	return story{
		question: fmt.Sprintf("What is my %s called?", asked),
		sessions: [][]Turn{evidence(0,
			fmt.Sprintf("Our %s %s has started to hide my keys. How do I stop that?", told, coined),
			"Keep them in a drawer, and offer a toy of the same size instead.")},
		answer: constant(absent, coined, "the name of your "+asked, fmt.Sprintf("your %s is called %s", told, coined)),
	}
}

func (g *generator) advice(bool) story {
	thing, coined := g.pick(things), g.coin()
	return story{
		question: fmt.Sprintf("You once proposed a name for my %s. Which name was it?", thing),
		sessions: [][]Turn{evidence(1,
			fmt.Sprintf("I need a name for my %s. Can you think of one?", thing),
			fmt.Sprintf("How about %s? It is short, and nobody else has it.", coined))},
		answer: constant(false, coined, "", ""),
	}
}

func (g *generator) preference(bool) story {
	hobby, mark := g.pick(hobbies), g.coin()
	return story{
		question: fmt.Sprintf("Can you suggest an accessory for my %s?", hobby),
		sessions: [][]Turn{evidence(0,
			fmt.Sprintf("I only ever buy parts made by %s for my %s; others never fit.", mark, hobby),
			"Good to know. Staying with one maker avoids such trouble.")},
		answer: constant(false, fmt.Sprintf("The user would prefer accessories for their %s made by %s, and none of other makers.", hobby, mark), "", ""),
	}
}

func (g *generator) days(absent bool) story {
	order := g.Perm(len(jobs))
	first, second, other := jobs[order[0]], jobs[order[1]], jobs[order[2]]
	s := story{
		question: fmt.Sprintf("How many days passed between the day I %s and the day I %s?", first, second),
		sessions: [][]Turn{
			evidence(0, fmt.Sprintf("Today I %s, and my back hurts. Any advice?", first), "Rest, warmth and a short walk will help."),
			evidence(0, fmt.Sprintf("Today I %s. What should I do with the rubbish?", second), "Take it to the depot before the weekend."),
		},
		answer: func(told []time.Time) any {
			return int(told[1].Truncate(24*time.Hour).Sub(told[0].Truncate(24*time.Hour)) / (24 * time.Hour))
		},
	}
	if absent {
		s.question = fmt.Sprintf("How many days passed between the day I %s and the day I %s?", first, other)
		s.answer = constant(true, "", "when you "+other, "you "+first)
	}
	return s
}

func (g *generator) update(absent bool) story {
	told, asked := g.two(rounds, absent)
	before, after := 40+g.IntN(15), 20+g.IntN(15) // minutes
	seconds := 10 + g.IntN(50)
	best := fmt.Sprintf("%d:%d", after, seconds)
	return story{
		question: fmt.Sprintf("What is my best time on the %s?", asked),
		sessions: [][]Turn{
			evidence(0, fmt.Sprintf("My best time on the %s is %d:%d. How do I get faster?", told, before, seconds), "Train short and hard once a week."),
			evidence(0, fmt.Sprintf("I have a new best time on the %s: %s!", told, best), "Congratulations, that is a leap."),
		},
		answer: constant(absent, best, "your best time on the "+asked, fmt.Sprintf("your best time on the %s is %s", told, best)),
	}
}

func (g *generator) total(absent bool) story {
	told, asked := g.two(goods, absent)
	sum := 0
	var sessions [][]Turn
	for _, where := range []string{"at the flea market", "in the old arcade", "from a neighbour"} {
		n := 2 + g.IntN(7)
		sum += n
		sessions = append(sessions, evidence(0,
			fmt.Sprintf("I bought %d %s %s today. Where do I put them?", n, told, where),
			"A shelf in the hall keeps them in sight and out of the way."))
	}
	s := story{
		question: fmt.Sprintf("How many %s did I buy in all?", asked),
		sessions: sessions,
		answer:   func([]time.Time) any { return sum },
	}
	if absent {
		s.answer = constant(true, "", "buying any "+asked, "you bought "+told)
	}
	return s
}

// evidence is a session of one question and its reply, of which the one at place
// marked holds the answer, and of thanks.
func evidence(marked int, user, assistant string) []Turn {
	turns := []Turn{{Role: "user", Content: user}, {Role: "assistant", Content: assistant}, {Role: "user", Content: "Thank you!"}}
	for i := range turns {
		turns[i].HasAnswer = new(bool)
		*turns[i].HasAnswer = i == marked
	}
	return turns
}

// constant is an answer that needs no dates. Where it is absent, it says what
// was not told and what was told instead.
func constant(absent bool, answer, missing, instead string) func([]time.Time) any {
	if absent {
		answer = fmt.Sprintf("You did not mention %s. You mentioned that %s.", missing, instead)
	}
	return func([]time.Time) any { return answer }
}

// two gives what is told and what is asked about: the same unless it is absent.
func (g *generator) two(list []string, absent bool) (told, asked string) {
	order := g.Perm(len(list))
	if absent {
		return list[order[0]], list[order[1]]
	}
	return list[order[0]], list[order[0]]
}

func (g *generator) pick(list []string) string { return list[g.IntN(len(list))] }

// coin makes up a name that was not there before.
func (g *generator) coin() string {
	if g.coined == nil {
		g.coined = map[string]bool{}
	}
	for {
		var b strings.Builder
		for range 3 {
			b.WriteByte("bdfgklmnprstvz"[g.IntN(14)])
			b.WriteByte("aeiou"[g.IntN(5)])
		}
		name := strings.ToUpper(b.String()[:1]) + b.String()[1:]
		if !g.coined[name] {
			g.coined[name] = true
			return name
		}
	}
}

var (
	topics = []string{
		"how tides come about", "the rules of curling", "why bread rises", "what a sonnet is", "how to fold a map",
		"the phases of the moon", "how glass is made", "what a fugue is", "why leaves turn red", "how locks on a canal work",
		"the history of chess", "what yeast eats", "how to read a barometer", "why the sea is salty", "what a leap year is",
	}
	replies = []string{
		"In short: it takes time, and each step rests on the one before.",
		"There are two schools about that, and both are right in part.",
		"Most of it can be seen with the bare eye, if one knows where to look.",
		"The old books say one thing, and recent ones another.",
	}
	follow = []string{"And who found that out?", "Is there a good book about it?", "Could a child understand it?", "\u200b"}
)

// smallTalk is a session about nothing that is asked.
func (g *generator) smallTalk() []Turn {
	var turns []Turn
	topic := g.pick(topics)
	for i := range 1 + g.IntN(3) {
		user := "Please explain " + topic + "."
		if i > 0 {
			user = g.pick(follow)
		}
		turns = append(turns, Turn{Role: "user", Content: user}, Turn{Role: "assistant", Content: g.pick(replies)})
	}
	return turns
}
