package main

import (
	"context"
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
	"daybook/internal/text"
)

// affordable is how many of the connections of --max-conns can be served. It logs if these are fewer.
func affordable(log *slog.Logger, connections int) int {
	served := server.Affordable(connections)
	if served < connections {
		log.Warn("fewer connections than --max-conns are served, because this process may open too few files; raise its limit (ulimit -n, LimitNOFILE of systemd) or lower --max-conns", "max_conns", connections, "served", served)
	}
	return served
}

// warningsOf collects what an owner should know about a database and its backups that are served all the
// same. It logs them, and returns them without the folders of this machine.
func warningsOf(ctx context.Context, log *slog.Logger, path, backups string) ([]string, error) {
	found, err := file.Warnings(ctx, path)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.EvalSymlinks(backups)
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return nil, fmt.Errorf("--backup-dir: %w", err)
	}
	for _, w := range file.Exposed(append(backup.Files(backups, path), folder)...) {
		if !slices.Contains(found, w) {
			found = append(found, w)
		}
	}
	said := make([]string, len(found)) // in JSON a list, also where there is none
	for i, w := range found {
		said[i] = w.Text
		log.Warn(w.Text, "path", w.Path, "command", w.Command)
	}
	return said, nil
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
			log.Warn("other users may replace the socket of the server and receive its tokens; take that right from them with chmod", "folder", e.Path, "mode", e.Mode, "command", "chmod go-w "+text.ShellWord(e.Path))
		}
	}
}
