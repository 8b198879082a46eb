package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"daybook/internal/disk"
	"daybook/internal/fault"
)

// note is what the lock file says, as plain text: the numbers of the database (number.go), and the
// address of its server, which is valid while that server holds its lock.
type note struct {
	numbers []uint32
	address string
}

// The first words of the lines.
const (
	numberLine  = "number"
	addressLine = "address"
)

func (n note) String() string {
	var text strings.Builder
	if len(n.numbers) > 0 {
		text.WriteString(numberLine)
		for _, number := range n.numbers {
			fmt.Fprintf(&text, " %08x", number)
		}
		text.WriteByte('\n')
	}
	if n.address != "" {
		fmt.Fprintf(&text, "%s %s\n", addressLine, n.address)
	}
	return text.String()
}

// readNote reads what the lock file says. A file that does not exist says nothing.
func (f File) readNote() (n note, err error) {
	const longest = 8 << 10 // bytes, more than a note has
	text, err := disk.ReadLocks(f.Path+LockFile, longest)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case addressLine:
			n.address = rest
		case numberLine:
			n.numbers = nil
			for field := range strings.FieldsSeq(rest) {
				if number, err := strconv.ParseUint(field, 16, 32); err == nil {
					n.numbers = append(n.numbers, uint32(number))
				}
			}
		}
	}
	return n, nil
}

// write replaces the note by another, and syncs it. A kill leaves the beginning of the new one and the
// end of the old one, which readNote can read. The caller has the mutex.
func (l *Lock) write(n note) error {
	text := []byte(n.String())
	_, err := l.file.WriteAt(text, 0)
	if err == nil {
		err = l.file.Truncate(int64(len(text)))
	}
	if err == nil {
		err = l.file.Sync()
	}
	if err == nil && l.of.SyncFolder != nil {
		err = l.of.SyncFolder(filepath.Dir(l.of.Path)) // the file may be new
	}
	if err == nil {
		l.said = n
	}
	return err
}

// Announce publishes the address at which this process serves the database; "" is none. Unavailable: the
// disk refuses.
func (l *Lock) Announce(address string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.said.address == address {
		return nil
	}
	if err := l.write(note{l.said.numbers, address}); err != nil {
		return fault.Wrap(fault.Unavailable, err, "cannot write the address at which %s is served", l.of)
	}
	return nil
}

// Served returns the address of the one server of a database, and whether there is a server. It waits
// for a server that has only begun, until ctx ends. Unavailable: the server does not announce its
// address, or as for Open.
func Served(ctx context.Context, path string) (address string, served bool, err error) {
	f, err := Locate(path)
	if err != nil {
		return "", false, err
	}
	for {
		if served, err := f.Served(); err != nil || !served {
			return "", false, err
		}
		if said, err := f.readNote(); err == nil && said.address != "" {
			return said.address, true, nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return "", true, fault.New(fault.Unavailable, "another process serves or restores %s, and does not say where", path)
		}
	}
}
