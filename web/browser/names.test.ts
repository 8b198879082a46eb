import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Program } from "./program.ts";
import { open, Visitor } from "./visitor.ts";
import { wizardOf } from "./wizard.ts";

let browser: Browser;
let program: Program;
let visitor: Visitor;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().start()]);
	for (const [code, name] of [
		["ENG", "Engineering"],
		["OPS", "Operations"],
	])
		await program.post("/api/v1/department/create", { code, name });
	for (const [code, description, type] of [
		["0410", "Rent", "opex"],
		["4000", "Sales", "revenue"],
	])
		await program.post("/api/v1/gl-accounts", { code, description, type });
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});
beforeEach(async () => {
	visitor = await Visitor.of(browser, program.origin);
});
afterEach(async () => {
	expect(visitor.complaints.filter((said) => !/status of 409/.test(said))).toEqual([]);
	await visitor.end();
});

const { to, press, choose, told, kept } = wizardOf(() => visitor);

const header = "Dept,Account,Year,Period,Amount,Currency";

test("a column of names is read by name, with one key or on the step Columns", async () => {
	const { page } = visitor;
	await choose("actuals", "Names.csv", `${header}\nEngineering,sales,2027,1,1,EUR\nOperations,Rent,2027,1,2,EUR\n`);
	await told("2 rows are wrong");
	expect(await visitor.barriers()).toEqual([]);
	await press("These are names of departments");
	await page.getByRole("button", { name: "These are names of departments" }).waitFor({ state: "detached" });
	expect(await kept()).toBe(true);
	await press("These are names of accounts");
	await told("2 new actuals.");
	await press("Back");
	expect(await page.getByLabel("How Dept names the department").inputValue()).toBe("name");
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("dark")).toEqual([]);
	await page.getByLabel("How Account names the account").selectOption({ label: "by code" });
	await press("Check the rows");
	await told("2 rows are wrong");
	await press("Cancel");
});

test("the code that lost its zeros is chosen, and taken with one key; so are all at once", async () => {
	const { page } = visitor;
	const rows = ["ENG,410,2027,2,1,EUR", "Operations,4000,2027,2,2,EUR", "ENG,4000,2027,2,3,EUR"];
	await choose("actuals", "Zeros.csv", `${header}\n${rows.join("\n")}\n`);
	await told("2 rows are wrong");
	await told(/There is "0410": the file may have lost the zeros\./);
	expect(await page.getByLabel("What 410 stands for").inputValue()).toBe("0410");
	await press("Use the 2 that are chosen below");
	await told("3 new actuals.");
	await choose("actuals", "Zero.csv", `${header}\n${rows[0]}\n`);
	await press("Use Rent 0410 for 410");
	await told("1 new actual.");
	await press("Cancel");
});

test("another kind and back keeps the answers and the columns of each", async () => {
	const { page } = visitor;
	await choose("actuals", "Wo.csv", "Wo;Was;Jahr;Monat;Betrag\nENG;4000;2027;12;1,50\n");
	const kinds = page.getByRole("group", { name: "What is shown" }).getByLabel("What is in the file");
	await page.getByLabel("What Wo is").selectOption("department");
	await told("2 questions are open");
	await page.getByLabel("What Was is").selectOption("gl_code");
	await told("1 question is open");
	await kinds.selectOption("budgets");
	await page.waitForURL(/kind=budgets/);
	await visitor.settled();
	expect(await page.getByLabel("What Wo is").inputValue()).toBe("");
	await page.getByLabel("What Betrag is").selectOption("");
	await told("4 questions are open");
	await kinds.selectOption("actuals");
	await page.waitForURL(/kind=actuals/);
	await told("1 question is open");
	expect(await page.getByLabel("What Wo is").inputValue()).toBe("department");
	expect(await page.getByLabel("What Was is").inputValue()).toBe("gl_code");
	await kinds.selectOption("budgets");
	await told("4 questions are open");
	expect(await page.locator("[aria-current=step]").innerText()).toMatch(/Columns/);
	expect(await visitor.barriers()).toEqual([]);
	await press("Cancel");
});

test("rows of one key are added up, and the last step says so", async () => {
	const { page } = visitor;
	const rows = ["ENG,4000,2027,3,10,EUR", "ENG,4000,2027,3,5,EUR", "ENG,4000,2027,3,1,EUR"];
	await choose("actuals", "Ledger.csv", `${header}\n${rows.join("\n")}\n`);
	await press(/^Their sum/);
	await told("1 new actual.");
	await page.getByRole("link", { name: "Skipped 2" }).click();
	await told("2 rows that are added to the same key.");
	await press("Import 1 actual");
	await told("1 new, 2 rows added to the same key.");
	await to("Undo Ledger.csv");
	await page.keyboard.press("Enter");
	await told("This import was undone.");
});

test("what is in the way of an undo is said in words, and no rest is offered where all is in the way", async () => {
	const { page } = visitor;
	await choose("actuals", "One.csv", `${header}\nENG,4000,2027,4,1,EUR\n`);
	await press("Import 1 actual");
	await told("1 actual imported.");
	await program.post("/api/v1/actuals/ingest", {
		department_id: 1,
		gl_account_id: 2,
		fiscal_year: 2027,
		fiscal_period: 4,
		amount: 9,
		currency: "EUR",
	});
	await press("Undo One.csv");
	await told(/^The actual of Engineering, 4000, P04 2027 was changed later, in entry \d+ by local$/);
	await told("There is nothing else to undo.");
	expect(await page.getByRole("button", { name: "Undo the rest" }).count()).toBe(0);
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("dark")).toEqual([]);
});

test("a record that the file names is added from its wrong row, and the rows are read again", async () => {
	const { page } = visitor;
	await choose("actuals", "New.csv", `${header}\nHR,4000,2027,5,1,EUR\nHR,7100,2027,5,2,EUR\n`);
	await press("Add department HR");
	expect(await page.getByRole("dialog").getByLabel("Code").inputValue()).toBe("HR");
	expect(await visitor.barriers()).toEqual([]);
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await press("Add department HR");
	await page.getByRole("dialog").getByLabel("Name").fill("People");
	await page.keyboard.press("Enter");
	await told("1 row is wrong");
	await press("Add account 7100");
	await page.getByRole("dialog").getByLabel("Code").fill("7-100");
	await page.getByRole("dialog").getByLabel("Type").selectOption({ index: 1 });
	await page.getByRole("dialog").getByRole("button", { name: "Add account" }).click();
	await told("2 new actuals.");
	expect(await visitor.barriers()).toEqual([]);
	await page.getByRole("link", { name: "New 2" }).click();
	await told("7-100");
	await press("Cancel");
});
