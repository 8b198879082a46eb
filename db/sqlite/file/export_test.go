package file

// These are exported for the tests of this folder only.
const (
	LongestWait = longestWait
)

// Hold keeps the connection of a monitor busy until release.
func Hold(m *Monitor) (release func()) {
	<-m.free
	return func() { m.free <- struct{}{} }
}
