import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Program } from "./program.ts";
import { open, type Theme, Visitor } from "./visitor.ts";
import { wizardOf } from "./wizard.ts";

let browser: Browser;
let program: Program;
let visitor: Visitor;
/** What the browser says of an error response, which a test expects. */
let refused = 0;
beforeAll(async () => {
	[browser, program] = await Promise.all([open(), new Program().start()]);
	await program.post("/api/v1/department/create", { code: "ENG", name: "Engineering" });
	await program.post("/api/v1/department/create", { code: "OPS", name: "Operations" });
	await program.post("/api/v1/gl-accounts", { code: "6000", description: "Rent", type: "opex" });
	await program.post("/api/v1/gl-accounts", { code: "4000", description: "Sales", type: "revenue" });
});
afterAll(async () => {
	await browser?.close();
	await program?.end();
});
beforeEach(async () => {
	refused = 0;
	visitor = await Visitor.of(browser, program.origin);
});
afterEach(async () => {
	expect(visitor.complaints.filter((said) => !/status of (4|5)\d\d/.test(said))).toEqual([]);
	expect(visitor.complaints.length).toBeLessThanOrEqual(refused);
	await visitor.end();
});

const { to, press, choose, told, kept } = wizardOf(() => visitor);

const actuals = () =>
	program
		.get<{ items: { fiscal_period: number; amount: number }[] }>("/api/v1/actuals?fiscal_year=2027&limit=100")
		.then(({ items }) => items.map(({ fiscal_period, amount }) => [fiscal_period, amount]));

const header = "Dept,Account,Year,Period,Amount,Currency";

test("a good file goes in by keys, says what it did, and is taken back and done again", async () => {
	await choose("actuals", "Q1.csv", `${header}\nENG,6000,2027,1,10.50,EUR\nENG,6000,2027,2,20,EUR\n`);
	expect(await visitor.page.locator("[aria-current=step]").innerText()).toMatch(/Check/);
	expect(await visitor.barriers()).toEqual([]);
	await told("2 new actuals.");
	await press("Import 2 actuals");
	await told("2 actuals imported.");
	expect(await kept()).toBe(true);
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("dark")).toEqual([]);
	expect(await actuals()).toEqual([
		[1, 10.5],
		[2, 20],
	]);
	await press("Undo Q1.csv");
	await told("This import was undone.");
	expect(await actuals()).toEqual([]);
	expect(await kept()).toBe(true);
	await press("Redo Q1.csv");
	await visitor.page.getByText("This import was undone.").waitFor({ state: "detached" });
	expect(await actuals()).toHaveLength(2);
	await press("Undo Q1.csv");
	await told("This import was undone.");
	expect(await visitor.barriers()).toEqual([]);
	await visitor.page.reload();
	await told("This import was undone.");
});

test("the wrong rows of a file are named, mended or left out, and can be downloaded", async () => {
	const { page } = visitor;
	const rows = ["ENG,6000,2027,3,1,EUR", "ENG,Miete,2027,4,2,EUR", "Total,,,,3,EUR", "ENG,6000,2027,x,4,EUR"];
	await choose("actuals", "Q2.csv", `${header}\n${rows.join("\n")}\n`);
	await told("3 rows are wrong");
	expect(await page.getByRole("button", { name: /^Import 1 / }).getAttribute("aria-disabled")).toBe("true");
	expect(await page.locator("tbody .line").allInnerTexts()).toEqual(["3", "4", "5"]);
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("dark")).toEqual([]);
	const download = page.waitForEvent("download");
	await press("Download these rows");
	const wrong = await readFile(await (await download).path(), "utf8");
	expect(wrong).toContain("ENG,6000,2027,x,4,EUR,5,");
	await to("What Miete stands for");
	await page.keyboard.type("Rent");
	await told("2 rows are wrong");
	expect(await kept()).toBe(true);
	await press("Always skip this total");
	await told("1 row is wrong");
	expect(await kept()).toBe(true);
	await press("Leave out 1 wrong row");
	await told("1 wrong row is left out.");
	await press("Import 2 actuals");
	await told("2 actuals imported.");
	await told("1 wrong row was left out.");
	expect(await actuals()).toEqual([
		[3, 1],
		[4, 2],
	]);
	await press("Undo Q2.csv");
	await told("This import was undone.");
});

