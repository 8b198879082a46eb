/** pathOf is a path of the interface with its query; what is undefined or empty is left out. */
export function pathOf(path: string, query: Record<string, string | number | undefined>): string {
	const said = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== "") said.set(name, String(value));
	}
	const text = said.toString();
	return text ? `${path}?${text}` : path;
}

/** filled is a path of the document with the values of its parameters: those in braces, and those of the query. */
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

/** curl is a request as a line for a shell. Where a token is in force the shell is to know it as TOKEN. */
export function curl(address: string, byToken: boolean, method = "GET", body?: string): string {
	const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
	const parts = ["curl"];
	if (method !== "GET") parts.push(`-X ${method}`);
	if (byToken) parts.push('-H "Authorization: Bearer $TOKEN"');
	if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
	return [...parts, quoted(address)].join(" ");
}
