import { render } from "svelte/server";
import { expect, test } from "vitest";
import { Decimal } from "../format/decimal";
import Answer from "./Answer.svelte";
import { because, type Part, type Piece, partsOf, type Whole, wholeOf } from "./answer";
import { directionOf } from "./direction";
import { foldedRows, foldTitle } from "./fold";

/** said writes a sentence as it is read, with exact figures. */
function said(pieces: readonly Piece[]): string {
	return pieces
		.map((piece) => {
			if (typeof piece === "string") return piece;
			if ("name" in piece) return piece.name;
			if ("count" in piece) return String(piece.count);
			if ("amount" in piece) return String(piece.amount);
			const variance = Decimal.of(String(piece.variance));
			return `${variance.absolute()} ${directionOf(variance).shown}`;
		})
		.join("");
}

const whole = (some: Partial<Whole>) =>
	said(
		wholeOf({
			subject: "The year to date",
			budget: 100,
			actual: 90,
			variance: -10,
			percent: "-10.00",
			href: "#",
			planned: "budget",
			...some,
		}),
	);

test("a result is told by its distance from plan, and without a plan or an actual by what there is", () => {
	expect(whole({})).toMatch(/^The year to date is 10 worse than budget, 10[.,]0\s?%$/);
	expect(whole({ variance: 10, planned: "forecast 2" })).toMatch(/is 10 better than forecast 2, /);
	expect(whole({ budget: 0, variance: -90, percent: -100 })).toBe("The year to date is 90 worse than budget");
	expect(whole({ actual: 100, variance: 0 })).toBe("The year to date is 100, exactly on budget");
	expect(whole({ budget: null })).toBe("The year to date has no budget; its actual is 90");
	expect(whole({ actual: null })).toBe("The year to date has no actual yet; its budget is 100");
	expect(whole({ budget: null, actual: null })).toBe("The year to date has no budget and no actual");
});

const parts = (...variances: (number | string)[]): Part[] =>
	variances.map((variance, i) => ({ name: String.fromCharCode(65 + i), variance, href: "#" }));

test.each([
	[[], ""],
	[[0, "0.00"], ""],
	[[-5, 0], "A 5 worse"],
	[[2, -5], "B 5 worse and A 2 better"],
	[[1, 2, 3], "C 3 better, B 2 better and A 1 better"],
	[[1, 2, 3, -4], "D 4 worse, C 3 better and 2 others 3 better"],
	[[9, 8, 2, -2], "A 9 better and B 8 better"],
])("the parts %j are told as %s", (variances, sentence) => {
	expect(said(partsOf(parts(...variances), 2, { href: "#" }))).toBe(sentence);
});

test("the parts of a sentence add up to their whole", () => {
	const variances = ["-310.81", "75", "-66.2", "0.01", "17.5", "-28.7"];
	const told = partsOf(parts(...variances), 2, { href: "#" });
	const sum = Decimal.sum(
		told.flatMap((piece) =>
			typeof piece === "object" && "variance" in piece ? [Decimal.of(String(piece.variance))] : [],
		),
	);
	expect(sum.compare(Decimal.sum(variances.map(Decimal.of)))).toBe(0);
	expect(said(because(["It is so"], told))).toMatch(
		/^It is so: A 310.81 worse, B 75 better and 4 others 77.39 worse\.$/,
	);
	expect(said(because(["It is so"], []))).toBe("It is so.");
});

test("the rows between the worst and the best are folded, and the fold has all of them", () => {
	const rows = [3, -9, 0, 1, -1, -2, 0, -7, 8, 2];
	const folded = foldedRows(rows, (row) => row, { worst: 2, best: 1 });
	expect(folded).toEqual([
		{ row: -9 },
		{ row: -7 },
		{ kind: "worse", rows: [-2, -1] },
		{ kind: "level", rows: [0, 0] },
		{ kind: "better", rows: [1, 2, 3] },
		{ row: 8 },
	]);
	expect(foldedRows([1, -1, 0], (row) => row, { worst: 0, best: 0 })).toEqual([{ row: -1 }, { row: 0 }, { row: 1 }]);
	expect(foldedRows([2, 1, 3, -1], (row) => row, { worst: 3, best: 0 })).toEqual([-1, 1, 2, 3].map((row) => ({ row })));
	const title = { count: "25", planned: "budget" };
	expect(foldTitle({ ...title, kind: "worse", all: false })).toBe("25 others worse than budget");
	expect(foldTitle({ ...title, kind: "level", all: true })).toBe("25 on budget");
});

test("a figure of a sentence has its unit once, its exact amount behind it, and its direction as a word", () => {
	const whole: Piece[] = ["It is ", { variance: "-428000000.5", href: "#all", unit: true }, ", with "];
	const of: Piece[] = [...whole, { name: "Travel" }, " ", { variance: 20_000_000, href: "#travel" }, "."];
	const { body } = render(Answer, { props: { of, as: { unit: "millions", places: 1 } } });
	expect(
		body
			.replaceAll(/<[^>]*>/g, "")
			.replaceAll(",", ".")
			.trim(),
	).toBe("It is 428.0 million worse. with Travel 20.0 better.");
	expect(body).toMatch(/<a [^>]*href="#all"[^>]*title="-428000000.5"[^>]*data-raw="-428000000.5"/);
	expect(body).toContain('data-spoken="unfavourable"');
});
