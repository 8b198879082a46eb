package api

// Routes lists what is served, as "GET /health", in the spelling of gin.
func Routes() []string {
	var routes []string
	for _, r := range (&api{}).routes() {
		routes = append(routes, r.method+" "+r.path)
	}
	return routes
}
