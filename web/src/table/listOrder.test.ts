import { expect, test } from "vitest";
import { captionOf, firstRows, orderOf, scrollHint, sortQuery } from "./listOrder";

const orders = { id: "id", gl_code: "account" } as const;
const columns = [
	{ id: "id", title: "Actual" },
	{ id: "gl_code", title: "Account" },
];

test("an unknown order becomes the newest first", () => {
	expect(
		["gl_code", "-gl_code", "id", "", "source", "-source", "toString"].map((asked) => orderOf(asked, orders)),
	).toEqual(["gl_code", "-gl_code", "id", "-id", "-id", "-id", "-id"]);
});

test("the query names the order as the API does", () => {
	expect([sortQuery("gl_code", orders), sortQuery("-gl_code", orders), sortQuery("-id", orders)]).toEqual([
		"account",
		"-account",
		"-id",
	]);
});

test("the caption names the order", () => {
	expect(captionOf("Actuals", "-id", columns)).toBe("Actuals, the newest first");
	expect(captionOf("Actuals", "", columns)).toBe("Actuals, the newest first");
	expect(captionOf("Actuals", "gl_code", columns)).toBe("Actuals, sorted by Account, ascending");
	expect(captionOf("Actuals", "-gl_code", columns)).toBe("Actuals, sorted by Account, descending");
});

test("the rows of an unfinished list are called the newest only in that order", () => {
	expect(firstRows(1500, "-id") + scrollHint("-id")).toBe("The newest 1,500; scroll to load older ones");
	expect(firstRows(500, "-gl_code") + scrollHint("-gl_code")).toBe("The first 500 in this order; scroll to load more");
});
