import { expect, test } from "vitest";
import type { Piece } from "../../budget/answer";
import { directionOf } from "../../budget/direction";
import { Decimal } from "../../format/decimal";
import { lineAnswer, mapAnswer, statementAnswer } from "./answers";
import type { CurrencyHeatMap, HeatCell } from "./heatMaps";
import type { Line, Section, Side, Statement } from "./statement";

function said(pieces: readonly Piece[]): string {
	const read = (piece: Piece) => {
		if (typeof piece === "string") return piece;
		if ("name" in piece) return piece.name;
		if ("count" in piece) return String(piece.count);
		if ("amount" in piece) return String(piece.amount);
		const variance = Decimal.of(String(piece.variance));
		return `${variance.absolute()} ${directionOf(variance).shown}`;
	};
	return pieces
		.map(read)
		.join("")
		.replaceAll(/\s+%/g, "%")
		.replaceAll(/(\d),(\d)/g, "$1.$2");
}

const side = (budget: number | null, actual: number | null, variance_abs: number) =>
	({ budget, actual, variance_abs, variance_pct: "5.00" }) as Side;
const line = (description: string, ...sides: Side[]) => ({ description, sides }) as unknown as Line;
const section = (title: string, lines: Line[], ...subtotals: Side[]) =>
	({ title, lines, subtotals }) as unknown as Section;
const told = (sections: Section[], totals: Side[], versions = ["original"]) =>
	said(
		statementAnswer({ currency: "USD", sections, totals } as unknown as Statement, {
			versions,
			span: "P06 2026",
			href: "#",
			line: () => "#",
			section: () => "#",
		}),
	);

test("a statement is told by its types, one type by its accounts, and two versions beside each other", () => {
	const revenue = section("Revenue", [line("Sales", side(100, 80, -20))], side(100, 80, -20));
	const costs = section(
		"Operating expenses",
		[1, 2, 3, 4].map((i) => line(`Cost ${i}`, side(i, 0, i))),
		side(10, 0, 10),
	);
	expect(told([revenue, costs], [side(90, 80, -10)])).toBe(
		"The net result of P06 2026 is 10 worse than budget, 5.0%: revenue 20 worse and operating expenses 10 better.",
	);
	expect(told([costs], [])).toBe(
		"The sum of operating expenses of P06 2026 is 10 better than budget, 5.0%: Cost 4 4 better, Cost 3 3 better and 2 others 3 better.",
	);
	const both = section("Revenue", [line("Sales", side(1, 2, 1), side(3, 2, -1))], side(1, 2, 1), side(3, 2, -1));
	expect(told([both], [side(1, 2, 1), side(3, 2, -1)], ["original", "forecast1"])).toBe(
		"The net result of P06 2026 is 1 better than budget, 5.0%; it is 1 worse than forecast 1, 5.0%.",
	);
});

test("a statement without a budget, without an actual, and on budget says so, and no reason", () => {
	const of = (budget: number | null, actual: number | null, variance: number) =>
		told(
			[section("Revenue", [line("Sales", side(budget, actual, variance))], side(budget ?? 0, actual ?? 0, variance))],
			[side(budget ?? 0, actual ?? 0, variance)],
		);
	expect(of(null, 5, 5)).toBe("The net result of P06 2026 has no budget; its actual is 5.");
	expect(of(5, null, -5)).toBe("The net result of P06 2026 has no actual yet; its budget is 5.");
	expect(of(5, 5, 0)).toBe("The net result of P06 2026 is 5, exactly on budget.");
});

const cell = (account: string, column: string, variance: number) =>
	({ account, column, variance: Decimal.of(variance) }) as HeatCell;
const mapped = (all: number, worse: number, better: number, farthest: HeatCell[]) =>
	said(
		mapAnswer({ counts: { all, worse, better }, farthest } as unknown as CurrencyHeatMap, {
			columns: "periods",
			planned: "budget",
			name: ({ account, column }) => `${account} in ${column}`,
			href: () => "#",
		}),
	);

test("a heat map is told by how many columns are off plan, and by the two cells farthest off", () => {
	const far = [cell("Tax", "P03", -138), cell("Tax", "P04", 125)];
	const tail = "; farthest off are Tax in P03, 138 worse, and Tax in P04, 125 better.";
	expect(mapped(12, 4, 8, far)).toBe(`Of 12 periods 8 came out better than budget and 4 worse${tail}`);
	expect(mapped(12, 4, 0, far)).toBe(`Of 12 periods 4 came out worse than budget${tail}`);
	expect(mapped(12, 12, 0, far)).toBe(`All 12 periods came out worse than budget${tail}`);
	expect(mapped(12, 0, 0, far)).toBe(`In total no period is off budget${tail}`);
	expect(mapped(1, 0, 1, far.slice(1))).toBe(
		"The period came out better than budget; farthest off is Tax in P04, 125 better.",
	);
});

test("the answer of a line names its departments where it has several, and is its code where it has no name", () => {
	const about = { versions: ["original"], span: "P06 2026", href: "#" };
	const row = (name: string, variance: number) => ({ name, sides: [side(100, 100 - variance, variance)], href: "#" });
	const rent = line("Rent", side(200, 210, -10));
	expect(said(lineAnswer(rent, [row("Sales", -12), row("Research", 2)], about))).toBe(
		"Rent of P06 2026 is 10 worse than budget, 5.0%: Sales 12 worse and Research 2 better.",
	);
	expect(said(lineAnswer(rent, [row("Sales", -10)], about))).toBe("Rent of P06 2026 is 10 worse than budget, 5.0%.");
	const unnamed = { ...line("", side(null, 7, -7)), code: "6000" };
	expect(said(lineAnswer(unnamed, [], about))).toBe("6000 of P06 2026 has no budget; its actual is 7.");
});
