package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"
)

// socketMode is the mode of a socket in the file system: its user and its group may connect.
const socketMode = 0o660

// SocketPath returns the path of an address like unix:/path, which is a socket in the file system. is
// reports whether the address is of that kind.
func SocketPath(addr string) (path string, is bool) { return strings.CutPrefix(addr, "unix:") }

// Listen listens on an address: host:port, where localhost means both loopback addresses on one port,
// the second only if this machine has it; or unix:/path. It replaces the file of a socket on which no
// process answers, and no other file. Closing the listener removes the file, unless it belongs to
// another server by then.
func Listen(ctx context.Context, addr string) ([]net.Listener, error) {
	listeners, err := listen(ctx, addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	return listeners, nil
}

func listen(ctx context.Context, addr string) ([]net.Listener, error) {
	if path, is := SocketPath(addr); is {
		return listenSocket(ctx, path)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if host == "localhost" {
		return listenLocalhost(ctx, port)
	}
	network := "tcp"
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		network = "tcp4" // 0.0.0.0 opens IPv4 alone
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, network, addr)
	return []net.Listener{l}, err
}

// listenLocalhost tries again with port 0, because the system may choose a port that is taken on the
// other address.
func listenLocalhost(ctx context.Context, port string) ([]net.Listener, error) {
	for attempt := 0; ; attempt++ {
		listeners, err := listenLoopback(ctx, port)
		if err == nil || port != "0" || attempt == 10 {
			return listeners, err
		}
	}
}

func listenLoopback(ctx context.Context, port string) ([]net.Listener, error) {
	var config net.ListenConfig
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

func listenSocket(ctx context.Context, path string) ([]net.Listener, error) {
	if path == "" || strings.HasPrefix(path, "@") {
		return nil, errors.New("a socket needs the path of a file")
	}
	if err := removeStale(ctx, path); err != nil {
		return nil, err
	}
	var config net.ListenConfig
	var l net.Listener
	var err error
	asSocket(func() { l, err = config.Listen(ctx, "unix", path) })
	if errors.Is(err, syscall.EINVAL) {
		return nil, errors.New("the path is too long for a socket")
	}
	if err != nil {
		return nil, err
	}
	if unix, is := l.(*net.UnixListener); is {
		unix.SetUnlinkOnClose(false) // it would remove by name alone
	}
	made, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return []net.Listener{&socket{l, path, made}}, nil
}

// socket listens on a socket in the file system, and removes its file when it closes. If somebody
// removed the file before, another server may have made one with the same name, which stays.
type socket struct {
	net.Listener
	path string
	made fs.FileInfo
}

// Close implements net.Listener.
func (s *socket) Close() error {
	if is, err := os.Lstat(s.path); err == nil && os.SameFile(is, s.made) {
		_ = os.Remove(s.path) // the next server replaces a file that stays
	}
	return s.Listener.Close()
}

// removeStale removes the file of a socket whose server ended without removing it.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return errors.New("there is a file of that name that is not a socket")
	}
	d := net.Dialer{Timeout: time.Second}
	conn, err := d.DialContext(ctx, "unix", path)
	switch {
	case err == nil:
		return errors.Join(errors.New("another process answers there"), conn.Close())
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(path)
	}
	return fmt.Errorf("cannot tell whether another process answers there: %w", err)
}
