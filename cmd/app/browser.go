package main

import (
	"context"
	"os"
	"os/exec"
	"runtime"
)

// opener shows an address to the person at this machine.
type opener func(ctx context.Context, address string)

// browse opens the default browser, which may run longer than this process. If there is none it does
// nothing, because the address is printed too.
func browse(ctx context.Context, address string) {
	words := browser(runtime.GOOS, os.Getenv)
	if words == nil {
		return
	}
	command := exec.CommandContext(context.WithoutCancel(ctx), words[0], append(words[1:], address)...) //nolint:gosec // our own command and address
	detach(command)
	if command.Start() == nil {
		go func() { _ = command.Wait() }() // its result does not matter
	}
}

// browser returns the command that opens the default browser of a system, without the address; nil if
// nobody would see a browser.
func browser(system string, environment func(string) string) []string {
	switch {
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case system == "darwin":
		return []string{"open"}
	case environment("DISPLAY") == "" && environment("WAYLAND_DISPLAY") == "":
		return nil
	}
	return []string{"xdg-open"}
}
