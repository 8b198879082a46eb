package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// workload is a group of subjects that are measured in the same rounds, and the resulting rows of the
// table.
type workload struct {
	name string
	// open prepares the subjects. What open opened is closed with bench.later.
	open func(ctx context.Context, b *bench) ([]subject, error)
	rows []row
}

// subject is one of the things that a round measures, in this order.
type subject struct {
	name    string
	measure func(ctx context.Context, say say) error
}

// say receives a figure of the round by its name.
type say func(figure string, value float64)

// row is a line of the table: one figure and, if there is a reference, its ratio to the reference of
// the same round.
type row struct {
	workload  string
	ours      string // the name of a figure
	reference string // the name of the figure to compare with, "" for none
	against   string // the description of the reference
	unit      string
	goal      goal
	optional  bool // whether a figure may be missing, because some systems do not report it, or have no sqlite3
}

// goal is the limit of the median: of the ratios, or of the figure if there is no reference. The zero
// goal has no limit.
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

// held reports whether a median meets the goal; "-" if there is none.
func (g goal) held(median float64) string {
	switch {
	case g == goal{}:
		return "-"
	case g.atLeast != 0 && median < g.atLeast, g.atMost != 0 && median > g.atMost:
		return "no"
	}
	return "yes"
}

// workloads lists all workloads in the order of the table.
func workloads() []workload {
	return []workload{
		ingest64(), ingest256(), ingest1(), trade64(),
		list1m(), slowReader(), variance40k(), positions1m(), backDated(),
		bulkRows(), beside(), start(),
	}
}

func workloadNames() []string {
	var names []string
	for _, w := range workloads() {
		names = append(names, w.name)
	}
	return names
}

// selectWorkloads returns the workloads with the names, all for "".
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
