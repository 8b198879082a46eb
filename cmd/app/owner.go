package main

import (
	"errors"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"daybook/db/sqlite/file"
)

// asOwner continues an error that refuses root another user's database, or folder, with what
// to run instead, "" for every other error.
func asOwner(app *cobra.Command, err error) string {
	refused, is := errors.AsType[*file.OwnerError](err)
	if !is {
		return ""
	}
	args := os.Args
	if !app.PersistentFlags().Changed("db") || os.Getenv("APP_DB") != "" {
		args = append(args, "--db", database(app)) // sudo keeps no environment
	}
	words := []string{"sudo -u", quoted(refused.Owner)}
	for _, arg := range args {
		words = append(words, quoted(arg))
	}
	return "; in a container start it with --user " + quoted(strings.TrimPrefix(refused.Owner, "#")) + ", elsewhere run " + strings.Join(words, " ")
}

// plainWord is what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
