package main

import (
	"errors"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"daybook/db/sqlite/file"
)

// asOwner returns what to run instead when root may not use another user's database or folder. The text
// follows the error. It is "" for every other error.
func asOwner(app *cobra.Command, err error) string {
	refused, is := errors.AsType[*file.OwnerError](err)
	if !is {
		return ""
	}
	args := os.Args
	if !app.PersistentFlags().Changed("db") || os.Getenv("APP_DB") != "" {
		args = append(args, "--db", database(app)) // sudo does not keep the environment
	}
	words := []string{"sudo -u", quoted(refused.Owner)}
	for _, arg := range args {
		words = append(words, quoted(arg))
	}
	return "; in a container start it with --user " + quoted(strings.TrimPrefix(refused.Owner, "#")) + ", elsewhere run " + strings.Join(words, " ")
}

// plainWord matches a word that needs no quotes in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted returns a word with quotes for a shell, if it needs them.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
