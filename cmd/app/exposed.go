package main

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"daybook/db/sqlite"
	"daybook/internal/backup"
	"daybook/internal/disk"
	"daybook/internal/server"
)

// warnOfExposed logs which files of the database and of its backups other users of this
// machine may use, and that they may change its folder. They read records there, and keep
// the server from writing by a lock; a folder lets them put another database in its place.
func warnOfExposed(log *slog.Logger, path, backups string) error {
	exposed, err := sqlite.Exposed(path)
	if err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(backups)
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return fmt.Errorf("--backup-dir: %w", err)
	}
	for _, e := range disk.Exposed(append(backup.Files(backups, path), folder)...) {
		if !slices.Contains(exposed, e) {
			exposed = append(exposed, e)
		}
	}
	for _, e := range exposed {
		if e.Mode.IsDir() {
			log.Warn("the group may make files in a folder of the database or of its backups, and so change or read them; take that from it with chmod", "folder", e.Path, "mode", e.Mode, "command", "chmod g-w "+quoted(e.Path))
			continue
		}
		log.Warn("other users of this machine may use a file; take it from them with chmod", "file", e.Path, "mode", e.Mode, "command", "chmod 600 "+quoted(e.Path))
	}
	return nil
}

// warnOfSocketFolder logs that others may exchange the socket. In a sticky folder they may not.
func (o serveOptions) warnOfSocketFolder(log *slog.Logger) {
	path, is := server.SocketPath(o.addr)
	if !is {
		return
	}
	dir := filepath.Dir(path)
	mine, owner, err := disk.BelongsTo(os.Geteuid(), dir)
	if roots, _, _ := disk.BelongsTo(0, dir); err == nil && !mine && !roots {
		log.Warn("another user owns the folder of the socket, and may put a socket of their own in its place and be sent its tokens; serve one in a folder of the server's user", "folder", dir, "owner", owner)
	}
	for _, e := range disk.Exposed(dir) {
		if e.Mode&fs.ModeSticky == 0 {
			log.Warn("others may put a socket of their own in the place of the server's, and be sent its tokens; take that from them with chmod", "folder", e.Path, "mode", e.Mode, "command", "chmod go-w "+quoted(e.Path))
		}
	}
}