test("doubtful rows are taken as they read, or left out, and the journal keeps why", async () => {
	const { page } = visitor;
	const rows = ["ENG;6000;2028;1;1,50", "ENG;6000;2028;2;1,2E+05"];
	await choose(
		"actuals",
		"Zweifel.csv",
		`Dept;Account;Year;Period;Amount;Currency\n${rows.map((row) => `${row};EUR`).join("\n")}\n`,
	);
	await told("1 row is doubtful");
	expect(await page.getByRole("button", { name: /^Import/ }).getAttribute("aria-disabled")).toBe("true");
	await to("Why, for the journal (optional)");
	await page.keyboard.type("März, as agreed");
	await press("Leave out 1 doubtful row");
	await told("1 doubtful row is left out.");
	expect(await visitor.barriers()).toEqual([]);
	await press("Import the other actuals");
	await told("1 actual imported.");
	await told("1 doubtful row was left out.");
	const { items } = await program.get<{ items: { reason?: string }[] }>("/api/v1/journal?entity=actuals&limit=1000");
	expect(items.filter(({ reason }) => reason === "März, as agreed")).toHaveLength(1);
	await press("Undo Zweifel.csv");
	await told("This import was undone.");
});

test("the head says what counts for every row, and each of its words is a menu", async () => {
	const { page } = visitor;
	await choose("actuals", "Year.csv", "Account,Jan,Feb\n6000,1.50,2.25\n");
	const head = page.getByRole("group", { name: "What is shown" });
	for (const [label, value] of [
		["Department", "ENG"],
		["Fiscal year", String(new Date().getFullYear())],
		["Amounts are", "1000"],
	] as const)
		await head.getByLabel(label).selectOption(value);
	await told("1 question is open");
	await page.getByLabel("The same in every row").fill("EUR");
	await page.keyboard.press("Enter");
	await told("No question is open");
	await press("Check the rows");
	await told("The tabs count actuals: a row of this file has one for each period.");
	expect((await head.innerText()).replace(/\s+/g, " ")).toContain("in thousands");
	await page.getByRole("link", { name: "New 2" }).click();
	expect(await page.locator("tbody tr").first().innerText()).toMatch(/1,500/);
});

test("a trade that is there already is taken anyway, where a reader says so", async () => {
	const { page } = visitor;
	const header = "symbol,currency_code,shares,product,side,price,date";
	const file = `${header}\nABC,EUR,1,stock,buy,10.00,2027-01-02\nDEF,EUR,2,stock,buy,20.00,2027-01-03\n`;
	await choose("trades", "fills.csv", file);
	await press("Import 2 trades");
	await told("2 trades imported.");
	await choose("trades", "fills.csv", file);
	await page.getByRole("link", { name: "Here already 2" }).click();
	await press("Import line 3 anyway", "Space");
	expect(await visitor.barriers()).toEqual([]);
	await press("Import 1 trade");
	await told("1 trade imported.");
	await press("Undo fills.csv");
	await told("This import was undone.");
});

test("a file that brings nothing new says so, and another one is chosen by keys", async () => {
	const { page } = visitor;
	await page.setViewportSize({ width: 390, height: 844 });
	const file = "Code,Name\nNOW,Now\n";
	await choose("departments", "one.csv", file);
	await press("Import 1 department");
	await told("1 department imported.");
	for (const [name, text, says] of [
		["same.csv", file, "What the file has is stored already."],
		["empty.csv", "Code,Name\n", "The file has no rows below the names of its columns."],
		["wrong.csv", "Code,Name\nBAD,\n", "Mend it, or choose another file."],
	] as const) {
		await choose("departments", name, text);
		await told(says);
		expect(await page.getByRole("button", { name: /^(Import|Leave out)/ }).count()).toBe(0);
		expect(await visitor.barriers()).toEqual([]);
		await press("Choose another file");
		await told("What is in the file?");
		expect(await kept()).toBe(true);
	}
	await press("Undo one.csv");
	await page.waitForFunction(() => {
		const [toast, places] = ["[data-sonner-toast]", "nav.bar"].map((each) => document.querySelector(each));
		return toast && places && toast.getBoundingClientRect().bottom <= places.getBoundingClientRect().top;
	});
});

