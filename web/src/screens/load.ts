import type { Component } from "svelte";
import type { Screen } from "../lib/screens";
import Overview from "./Overview.svelte";

type Loading = Promise<{ default: Component }>;

/** The screen that is seen first is part of the page, so that nothing is waited for; the others come when they are wanted. */
const parts: Record<Screen["id"], () => Loading> = {
	overview: async () => ({ default: Overview }),
	"first-run": () => import("./FirstRun.svelte"),
	variance: () => import("./Variance.svelte"),
	alerts: () => import("./Alerts.svelte"),
	actuals: () => import("./Actuals.svelte"),
	trades: () => import("./Trades.svelte"),
	positions: () => import("./Positions.svelte"),
	reference: () => import("./Reference.svelte"),
	quality: () => import("./Quality.svelte"),
	status: () => import("./Status.svelte"),
	api: () => import("./Api.svelte"),
};

/** load is what draws a screen. */
export function load({ id }: Screen): Loading {
	return parts[id]();
}
