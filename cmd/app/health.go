package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite/file"
)

func healthCommand() *cobra.Command {
	var url string
	command := &cobra.Command{
		Use:   "health",
		Short: "Ask the server of the database whether it is healthy",
		Long: `Health asks the server that serves the database, as GET /health does, and fails if it is
unhealthy, gives no answer in five seconds, or if there is none. It needs no token. It finds the server
by the database, or asks the one at --url.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			const longest = 5 * time.Second
			ctx, cancel := context.WithTimeout(cmd.Context(), longest)
			defer cancel()
			address := url
			if address == "" {
				var served bool
				var err error
				address, served, err = file.Served(ctx, database(cmd))
				if err == nil && !served {
					err = fmt.Errorf("no server serves %s; app serve starts one", database(cmd))
				}
				if err != nil {
					return err
				}
			}
			if err := checkHealth(ctx, address); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "Daybook on %s is healthy\n", address)
			return err
		},
	}
	command.Flags().StringVar(&url, "url", "", "the `address` of the server, like http://localhost:8080 or unix:/path (default: that of the server of the database)")
	return command
}

// checkHealth asks the server at an address, which may be that of a socket.
func checkHealth(ctx context.Context, address string) error {
	transport := http.Transport{
		// Its certificate may be for another name than that of this machine, and no secret is sent.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // said above
	}
	base := strings.TrimSuffix(address, "/")
	// As the server does, without a look-up, which may not know the name.
	base = strings.Replace(base, "//localhost:", "//127.0.0.1:", 1)
	if path, is := strings.CutPrefix(address, "unix:"); is {
		base = "http://localhost"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", path)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/health", http.NoBody)
	if err != nil || request.URL.Host == "" {
		return fmt.Errorf("--url %s: give an address like http://localhost:8080 or unix:/path", address)
	}
	response, err := (&http.Client{Transport: &transport}).Do(request)
	if err != nil {
		return fmt.Errorf("the server on %s does not answer: %w", address, err)
	}
	defer func() { _ = response.Body.Close() }() // it was read
	var said struct{ Status string }
	if err := json.NewDecoder(response.Body).Decode(&said); err != nil || said.Status == "" {
		return fmt.Errorf("what answers on %s is not Daybook (status %d)", address, response.StatusCode)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server on %s is unhealthy: it says %s (status %d); its log says why", address, said.Status, response.StatusCode)
	}
	return nil
}
