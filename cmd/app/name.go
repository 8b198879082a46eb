package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// packaged is the name of the program in the packages. In a clone it is app.
const packaged = "daybook"

// rename makes the help of the command line tell users to type name. It returns what does so for other
// sentences.
func rename(app *cobra.Command, name string) func(sentence string) string {
	var commands []string
	for _, c := range app.Commands() {
		commands = append(commands, c.Name())
	}
	mention := regexp.MustCompile(`\bapp (` + strings.Join(commands, "|") + `)\b`)
	named := func(sentence string) string { return mention.ReplaceAllString(sentence, name+" $1") }
	app.Use = name
	for _, c := range append(app.Commands(), app) {
		c.Long = named(c.Long)
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = named(f.Usage) })
	}
	return named
}
