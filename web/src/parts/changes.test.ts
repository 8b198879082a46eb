import { render } from "svelte/server";
import { expect, test } from "vitest";
import type { components } from "../api/schema";
import Changes from "./Changes.svelte";

const entry: components["schemas"]["JournalEntry"] = {
	seq: 7,
	at: "2026-01-02T03:04:05Z",
	actor: "feed",
	request_id: "one",
	entity: "actuals",
	entity_id: 3,
	action: "changed",
	before: {},
	after: {},
};

const printed = (next: number | null) =>
	render(Changes, { props: { entity: "actuals", id: 3, page: { items: [entry], next } } }).body;

test("a history that does not list its latest changes says so, and links to them", () => {
	expect(printed(7)).toContain("Later ones are not listed here");
	expect(printed(7)).toMatch(/href="[^"]*after=7"/);
});

test("a history that lists all its changes does not say so", () => {
	expect(printed(null)).toContain("journal entry 7");
	expect(printed(null)).not.toContain("Later");
});

test("a change tells the old amount, the new one and the reason", () => {
	const first = { amount: "1200.5", currency: "EUR", source: "" };
	const items = [
		{ ...entry, seq: 1, action: "created", before: null, after: first },
		{ ...entry, seq: 2, before: first, after: { ...first, amount: -30, source: "bank" }, reason: "As agreed" },
	] as unknown as (typeof entry)[];
	const { body } = render(Changes, { props: { entity: "actuals", id: 3, page: { items, next: null } } });
	const text = body.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
	expect(text).toContain("1,200.50 EUR");
	expect(text).toContain("Amount 1,200.50 → (30)");
	expect(text).toContain("Source empty → bank");
	expect(text).toContain("Why: As agreed");
});

test("a record without entries is older than the journal", () => {
	const { body } = render(Changes, { props: { entity: "actuals", id: 3, page: { items: [], next: null } } });
	expect(body).toContain("This record is older than the journal.");
});
