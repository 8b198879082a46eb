package api

import (
	"strconv"
	"strings"
)

// takesGzip reports whether a client takes gzip, and as gladly as what is not compressed,
// by the values of its Accept-Encoding (RFC 9110, section 12.5.3). One that sends none
// is not known to.
func takesGzip(sent []string) bool {
	weights := map[string]float64{}
	for coding := range strings.SplitSeq(strings.Join(sent, ","), ",") {
		name, parameter, _ := strings.Cut(coding, ";")
		weights[strings.ToLower(strings.TrimSpace(name))] = weight(parameter)
	}
	gzip, named := weights["gzip"]
	if !named {
		gzip = weights["*"]
	}
	return gzip > 0 && gzip >= weights["identity"]
}

// weight is 0 to 1, 1 where none is given; one that is no weight is 0.
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
