import { expect, test } from "vitest";
import type { Piece } from "../../budget/answer";
import { directionOf } from "../../budget/direction";
import { Decimal } from "../../format/decimal";
import { answerOf } from "./answer";

type Overview = Parameters<typeof answerOf>[0];
type Net = Overview["period"];

const net = (budget: number | null, actual: number | null, variance_abs = 0): Net =>
	({ budget, actual, variance_abs, variance_pct: 5 }) as Net;

function said(period: Net, year_to_date: Net, lines: number[] = [], of = 6): string {
	const drivers = lines.map((variance_abs) => ({ variance_abs, gl_description: "Travel" }));
	const overview = {
		period,
		year_to_date,
		worst: drivers.filter(({ variance_abs }) => variance_abs < 0),
		best: drivers.filter(({ variance_abs }) => variance_abs > 0),
	} as unknown as Overview;
	const pieces = answerOf(
		overview,
		{ year: 2026, period: of, planned: "budget" },
		{ period: "#p", yearToDate: "#y", line: () => "#l", name: ({ gl_description }) => gl_description },
	);
	return pieces
		.map(read)
		.join("")
		.replaceAll(/[\s\u00a0\u202f]+/g, " ")
		.replaceAll(/(\d),(\d)/g, "$1.$2");
}

/** read writes a part of a sentence with its exact figure. */
function read(piece: Piece): string {
	if (typeof piece === "string") return piece;
	if ("name" in piece) return piece.name;
	if ("count" in piece) return String(piece.count);
	if ("amount" in piece) return String(piece.amount);
	const variance = Decimal.of(String(piece.variance));
	return `${variance.absolute()} ${directionOf(variance).shown}`;
}

test("the answer adds up", () => {
	expect(said(net(9, 8, -4), net(9, 8, 3), [-6])).toBe(
		"The net result of the year to date is 3 better than budget, 5.0%; P06 alone is 4 worse, with Travel 6 worse and everything else 2 better.",
	);
	expect(said(net(9, 8, -4), net(9, 8, 3), [-4])).toMatch(/P06 alone is 4 worse, all of it from Travel\.$/);
});

test("the answer tells of a first period, of nothing off budget, of no budget and of no actual", () => {
	expect(said(net(9, 8, -4), net(9, 8, -4), [-4], 1)).toBe(
		"The net result of P01 2026 is 4 worse than budget, 5.0%, all of it from Travel.",
	);
	expect(said(net(2, 2), net(4, 4))).toBe(
		"The net result of the year to date is 4, exactly on budget; P06 alone is 2, exactly on budget.",
	);
	expect(said(net(null, 2, 2), net(4, null, -4))).toBe(
		"The net result of the year to date has no actual yet; its budget is 4; P06 alone has no budget; its actual is 2.",
	);
});
