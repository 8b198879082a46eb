package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
)

// listen listens on an address; localhost is both loopback addresses, on one port,
// the second where this machine has it.
func listen(ctx context.Context, addr string) ([]net.Listener, error) {
	var config net.ListenConfig
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if host != "localhost" {
		network := "tcp"
		if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
			network = "tcp4" // 0.0.0.0 opens IPv4 alone
		}
		l, err := config.Listen(ctx, network, addr)
		if err != nil {
			return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
		}
		return []net.Listener{l}, nil
	}
	// With port 0 the system chooses one that may be taken on the other address.
	for attempt := 0; ; attempt++ {
		listeners, err := listenLoopback(ctx, config, port)
		if err == nil {
			return listeners, nil
		}
		if port != "0" || attempt == 10 {
			return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
		}
	}
}

func listenLoopback(ctx context.Context, config net.ListenConfig, port string) ([]net.Listener, error) {
	first, err := config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return nil, err
	}
	_, chosen, err := net.SplitHostPort(first.Addr().String())
	if err != nil {
		return nil, errors.Join(err, first.Close())
	}
	second, err := config.Listen(ctx, "tcp6", net.JoinHostPort("::1", chosen))
	switch {
	case err == nil:
		return []net.Listener{first, second}, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, errors.Join(err, first.Close())
	}
	return []net.Listener{first}, nil // there is no ::1 here
}
