package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
)

// desktop opens the page of the server that serves the database already, or serves it and
// opens the page then.
func (o serveOptions) desktop(cmd *cobra.Command, open opener) error {
	const longest = 10 * time.Second // for a server that has only begun
	ctx, cancel := context.WithTimeout(cmd.Context(), longest)
	defer cancel()
	address, served, err := sqlite.Served(ctx, database(cmd))
	if err != nil {
		return err
	}
	if !served {
		return o.serve(cmd, open)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Daybook serves %s already, on %s\n", database(cmd), address)
	show(cmd.Context(), open, address)
	return nil
}

// show opens an address that is one for a browser; a socket is not.
func show(ctx context.Context, open opener, address string) {
	if strings.HasPrefix(address, "http") {
		open(ctx, address)
	}
}
