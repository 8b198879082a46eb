import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { Program } from "./program.ts";
import { open, Visitor } from "./visitor.ts";

/** What the tests of a file share, and the visitor of each test. */
interface Stage {
	browser: Browser;
	program: Program;
	visitor: Visitor;
	/** here returns the address of the visitor's screen. */
	here(): string;
}

/**
 * stage starts a demo server for the tests of a file, and a visitor for each test. A test fails if its visitor has
 * complaints.
 */
export function stage(): Stage {
	const on = { here: () => new URL(on.visitor.page.url()).hash } as Stage;
	beforeAll(async () => {
		[on.browser, on.program] = await Promise.all([open(), new Program().demo().start()]);
	});
	afterAll(async () => {
		await on.browser?.close();
		await on.program?.end();
	});
	beforeEach(async () => {
		on.visitor = await Visitor.of(on.browser, on.program.origin);
	});
	afterEach(async () => {
		expect(on.visitor.complaints).toEqual([]);
		await on.visitor.end();
	});
	return on;
}
