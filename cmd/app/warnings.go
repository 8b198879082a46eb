package main

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"daybook/db/sqlite/file"
	"daybook/internal/backup"
	"daybook/internal/disk"
	"daybook/internal/server"
)

// affordable is how many of the connections of --max-conns can be served. It logs if these are fewer.
func affordable(log *slog.Logger, connections int) int {
	served := server.Affordable(connections)
	if served < connections {
		log.Warn("fewer connections than --max-conns are served, because this process may open too few files; raise its limit (ulimit -n, LimitNOFILE of systemd) or lower --max-conns", "max_conns", connections, "served", served)
	}
	return served
}

// warnOfExposed logs which files of the database and of its backups other users of this machine may use,
// and whether they may change the folder. With a file they can read records, and block writes by a
// lock; with a folder they can replace the database.
func warnOfExposed(log *slog.Logger, path, backups string) error {
	exposed, err := file.Exposed(path)
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
			log.Warn("the group may make files in a folder of the database or of its backups, and so change or read them; take that right from it with chmod", "folder", e.Path, "mode", e.Mode, "command", "chmod g-w "+quoted(e.Path))
			continue
		}
		log.Warn("other users of this machine may use a file; take that right from them with chmod", "file", e.Path, "mode", e.Mode, "command", "chmod 600 "+quoted(e.Path))
	}
	return nil
}

// warnOfSocketFolder logs whether other users may replace the socket. In a sticky folder they may not.
func (o serveOptions) warnOfSocketFolder(log *slog.Logger) {
	path, is := server.SocketPath(o.addr)
	if !is {
		return
	}
	dir := filepath.Dir(path)
	mine, owner, err := disk.BelongsTo(os.Geteuid(), dir)
	if roots, _, _ := disk.BelongsTo(0, dir); err == nil && !mine && !roots {
		log.Warn("another user owns the folder of the socket, and may replace the socket and receive its tokens; use a folder of the server's user", "folder", dir, "owner", owner)
	}
	for _, e := range disk.Exposed(dir) {
		if e.Mode&fs.ModeSticky == 0 {
			log.Warn("other users may replace the socket of the server and receive its tokens; take that right from them with chmod", "folder", e.Path, "mode", e.Mode, "command", "chmod go-w "+quoted(e.Path))
		}
	}
}
