package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// report is the table of a run, and a description of the machine.
type report struct {
	Began      time.Time  `json:"began"`
	Seconds    float64    `json:"seconds"`
	System     string     `json:"system"`
	Processors int        `json:"processors"`
	GoVersion  string     `json:"go_version"`
	Rounds     int        `json:"rounds"`
	Load       string     `json:"load_average,omitempty"` // before and after, if the system tells
	Rows       []measured `json:"rows"`
}

// measured is a row of the table.
type measured struct {
	Group     string  `json:"group"`
	Workload  string  `json:"workload"`
	Unit      string  `json:"unit"`
	Ours      spread  `json:"ours"`
	Against   string  `json:"against,omitempty"`
	Reference *spread `json:"reference,omitempty"`
	Ratio     *spread `json:"ratio,omitempty"` // of the ratios of the rounds
	Goal      string  `json:"goal"`
	Held      string  `json:"held"` // yes, no, - without a goal, unknown without a figure
}

// measured makes a row from the rounds of a workload.
func (r row) measured(group string, rounds []figures) (measured, error) {
	m := measured{Group: group, Workload: r.workload, Unit: r.unit, Against: r.against, Goal: r.goal.String()}
	var ours, references, ratios []float64
	for _, f := range rounds {
		own, said := f[r.ours]
		reference, compared := f[r.reference]
		if r.optional && (!said || r.reference != "" && !compared) {
			m.Held = "unknown"
			return m, nil
		}
		if !said || r.reference != "" && !compared {
			return m, fmt.Errorf("a round lacks %s or %s", r.ours, r.reference)
		}
		ours = append(ours, own)
		if compared {
			references = append(references, reference)
			ratios = append(ratios, own/reference)
		}
	}
	m.Ours = spreadOf(ours)
	judged := m.Ours.Median
	if len(ratios) > 0 {
		reference, ratio := spreadOf(references), spreadOf(ratios)
		m.Reference, m.Ratio = &reference, &ratio
		judged = ratio.Median
	}
	m.Held = r.goal.held(judged)
	return m, nil
}

func newReport(o *options) *report {
	return &report{
		Began: time.Now(), System: runtime.GOOS + "/" + runtime.GOARCH, Processors: runtime.NumCPU(),
		GoVersion: runtime.Version(), Rounds: o.rounds, Load: loadAverage(),
	}
}

func (r *report) end(now time.Time) {
	r.Seconds = now.Sub(r.Began).Round(time.Second).Seconds()
	if r.Load != "" {
		r.Load += " before, " + loadAverage() + " after"
	}
}

// loadAverage returns the system's load average of the last minute, "" if there is none.
func loadAverage() string {
	said, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(said), " ")
	return first
}

// print writes the table for a reader.
func (r *report) print(out io.Writer) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "workload\tours\treference\tratio (min, max)\tgoal\theld")
	for _, m := range r.Rows {
		reference, ratio := "-", fmt.Sprintf("- (%s, %s)", figure(m.Ours.Min), figure(m.Ours.Max))
		if m.Ratio != nil {
			reference = figure(m.Reference.Median) + " " + m.Unit + ", " + m.Against
			ratio = m.Ratio.String()
		}
		fmt.Fprintf(t, "%s\t%s %s\t%s\t%s\t%s\t%s\n", m.Workload, figure(m.Ours.Median), m.Unit, reference, ratio, m.Goal, m.Held)
	}
	_ = t.Flush() // a reader notices an incomplete table
	fmt.Fprintf(out, "\n%d rounds on %s, %d processors, %s, in %.0f s", r.Rounds, r.System, r.Processors, r.GoVersion, r.Seconds)
	if r.Load != "" {
		fmt.Fprintf(out, "; load average %s", r.Load)
	}
	fmt.Fprintln(out)
}

// save writes the table as JSON.
func (r *report) save(path string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o600)
}
