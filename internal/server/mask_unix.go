//go:build unix

package server

import "syscall"

// asSocket makes what it makes with socketMode. The mode comes with the file: changing it
// afterwards, by its name, would change a file that another user put in its place. The mask is
// that of the whole process, which makes no other file meanwhile.
func asSocket(do func()) {
	mask := syscall.Umask(0o777 &^ socketMode)
	defer syscall.Umask(mask)
	do()
}
