import { expect, it } from "vitest";
import { search } from "./search";

const targets = [
	{ kind: "Screen", code: "", name: "Actuals", href: "a" },
	{ kind: "Department", code: "SAL", name: "Sales", href: "b" },
	{ kind: "Account", code: "6300", name: "Travel, sales staff", href: "c" },
	{ kind: "Account", code: "63", name: "Réserves", href: "d" },
	{ kind: "Symbol", code: "SALT", name: "", href: "e" },
];

const found = (asked: string) => search(targets, asked).map((t) => t.href);

it.each([
	["", ["a", "b", "c", "d", "e"]],
	["sal", ["b", "e", "c"]],
	["63", ["d", "c"]],
	["reserves", ["d"]],
	["account travel", ["c"]],
	["travel nothing", []],
])("%j finds %j", (asked, want) => {
	expect(found(asked)).toEqual(want);
});
