/** pathOf is a path of the interface with its query; what is undefined or empty is left out. */
export function pathOf(path: string, query: Record<string, string | number | undefined>): string {
	const said = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== "") said.set(name, String(value));
	}
	const text = said.toString();
	return text ? `${path}?${text}` : path;
}

/** curl is a request as a line for a shell. Where a token is in force the shell is to know it as TOKEN. */
export function curl(address: string, byToken: boolean): string {
	const quoted = `'${address.replaceAll("'", "'\\''")}'`;
	return byToken ? `curl -H "Authorization: Bearer $TOKEN" ${quoted}` : `curl ${quoted}`;
}
