/** What the list of endpoints reads of an OpenAPI document. */
export interface OpenApi {
	tags?: { name: string; description?: string }[];
	paths: Record<string, Record<string, { tags?: string[]; summary?: string }>>;
}

export interface Endpoint {
	method: string;
	path: string;
	summary: string;
}

export interface Tag {
	name: string;
	description: string;
	endpoints: Endpoint[];
}

/** A book is one of the two interfaces, or what serves both. */
export interface Book {
	title: string;
	tags: Tag[];
}

const trading = new Set(["Health", "Currencies", "Companies", "Trades", "Positions"]);
const budget = new Set(["Departments", "GL accounts", "Budgets", "Actuals", "Variance"]);
const methods = ["get", "post", "put", "patch", "delete"];

/** endpoints lists every operation by its tag, in the order of the document, the two interfaces first. */
export function endpoints(document: OpenApi): Book[] {
	const tags = (document.tags ?? []).map(({ name, description = "" }) => ({
		name,
		description,
		endpoints: Object.entries(document.paths).flatMap(([path, operations]) =>
			methods
				.filter((method) => operations[method]?.tags?.[0] === name)
				.map((method) => ({ method: method.toUpperCase(), path, summary: operations[method]?.summary ?? "" })),
		),
	}));
	const filled = tags.filter((tag) => tag.endpoints.length > 0);
	return [
		{ title: "Trading", tags: filled.filter((tag) => trading.has(tag.name)) },
		{ title: "Budget and variance", tags: filled.filter((tag) => budget.has(tag.name)) },
		{ title: "Beside them", tags: filled.filter((tag) => !trading.has(tag.name) && !budget.has(tag.name)) },
	];
}
