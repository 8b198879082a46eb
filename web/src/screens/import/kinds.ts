/** A field that a column of a file may have. */
export interface Field {
	name: string;
	title: string;
	/** A new record must have it. */
	required?: boolean;
	/** It is said in the columns of a file, and is no column of a record. */
	only?: "wide" | "file";
	/** It is the code of a record that has a name too, which a file may give instead. */
	named?: boolean;
}

/** A kind of records that files have. */
export interface Kind {
	id: string;
	/** In a sentence: "252 lines". */
	one: string;
	many: string;
	title: string;
	/** The screen that lists its records. */
	screen: string;
	view?: string;
	fields: readonly Field[];
	/** A file may have a column for each period. */
	wide?: boolean;
}

const code = { name: "code", title: "Code", required: true };
const posting: readonly Field[] = [
	{ name: "department", title: "Department", required: true, named: true },
	{ name: "gl_code", title: "Account", required: true, named: true },
	{ name: "fiscal_year", title: "Fiscal year", required: true },
	{ name: "fiscal_period", title: "Fiscal period", required: true },
];
const amounts: readonly Field[] = [
	{ name: "amount", title: "Amount", required: true },
	{ name: "currency", title: "Currency", required: true },
];
const label: Field = { name: "label", title: "Label of totals", only: "file" };
const besides: readonly Field[] = [
	{ name: "total", title: "Total of the periods", only: "wide" },
	{ name: "debit", title: "Debit", only: "file" },
	{ name: "credit", title: "Credit", only: "file" },
	{ name: "sign", title: "Debit or credit, a letter", only: "file" },
	label,
];

/** The kinds, those of budgets first. */
export const kinds: readonly Kind[] = [
	{
		id: "budgets",
		title: "Budget lines",
		one: "line",
		many: "lines",
		screen: "variance",
		wide: true,
		fields: [
			...posting,
			{ name: "version", title: "Version" },
			...amounts,
			{ name: "notes", title: "Notes" },
			...besides,
		],
	},
	{
		id: "actuals",
		title: "Actuals",
		one: "actual",
		many: "actuals",
		screen: "actuals",
		wide: true,
		fields: [...posting, ...amounts, { name: "source", title: "Source" }, ...besides],
	},
	{
		id: "departments",
		title: "Departments",
		one: "department",
		many: "departments",
		screen: "reference",
		view: "departments",
		fields: [
			code,
			{ name: "name", title: "Name", required: true },
			{ name: "cost_center", title: "Cost centre" },
			{ name: "active", title: "Active" },
		],
	},
	{
		id: "accounts",
		title: "Accounts",
		one: "account",
		many: "accounts",
		screen: "reference",
		view: "accounts",
		fields: [
			code,
			{ name: "description", title: "Description" },
			{ name: "type", title: "Type", required: true },
			{ name: "favour_high", title: "Higher is better" },
		],
	},
	{
		id: "trades",
		title: "Trades",
		one: "trade",
		many: "trades",
		screen: "trades",
		fields: [
			{ name: "symbol", title: "Symbol", required: true },
			{ name: "currency_code", title: "Currency", required: true },
			{ name: "shares", title: "Quantity", required: true },
			{ name: "product", title: "Product", required: true },
			{ name: "side", title: "Side", required: true },
			{ name: "price", title: "Price", required: true },
			{ name: "date", title: "Time", required: true },
			{ name: "time", title: "Time of day", only: "file" },
			{ name: "gross", title: "Gross, quantity times price", only: "file" },
			{ name: "external_id", title: "Id of the trade elsewhere", only: "file" },
			label,
		],
	},
	{
		id: "companies",
		title: "Companies",
		one: "company",
		many: "companies",
		screen: "reference",
		view: "companies",
		fields: [
			{ name: "name", title: "Name", required: true },
			{ name: "shares_outstanding", title: "Shares outstanding" },
			{ name: "price", title: "Price" },
			{ name: "currency_code", title: "Currency", named: true },
		],
	},
	{
		id: "revenue",
		title: "Revenue of companies",
		one: "revenue",
		many: "revenues",
		screen: "reference",
		view: "companies",
		fields: [
			{ name: "company", title: "Company", required: true },
			{ name: "company_nth", title: "Which company of that name" },
			{ name: "category", title: "Category", required: true },
			{ name: "amount", title: "Amount", required: true },
			{ name: "fiscal_year", title: "Fiscal year" },
			{ name: "currency_code", title: "Currency" },
			label,
		],
	},
	{
		id: "currencies",
		title: "Currencies",
		one: "currency",
		many: "currencies",
		screen: "reference",
		view: "currencies",
		fields: [code, { name: "name", title: "Name" }],
	},
];

/** kindOf returns a kind by its id; undefined if there is none. */
export function kindOf(id: string): Kind | undefined {
	return kinds.find((kind) => kind.id === id);
}

/** The columns that name a record by its id in this database, by the field that names it by its code. */
const ids: Readonly<Record<string, string>> = {
	department: "department_id",
	gl_code: "gl_account_id",
	company: "company_id",
	currency: "currency_id",
	currency_code: "currency_id",
};

/** hasField reports whether a file has a column for a field, or one for the id of what it names. */
export function hasField(columns: readonly { field?: string }[], name: string): boolean {
	return columns.some(({ field }) => field !== undefined && (field === name || field === ids[name]));
}

/** titleOf returns what a field of a file is called on the page. */
export function titleOf(kind: Kind, field: string, period = 0): string {
	if (field === "period") return period > 0 ? `Amount of P${String(period).padStart(2, "0")}` : "Amount of a period";
	const known = kind.fields.find(({ name }) => name === field || ids[name] === field);
	if (!known) return field;
	return known.name === field ? known.title : `${known.title}, by its id`;
}
