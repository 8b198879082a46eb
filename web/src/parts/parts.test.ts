import { render } from "svelte/server";
import { describe, expect, test } from "vitest";
import ErrorMessage from "./ErrorMessage.svelte";
import { describeError, RenderError } from "./errorMessage";
import Figure from "./Figure.svelte";
import Outcome from "./Outcome.svelte";
import Percent from "./Percent.svelte";

describe("Figure", () => {
	test("has the exact value for a hover and a copy", () => {
		const { body } = render(Figure, { props: { value: "99999999999999.9999", currency: "EUR" } });
		expect(body).toContain('data-raw="99999999999999.9999"');
		expect(body).toContain('title="99999999999999.9999"');
		expect(body).toContain("EUR");
	});

	test("is nothing where there is nothing, not even a link", () => {
		const { body } = render(Figure, { props: { value: null, href: "#/actuals", currency: "EUR" } });
		expect(body).not.toMatch(/<a|<span|EUR/);
	});

	test("is a link where it leads somewhere", () => {
		expect(render(Figure, { props: { value: 0, href: "#/actuals" } }).body).toMatch(/<a [^>]*href="#\/actuals"/);
	});
});

test("an outcome is a word and a sign, not a colour alone", () => {
	const good = render(Outcome, { props: { status: "favourable", variance: "12.5", amount: true } }).body;
	const bad = render(Outcome, { props: { status: "unfavourable", variance: "-12.5", amount: true } }).body;
	expect(good).toMatch(/\+12[.,]50/);
	expect(good).toContain("favourable");
	expect(bad).toMatch(/−12[.,]50/);
	expect(bad).toContain("unfavourable");
});

test("what is exactly on budget is neither favourable nor unfavourable", () => {
	const { body } = render(Outcome, { props: { status: "favourable", variance: "0.00" } });
	expect(body).toContain("on budget");
	expect(body).not.toMatch(/favourable|good|\+/);
});

test("a percentage is a dash only where there is nothing of it", () => {
	const percent = (of: string) => render(Percent, { props: { value: "0.00", of } }).body;
	expect(percent("0.01")).toMatch(/0[.,]00/);
	expect(percent("0")).toContain("–");
});

test("what was not budgeted has no percent", () => {
	const { body } = render(Percent, { props: { value: "100", unbudgeted: true } });
	expect(body).toContain("unbudgeted");
	expect(body).not.toContain("100");
});

test("a part that could not be displayed is named, with what to do about it", () => {
	const { body } = render(ErrorMessage, { props: { error: new RenderError("The table"), retry: () => {} } });
	for (const said of ["The table could not be displayed.", "no data was changed", "reload the page", "Try again"])
		expect(body).toContain(said);
});

describe("Problem", () => {
	test("tells what, where and how to mend", () => {
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

	test("runs no text", () => {
		const { body } = render(ErrorMessage, { props: { error: new Error("<script>alert(1)</script>") } });
		expect(body).not.toContain("<script>");
	});

	test("knows a server that does not answer from a defect of the page", () => {
		expect(describeError(new TypeError("Failed to fetch")).what).toBe("The server does not answer.");
		expect(describeError(new TypeError("x is undefined")).what).toBe("x is undefined");
		expect(describeError("torn").what).toBe("torn");
	});
});
