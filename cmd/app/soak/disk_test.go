//go:build linux

package soak_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// diskSize is the size of the disk that the test fills. All rounds together store half of that.
const diskSize = 32 << 20

// ownMounts is the environment variable that says that this process has its own mount namespace. No
// other process sees its mounts, and they end with the process.
const ownMounts = "SOAK_OWN_MOUNTS"

// TestFullDisk fills the disk of a running server. Writes are refused with 503 and store nothing, and
// reads are answered. When there is space again, writes succeed without a restart.
func TestFullDisk(t *testing.T) {
	if os.Getenv(ownMounts) == "" {
		runInOwnMounts(t, "full disk")
		return
	}
	disk := t.TempDir()
	mount(t, disk)
	c := newCrowd(t, filepath.Join(disk, "app.db"), false)
	rounds := times(4, 200)
	var f fullness
	for round := range rounds {
		f.add(fillUp(t, c, disk, int64(round%5)*9_000))
		if t.Failed() {
			return
		}
	}
	for _, complaint := range append(c.settle(t), verified(t, c.db)...) {
		t.Error(complaint)
	}
	if err := c.server.stop(t); err != nil {
		t.Errorf("got %v, want an exit with 0", err)
	}
	control := fillUp(t, newCrowd(t, newFile(t), false), disk, 0) // its file is on another disk
	if control.refused > 0 {
		t.Errorf("got %d writes refused on a disk that is not full, want none", control.refused)
	}
	figure{
		"full disk", "503 unavailable, reads go on, writes resume, no write half stored",
		fmt.Sprintf("filled %d times: %d writes refused, %d of unknown outcome, %d reads answered, %d writes after space returned, 0 lost",
			rounds, f.refused, f.unknown, f.reads, f.resumed),
		fmt.Sprintf("another disk is full: %d writes refused", control.refused),
	}.report(t)
}

// fullness counts the answers that clients got.
type fullness struct{ refused, unknown, reads, resumed int }

func (f *fullness) add(more fullness) {
	f.refused += more.refused
	f.unknown += more.unknown
	f.reads += more.reads
	f.resumed += more.resumed
}

// fillUp fills the disk except for some bytes, and lets the clients write until each is refused or
// has written enough. Then it reads, makes space again, and lets each client write.
func fillUp(t *testing.T, c *crowd, disk string, left int64) (f fullness) {
	t.Helper()
	balloon := filepath.Join(disk, "balloon") // takes the free space of the disk
	inflate(t, balloon, left)
	const most = 200 // writes of each client; on a full disk a write is refused much earlier
	for _, s := range c.clients {
		for range most {
			got := s.try(t, c.server.client)
			if got.status != http.StatusServiceUnavailable {
				continue
			}
			switch {
			case got.code() == "outcome_unknown":
				f.unknown++
			case got.code() == "unavailable" && got.header.Get("Retry-After") != "":
				f.refused++
			default:
				t.Errorf("got %d %s %v, want unavailable and a Retry-After", got.status, got.body, got.header)
			}
			break
		}
	}
	for _, target := range []string{"/health", "/trade/list", "/positions/list", "/api/v1/variance?year=2026&period=1", "/api/v1/journal"} {
		c.server.get(t, target)
		f.reads++
	}
	for _, complaint := range c.settle(t) {
		t.Errorf("on a full disk: %s", complaint)
	}
	if err := os.Remove(balloon); err != nil {
		t.Fatal(err)
	}
	for _, s := range c.clients {
		if got := s.try(t, c.server.client); got.status >= 300 {
			t.Errorf("with space again: got %d %s, want a success", got.status, got.body)
		}
		f.resumed++
	}
	for _, complaint := range c.settle(t) {
		t.Errorf("with space again: %s", complaint)
	}
	return f
}

// inflate writes a file until the disk is full, and then makes it shorter by that many bytes.
func inflate(t *testing.T, path string, left int64) {
	t.Helper()
	balloon, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for piece := make([]byte, 64<<10); len(piece) > 0; {
		n, err := balloon.Write(piece)
		size += int64(n)
		switch {
		case errors.Is(err, syscall.ENOSPC):
			piece = piece[:len(piece)/2]
		case err != nil:
			t.Fatal(err)
		}
	}
	if err := errors.Join(balloon.Truncate(max(0, size-left)), balloon.Close()); err != nil {
		t.Fatal(err)
	}
}

// noMount begins the message of a process that may not mount.
const noMount = "the system refuses a mount:"

// mount mounts a small disk in memory on a directory.
func mount(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Fatal(noMount, err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", diskSize)); err != nil {
		t.Fatal(noMount, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// runInOwnMounts runs this test in a process with its own mount namespace. If the system does not
// allow that, the long form fails, and the short form reports that it measured nothing.
func runInOwnMounts(t *testing.T, name string) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), own, "-test.run=^"+t.Name()+"$", "-test.v", fmt.Sprintf("-soak=%t", *soak))
	command.Env = append(os.Environ(), ownMounts+"=1", builtBinary+"="+app)
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 { // in a user namespace in which this user is root
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		command.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	late := time.AfterFunc(30*time.Minute, func() { _ = command.Process.Kill() }) // then Run returns an error
	defer late.Stop()
	err = command.Run()
	_, isExit := errors.AsType[*exec.ExitError](err)
	switch refused := err != nil && (!isExit || strings.Contains(out.String(), noMount)); {
	case refused && *soak:
		t.Fatalf("cannot mount a disk to fill (run as root, or where users may create namespaces): %v\n%s", err, out.String())
	case refused:
		figure{name, "the server survives a full disk", fmt.Sprintf("nothing: cannot mount a disk to fill: %v", err), "none"}.report(t)
	case err != nil:
		t.Fatalf("%v\n%s", err, out.String())
	}
	for line := range strings.Lines(out.String()) {
		if _, row, found := strings.Cut(line, figureMark); found {
			t.Log(figureMark + strings.TrimSpace(row))
		}
	}
}
