import { expect, test } from "vitest";
import { random } from "../../random";
import { type Column, drawColumns, height } from "./columns";

const column = (i: number, actual: string | null, plan: string | null, variance: string | null): Column => ({
	name: `P${i}`,
	actual,
	plan,
	variance,
	href: "",
	now: i === 2,
});
const print = {
	label: (amount: string | number) => String(amount),
	axis: (ticks: (string | number)[]) => ticks.map(String),
};

test("actual is narrow inside the wide plan, from zero, on one scale; the variance stands below on its own line", () => {
	const { columns, zero, varianceZero } = drawColumns(
		[column(1, "50", "100", "-50"), column(2, "-25", "75", "-100")],
		600,
		print,
	);
	const [first, second] = columns;
	expect([first?.plan?.height, second?.plan?.height].map((h) => Math.round((h ?? 0) / 10))).toEqual([
		Math.round((first?.actual?.height ?? 0) / 5),
		Math.round((first?.actual?.height ?? 0) / (50 / 7.5)),
	]);
	expect(first?.actual?.width).toBeLessThan(first?.plan?.width ?? 0);
	expect(first?.actual?.x).toBeGreaterThan(first?.plan?.x ?? 0);
	expect((first?.actual?.y ?? 0) + (first?.actual?.height ?? 0)).toBeCloseTo(zero);
	expect(second?.actual?.y).toBeCloseTo(zero);
	expect(first?.variance?.y).toBeCloseTo(varianceZero);
	expect(first?.good).toBe(false);
	expect(varianceZero).toBeGreaterThan(zero);
});

test("every bar and label lies in its drawing, at every width and for every amount", () => {
	const draw = random(38);
	for (let round = 0; round < 200; round++) {
		const width = 280 + draw.below(1600);
		const given = Array.from({ length: 12 }, (_, i) =>
			column(i, draw.decimal(14, 2), draw.decimal(12, 2), i < 9 ? draw.decimal(10, 2) : null),
		);
		const drawing = drawColumns(given, width, { ...print, label: (amount) => (Number(amount) / 1e6).toFixed(1) });
		for (const { actual, plan, variance, label, varianceLabel } of drawing.columns) {
			for (const bar of [actual, plan, variance]) {
				if (!bar) continue;
				expect(bar.x).toBeGreaterThanOrEqual(drawing.left);
				expect(bar.x + bar.width).toBeLessThanOrEqual(width);
				expect(bar.y).toBeGreaterThanOrEqual(16);
				expect(bar.y + bar.height).toBeLessThanOrEqual(height - 16);
			}
			for (const text of [label, varianceLabel]) {
				if (!text) continue;
				expect(text.y).toBeGreaterThanOrEqual(10);
				expect(text.y).toBeLessThanOrEqual(height - 16);
			}
		}
	}
});

test("a narrow drawing leaves out labels and names, never that of the chosen period", () => {
	const year = Array.from({ length: 12 }, (_, i) => column(i, String(1000 - i), "1000", String(i)));
	const wide = drawColumns(year, 1200, print);
	expect(wide.columns.filter(({ label, named }) => label && named)).toHaveLength(12);
	const narrow = drawColumns(year, 300, print);
	expect(narrow.columns.filter(({ label }) => label).length).toBeLessThan(7);
	expect(narrow.columns.filter(({ named }) => named).length).toBeGreaterThan(3);
	expect(narrow.columns[2]?.label?.text).toBe("998");
});

test("what is not there has no bar", () => {
	const [empty] = drawColumns([column(1, null, "5", null)], 500, print).columns;
	expect([empty?.actual, empty?.variance, empty?.label]).toEqual([undefined, undefined, undefined]);
});

test("a column that is far longer than the others is cut and marked, and the others keep their scale", () => {
	const prints = { label: String, axis: (ticks: (string | number)[]) => ticks.map(String) };
	const column = (actual: number, plan: number) => ({ name: "P", actual, plan, variance: 0, href: "", now: false });
	const short = [100, -40, 60, 80, 20, 90, 70, 50].map((amount) => column(amount, 100));
	const whole = drawColumns(short, 800, prints);
	expect(whole.columns.filter(({ cut }) => cut)).toEqual([]);
	const long = drawColumns([...short, column(-6800, 90)], 800, prints);
	const [first, last] = [long.columns[0], long.columns.at(-1)];
	expect(long.columns.flatMap(({ cut }, at) => (cut ? [at] : []))).toEqual([8]);
	expect(last?.label?.text).toBe("-6800");
	expect(first?.actual?.height).toBeGreaterThan(50);
	// A cut bar is at least as long as a bar that is drawn to scale. Its mark lies on it.
	expect(last?.actual?.height).toBeGreaterThanOrEqual(first?.actual?.height ?? Number.NaN);
	expect(last?.cut?.y).toBeGreaterThan(last?.actual?.y ?? Number.NaN);
	expect(last?.cut?.y).toBeLessThan((last?.actual?.y ?? 0) + (last?.actual?.height ?? 0));
	expect(last?.plan?.height).toBeCloseTo((first?.plan?.height ?? 0) * 0.9, 5);
	// Where many are long, the axis is theirs.
	expect(
		drawColumns([...short, ...short.slice(0, 3).map(() => column(900, 900))], 800, prints).columns.some(
			({ cut }) => cut,
		),
	).toBe(false);
});
