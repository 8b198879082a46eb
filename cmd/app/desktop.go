package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite/file"
)

// desktop opens the page of the server that already serves the database. If there is none, it serves
// the database and then opens the page. If two are started at once, one serves, and both open its page.
func (o serveOptions) desktop(cmd *cobra.Command, open opener) error {
	served, err := openServed(cmd, open)
	if err != nil || served {
		return err
	}
	refused := o.serve(cmd, open)
	if refused == nil || cmd.Context().Err() != nil {
		return refused
	}
	if served, err := openServed(cmd, open); err == nil && served {
		return nil
	}
	return refused
}

// openServed opens the page of the server that serves the database, if one does.
func openServed(cmd *cobra.Command, open opener) (served bool, err error) {
	const longest = 10 * time.Second // for a server that has only begun
	ctx, cancel := context.WithTimeout(cmd.Context(), longest)
	defer cancel()
	address, served, err := file.Served(ctx, database(cmd))
	if err == nil && served {
		fmt.Fprintf(cmd.OutOrStdout(), "Daybook serves %s already, on %s\n", database(cmd), address)
		show(cmd.Context(), open, address)
	}
	return served, err
}

// show opens an address that is one for a browser; a socket is not.
func show(ctx context.Context, open opener, address string) {
	if strings.HasPrefix(address, "http") {
		open(ctx, address)
	}
}
