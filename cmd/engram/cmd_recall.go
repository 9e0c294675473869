package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram"
	"engram/memory"
)

type recallFlags struct {
	view
	asOf    name
	budget  count
	limit   count
	ranker  name
	weights []string
	explain bool
	json    bool
}

func newRecallCommand(a *app) *cobra.Command {
	var f recallFlags
	cmd := &cobra.Command{
		Use:     "recall [QUESTION… | -]",
		Aliases: []string{"search"},
		Short:   "Answer a question with a small context",
		Long: `Print the context that an agent would get for a question: on stdout exactly that,
on stderr its tokens, the verdict and notes. Each line begins with the position of
its record. Facts that the question is about come first. Without a question, a filter
alone gives what passes it; with neither, the question is read from standard input if
something is piped in, as with "-".

--explain adds a table behind the context: for each item why it is there, its rank
in each channel, and what each feature added to its score; and by which model it was found.

` + rerankHelp + `

With --json one object: {"context", "tokens", "facts": [as facts --json has them],
"items": [{"kind", "id", "seq", "text", "session", "speaker", "source", "occurred",
"path", "part", "parts", "score", "pinned", "excerpt", "same", "explanation"}],
"verdict": {"answerable", "score", "why"}, "position": {"epoch", "seq"}, "head", "scope",
"query", "now", "ranker_weights", "vector_model", "vector_seq", "reranker", "notes"};
head is the last position of the log, and vector_model is missing where words alone were
searched.

What was said in other words is found if a model has read the memory (engram model --help).

` + filterHelp,
		Example: `  engram recall "Where does Ann live?"
  engram recall --kind instruction --source user --after 2026-03-08T15:00 --before 2026-03-09 --tz Asia/Shanghai 昨天下午给过哪些指示
  echo "Where does Ann live?" | engram recall
  engram recall --known-at 2026-03-04Z "Is file upload part of the first version?"
  engram recall --budget 1000 --json "What comes next?" | jq -r .context`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args)
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.Var(&f.asOf, "as-of", "ask as at this `TIME`: which facts hold, what \"yesterday\" means, and what is recent (default now)")
	flags.Var(&f.budget, "budget", fmt.Sprintf("most tokens of the context, o200k (default %d)", memory.Budget))
	flags.VarP(&f.limit, "limit", "n", "most ranked items; facts and pinned ones are not counted (default what the budget holds)")
	flags.Var(&f.ranker, "ranker", "`RANKER`: linear, fixed or rrf (default linear; fixed if --weight is given)")
	flags.StringArrayVar(&f.weights, "weight", nil, "weight of the fixed ranker, `NAME=VALUE` with semantic, recency or salience (may be repeated)")
	flags.BoolVar(&f.explain, "explain", false, "say why each item is there")
	modelFlag(cmd, a)
	rerankFlag(cmd, a)
	jsonFlag(cmd, &f.json)
	complete(cmd, "ranker", string(memory.Linear), string(memory.Fixed), string(memory.RRF))
	return cmd
}

func (f *recallFlags) run(ctx context.Context, a *app, args []string) error {
	filter, known, loc, err := f.parse()
	if err != nil {
		return err
	}
	q := memory.Query{
		Filter: filter, AsOf: memory.AsOf{Known: known}, Explain: f.explain,
		Budget: int(f.budget), Limit: int(f.limit), Ranker: memory.Ranker(f.ranker),
	}
	if q.Valid, err = parseTime("--as-of", string(f.asOf), loc); err != nil {
		return err
	}
	if err := f.weigh(&q); err != nil {
		return err
	}
	q.Question = strings.Join(args, " ")
	if q.Question == "-" || len(args) == 0 && filter.IsZero() && !a.isTerminal(a.stdin) {
		if q.Question, err = a.text(args); err != nil {
			return err
		}
	}
	return a.withView(ctx, &f.target, known, loc, func(s *engram.Space) error {
		answer, err := s.Recall(ctx, q)
		switch {
		case err != nil:
			return err
		case f.json:
			return a.printJSON(answer)
		}
		return a.printAnswer(&answer)
	})
}

