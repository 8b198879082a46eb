package imports

// Hold takes the turn of large files, and returns what gives it back.
func (s *Service) Hold() (release func()) {
	s.turn <- struct{}{}
	return func() { <-s.turn }
}
