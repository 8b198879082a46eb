package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// How much garbage may lie beside what is in use: by itself Go lets it grow to as much
// again, which with many connections is most of the process.
const (
	mostGarbage  = 24 << 20 // bytes
	leastPercent = 10       // of what is in use; with less, collecting would be all there is to do
)

// boundGarbage holds garbage to its bound until ctx ends.
func boundGarbage(ctx context.Context) {
	usual := debug.SetGCPercent(-1)
	defer debug.SetGCPercent(usual)
	debug.SetGCPercent(usual)
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for set := usual; ; {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
		if percent := garbagePercent(liveHeap(), usual); percent != set {
			debug.SetGCPercent(percent) // stops the world for a moment
			set = percent
		}
	}
}

// garbagePercent is the garbage that may lie beside a live heap, in percent of that and
// steps of 5.
func garbagePercent(live uint64, usual int) int {
	if live <= mostGarbage {
		return usual
	}
	percent := int(mostGarbage * 100 / live)
	return min(usual, max(leastPercent, percent/5*5))
}

// liveHeap is what was in use at the last collection, in bytes.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
