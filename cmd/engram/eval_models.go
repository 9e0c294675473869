package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"engram/eval"
	"engram/eval/judge"
	"engram/llm"
	"engram/llm/anthropic"
	"engram/llm/openai"
	"engram/memory"
)

// panel are the models of a run, each with its answers kept.
type panel struct {
	judge.Panel
	models []*judge.Cached // each once
}

// panel makes the models that the flags name, nil if there are none.
func (a *app) panel(f *runFlags) (*panel, error) {
	if len(f.readers) == 0 {
		if len(f.judges) > 0 {
			return nil, fmt.Errorf("--judge needs a --reader whose answers it judges: %w", memory.ErrInvalid)
		}
		return nil, nil //nolint:nilnil // a run without models is no error
	}
	p := &panel{Panel: judge.Panel{Prompts: judge.Default(), Seed: int64(f.seed), Tokens: int(f.answerTokens)}}
	if f.prompts != "" {
		b, err := os.ReadFile(f.prompts)
		if err != nil {
			return nil, fmt.Errorf("read the judge prompts: %w", err)
		}
		if p.Prompts, err = judge.ParsePrompts(filepath.Base(f.prompts), b); err != nil {
			return nil, err
		}
	}
	cache := f.cache
	if cache == "" {
		cache = filepath.Join(f.out, "cache")
	}
	known := map[string]llm.Model{}
	for _, list := range []struct {
		specs []string
		into  *[]llm.Model
	}{{f.readers, &p.Readers}, {f.judges, &p.Judges}} {
		for _, spec := range list.specs {
			if known[spec] == nil {
				m, err := newModel(spec, int(f.parallel))
				if err != nil {
					return nil, err
				}
				cached := judge.NewCached(named{m, a.modelName(spec)}, cache)
				p.models, known[spec] = append(p.models, cached), cached
			}
			*list.into = append(*list.into, known[spec])
		}
	}
	return p, nil
}

// modelName is how rows name a model: as the user did, with the server that is
// asked and without who asks.
func (a *app) modelName(spec string) string {
	protocol, rest, _ := strings.Cut(spec, ":")
	if url := a.getenv(strings.ToUpper(protocol) + "_BASE_URL"); url != "" && !strings.Contains(rest, "@") {
		spec += "@" + url
	}
	return redact(spec)
}

// covers refuses judge prompts that have none for a category of the benchmark:
// readers are paid before that would show.
func (p *panel) covers(b *eval.Benchmark) error {
	if len(p.Judges) == 0 || p.Prompts.By == judge.Default().By {
		return nil
	}
	for c, err := range b.Cases {
		if err != nil {
			return err
		}
		for i := range c.Questions {
			if name, prompt := p.Prompts.For(&c.Questions[i], ""); prompt == "" {
				return fmt.Errorf("the judge prompts of %s have none for %q: %w", p.Prompts.By, cmp.Or(name, c.Questions[i].Category), memory.ErrInvalid)
			}
		}
	}
	return nil
}

// named is a model by the name that the user gave it: two servers may have
// models of one name.
type named struct {
	llm.Model
	name string
}

func (n named) Name() string { return n.name }

// newModel makes a model of "openai:NAME" or "anthropic:NAME", with "@URL" for
// another server.
func newModel(spec string, parallel int) (llm.Model, error) {
	protocol, rest, _ := strings.Cut(spec, ":")
	name, url, _ := strings.Cut(rest, "@")
	if name != "" {
		switch protocol {
		case "openai":
			return openai.New(openai.Options{Model: name, BaseURL: url, MaxParallel: parallel})
		case "anthropic":
			return anthropic.New(anthropic.Options{Model: name, BaseURL: url, MaxParallel: parallel})
		}
	}
	return nil, fmt.Errorf("the model %q is no openai:NAME[@URL] or anthropic:NAME[@URL]: %w", spec, memory.ErrInvalid)
}

// describe notes the models in the manifest of a run.
func (p *panel) describe(m *eval.Manifest) {
	for _, r := range p.Readers {
		m.Readers = append(m.Readers, r.Name())
	}
	m.MaxAnswer = p.Tokens
	for _, j := range p.Judges {
		m.Judges = append(m.Judges, j.Name())
	}
	if len(p.Judges) > 0 {
		m.Prompts, m.PromptsBy = p.Prompts.SHA256, p.Prompts.By
	}
}

// price is what a million tokens cost, in dollars.
type price struct{ in, out float64 }

func parsePrices(list []string) (map[string]price, error) {
	prices := map[string]price{}
	for _, s := range list {
		at := strings.LastIndexByte(s, '=')
		in, out, ok := strings.Cut(s[at+1:], "/")
		i, errIn := strconv.ParseFloat(in, 64)
		o, errOut := strconv.ParseFloat(out, 64)
		if at <= 0 || !ok || errIn != nil || errOut != nil || i < 0 || o < 0 {
			return nil, fmt.Errorf("--price %q is no MODEL=IN/OUT: %w", s, memory.ErrInvalid)
		}
		prices[s[:at]] = price{i, o}
	}
	return prices, nil
}

// spent says what the models were asked and what that cost.
func (a *app) spent(p *panel, prices map[string]price) {
	for _, m := range p.models {
		s := m.Spent()
		cost := ""
		if price, ok := prices[m.Name()]; ok {
			cost = fmt.Sprintf(", $%.4f", (float64(s.Input)*price.in+float64(s.Output)*price.out)/1e6)
		}
		a.note("%s: %d answers, %d of them kept from before, %d tokens in, %d out%s", m.Name(), s.Calls, s.Cached, s.Input, s.Output, cost)
	}
}
