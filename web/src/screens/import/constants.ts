import { api } from "../../api/client";
import { accountTypes, accountTypeTitle } from "../../budget/accountTypes";
import { versions, versionTitle } from "../../budget/versions";
import { isolated } from "../../format/bidi";

export interface Choice {
	value: string;
	title: string;
	/** The name of a record that has a code too. */
	name?: string;
}

const flags: readonly Choice[] = [
	{ value: "true", title: "Yes" },
	{ value: "false", title: "No" },
];

const fixed: Record<string, readonly Choice[]> = {
	version: versions.map((value) => ({ value, title: versionTitle(value) })),
	type: accountTypes.map((value) => ({ value, title: accountTypeTitle(value) })),
	side: [
		{ value: "buy", title: "Buy" },
		{ value: "sell", title: "Sell" },
	],
	product: ["stock", "call", "put", "currency", "bond"].map((value) => ({ value, title: value })),
	active: flags,
	favour_high: flags,
};

/** choicesForAll returns what a field may have in every row. The sign of the shares may say the side of each. */
export async function choicesForAll(field: string): Promise<readonly Choice[]> {
	const known = await choicesOf(field);
	return field === "side" ? [...known, { value: "sign", title: "A sale has negative shares" }] : known;
}

/** isWord reports whether a field has one of a few words, so that it is chosen and not typed. */
export function isWord(field: string): boolean {
	return field in fixed;
}

/** The records that a field names, or the words that it may have; none where anything goes. */
export async function choicesOf(field: string): Promise<readonly Choice[]> {
	if (fixed[field]) return fixed[field];
	if (field === "department") {
		const { data } = await api.GET("/api/v1/department/list");
		return data.map(({ code, name }) => ({ value: code, title: `${isolated(name)} ${code}`, name }));
	}
	if (field === "gl_code") {
		const { data } = await api.GET("/api/v1/gl-accounts");
		return data.map(({ code, description: name }) => ({ value: code, title: `${isolated(name)} ${code}`, name }));
	}
	if (field === "company") {
		const { items } = (await api.GET("/api/v1/companies", { params: { query: { limit: 1000 } } })).data;
		return items.map(({ name }) => ({ value: name, title: isolated(name) }));
	}
	if (field === "currency" || field === "currency_code") {
		const { currencies } = (await api.GET("/api/v1/filters")).data;
		return currencies.map((value) => ({ value, title: value }));
	}
	if (field === "fiscal_year") {
		const { years } = (await api.GET("/api/v1/filters")).data;
		const now = new Date().getFullYear();
		const all = [...new Set([now + 1, now, now - 1, ...years])].sort((a, b) => b - a);
		return all.map((year) => ({ value: String(year), title: String(year) }));
	}
	return [];
}
