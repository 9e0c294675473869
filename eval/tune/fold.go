package tune

// Fold says what is held out of a fit and tested on it: one case, or all of a
// benchmark if Case is empty. The zero Fold holds out nothing.
type Fold struct {
	Benchmark string
	Case      string
}

// String gives "benchmark/case", or the benchmark alone.
func (f Fold) String() string {
	if f.Case == "" {
		return f.Benchmark
	}
	return f.Benchmark + "/" + f.Case
}

// Tests reports whether the fold holds the case out.
func (f Fold) Tests(benchmark, name string) bool {
	return f.Benchmark == benchmark && (f.Case == "" || f.Case == name)
}

// Train gives the groups that the fold does not hold out.
func (f Fold) Train(groups []Group) []Group {
	var train []Group
	for _, g := range groups {
		if !f.Tests(g.Set, g.Case) {
			train = append(train, g)
		}
	}
	return train
}

// LeaveOneCaseOut gives a fold for each case of the benchmarks: how weights
// fitted on some conversations do on another of the same kind.
func LeaveOneCaseOut(benches ...*Bench) []Fold {
	var folds []Fold
	for _, b := range benches {
		for i := range b.Cases {
			folds = append(folds, Fold{Benchmark: b.Name, Case: b.Cases[i].Name})
		}
	}
	return folds
}

// LeaveOneBenchmarkOut gives a fold for each benchmark: how weights do on
// conversations of another kind.
func LeaveOneBenchmarkOut(benches ...*Bench) []Fold {
	folds := make([]Fold, len(benches))
	for i, b := range benches {
		folds[i] = Fold{Benchmark: b.Name}
	}
	return folds
}
