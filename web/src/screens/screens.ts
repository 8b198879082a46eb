/** The filters of the filter bar, in its order. */
export type Filter = "year" | "period" | "version" | "dept" | "currency" | "unit";

type Id =
	| "overview"
	| "variance"
	| "alerts"
	| "actuals"
	| "import"
	| "trades"
	| "positions"
	| "reference"
	| "quality"
	| "status"
	| "api"
	| "help"
	| "first-run";

export interface Screen {
	id: Id;
	title: string;
	/** The key that opens it after `g`. */
	key: string;
	/** The navigation puts the screens of a group together. */
	group: "report" | "record" | "order" | "program";
	filters: readonly Filter[];
	/** What an address without a period means: the newest period, a period that must be added, or all periods. */
	period?: "newest" | "named" | "all";
}

/** The screens, in the order of the navigation. */
export const screens: readonly Screen[] = [
	{
		id: "overview",
		title: "Overview",
		key: "o",
		group: "report",
		filters: ["year", "period", "version", "dept", "currency", "unit"],
		period: "newest",
	},
	{
		id: "variance",
		title: "Variance",
		key: "v",
		group: "report",
		filters: ["year", "period", "version", "dept", "currency", "unit"],
		period: "named",
	},
	{
		id: "alerts",
		title: "Alerts",
		key: "a",
		group: "report",
		filters: ["year", "period", "version", "dept", "currency", "unit"],
		period: "named",
	},
	{
		id: "actuals",
		title: "Actuals",
		key: "c",
		group: "record",
		filters: ["year", "period", "dept", "currency"],
		period: "all",
	},
	{
		id: "import",
		title: "Import",
		key: "m",
		group: "record",
		filters: [],
	},
	{
		id: "trades",
		title: "Trades",
		key: "t",
		group: "record",
		filters: ["currency"],
	},
	{
		id: "positions",
		title: "Positions",
		key: "p",
		group: "record",
		filters: ["currency", "unit"],
	},
	{
		id: "reference",
		title: "Reference data",
		key: "r",
		group: "order",
		filters: [],
	},
	{
		id: "quality",
		title: "Data quality",
		key: "q",
		group: "order",
		filters: [],
	},
	{
		id: "status",
		title: "Status",
		key: "s",
		group: "program",
		filters: [],
	},
	{ id: "api", title: "API", key: "i", group: "program", filters: [] },
	{ id: "help", title: "Help", key: "h", group: "program", filters: [] },
];

/** firstRun replaces the overview while the database is empty. */
export const firstRun: Screen = {
	id: "first-run",
	title: "Get started",
	key: "f",
	group: "report",
	filters: [],
};

/** screenOf returns a screen by its id; undefined if there is none. */
export function screenOf(id: string): Screen | undefined {
	return id === firstRun.id ? firstRun : screens.find((s) => s.id === id);
}
