// Command bench runs Daybook's workloads side by side with their references, and says which goals are
// met.
//
// It measures the built program in its own process. The references are part of this command, not of the
// product. It interleaves the rounds, and only ratios of figures of the same round count, because other
// work on the machine and the disk changes the speed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// referenceArgument is the first argument of a process that runs a reference.
const referenceArgument = "-be-the-reference"

func run(ctx context.Context, args []string) error {
	if len(args) > 1 && args[0] == referenceArgument {
		return beReference(ctx, args[1], args[2:])
	}
	o, err := parseOptions(args)
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	report, err := o.measure(ctx)
	if report == nil {
		return err
	}
	report.print(os.Stdout) // the rows so far, if it failed
	return errors.Join(err, report.save(o.json))
}

// options say what to measure, for how long, and with which program.
type options struct {
	app       string // the program that is measured
	dir       string // where the databases are kept
	json      string // where the table goes as JSON
	workloads []workload
	rounds    int
	seconds   float64 // of a load in one round
	scale     scale
}

func parseOptions(args []string) (*options, error) {
	o := &options{scale: whole}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.app, "app", filepath.Join("bin", "app"), "the `program` to measure")
	flags.StringVar(&o.dir, "dir", filepath.Join("bin", "bench-databases"), "the `folder` of the databases, which are built once: 4 GB, and 2 more during a run")
	flags.StringVar(&o.json, "json", filepath.Join("bin", "bench.json"), "the `file` for the table")
	flags.IntVar(&o.rounds, "rounds", 5, "how many rounds")
	flags.Float64Var(&o.seconds, "seconds", 3, "how long a load runs in a round")
	only := flags.String("workload", "", "the `names` of the workloads to run, separated by commas; all by default: "+strings.Join(workloadNames(), ", "))
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag", flags.Arg(0))
	}
	if o.rounds < 1 || o.seconds <= 0 {
		return nil, errors.New("-rounds and -seconds must be more than 0")
	}
	var err error
	o.workloads, err = selectWorkloads(*only)
	return o, err
}

// measure runs the workloads one after the other. After an error the report has the rows before it. It
// is nil if nothing could begin.
func (o *options) measure(ctx context.Context) (*report, error) {
	b, err := newBench(ctx, o)
	if err != nil {
		return nil, err
	}
	defer b.close()
	r := newReport(o)
	for _, w := range o.workloads {
		rows, err := b.run(ctx, w)
		if err != nil {
			r.end(time.Now())
			return r, fmt.Errorf("%s: %w", w.name, err)
		}
		r.Rows = append(r.Rows, rows...)
	}
	r.end(time.Now())
	return r, nil
}