test("what others wrote since is shown, and stands in the way of an undo until the rest is undone", async () => {
	refused = 2;
	const posted = { department_id: 1, gl_account_id: 1, fiscal_year: 2027, currency: "EUR" };
	const post = (fiscal_period: number, amount: number) =>
		program.post("/api/v1/actuals/ingest", { ...posted, fiscal_period, amount });
	await choose("actuals", "Q3.csv", `${header}\nENG,6000,2027,10,1,EUR\nENG,6000,2027,11,2,EUR\n`);
	await post(10, 7);
	await press("Import 2 actuals");
	await told("1 actual was changed by somebody since the file was read.");
	expect(await visitor.barriers()).toEqual([]);
	expect((await actuals()).filter(([period]) => period === 11)).toEqual([]);
	await told("1 new, 1 changed actuals.");
	await press("Import 2 actuals");
	await told("2 actuals imported.");
	await post(11, 9);
	await press("Import another file");
	await told("What came in");
	await press("Undo Q3.csv");
	await told("Nothing was undone. 1 record is in the way:");
	await told(/^The actual of Engineering, 6000, P11 2027 was changed later/);
	expect(await visitor.barriers()).toEqual([]);
	await press("Undo the rest");
	await told("Partly undone");
	expect(await kept()).toBe(true);
	expect(await actuals()).toEqual([
		[10, 7],
		[11, 9],
	]);
});

test("how a file was read is saved, and offered for the next one", async () => {
	const { page } = visitor;
	const file = "Wo;Was;Jahr;Monat;Betrag\nOPS;4000;2027;12;1,50\n";
	await choose("actuals", "Januar.csv", file);
	for (const [column, field] of [
		["Wo", "department"],
		["Was", "gl_code"],
	] as const)
		await page.getByLabel(`What ${column} is`).selectOption(field);
	await told("1 question is open");
	await page.getByLabel("The same in every row").fill("EUR");
	await page.keyboard.press("Enter");
	await told("No question is open");
	await press("Check the rows");
	await press("Import 1 actual");
	await to("Read the next file the same way: save this as");
	await page.keyboard.type("ledger");
	await page.keyboard.press("Enter");
	await told("How this file is read was saved as ledger.");
	await choose("actuals", "Februar.csv", file.replace("1,50", "2,50"));
	await told("This file has the columns of ledger.");
	await press("Read it the same way");
	await told("No question is open");
	expect(await kept()).toBe(true);
	await press("Check the rows");
	await told("1 changed actual.");
});

test("what can mean two things is asked, with both readings, and nothing is stored before the answer", async () => {
	const { page } = visitor;
	await choose(
		"actuals",
		"Ist.csv",
		"Abteilung;Konto;Jahr;Monat;Betrag\nENG;6000;2027;5;1.234\nENG;6000;2027;6;2.345\n",
	);
	expect(await page.locator("[aria-current=step]").innerText()).toMatch(/Columns/);
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("dark")).toEqual([]);
	await to("The same in every row");
	await page.keyboard.type("EUR");
	await page.keyboard.press("Enter");
	await told("1 question is open");
	await press("Check the rows");
	await told("What is the mark in “1.234”?");
	expect(await page.getByRole("button", { name: /^Import/ }).getAttribute("aria-disabled")).toBe("true");
	await page.reload();
	await told("What is the mark in “1.234”?");
	expect(await page.locator("[aria-current=step]").innerText()).toMatch(/Check/);
	expect(await visitor.barriers()).toEqual([]);
	expect(await page.getByRole("link", { name: /^(Wrong|New) \d/ }).count()).toBe(0);
	await press(/^1,234 a comma is the decimal mark of the file/);
	await told("Ready");
	await page.getByRole("link", { name: "New 2" }).waitFor();
	await to(/^Rows: new/);
	expect(await page.locator("tbody tr").first().innerText()).toMatch(/Engineering ENG\s+Rent 6000\s+P05 2027\s+1,234/);
	expect((await actuals()).filter(([period]) => period === 5)).toEqual([]);
	await press("Cancel");
	await told("What is in the file?");
});

test("formulas, scripts and strange names are texts", async () => {
	const { page } = visitor;
	const codes = ["=1+1", "<img src=x onerror=alert(1)>", "\u202egnp", "'=A1"];
	const file = `Code,Name\n${codes.map((code, i) => `"X${i}","${code}"`).join("\n")}\n<script>alert(1)</script>,"a\u202eb"\n`;
	await choose("departments", "../../etc/\u202epasswd.csv", file);
	await page.getByRole("link", { name: /^New \d/ }).click();
	await told("<img src=x onerror=alert(1)>");
	expect(await page.locator("main img, main script").count()).toBe(0);
	expect(await page.getByRole("group", { name: "What is shown" }).innerText()).not.toContain("/etc/");
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.barriersIn("dark")).toEqual([]);
});

