//go:build !unix

package server

// asSocket only calls do, because a file inherits its permissions from its folder.
func asSocket(do func()) { do() }
