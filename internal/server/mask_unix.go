//go:build unix

package server

import "syscall"

// asSocket makes do create files with socketMode. To change the mode afterwards by name would change a
// file that another user put in its place. The mask applies to the whole process, which makes no other
// file meanwhile.
func asSocket(do func()) {
	mask := syscall.Umask(0o777 &^ socketMode)
	defer syscall.Umask(mask)
	do()
}