test("a file that is no table is refused, and another can be chosen", async () => {
	refused = 1;
	await visitor.see("import?kind=actuals");
	await visitor.page
		.locator("input[type=file]")
		.setInputFiles({ name: "broken.csv", mimeType: "text/csv", buffer: Buffer.from('Dept,Account\n"ENG,6000\n') });
	await visitor.page.getByRole("alert").waitFor();
	await told(/line 2/);
	expect(await visitor.barriers()).toEqual([]);
	expect(await visitor.page.getByText("Choose a file").count()).toBe(1);
});

test("a table is pasted, and a dropped file waits until its kind is said", async () => {
	const { page } = visitor;
	await visitor.see("import");
	await page.evaluate(() => {
		const data = new DataTransfer();
		data.setData("text/plain", "Code\tName\nNEW\tNew one\n");
		document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
	});
	await told("Pasted table.tsv is at hand. Say above what is in it.");
	await to("Budget lines");
	for (const kind of ["Actuals", "Departments"]) {
		await page.keyboard.press("ArrowRight");
		expect(await page.getByLabel(kind).isChecked()).toBe(true);
	}
	await press("Read Pasted table.tsv as departments");
	await told("Import 1 department");
});

test("a check that the server has forgotten says so, and begins again with the file", async () => {
	refused = 2;
	const { page } = visitor;
	await choose("departments", "more.csv", "Code,Name\nMORE,More\n");
	const id = new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("id");
	await program.remove(`/api/v1/imports/${id}`);
	await press("Back");
	await page.getByLabel("What Name is").selectOption("cost_center");
	await told("This check has ended.");
	expect(await visitor.barriers()).toEqual([]);
	await press("Check more.csv again");
	await told(/question is open|Check the rows|Ready/);
});

test("a reader whose token may not write is told before a file is chosen", async () => {
	const guarded = new Program();
	const token = guarded.token("read");
	await guarded.start("--require-token");
	const guest = await Visitor.of(browser, guarded.origin);
	await guest.page.goto(`${guarded.origin}/#/import`);
	await guest.page.getByLabel("Token").fill(token);
	await guest.page.keyboard.press("Enter");
	await guest.page.getByText("Your token may read, not write.").waitFor();
	expect(await guest.page.locator("input[type=file]").count()).toBe(0);
	expect(await guest.barriers()).toEqual([]);
	await guest.end();
	await guarded.end();
});

test.each<[number, number, Theme]>([
	[1440, 24, "light"],
	[390, 44, "dark"],
])("each step keeps nobody out at %s px, and each target is %s px high, in a %s theme", async (width, least, theme) => {
	const guest = await Visitor.of(browser, program.origin, theme);
	const { page } = guest;
	await page.setViewportSize({ width, height: 900 });
	const fits = async () => {
		expect(await guest.barriers()).toEqual([]);
		const small = await page
			.locator("main :is(button, select, input[type=text], textarea, nav a, label.file)")
			.evaluateAll(
				(all, least) =>
					all.flatMap((one) => {
						const { height } = one.getBoundingClientRect();
						return height > 0 && height < least ? [one.outerHTML.slice(0, 80)] : [];
					}),
				least,
			);
		expect(small).toEqual([]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
	};
	await guest.see("import?kind=actuals");
	await fits();
	const rows = ["ENG;6000;2027;7;1.234", "ENG;Nothing such;2027;8;2.345", "ENG;6000;2027;9;1,2E+05"];
	await page.locator("input[type=file]").setInputFiles({
		name: "all.csv",
		mimeType: "text/csv",
		buffer: Buffer.from(`Dept;Account;Year;Period;Amount\n${rows.join("\n")}\n`),
	});
	await page.waitForURL(/[?&]step=columns/);
	await fits();
	await page.getByText("How the file is read").click();
	await fits();
	await page.getByLabel("The same in every row").fill("EUR");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Check the rows" }).click();
	for (const tab of ["Wrong", "Doubtful", "New", "Skipped"]) {
		await page.getByRole("link", { name: new RegExp(`^${tab} \\d`) }).click();
		await guest.settled();
		await fits();
	}
	expect(guest.complaints).toEqual([]);
	await guest.end();
});
