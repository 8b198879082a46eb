package main

import (
	"context"
	"os"
	"os/exec"
	"runtime"
)

// opener shows an address to whoever sits at this machine.
type opener func(ctx context.Context, address string)

// browse opens the default browser, which may outlive this process. Where there is none
// it does nothing: the address is printed too.
func browse(ctx context.Context, address string) {
	words := browser(runtime.GOOS, os.Getenv)
	if words == nil {
		return
	}
	command := exec.CommandContext(context.WithoutCancel(ctx), words[0], append(words[1:], address)...) //nolint:gosec // a word of ours, and our own address
	detach(command)
	if command.Start() == nil {
		go func() { _ = command.Wait() }() // how it ends is the browser's business
	}
}

// browser is the command, without the address, that opens the default browser of a system;
// nil where nobody would see one.
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
