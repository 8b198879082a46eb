import { expect, test } from "vitest";
import { toldOf } from "./head";
import { type Kind, kindOf } from "./kinds";
import type { Preview } from "./preview";

test("the head has a menu for the year, unless a column of the file or its days of postings give it", () => {
	const kind = kindOf("actuals") as Kind;
	const known = { fiscal_year: [{ value: "2027", title: "2027" }] };
	const words = (columns: { field: string }[]) => {
		const preview = { map: { columns }, questions: [] } as unknown as Preview;
		return toldOf({ preview, kind, known, answer: () => {} }).filter((each) => typeof each !== "string");
	};
	expect(words([{ field: "fiscal_period" }]).map(({ label }) => label)).toContain("Fiscal year");
	expect(words([{ field: "fiscal_period" }, { field: "fiscal_year" }]).map(({ label }) => label)).not.toContain(
		"Fiscal year",
	);
});
