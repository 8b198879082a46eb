//go:build !unix

package server

// asSocket: a file inherits from its folder who may use it.
func asSocket(do func()) { do() }
