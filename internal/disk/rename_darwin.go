package disk

import "golang.org/x/sys/unix"

func renameToFree(from, to string) error { return unix.RenamexNp(from, to, unix.RENAME_EXCL) }
