//go:build !linux && !darwin && !windows

package disk

import "errors"

// renameToFree: this system has no such step.
func renameToFree(string, string) error { return errors.ErrUnsupported }
