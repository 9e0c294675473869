package eval

import (
	"context"
	"fmt"
	"time"

	"engram"
	"engram/index"
	"engram/memory"
	"engram/recall"
)

// Budgets are the sizes of context, in tokens, at which evidence is counted.
var Budgets = []int{1000, 2000, 4000, 8000}

// Space is the one that every case is told into; each has a store of its own.
const Space = "eval"

// Opener opens the engine over the store of a case, empty the first time. Nil
// weights are the built-in ones. The clock must stand at now.
type Opener func(ctx context.Context, c *Case, weights *recall.Weights, now time.Time) (*engram.Engine, error)

// Row is what one question gave.
type Row struct {
	Benchmark string
	Case      string
	Question  string
	Category  string
	Metrics   map[string]float64
	Recall    time.Duration // of the answer at the default budget
}

// Bench is a benchmark that has been told into stores.
type Bench struct {
	*Benchmark
	open     Opener
	keys     []map[memory.Seq]string // of each case: IDKey by place in the log
	sessions map[string]string       // session by IDKey
	Remember []time.Duration         // of each episode, one at a time
}

// Tell remembers every case, one episode at a time, before any question is read.
func Tell(ctx context.Context, b *Benchmark, open Opener, progress func()) (*Bench, error) {
	bench := &Bench{Benchmark: b, open: open, sessions: map[string]string{}}
	for i := range b.Cases {
		c := &b.Cases[i]
		keys, err := bench.tell(ctx, c, progress)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		bench.keys = append(bench.keys, keys)
		c.MarkStrict(index.MaxWords)
	}
	return bench, nil
}

func (b *Bench) tell(ctx context.Context, c *Case, progress func()) (map[memory.Seq]string, error) {
	space, done, err := b.space(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	defer done()
	keys := map[memory.Seq]string{}
	for _, r := range c.Records {
		e := *r.Body.(*memory.Episode) //nolint:forcetypeassert // histories hold episodes only
		e.IDKey = r.IDKey
		start := time.Now()
		refs, err := space.Remember(ctx, e)
		if err != nil {
			return nil, err
		}
		b.Remember = append(b.Remember, time.Since(start))
		keys[refs[0].Seq] = r.IDKey
		b.sessions[r.IDKey] = e.Session
		if progress != nil {
			progress()
		}
	}
	return keys, nil
}

// space opens the space of a case a day after its last episode.
func (b *Bench) space(ctx context.Context, c *Case, weights *recall.Weights) (*engram.Space, func(), error) {
	var last int64
	for _, r := range c.Records {
		last = max(last, r.Body.(*memory.Episode).Occurred.Micros) //nolint:forcetypeassert // as above
	}
	engine, err := b.open(ctx, c, weights, time.UnixMicro(last).UTC().AddDate(0, 0, 1))
	if err != nil {
		return nil, nil, err
	}
	space, err := engine.Space(engram.Scope{Space: Space})
	if err != nil {
		return nil, nil, err
	}
	return space, func() { _ = engine.Close() }, nil
}

// Groups gives the candidates of every question with their features. A
// question is asked by its text alone.
func (b *Bench) Groups(ctx context.Context) ([]Group, error) {
	var groups []Group
	for i := range b.Cases {
		c := &b.Cases[i]
		space, done, err := b.space(ctx, c, nil)
		if err != nil {
			return nil, err
		}
		for j := range c.Questions {
			samples, err := space.Samples(ctx, engram.Query{Question: c.Questions[j].Text})
			if err != nil {
				done()
				return nil, fmt.Errorf("%s: %w", c.Questions[j].ID, err)
			}
			groups = append(groups, b.group(i, &c.Questions[j], samples))
		}
		done()
	}
	return groups, nil
}

// group labels the part of each evidence record that holds most of the answer.
// Its other parts are neither evidence nor its opposite and are left out.
func (b *Bench) group(at int, q *Question, samples []recall.Sample) Group {
	g := Group{Set: b.Name, Case: b.Cases[at].Name}
	strict, evidence := map[Part]bool{}, map[string]bool{}
	for _, p := range q.Strict {
		strict[p] = true
	}
	for _, key := range q.Evidence {
		evidence[key] = true
	}
	for _, s := range samples {
		key := b.keys[at][s.Seq]
		positive := strict[Part{Key: key, Index: s.Part}]
		if !positive && evidence[key] {
			continue
		}
		g.Features = append(g.Features, s.Features...)
		g.Positive = append(g.Positive, positive)
	}
	return g
}

// Run asks every question of a case and measures what comes back.
func (b *Bench) Run(ctx context.Context, at int, weights *recall.Weights, ranker memory.Ranker) ([]Row, error) {
	c := &b.Cases[at]
	space, done, err := b.space(ctx, c, weights)
	if err != nil {
		return nil, err
	}
	defer done()
	rows := make([]Row, 0, len(c.Questions))
	for i := range c.Questions {
		row, err := b.ask(ctx, space, at, &c.Questions[i], ranker)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Questions[i].ID, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (b *Bench) ask(ctx context.Context, space *engram.Space, at int, q *Question, ranker memory.Ranker) (Row, error) {
	row := Row{Benchmark: b.Name, Case: b.Cases[at].Name, Question: q.ID, Category: q.Category, Metrics: map[string]float64{}}
	for _, budget := range Budgets {
		start := time.Now()
		a, err := space.Recall(ctx, engram.Query{Question: q.Text, Budget: budget, Ranker: ranker})
		if err != nil {
			return row, err
		}
		row.Recall = time.Since(start)
		if a.Tokens > budget {
			return row, fmt.Errorf("the context has %d tokens, the budget was %d", a.Tokens, budget)
		}
		b.covered(&row, at, q, &a, budget)
		if budget == memory.Budget {
			b.ranked(&row, at, q, &a)
		}
	}
	return row, nil
}

// covered counts the evidence in a context: strictly, if the part that holds
// most of the answer is there as a whole, and if any part is.
func (b *Bench) covered(row *Row, at int, q *Question, a *engram.Answer, budget int) {
	whole, held := map[Part]bool{}, map[string]bool{}
	for _, item := range a.Items {
		key := b.keys[at][item.Seq]
		held[key] = true
		if !item.Excerpt {
			whole[Part{Key: key, Index: item.Part}] = true
		}
	}
	strict, loose := 0, 0
	for _, p := range q.Strict {
		if whole[p] {
			strict++
		}
		if held[p.Key] {
			loose++
		}
	}
	n := float64(len(q.Evidence))
	row.Metrics[fmt.Sprintf("covered@%dk", budget/1000)] = float64(strict) / n
	row.Metrics[fmt.Sprintf("any_part@%dk", budget/1000)] = float64(loose) / n
}

func (b *Bench) ranked(row *Row, at int, q *Question, a *engram.Answer) {
	ranked := Distinct(a.Items, func(i memory.Item) string { return b.keys[at][i.Seq] })
	for _, k := range []int{5, 10, 20} {
		row.Metrics[fmt.Sprintf("recall@%d", k)] = RecallAt(ranked, q.Evidence, k)
	}
	row.Metrics["ndcg@10"] = NDCGAt(ranked, q.Evidence, 10)
	row.Metrics["session_recall@10"] = SessionRecallAt(ranked, q.Evidence, func(key string) string { return b.sessions[key] }, 10)
}
