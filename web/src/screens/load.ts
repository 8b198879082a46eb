import type { Component } from "svelte";
import Overview from "./overview/Overview.svelte";
import type { Screen } from "./screens";

type Loading = Promise<{ default: Component }>;

/** The overview is part of the page, so that it shows without waiting. The other screens load on demand. */
const parts: Record<Screen["id"], () => Loading> = {
	overview: async () => ({ default: Overview }),
	"first-run": () => import("./first-run/FirstRun.svelte"),
	variance: () => import("./variance/Variance.svelte"),
	alerts: () => import("./alerts/Alerts.svelte"),
	actuals: () => import("./actuals/Actuals.svelte"),
	import: () => import("./import/Import.svelte"),
	trades: () => import("./trades/Trades.svelte"),
	positions: () => import("./positions/Positions.svelte"),
	reference: () => import("./reference/Reference.svelte"),
	quality: () => import("./quality/Quality.svelte"),
	status: () => import("./status/Status.svelte"),
	api: () => import("./api/Api.svelte"),
	help: () => import("./help/Help.svelte"),
};

/** loadScreen imports the component of a screen. */
export function loadScreen({ id }: Screen): Loading {
	return parts[id]();
}
