package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the Makefile.
var version = "unreleased"

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "Daybook %s (%s, %s/%s, SQLite driver %s)\n",
				version, runtime.Version(), runtime.GOOS, runtime.GOARCH, driver())
		},
	}
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
