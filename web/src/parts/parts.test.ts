import { readFileSync } from "node:fs";
import { join } from "node:path";
import { render } from "svelte/server";
import { describe, expect, test } from "vitest";
import ErrorMessage from "./ErrorMessage.svelte";
import { adviceByCode, describeError, RenderError } from "./errorMessage";
import Figure from "./Figure.svelte";
import Percent from "./Percent.svelte";

const cents = { unit: "exact", places: 2 } as const;

describe("Figure", () => {
	test("keeps the exact value for the tooltip and for copying", () => {
		const { body } = render(Figure, { props: { value: "99999999999999.9999", as: cents, currency: "EUR" } });
		expect(body).toContain('data-raw="99999999999999.9999"');
		expect(body).toContain('title="99999999999999.9999"');
		expect(body).toContain("EUR");
	});

	test("shows a unit, and keeps the exact value", () => {
		const { body } = render(Figure, { props: { value: "-66150000.25", as: { unit: "millions", places: 1 } } });
		expect(body).toMatch(/\(66[.,]2\)/);
		expect(body).toContain('title="-66150000.25"');
		expect(body).toContain('data-raw="-66150000.25"');
	});

	test("shows all decimals of a price", () => {
		expect(render(Figure, { props: { value: "0.00000001", as: "price" } }).body).toMatch(/0[.,]00000001/);
	});

	test("renders nothing for no value, not even a link", () => {
		const { body } = render(Figure, { props: { value: null, as: cents, href: "#/actuals", currency: "EUR" } });
		expect(body).not.toMatch(/<a|<span|EUR/);
	});

	test("renders a link if it has an address", () => {
		expect(render(Figure, { props: { value: 0, as: cents, href: "#/actuals" } }).body).toMatch(
			/<a [^>]*href="#\/actuals"/,
		);
	});
});

test("a percentage is a dash only if its amount is zero", () => {
	const percent = (of: string) => render(Percent, { props: { value: "0.00", of } }).body;
	expect(percent("0.01")).toMatch(/0[.,]0%/);
	expect(percent("0")).toContain("–");
});

test("an amount beside a budget of zero has no percentage", () => {
	for (const budget of [null, 0, "0.00"]) {
		const { body } = render(Percent, { props: { value: "-100", of: "-80", budget } });
		expect(body).toContain("no budget");
		expect(body).not.toContain("100");
	}
	expect(render(Percent, { props: { value: 0, of: 0, budget: 0 } }).body).toContain("–");
	expect(render(Percent, { props: { value: "-100", of: "-80", budget: 80 } }).body).toContain("(100");
});

test("every code of the interface has its advice, and there is none for another code", () => {
	const description = readFileSync(join(import.meta.dirname, "../../../internal/api/openapi.yaml"), "utf8");
	const listed = /A word that a program can act on\.\n\s*enum:\n((?:\s*- \w+\n)+)/.exec(description)?.[1] ?? "";
	const codes = [...listed.matchAll(/- (\w+)/g)].map(([, code]) => code);
	expect(codes.length).toBeGreaterThan(20);
	expect(Object.keys(adviceByCode).sort()).toEqual(codes.sort());
});

test("an error of a part names the part and says what to do", () => {
	const { body } = render(ErrorMessage, { props: { error: new RenderError("The table"), retry: () => {} } });
	for (const said of ["The table could not be displayed.", "no data was changed", "reload the page", "Try again"])
		expect(body).toContain(said);
});

describe("Problem", () => {
	test("says what went wrong, in which field, and what to do", () => {
		const refused = Object.assign(new Error("1 field is at fault"), {
			status: 400,
			code: "validation_failed",
			details: [{ field: "period", message: "must be 1 to 12, got 13" }],
		});
		const { body } = render(ErrorMessage, { props: { error: refused, retry: () => {} } });
		for (const said of ["1 field is at fault", "period", "must be 1 to 12, got 13", "Try again", 'role="alert"']) {
			expect(body).toContain(said);
		}
	});

	test("runs no script in a text", () => {
		const { body } = render(ErrorMessage, { props: { error: new Error("<script>alert(1)</script>") } });
		expect(body).not.toContain("<script>");
	});

	test("distinguishes a server that does not answer from a bug of the page", () => {
		expect(describeError(new TypeError("Failed to fetch")).what).toBe("The server does not answer.");
		expect(describeError(new TypeError("x is undefined")).what).toBe("x is undefined");
		expect(describeError("torn").what).toBe("torn");
	});
});
