// Package accept says which encoding of an answer a client takes.
//
// It must not know what is answered.
package accept

import (
	"strconv"
	"strings"
)

// Gzip reports whether a client prefers gzip to no compression, or has no preference
// between the two, by its Accept-Encoding (RFC 9110, section 12.5.3). A client that sends none
// takes no gzip.
func Gzip(sent []string) bool {
	weights := map[string]float64{}
	for coding := range strings.SplitSeq(strings.Join(sent, ","), ",") {
		name, parameter, _ := strings.Cut(coding, ";")
		weights[strings.ToLower(strings.TrimSpace(name))] = weight(parameter)
	}
	zipped, named := weights["gzip"]
	if !named {
		zipped = weights["*"]
	}
	return zipped > 0 && zipped >= weights["identity"]
}

// weight reads the parameter of a coding: 0 to 1, 1 without one, and 0 for anything else.
func weight(parameter string) float64 {
	if strings.TrimSpace(parameter) == "" {
		return 1
	}
	name, value, _ := strings.Cut(parameter, "=")
	w, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if !strings.EqualFold(strings.TrimSpace(name), "q") || err != nil || !(w >= 0 && w <= 1) {
		return 0
	}
	return w
}
