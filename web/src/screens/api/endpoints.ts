interface Operation {
	operationId?: string;
	tags?: string[];
	summary?: string;
	description?: string;
}

/** The part of an OpenAPI document that the list of endpoints needs. */
export interface OpenApi {
	info?: { description?: string };
	tags?: { name: string; description?: string }[];
	paths: Record<string, Record<string, Operation>>;
}

export interface Endpoint {
	/** The operationId. */
	id: string;
	method: string;
	path: string;
	summary: string;
}

export interface Tag {
	name: string;
	description: string;
	endpoints: Endpoint[];
}

/** An ApiPart is one of the two interfaces, or what belongs to both. */
export interface ApiPart {
	id: string;
	title: string;
	tags: Tag[];
}

const trading = new Set(["Health", "Currencies", "Companies", "Trades", "Positions"]);
const budget = new Set(["Departments", "GL accounts", "Budgets", "Actuals", "Variance"]);
const methods = ["get", "post", "put", "patch", "delete"];

/** endpoints lists every operation by its tag, in the order of the document. The two interfaces come first. */
export function endpoints(document: OpenApi): ApiPart[] {
	const tags = (document.tags ?? []).map(({ name, description = "" }) => ({
		name,
		description,
		endpoints: Object.entries(document.paths).flatMap(([path, operations]) =>
			methods
				.filter((method) => operations[method]?.tags?.[0] === name)
				.map((method) => ({
					id: operations[method]?.operationId ?? `${method} ${path}`,
					method: method.toUpperCase(),
					path,
					summary: operations[method]?.summary ?? "",
				})),
		),
	}));
	const filled = tags.filter((tag) => tag.endpoints.length > 0);
	return [
		{ id: "trading", title: "Trading", tags: filled.filter((tag) => trading.has(tag.name)) },
		{ id: "budget", title: "Budget and variance", tags: filled.filter((tag) => budget.has(tag.name)) },
		{
			id: "beside",
			title: "Other endpoints",
			tags: filled.filter((tag) => !trading.has(tag.name) && !budget.has(tag.name)),
		},
	];
}
