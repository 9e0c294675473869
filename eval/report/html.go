package report

import (
	"bytes"
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html.tmpl
var pageText string

// section is a report as the page shows it.
type section struct {
	Name, Head, Incomplete string
	Overview, Facts        table
	Tables                 []table
	Legend                 []label
	Plots                  []*chart
}

// HTML writes reports as one page that needs nothing beside it: neither scripts
// nor files, for light and dark screens.
func HTML(w io.Writer, reports ...*Report) error {
	page, err := template.New("page").Funcs(template.FuncMap{"colours": classes}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("read the page of reports: %w", err)
	}
	sections := make([]section, len(reports))
	for i, r := range reports {
		sections[i] = r.section()
	}
	var b bytes.Buffer // so that an error leaves no half page
	if err := page.Execute(&b, sections); err != nil {
		return fmt.Errorf("write the page of reports: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

func (r *Report) section() section {
	tables, m := r.tables(), &r.Runs[0]
	s := section{
		Name: r.title(), Incomplete: r.Incomplete, Facts: r.facts(), Overview: tables[0], Tables: tables[1:], Plots: r.plots(),
		Head: fmt.Sprintf("%d questions · budget %d tokens · seed %d · commit %s", r.Questions, m.Budget, m.Seed, commit(r.Runs)),
	}
	for i, name := range r.order {
		s.Legend = append(s.Legend, label{Class: colour(i), Value: clean(name)})
	}
	return s
}

// classes names the classes of colour.
func classes() []string {
	list := make([]string, colours)
	for i := range list {
		list[i] = colour(i)
	}
	return list
}
