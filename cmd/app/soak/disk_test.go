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

// diskSize is how much the disk holds that the test fills. What all rounds store takes half
// of it.
const diskSize = 32 << 20

// ownMounts is the environment variable that says that this process may mount what it
// likes: nobody else sees it, and it is gone with the process.
const ownMounts = "SOAK_OWN_MOUNTS"

// TestFullDisk: on a full disk writes are refused as unavailable and leave nothing,
// reads go on, and writes go on when there is space again, without a restart.
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
		t.Error("writes to a disk that is not full were refused")
	}
	figure{
		"full disk", "503 unavailable, reads go on, writes resume, nothing half there",
		fmt.Sprintf("filled %d times: %d writes refused, %d of unknown outcome, %d reads answered, %d writes after space returned, 0 lost",
			rounds, f.refused, f.unknown, f.reads, f.resumed),
		fmt.Sprintf("another disk is full: %d writes refused", control.refused),
	}.report(t)
}

// fullness counts what clients were answered.
type fullness struct{ refused, unknown, reads, resumed int }

func (f *fullness) add(more fullness) {
	f.refused += more.refused
	f.unknown += more.unknown
	f.reads += more.reads
	f.resumed += more.resumed
}

// fillUp fills the disk up to some bytes, lets clients write until they are refused, or
// long enough, reads, makes space again and lets them write.
func fillUp(t *testing.T, c *crowd, disk string, left int64) (f fullness) {
	t.Helper()
	balloon := filepath.Join(disk, "balloon")
	inflate(t, balloon, left)
	const most = 200 // writes of each; one that finds no space comes much earlier
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
				t.Errorf("got %d %s %v, want unavailable and when to try again", got.status, got.body, got.header)
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
			t.Errorf("with space again: got %d %s", got.status, got.body)
		}
		f.resumed++
	}
	for _, complaint := range c.settle(t) {
		t.Errorf("with space again: %s", complaint)
	}
	return f
}

// inflate writes a file until the disk is full, and cuts some bytes off again.
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

// noMount is what a process says that may not mount.
const noMount = "the system refuses a mount:"

// mount makes a directory a small disk.
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

// runInOwnMounts runs this test in a process with mounts of its own. Where the system
// allows that to nobody, the long form fails, and the short one says that it has
// measured nothing.
func runInOwnMounts(t *testing.T, name string) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), own, "-test.run=^"+t.Name()+"$", "-test.v", fmt.Sprintf("-soak=%t", *soak))
	command.Env = append(os.Environ(), ownMounts+"=1", builtBinary+"="+app)
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 { // in a world where this user is root
		command.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		command.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	late := time.AfterFunc(30*time.Minute, func() { _ = command.Process.Kill() }) // Run says that it was killed
	defer late.Stop()
	err = command.Run()
	_, isExit := errors.AsType[*exec.ExitError](err)
	switch refused := err != nil && (!isExit || strings.Contains(out.String(), noMount)); {
	case refused && *soak:
		t.Fatalf("there is no disk to fill: run as root, or where users may have namespaces: %v\n%s", err, out.String())
	case refused:
		figure{name, "a full disk is survived", fmt.Sprintf("nothing, there is no disk to fill: %v", err), "none"}.report(t)
	case err != nil:
		t.Fatalf("%v\n%s", err, out.String())
	}
	for line := range strings.Lines(out.String()) {
		if _, row, found := strings.Cut(line, figureMark); found {
			t.Log(figureMark + strings.TrimSpace(row))
		}
	}
}