// weigh reads the weights, which only the fixed ranker heeds.
func (f *recallFlags) weigh(q *memory.Query) error {
	pairs, err := parsePairs("--weight", f.weights)
	if err != nil || pairs == nil {
		return err
	}
	if q.Ranker == "" {
		q.Ranker = memory.Fixed
	}
	if q.Ranker != memory.Fixed {
		return fmt.Errorf("--weight belongs to the ranker fixed, not to %q: %w", q.Ranker, memory.ErrInvalid)
	}
	q.Weights = map[string]float64{}
	for _, k := range slices.Sorted(maps.Keys(pairs)) {
		if q.Weights[k], err = strconv.ParseFloat(pairs[k], 64); err != nil {
			return fmt.Errorf("--weight %s: %q is no number: %w", k, pairs[k], memory.ErrInvalid)
		}
	}
	return nil
}

// printAnswer prints the context, and on stderr what is to be said about it.
func (a *app) printAnswer(answer *memory.Answer) error {
	_, err := io.WriteString(a.stdout, paintContext(answer.Context, a.palette(a.stdout)))
	if answer.Query.Explain {
		err = errors.Join(err, a.printExplanation(answer))
	}
	p, v := a.palette(a.stderr), answer.Verdict
	verdict := p.good("answerable")
	if !v.Answerable {
		verdict = p.bad("not answerable")
	}
	fmt.Fprintf(a.stderr, "%s %s %s\n", p.dim(fmt.Sprintf("%d of %d tokens · %s · %s · position %s ·",
		answer.Tokens, answer.Query.Budget, several(len(answer.Facts), "fact"), several(len(answer.Items), "item"), answer.Position)), verdict, p.dim(fmt.Sprintf("(%.2f) %s", v.Score, oneLine(v.Why))))
	for _, n := range answer.Notes {
		a.note("%s", n)
	}
	return err
}

func several(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}

var lineMark = regexp.MustCompile(`(?m)^\[\d+\]`)

// paintContext colours the headings and marks of a context.
func paintContext(context string, p palette) string {
	if !p.on {
		return context
	}
	lines := strings.SplitAfter(context, "\n")
	for i, l := range lines {
		bare := strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(l, "## "):
			lines[i] = p.head(bare) + "\n"
		case strings.HasPrefix(l, "<"):
			lines[i] = p.dim(bare) + "\n"
		default:
			lines[i] = lineMark.ReplaceAllStringFunc(l, p.dim)
		}
	}
	return strings.Join(lines, "")
}

// printExplanation says why each item is there.
func (a *app) printExplanation(answer *memory.Answer) error {
	p, columns := a.palette(a.stdout), a.width(a.stdout)
	var b strings.Builder
	for i, it := range answer.Items {
		e := it.Explanation
		if e == nil {
			e = &memory.Explanation{}
		}
		head := fmt.Sprintf("%3d. [%d]", i+1, it.Seq)
		if it.Parts > 1 {
			head += fmt.Sprintf(" part %d of %d", it.Part+1, it.Parts)
		}
		head += fmt.Sprintf("  score %.3f  ", it.Score)
		b.WriteString("\n" + p.bold(head) + cut(oneLine(it.Text), max(columns, shownText)-len(head)) + "\n")
		for _, row := range [][2]string{
			{"why", strings.Join(e.Why, "; ")}, {"channels", channels(e)}, {"features", features(e)}, {"replaces", fmt.Sprint(e.Replaces)},
		} {
			if strings.Trim(row[1], "[]") != "" {
				fmt.Fprintf(&b, "     %s %s\n", p.dim(fmt.Sprintf("%-8s", row[0])), oneLine(row[1]))
			}
		}
	}
	if answer.Model != "" {
		b.WriteString("\n" + p.dim("model "+oneLine(answer.Model)) + "\n")
	}
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

// shownText is how many columns of an item's text an explanation shows where
// it is not for a terminal.
const shownText = 100

// channels lists the rank of an item in each channel that found it.
func channels(e *memory.Explanation) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(e.Channels)) {
		out = append(out, fmt.Sprintf("%s #%d", name, e.Channels[name]))
	}
	return strings.Join(out, "  ")
}

// features lists what each feature added to a score, the most first.
func features(e *memory.Explanation) string {
	list := slices.Clone(e.Features)
	added := func(c memory.Contribution) float64 { return c.Value * c.Weight }
	slices.SortStableFunc(list, func(x, y memory.Contribution) int {
		return cmp.Compare(math.Abs(added(y)), math.Abs(added(x)))
	})
	var out []string
	for _, c := range list {
		if added(c) != 0 {
			out = append(out, fmt.Sprintf("%s %+.2f", c.Feature, added(c)))
		}
	}
	return strings.Join(out, "  ")
}
