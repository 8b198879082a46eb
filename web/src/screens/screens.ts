/** What the bar above a screen narrows it by, in the bar's order. */
export type Filter = "year" | "period" | "version" | "dept" | "currency";

type Id =
	| "overview"
	| "variance"
	| "alerts"
	| "actuals"
	| "trades"
	| "positions"
	| "reference"
	| "quality"
	| "status"
	| "api"
	| "first-run";

export interface Screen {
	id: Id;
	title: string;
	/** The key that opens it, after `g`. */
	key: string;
	/** Screens of one group stand together in the navigation. */
	group: "report" | "record" | "order" | "program";
	filters: readonly Filter[];
	/** What it shows where the address names no period: the newest, one it has to name, or all. */
	period?: "newest" | "named" | "all";
}

/** The screens, in the order of the navigation. */
export const screens: readonly Screen[] = [
	{
		id: "overview",
		title: "Overview",
		key: "o",
		group: "report",
		filters: ["year", "period", "version", "dept", "currency"],
		period: "newest",
	},
	{
		id: "variance",
		title: "Variance",
		key: "v",
		group: "report",
		filters: ["year", "period", "version", "dept", "currency"],
		period: "named",
	},
	{
		id: "alerts",
		title: "Alerts",
		key: "a",
		group: "report",
		filters: ["year", "period", "version", "dept", "currency"],
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
		filters: ["currency"],
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
];

/** firstRun stands in for the overview while nothing is recorded. */
export const firstRun: Screen = {
	id: "first-run",
	title: "Get started",
	key: "f",
	group: "report",
	filters: [],
};

/** screenOf finds a screen by its id; undefined where there is none. */
export function screenOf(id: string): Screen | undefined {
	return id === firstRun.id ? firstRun : screens.find((s) => s.id === id);
}
