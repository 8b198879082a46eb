//go:build docs

// With the tag docs this is no Daybook, but a program that writes the man pages and the completions of its
// command line. So they, and what makes them, are in the packages and not in the program.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: docs FOLDER, with the date in SOURCE_DATE_EPOCH")
	}
	app := newCommand(browse)
	rename(app, packaged)
	if err := writeDocs(app, os.Args[1]); err != nil {
		log.Fatalf("docs: %v", err)
	}
}

// writeDocs writes man and completions, below folder.
func writeDocs(app *cobra.Command, folder string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	man, completions := filepath.Join(folder, "man"), filepath.Join(folder, "completions")
	for _, dir := range []string{man, completions} {
		if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // for everyone to read
			return err
		}
	}
	date := time.Unix(seconds, 0).UTC()
	app.DisableAutoGenTag = true
	if err := doc.GenManTree(app, &doc.GenManHeader{Section: "1", Date: &date, Source: "Daybook", Manual: "Daybook"}, man); err != nil {
		return err
	}
	for file, write := range map[string]func(string) error{
		packaged + ".bash": func(file string) error { return app.GenBashCompletionFileV2(file, true) },
		"_" + packaged:     app.GenZshCompletionFile,
		packaged + ".fish": func(file string) error { return app.GenFishCompletionFile(file, true) },
		packaged + ".ps1":  app.GenPowerShellCompletionFileWithDesc,
	} {
		if err := write(filepath.Join(completions, file)); err != nil {
			return err
		}
	}
	return nil
}
