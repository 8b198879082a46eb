package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// workload is a group of things that are measured in the same rounds, and the rows of
// the table that come of it.
type workload struct {
	name string
	// open makes ready what is measured. What it leaves behind is closed with the bench
	// that it is given.
	open func(ctx context.Context, b *bench) ([]subject, error)
	rows []row
}

// subject is one of the things that a round measures, in the order in which they stand.
type subject struct {
	name    string
	measure func(ctx context.Context, say say) error
}

// say takes a figure of the round by its name.
type say func(figure string, value float64)

// row is a line of the table: one figure, and where there is a reference its ratio to
// that of the same round.
type row struct {
	workload  string
	ours      string // the name of a figure
	reference string // the name of the figure that it is held against, "" for none
	against   string // what that is, for the reader
	unit      string
	goal      goal
	optional  bool // not every system tells the figure
}

// goal is what the median must be: of the ratios, or of the figure where there is no
// reference. The zero goal asks nothing.
type goal struct {
	atLeast, atMost float64
}

func atLeast(n float64) goal { return goal{atLeast: n} }
func atMost(n float64) goal  { return goal{atMost: n} }

func (g goal) String() string {
	switch {
	case g.atLeast != 0:
		return fmt.Sprintf(">= %s", figure(g.atLeast))
	case g.atMost != 0:
		return fmt.Sprintf("<= %s", figure(g.atMost))
	}
	return "-"
}

// held reports whether a median keeps the goal; "-" where there is none.
func (g goal) held(median float64) string {
	switch {
	case g == goal{}:
		return "-"
	case g.atLeast != 0 && median < g.atLeast, g.atMost != 0 && median > g.atMost:
		return "no"
	}
	return "yes"
}

// workloads lists all there are, in the order of the table.
func workloads() []workload {
	return []workload{
		ingest64(), ingest256(), ingest1(), trade64(),
		list1m(), slowReader(), variance40k(), positions1m(), backDated(),
		beside(), start(),
	}
}

func workloadNames() []string {
	var names []string
	for _, w := range workloads() {
		names = append(names, w.name)
	}
	return names
}

// selectWorkloads returns those with the names, all of them for "".
func selectWorkloads(names string) ([]workload, error) {
	all := workloads()
	if names == "" {
		return all, nil
	}
	var selected []workload
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(all, func(w workload) bool { return w.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no workload %s; there are %s", name, strings.Join(workloadNames(), ", "))
		}
		selected = append(selected, all[i])
	}
	return selected, nil
}
