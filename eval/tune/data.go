package tune

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram"
	"engram/eval"
	"engram/memory"
	"engram/recall"
)

// Options say how weights are fitted.
type Options struct {
	FitOptions
	Without []string // features of the ranker that get no weight
	Model   string   // by whose vectors the engines search; empty: by words alone, and such weights are fitted
	Commit  string   // of the engine; goes into the provenance
}

// Data is what weights are fitted on: benchmarks that were told, and the
// candidates of their questions.
type Data struct {
	Benches []*Bench
	o       Options
	names   []string // of the features
	groups  []Group
}

// Gather looks at the candidates of every question. An unknown feature in
// Without, or engines that search by other vectors than those of Model, give
// memory.ErrInvalid.
func Gather(ctx context.Context, benches []*Bench, o Options) (*Data, error) {
	d := &Data{Benches: benches, o: o, names: recall.FittedNames(o.Model != "")}
	for _, name := range o.Without {
		if !slices.Contains(d.names, name) {
			return nil, fmt.Errorf("feature %q is none of %s: %w", name, strings.Join(d.names, ", "), memory.ErrInvalid)
		}
	}
	for _, b := range benches {
		for i := range b.Cases {
			c := &b.Cases[i]
			err := b.each(ctx, c, c, nil, func(s *engram.Space, at int, q memory.Query) error {
				samples, err := s.Samples(ctx, q)
				if err != nil {
					return err
				}
				if len(samples) > 0 && len(samples[0].Features) != len(d.names) {
					return fmt.Errorf("the question is not searched by the vectors of %q: %w", o.Model, memory.ErrInvalid)
				}
				d.groups = append(d.groups, d.group(b, c, at, samples))
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// group labels the part of each turn of the evidence that holds most of the
// answer. Its other parts are neither evidence nor its opposite and are left out.
func (d *Data) group(b *Bench, c *Told, at int, samples []recall.Sample) Group {
	g := Group{Set: b.Name, Case: c.Name}
	for _, s := range samples {
		key := c.keys[s.Seq]
		positive := slices.Contains(c.strict[at], eval.Part{Key: key, Index: s.Part})
		if !positive && slices.Contains(c.Questions[at].Evidence, key) {
			continue
		}
		features := slices.Clone(s.Features)
		for i, name := range d.names {
			if slices.Contains(d.o.Without, name) {
				features[i] = 0
			}
		}
		g.Features = append(g.Features, features...)
		g.Positive = append(g.Positive, positive)
	}
	return g
}

// Fit gives weights that were fitted on everything but what the fold holds out:
// first the ranker, then the verdict on what this ranker finds. Their
// provenance names the cases that they have seen.
func (d *Data) Fit(ctx context.Context, without Fold) (*recall.Weights, error) {
	values, err := Fit(d.names, without.Train(d.groups), d.o.FitOptions)
	if err != nil {
		return nil, err
	}
	w := &recall.Weights{Version: recall.WeightsVersion, Features: map[string]float64{}, Provenance: d.provenance(without)}
	for i, name := range d.names {
		w.Features[name] = round4(values[i])
	}
	signals := recall.SignalNames(d.o.Model != "")
	if w.Verdict, err = Calibrate(signals, nil, d.o.FitOptions); err != nil { // one that judges nothing, to rank by
		return nil, err
	}
	if err := w.Complete(); err != nil {
		return nil, err
	}
	judged, err := d.judge(ctx, w, without)
	if err != nil {
		return nil, err
	}
	if w.Verdict, err = Calibrate(signals, judged, d.o.FitOptions); err != nil {
		return nil, err
	}
	return w, w.Complete()
}

// foreigner gives the case whose questions are asked of case i as foreign ones:
// the next of its benchmark.
func (b *Bench) foreigner(i int) *Told { return &b.Cases[(i+1)%len(b.Cases)] }

// judge takes the signals of the verdict: of each case's own questions, and of
// those of another, which its memory cannot answer.
func (d *Data) judge(ctx context.Context, w *recall.Weights, without Fold) ([]Judged, error) {
	var out []Judged
	for _, b := range d.Benches {
		for i := range b.Cases {
			c := &b.Cases[i]
			for _, from := range distinct(c, b.foreigner(i)) {
				if without.Tests(b.Name, c.Name) || without.Tests(b.Name, from.Name) {
					continue
				}
				err := b.each(ctx, c, from, w, func(s *engram.Space, at int, q memory.Query) error {
					holds := !from.Questions[at].Unanswerable
					if !holds && from != c { // nobody knows whose it would be
						return nil
					}
					signals, err := s.Signals(ctx, q)
					out = append(out, Judged{Set: b.Name, Case: c.Name, From: from.Name, Signals: signals, Holds: holds && from == c})
					return err
				})
				if err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

func distinct(c, other *Told) []*Told {
	if c == other {
		return []*Told{c}
	}
	return []*Told{c, other}
}

// provenance names what a fit without the fold has seen.
func (d *Data) provenance(without Fold) *recall.Provenance {
	lambda := d.o.Lambda
	if lambda == 0 {
		lambda = defaultLambda
	}
	p := &recall.Provenance{Lambda: lambda, Without: d.o.Without, Model: d.o.Model, Commit: d.o.Commit}
	for _, b := range d.Benches {
		set := recall.FittedSet{Name: b.Name}
		for _, f := range b.Data {
			set.Data = append(set.Data, recall.DataFile{Name: f.Name, SHA256: f.SHA256})
		}
		for i := range b.Cases {
			if c := &b.Cases[i]; !without.Tests(b.Name, c.Name) {
				set.Cases++
				set.Questions += len(c.Questions)
				set.Prints = append(set.Prints, c.Print)
			}
		}
		if set.Cases > 0 {
			p.Sets = append(p.Sets, set)
		}
	}
	return p
}

// saw reports whether weights were, or may have been, fitted on a case: those
// that do not say what they were fitted on may have seen everything.
func saw(w *recall.Weights, print string) bool {
	return w.Provenance == nil || slices.ContainsFunc(w.Provenance.Sets, func(s recall.FittedSet) bool { return slices.Contains(s.Prints, print) })
}
