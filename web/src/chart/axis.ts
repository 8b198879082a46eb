import { scaleLinear } from "d3-scale";
import type { Decimal } from "../format/decimal";
import { isResult, type WaterfallBar } from "./waterfall";

/** The axis of a waterfall. Places are in percent of its length. */
export interface Axis {
	at: (amount: Decimal) => number;
	ticks: { at: number; amount: string }[];
	/** Where the axis is broken, and the amount at which it goes on, if it is broken beside zero. */
	broken?: { at: number; amount: string } | undefined;
}

/** A level this far from zero, as a share of the farthest level, breaks the axis: else the steps would be too short to compare. */
const far = 0.35;

/** The length of the axis between zero and the break, and the place of the break in it. */
const stub = 8;

/** axisOf returns an axis on which the levels of a waterfall fill the space, with about `parts` ticks. */
export function axisOf(bars: readonly WaterfallBar[], parts: number): Axis {
	const levels = bars.flatMap((bar) => (isResult(bar) ? [bar.end.number] : [bar.start.number, bar.end.number]));
	const [low, high] = [Math.min(...levels), Math.max(...levels)];
	const near = low > 0 ? low : high < 0 ? -high : 0;
	const farthest = Math.max(Math.abs(low), Math.abs(high));
	if (near <= far * farthest) return plain(Math.min(0, low), Math.max(0, high), parts);
	return low > 0 ? brokenAxis(low, high, 1, parts) : brokenAxis(-high, -low, -1, parts);
}

function plain(low: number, high: number, parts: number): Axis {
	const scale = scaleLinear()
		.domain(low === high ? [0, 1] : [low, high])
		.range([0, 100]);
	return {
		at: (amount) => scale(amount.number),
		ticks: scale.ticks(parts).map((tick) => ({ at: scale(tick), amount: text(tick) })),
	};
}

/** brokenAxis returns an axis for levels from `near` to `farthest` on one side of zero; `side` is 1 or -1. */
function brokenAxis(near: number, farthest: number, side: 1 | -1, parts: number): Axis {
	const steps = scaleLinear()
		.domain([near, farthest === near ? near * 1.1 : farthest])
		.nice(parts)
		.ticks(parts);
	const step = (steps[1] ?? near) - (steps[0] ?? 0);
	const first = steps[0] ?? 0;
	// No level lies on the break.
	const cut = near - first < step / 4 ? first - step : first;
	if (cut <= 0) return plain(Math.min(0, side * farthest), Math.max(0, side * farthest), parts);
	const scale = scaleLinear().domain([0, cut, farthest]).range([0, stub, 100]);
	const place = (size: number) => (side > 0 ? scale(size) : 100 - scale(size));
	return {
		at: (amount) => place(amount.absolute().number),
		ticks: [0, ...steps.filter((tick) => tick > cut && tick <= farthest)].map((tick) => ({
			at: place(tick),
			amount: text(side * tick),
		})),
		broken: { at: side > 0 ? stub / 2 : 100 - stub / 2, amount: text(side * cut) },
	};
}

/** text writes a number without an exponent, which no decimal has. */
function text(amount: number): string {
	return (Object.is(amount, -0) ? 0 : amount).toFixed(6);
}
