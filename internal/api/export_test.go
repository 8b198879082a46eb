package api

import "daybook/internal/access"

// Routes returns every operation, as "GET /health" in the spelling of gin, with the scope that a token
// needs for it, "" for none.
func Routes() map[string]access.Scope {
	routes := map[string]access.Scope{}
	for _, r := range (&api{}).routes() {
		routes[r.method+" "+r.path] = r.needs
	}
	return routes
}
