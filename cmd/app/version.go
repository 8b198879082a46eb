package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the Makefile.
var version = "unreleased"

// build is what `app version` prints.
type build struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Driver  string `json:"sqlite_driver"`
}

func versionCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := build{version, runtime.Version(), runtime.GOOS, runtime.GOARCH, driver()}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(b)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "Daybook %s (%s, %s/%s, SQLite driver %s)\n", b.Version, b.Go, b.OS, b.Arch, b.Driver)
			return err
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return command
}

// driver returns the version of the linked SQLite driver.
func driver() string {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == "modernc.org/sqlite" {
			return m.Version
		}
	}
	return "unknown"
}
