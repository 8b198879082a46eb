package main

import (
	"context"
	"errors"
	"fmt"
	"net"

	"daybook/internal/api/gate"
	"daybook/internal/server"
)

// admission says who may use the server.
type admission struct {
	gate.Config
	names     gate.Names // which Known has
	openToAll bool
}

// admission reads and checks the flags that say who may use the server.
func (o serveOptions) admission() (a admission, err error) {
	reachable, err := o.reachable()
	switch {
	case err != nil:
		return a, err
	case o.limits.Connections < 1:
		return a, fmt.Errorf("--max-conns must be at least 1, not %d", o.limits.Connections)
	case o.requireToken && o.noAuth:
		return a, errors.New("--require-token and --no-auth contradict each other; give one of them")
	}
	a.RequireToken = o.requireToken || reachable && !o.noAuth
	a.openToAll = reachable && o.noAuth
	a.ShortHosts = a.RequireToken || o.noAuth // then a name alone gives no access
	a.names.AllowHosts = o.allowHosts
	if err := gate.CheckHosts(o.allowHosts); err != nil {
		return a, fmt.Errorf("--allow-host: %w", err)
	}
	if a.names.Origins, err = gate.ParseOrigins(o.corsOrigins); err != nil {
		return a, fmt.Errorf("--cors-origin: %w", err)
	}
	if a.names.TrustedProxies, err = gate.ParseProxies(o.trustedProxies); err != nil {
		return a, fmt.Errorf("--trusted-proxy: %w", err)
	}
	a.Known = gate.Know(a.names)
	return a, nil
}

// reachable reports whether other machines can reach the address. A unix socket counts as reachable, because
// most often a proxy serves it to others.
func (o serveOptions) reachable() (bool, error) {
	if _, is := server.SocketPath(o.addr); is {
		return true, nil
	}
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return false, fmt.Errorf("--addr %s is neither host:port nor unix:/path", o.addr)
	}
	return host != "localhost" && !net.ParseIP(host).IsLoopback(), nil
}

// checkTokens refuses to require tokens if none is valid.
func (o serveOptions) checkTokens(ctx context.Context, a admission, path string) error {
	if !a.RequireToken {
		return nil
	}
	valid, err := a.Authenticator.AnyValid(ctx)
	if err != nil || valid {
		return err
	}
	return o.noToken(path)
}

func (o serveOptions) noToken(path string) error {
	return fmt.Errorf("--addr %s needs a token, and no token is valid; make one with `app token create --db %s --name me --scope admin`, or serve everyone with --no-auth", o.addr, path)
}
