/** pathOf returns a path of the API with its query. Undefined and empty values are left out. */
export function pathOf(path: string, query: Record<string, string | number | undefined>): string {
	const said = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== "") said.set(name, String(value));
	}
	const text = said.toString();
	return text ? `${path}?${text}` : path;
}

/** filled returns a path of the OpenAPI document with the values of its path and query parameters. */
export function filled<P extends { name: string; place: string }>(
	path: string,
	parameters: readonly P[],
	valueOf: (parameter: P) => string,
): string {
	let said = path;
	const query: Record<string, string> = {};
	for (const parameter of parameters) {
		const value = valueOf(parameter);
		if (parameter.place === "path") said = said.replace(`{${parameter.name}}`, () => encodeURIComponent(value));
		if (parameter.place === "query") query[parameter.name] = value;
	}
	return pathOf(said, query);
}

/** curl returns a request as a shell command. If a token is required, the shell variable TOKEN must hold it. */
export function curl(address: string, byToken: boolean, method = "GET", body?: string): string {
	const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
	const parts = ["curl"];
	if (method !== "GET") parts.push(`-X ${method}`);
	if (byToken) parts.push('-H "Authorization: Bearer $TOKEN"');
	if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
	return [...parts, quoted(address)].join(" ");
}
