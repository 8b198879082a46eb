import type { Component } from "svelte";

/** What the bar above a screen narrows it by, in the bar's order. */
export type Filter = "year" | "period" | "version" | "dept" | "currency";

export interface Screen {
	id: string;
	title: string;
	/** The key that opens it, after `g`. */
	key: string;
	/** Screens of one group stand together in the navigation. */
	group: "report" | "record" | "order" | "program";
	filters: readonly Filter[];
	/** What it shows where the address names no period: the newest, one it has to name, or all. */
	period?: "newest" | "named" | "all";
	load: () => Promise<{ default: Component }>;
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
		load: () => import("../screens/Overview.svelte"),
	},
	{
		id: "variance",
		title: "Variance",
		key: "v",
		group: "report",
		filters: ["year", "period", "version", "dept", "currency"],
		period: "named",
		load: () => import("../screens/Variance.svelte"),
	},
	{
		id: "alerts",
		title: "Alerts",
		key: "a",
		group: "report",
		filters: ["year", "period", "version", "dept", "currency"],
		period: "named",
		load: () => import("../screens/Alerts.svelte"),
	},
	{
		id: "actuals",
		title: "Actuals",
		key: "c",
		group: "record",
		filters: ["year", "period", "dept", "currency"],
		period: "all",
		load: () => import("../screens/Actuals.svelte"),
	},
	{
		id: "trades",
		title: "Trades",
		key: "t",
		group: "record",
		filters: ["currency"],
		load: () => import("../screens/Trades.svelte"),
	},
	{
		id: "positions",
		title: "Positions",
		key: "p",
		group: "record",
		filters: ["currency"],
		load: () => import("../screens/Positions.svelte"),
	},
	{
		id: "reference",
		title: "Reference data",
		key: "r",
		group: "order",
		filters: [],
		load: () => import("../screens/Reference.svelte"),
	},
	{
		id: "quality",
		title: "Data quality",
		key: "q",
		group: "order",
		filters: [],
		load: () => import("../screens/Quality.svelte"),
	},
	{
		id: "status",
		title: "Status",
		key: "s",
		group: "program",
		filters: [],
		load: () => import("../screens/Status.svelte"),
	},
	{ id: "api", title: "API", key: "i", group: "program", filters: [], load: () => import("../screens/Api.svelte") },
];

/** firstRun stands in for the overview while nothing is recorded. */
export const firstRun: Screen = {
	id: "first-run",
	title: "Get started",
	key: "f",
	group: "report",
	filters: [],
	load: () => import("../screens/FirstRun.svelte"),
};

/** screenOf finds a screen by its id; undefined where there is none. */
export function screenOf(id: string): Screen | undefined {
	return id === firstRun.id ? firstRun : screens.find((s) => s.id === id);
}
